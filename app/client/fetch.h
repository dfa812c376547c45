// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connection.h"

#include <QJsonObject>
#include <QObject>

#include <chrono>
#include <optional>

namespace jetglass::client {

/// What an ack subject says about the delivery, see the server's "$JS.ACK." tokens.
struct DeliveryInfo
{
    QString domain; ///< empty without one
    QString stream;
    QString consumer;
    quint64 delivered = 0; ///< how often this message has been given to this consumer
    quint64 streamSeq = 0;
    quint64 consumerSeq = 0;
    qint64 timestamp = 0; ///< when the message was stored, wall ns
    quint64 pending = 0; ///< matching messages that wait behind it
};

/// Reads the short form (9 tokens) and the long one with domain and account (11 or 12 tokens).
[[nodiscard]] std::optional<DeliveryInfo> parseAckSubject(const QString& subject);
/// The subject that takes the answer for this delivery: the short form, as the server would have
/// given it to the client.
[[nodiscard]] QString ackSubject(const DeliveryInfo& delivery);

enum class AckKind
{
    Ack,
    Nak,
    NakDelay,
    InProgress,
    Term
};

/// The bytes that go to the ack subject. \a delay counts for NakDelay only.
[[nodiscard]] QByteArray ackPayload(AckKind kind, std::chrono::nanoseconds delay = {});
/// "+NXT": acks and asks for \a batch more.
[[nodiscard]] QByteArray ackNextPayload(int batch);

struct FetchRequest
{
    QString stream;
    QString consumer;
    int batch = 1;
    std::chrono::milliseconds expires{5000}; ///< ignored with noWait
    bool noWait = false;
    qint64 maxBytes = 0; ///< 0 = no budget
    QString group; ///< priority group, empty = none

    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] QString subject() const;
};

/// Why a fetch is over.
struct FetchEnd
{
    int received = 0;
    int status = 0; ///< 404, 408, 409 ..., 0 when the batch is complete
    QString text; ///< the server's own words
    bool cancelled = false;

    /// One sentence for the reader.
    [[nodiscard]] QString words() const;
};

/// One pull request after the other, by hand: each fetch has its own inbox, since delivered
/// messages carry the stream's subject and only the subscription says which request they answer.
class Fetcher : public QObject
{
    Q_OBJECT
public:
    explicit Fetcher(Connection* connection, QObject* parent = nullptr);
    ~Fetcher() override;

    /// Ends a running fetch first.
    void fetch(const FetchRequest& request);
    /// Acks \a ackSubject and takes the next \a batch messages in the same step (+NXT).
    void ackNext(const QString& ackSubject, int batch);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_subscription != 0; }

signals:
    void received(const jetglass::client::Message& message);
    void ended(const jetglass::client::FetchEnd& end);

private:
    void start(int batch, int expiresMs);
    void onMessage(const Message& message);
    void finish(const FetchEnd& end);

    QPointer<Connection> m_connection;
    QString m_inbox;
    quint64 m_subscription = 0;
    int m_wanted = 0;
    int m_received = 0;
    QTimer m_silence; ///< a server that never answers must not leave the fetch open
};

/// A push consumer's deliver subject, listened to by hand.
class PushListener : public QObject
{
    Q_OBJECT
public:
    explicit PushListener(Connection* connection, QObject* parent = nullptr);
    ~PushListener() override;

    void listen(const QString& deliverSubject, const QString& group);
    void stop();
    [[nodiscard]] bool isListening() const { return m_subscription != 0; }

signals:
    void received(const jetglass::client::Message& message);

private:
    QPointer<Connection> m_connection;
    quint64 m_subscription = 0;
};

} // namespace jetglass::client
