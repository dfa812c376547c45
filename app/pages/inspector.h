// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "text/explain_text.h"

#include <QTimer>
#include <QWidget>

class QGridLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace jetglass::payload {
class PayloadView;
}

namespace jetglass::pages {

class WhyCard;

/// All about the selected message: content, its state for each consumer, and why it is not done for
/// the selected one. Without a message: about the selected consumer.
class Inspector final : public QWidget
{
    Q_OBJECT
public:
    explicit Inspector(models::Session& session, QWidget* parent = nullptr);

    [[nodiscard]] const text::Explanation& explanation() const { return m_explanation; }

signals:
    void settingClicked(const QString& setting);

protected:
    void changeEvent(QEvent* event) override;

private:
    void subjectChanged();
    void refreshMessage();
    void refreshStates();
    void refreshWhy();
    void takeMessage(const MessageAnswer& answer, quint64 seq);
    void takeRange(const RangeAnswer& answer);
    void showStates();
    void showWhy(const ExplainAnswer& answer);
    void showNothing();
    [[nodiscard]] ConsumerId askedConsumer() const;
    void retranslate();

    models::Session& m_session;
    QTimer m_tick; ///< countdowns, and cells that change
    RangeAnswer m_range;
    ExplainAnswer m_answer;
    text::Explanation m_explanation;
    quint64 m_shownSeq = 0;
    bool m_dirty = false;

    QLabel* m_title;
    QLabel* m_time;
    QLabel* m_subject;
    QLabel* m_facts;
    payload::PayloadView* m_payload;
    QLabel* m_statesTitle;
    QWidget* m_states;
    QGridLayout* m_statesGrid;
    std::vector<QLabel*> m_stateNames;
    std::vector<QLabel*> m_stateTexts;
    WhyCard* m_why;
    QLabel* m_empty;
    QWidget* m_content;
};

} // namespace jetglass::pages
