// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "text/explain_text.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QLabel;

namespace jetglass::payload {
class PayloadView;
}

namespace jetglass::pages {

class DeliveryStates;
class WhyCard;

/// All about the selected message: content, its state for each consumer, and why it is not done for
/// the selected one. Without a message: about the selected consumer.
class Inspector final : public QWidget
{
    Q_OBJECT
public:
    /// \a canAct: overrides are offered.
    explicit Inspector(models::Session& session, bool canAct, QWidget* parent = nullptr);

    [[nodiscard]] const text::Explanation& explanation() const { return m_explanation; }

signals:
    void settingClicked(const QString& setting);
    void overrideWanted(jetglass::ConsumerId consumer); ///< for the selected message

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showTitle(const QString& name, const QString& seq);
    void fitTitle();
    void build();
    [[nodiscard]] QWidget* buildStates();
    void connectAll();
    void tick();
    void subjectChanged();
    void cellChanged();
    void showSubject();
    void refreshMessage();
    void refreshStates();
    void refreshWhy();
    void takeMessage(const MessageAnswer& answer, quint64 seq);
    void takeRange(const RangeAnswer& answer);
    void showNotes();
    void showStates();
    void showWhy(const ExplainAnswer& answer);
    void showNothing();
    [[nodiscard]] ConsumerId askedConsumer() const;
    void retranslate();

    models::Session& m_session;
    bool m_canAct;
    QTimer m_tick; ///< countdowns, and cells that change
    MessageRow m_row; ///< without its payload, unless its notes need it
    RangeAnswer m_range;
    ExplainAnswer m_answer;
    text::Explanation m_explanation;
    quint64 m_shownSeq = 0;
    bool m_dirty = false;
    QTimer m_settle; ///< runs for a moment after each change of subject
    bool m_moved = false; ///< it changed again meanwhile
    bool m_changed = false; ///< its states did

    QLabel* m_title;
    QString m_titleName;
    QString m_titleSeq;
    QAction* m_copySubject;
    QLabel* m_time;
    QLabel* m_subject;
    QLabel* m_facts;
    QLabel* m_notes;
    payload::PayloadView* m_payload;
    QLabel* m_statesTitle;
    DeliveryStates* m_states;
    WhyCard* m_why;
    QLabel* m_empty;
    QWidget* m_content;
};

} // namespace jetglass::pages
