// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/message.h"
#include "client/wire.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <QThread>
#include <QTimer>

#include <functional>
#include <memory>

namespace jetglass::client {

/// What became of a request.
struct Reply
{
    enum class Outcome
    {
        Answered,
        NoResponders,
        TimedOut,
        NotConnected,
        Failed
    };
    Outcome outcome = Outcome::Answered;
    Message message;
    QString error; ///< the library's own words when Failed
    qint64 roundTripUs = 0;

    [[nodiscard]] bool answered() const { return outcome == Outcome::Answered; }
};

/// A connection to a NATS server through nats.c, as any program would have one. Belongs to the GUI
/// thread and never blocks it: nats.c runs on a thread of its own, every answer comes as a call on
/// the GUI thread, later than the request, and not at all once its context object is gone.
class Connection : public QObject
{
    Q_OBJECT
public:
    enum class State
    {
        Closed,
        Connecting,
        Connected,
        Reconnecting,
        Failed
    };
    Q_ENUM(State)
    using ReplyHandler = std::function<void(const Reply&)>;
    using MessageHandler = std::function<void(const Message&)>;

    explicit Connection(QObject* parent = nullptr);
    ~Connection() override;

    void open(const ConnectOptions& options);
    void close();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isConnected() const { return m_state == State::Connected; }
    /// The state in a sentence, with the reason of the last failure.
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString url() const { return m_url; }
    [[nodiscard]] qint64 maxPayload() const { return m_maxPayload; }
    [[nodiscard]] const ConnectOptions& options() const { return m_options; }
    /// The last complaint of the server (a -ERR line), empty if there was none.
    [[nodiscard]] QString lastServerError() const { return m_serverError; }

    /// Sends without waiting for anything.
    void publish(const Message& message);
    /// Sends and hands over the first answer. \returns a number for cancel().
    quint64 request(const Message& message, int timeoutMs, QObject* context, ReplyHandler handler);
    /// Sends and hands over every answer until cancel(); silence of \a idleMs ends it with
    /// TimedOut.
    quint64 requestMany(const Message& message, int idleMs, QObject* context, ReplyHandler handler);
    void cancel(quint64 request);
    [[nodiscard]] qsizetype outstanding() const { return m_requests.size(); }

    quint64 subscribe(
        const QString& subject, const QString& queue, QObject* context, MessageHandler handler);
    void unsubscribe(quint64 subscription);

    /// A subject for answers that nobody else has.
    [[nodiscard]] static QString newInbox();

signals:
    void stateChanged();
    void serverError(const QString& text);

private:
    struct Request
    {
        QPointer<QObject> context;
        ReplyHandler handler;
        qint64 sentUs = 0;
        qint64 deadlineMs = 0;
        int timeoutMs = 0;
        bool many = false;
    };
    struct Subscription
    {
        QPointer<QObject> context;
        MessageHandler handler;
    };

    quint64 send(
        const Message& message, int timeoutMs, bool many, QObject* context, ReplyHandler handler);
    void drain();
    void dispatch(Arrival& arrival);
    void answer(quint64 key, Reply reply);
    void deliver(quint64 key, const Message& message);
    void expire();
    void failAll(Reply::Outcome outcome);
    void setState(State state, const QString& reason = {});

    std::shared_ptr<Arrivals> m_arrivals;
    QThread m_thread;
    Wire* m_wire; ///< lives on m_thread, deleted when it finishes
    ConnectOptions m_options;
    State m_state = State::Closed;
    QString m_reason;
    QString m_url;
    QString m_serverError;
    qint64 m_maxPayload = qint64{1024} * 1024;
    quint64 m_lastKey = 0;
    QHash<quint64, Request> m_requests;
    QHash<quint64, Subscription> m_subscriptions;
    QElapsedTimer m_clock; ///< a request's time-out is the wire's, so it stays on real time
    QTimer m_expiry;
    QTimer m_retry;
};

} // namespace jetglass::client
