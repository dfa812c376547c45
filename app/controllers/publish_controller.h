// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connection.h"
#include "client/publish.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

namespace jetglass::controllers {

/// One run of the publish panel.
struct PublishJob
{
    client::Message message; ///< may hold placeholders, see client/message_template.h
    quint64 count = 1;
    double perSecond = 0; ///< 0 = as fast as answers come back
    bool acked = true; ///< waits for a pub ack of each message; false = Core NATS, fire and forget
    int timeoutMs = 5000;
};

/// Totals of a run, for a progress line.
struct PublishProgress
{
    quint64 wanted = 0;
    quint64 sent = 0;
    quint64 stored = 0; ///< pub acks that were not duplicates
    quint64 duplicates = 0;
    quint64 failed = 0;
    quint64 waiting = 0; ///< sent, not answered yet
    bool running = false;
    bool cancelled = false;
};

/// Publishes one message or many, keeps a bounded number of pub acks outstanding and counts what
/// became of each. GUI thread; nothing blocks. A failed publish does not end the run: each message
/// has its own result.
class PublishController : public QObject
{
    Q_OBJECT
public:
    static constexpr quint64 kMaxWaiting = 256;

    explicit PublishController(client::Connection* connection, QObject* parent = nullptr);

    /// Cancels a running job first.
    void start(const PublishJob& job);
    /// No more is sent; answers that are still due are counted.
    void cancel();
    [[nodiscard]] const PublishProgress& progress() const { return m_progress; }

signals:
    /// The answer to one message, \a message as it was sent.
    void answered(const jetglass::client::Message& message, const jetglass::client::PubAck& ack);
    /// A message went out that no answer is expected for.
    void sentWithoutAck(const jetglass::client::Message& message);
    void progressChanged(const jetglass::controllers::PublishProgress& progress);
    void finished(const jetglass::controllers::PublishProgress& progress);

private:
    void pump();
    void sendOne();
    void onAck(quint64 run, const client::Message& message, const client::PubAck& ack);
    void endIfDone();

    QPointer<client::Connection> m_connection;
    PublishJob m_job;
    PublishProgress m_progress;
    quint64 m_run = 0; ///< answers of an earlier run are not counted
    QElapsedTimer m_since;
    QTimer m_tick;
};

} // namespace jetglass::controllers
