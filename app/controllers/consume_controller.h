// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/range_query.h"
#include "client/fetch.h"

#include <QList>
#include <QObject>

#include <chrono>
#include <functional>
#include <optional>

namespace jetglass::controllers {

/// What a consumer's configuration says about the messages that it gives out.
struct ConsumerTerms
{
    QString stream;
    QString consumer;
    std::chrono::nanoseconds ackWait{0}; ///< 0 = acks are not needed
    QList<std::chrono::nanoseconds> backoff;
    bool ackAll = false; ///< an ack settles all before it too
    /// Which ones of these names: another has another id. 0 = not known.
    StreamId streamId{};
    ConsumerId consumerId{};

    /// How long the \a delivered-th delivery of a message waits for its answer, ns.
    [[nodiscard]] qint64 waitFor(quint64 delivered) const;
};

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
        Failed,
        Removed ///< its message has left the stream: nothing is left to answer for
    };
    quint64 id = 0; ///< local, never reused
    ConsumerTerms terms; ///< of the consumer that gave it out, as they were then
    client::Message message;
    client::DeliveryInfo info; ///< empty for a consumer without acks
    State state = State::Held;
    qint64 receivedAt = 0; ///< broker time, wall ns
    qint64 dueAt = 0; ///< when it is given out again unless something is said, 0 = never
    int extended = 0; ///< how often 'in progress' was sent
    qint64 lateBy = 0; ///< how long after dueAt the answer went out, ns, 0 = in time
    bool noEffect = false; ///< the answer was late and the server had nothing left to change
    QString note; ///< failure, delay or lateness in words
    Removal removal = Removal::None; ///< why it left the stream

    [[nodiscard]] bool isHeld() const { return state == State::Held; }
    /// A server takes late answers, too; only what was answered is over.
    [[nodiscard]] bool canAnswer() const
    {
        return state == State::Held || state == State::Expired || state == State::Failed;
    }
};

/// Fetches by hand and answers for what came. Holds the messages of this window only, newest last,
/// at most kMaxHeld: older settled ones go first.
class ConsumeController : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype kMaxHeld = 2000;
    using Clock = std::function<qint64()>;
    using CellReply = std::function<void(std::optional<DeliveryCell>)>;
    /// Asks the broker what it knows of a delivery; nothing when it cannot tell.
    using CellQuestion = std::function<void(const HeldMessage&, QObject* context, CellReply)>;

    /// \a now is broker time: redelivery follows the broker's clock and not the computer's.
    ConsumeController(client::Connection* connection, Clock now, QObject* parent = nullptr);

    /// With it the effect of a late answer is told: the confirmation alone looks the same whether
    /// it counted or not.
    void setCellQuestion(CellQuestion ask) { m_ask = std::move(ask); }
    /// Of the consumer that the next fetch asks. What was given out before keeps its own.
    void setTerms(ConsumerTerms terms);

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
    /// What is at \a index has left its stream.
    void markRemoved(qsizetype index, Removal cause);
    /// Forgets, held or not, what \a gone says of; it may correct the others.
    void forgetIf(const std::function<bool(HeldMessage&)>& gone);
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
    struct Answer
    {
        quint64 id = 0;
        client::AckKind kind = client::AckKind::Ack;
        std::chrono::nanoseconds delay{0};
        std::optional<DeliveryCell> before; ///< of a late one: what it found
    };
    void onMessage(const client::Message& message);
    void send(const Answer& answer);
    void onConfirmed(const Answer& answer, const client::Reply& reply);
    void settle(HeldMessage& held, const Answer& answer);
    void settleOthers(const HeldMessage& by);
    void askWhatItDid(qsizetype at, const Answer& answer);
    void judge(quint64 id, const DeliveryCell& before, const std::optional<DeliveryCell>& after);
    void trim();

    QPointer<client::Connection> m_connection;
    Clock m_now;
    client::Fetcher m_fetcher;
    client::PushListener m_push;
    CellQuestion m_ask;
    ConsumerTerms m_terms;
    ConsumerTerms m_asked; ///< of the consumer that was asked last
    QList<HeldMessage> m_held;
    quint64 m_lastId = 0;
};

} // namespace jetglass::controllers
