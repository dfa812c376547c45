// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/fetch.h"

#include <QList>
#include <QObject>

#include <chrono>
#include <functional>

namespace jetglass::controllers {

/// A message that this window was given and may still answer for.
struct HeldMessage
{
    enum class State
    {
        Held,
        Sent,
        Acked,
        Naked,
        Terminated,
        Expired,
        NoAckNeeded,
        Failed
    };
    quint64 id = 0; ///< local, never reused
    client::Message message;
    client::DeliveryInfo info; ///< empty for a consumer without acks
    State state = State::Held;
    qint64 receivedAt = 0; ///< broker time, wall ns
    qint64 dueAt = 0; ///< when it is given out again unless something is said, 0 = never
    int extended = 0; ///< how often 'in progress' was sent
    QString note; ///< failure or delay in words

    [[nodiscard]] bool canAnswer() const { return state == State::Held; }
};

/// Fetches by hand and answers for what came. Holds the messages of this window only, newest last,
/// at most kMaxHeld: older settled ones go first.
class ConsumeController : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype kMaxHeld = 2000;
    using Clock = std::function<qint64()>;

    /// \a now is broker time: redelivery follows the broker's clock and not the computer's.
    ConsumeController(client::Connection* connection, Clock now, QObject* parent = nullptr);

    /// The consumer's own ack wait and backoff decide when a message comes back. ackWait 0 = acks
    /// are not needed.
    void setConsumerTimes(
        std::chrono::nanoseconds ackWait, QList<std::chrono::nanoseconds> backoff);

    void fetch(const client::FetchRequest& request);
    /// Listens on a push consumer's deliver subject.
    void listen(const QString& deliverSubject, const QString& group);
    void stop();
    [[nodiscard]] bool isFetching() const { return m_fetcher.isRunning(); }
    [[nodiscard]] bool isListening() const { return m_push.isListening(); }

    void answer(quint64 id, client::AckKind kind, std::chrono::nanoseconds delay = {});
    /// Acks and fetches the next one in the same step.
    void ackNext(quint64 id);
    /// Forgets what is settled; held messages stay.
    void clearSettled();
    /// Marks what has run out of time by now as expired. Call it from a timer while the page is
    /// visible.
    void expire();

    [[nodiscard]] const QList<HeldMessage>& held() const { return m_held; }
    [[nodiscard]] qsizetype indexOf(quint64 id) const;
    [[nodiscard]] qint64 now() const { return m_now(); }

signals:
    void added(qsizetype index);
    void changed(qsizetype index);
    void removed(qsizetype first, qsizetype count);
    void fetchEnded(const jetglass::client::FetchEnd& end);
    void stateChanged();

private:
    void onMessage(const client::Message& message);
    void onConfirmed(quint64 id,
        client::AckKind kind,
        std::chrono::nanoseconds delay,
        const client::Reply& reply);
    [[nodiscard]] qint64 waitFor(quint64 delivered) const;
    void trim();

    QPointer<client::Connection> m_connection;
    Clock m_now;
    client::Fetcher m_fetcher;
    client::PushListener m_push;
    std::chrono::nanoseconds m_ackWait{0};
    QList<std::chrono::nanoseconds> m_backoff;
    QList<HeldMessage> m_held;
    quint64 m_lastId = 0;
};

} // namespace jetglass::controllers
