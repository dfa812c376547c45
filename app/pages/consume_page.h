// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controllers/consume_controller.h"
#include "sources/flow_source.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTableView;
class QVBoxLayout;

namespace jetglass::forms {
class SameAsView;
}

namespace jetglass::pages {

class HeldList;

/// Consuming by hand: fetch some messages of a consumer and decide for each. Every button says what
/// it does to the message before it is pressed.
class ConsumePage : public QWidget
{
    Q_OBJECT
public:
    ConsumePage(
        client::Connection* connection, sources::FlowSource* source, QWidget* parent = nullptr);

    void setConsumer(const QString& stream, const QString& consumer);
    /// What the reader looks at elsewhere, \a consumer may be empty. Messages that are held here,
    /// or about to come, keep their consumer in view.
    void follow(const QString& stream, const QString& consumer);
    /// The consumer stays if it is one of this stream.
    void setStream(const QString& stream);
    [[nodiscard]] controllers::ConsumeController* controller() { return &m_controller; }
    void fetch();
    /// Answers for all selected messages.
    void answerSelected(client::AckKind kind);
    /// The table of what the chosen consumer gave out.
    [[nodiscard]] QTableView* view() const;
    [[nodiscard]] HeldList* list() const { return m_list; }

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Verb
    {
        client::AckKind kind;
        QPushButton* button;
    };

    void build();
    void buildRequest(QVBoxLayout* layout);
    void buildVerbs(QVBoxLayout* layout);
    void connectAll();
    void retranslate();
    void refreshStreams();
    void refreshConsumers();
    void refreshConsumer();
    void refreshButtons();
    void refreshPayload();
    void refreshSameAs();
    void tick();
    void ackNext();
    bool actOnKey(const QKeyEvent& event);
    [[nodiscard]] const ConsumerOverview* consumer() const;
    [[nodiscard]] client::FetchRequest request() const;

    QPointer<client::Connection> m_connection;
    QPointer<sources::FlowSource> m_source;
    controllers::ConsumeController m_controller;
    QTimer m_tick; ///< countdowns, ten times a second, only while the page is visible
    std::optional<client::FetchEnd> m_lastEnd;
    client::AckKind m_lastVerb = client::AckKind::Ack;
    QString m_shown; ///< the consumer that the result line is about
    bool m_showVerb = false; ///< "the same as" shows the last answer, not the fetch

    QLabel* m_streamLabel;
    QComboBox* m_stream;
    QLabel* m_consumerLabel;
    QComboBox* m_consumer;
    QLabel* m_facts;
    QLabel* m_batchLabel;
    QSpinBox* m_batch;
    QLabel* m_expiresLabel;
    QDoubleSpinBox* m_expires;
    QCheckBox* m_noWait;
    QPushButton* m_fetch;
    QPushButton* m_stop;
    QLabel* m_result;
    HeldList* m_list;
    QList<Verb> m_verbs;
    QPushButton* m_ackNext;
    QDoubleSpinBox* m_delay;
    QPushButton* m_clear;
    QLabel* m_effect;
    QLabel* m_payloadLabel;
    QPlainTextEdit* m_payload;
    forms::SameAsView* m_sameAs;
};

} // namespace jetglass::pages
