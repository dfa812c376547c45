// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/connection.h"

#include <QUuid>

#include <vector>

namespace jetglass::client {

Connection::Connection(QObject* parent)
    : QObject(parent)
    , m_arrivals(std::make_shared<Arrivals>(this, [this] { drain(); }))
    , m_wire(new Wire(m_arrivals))
{
    m_clock.start();
    m_wire->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_wire, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("nats"));
    m_thread.start();
    m_expiry.setInterval(50);
    connect(&m_expiry, &QTimer::timeout, this, &Connection::expire);
    m_retry.setSingleShot(true);
    m_retry.setInterval(1000);
    connect(&m_retry, &QTimer::timeout, this, [this] { open(m_options); });
}

Connection::~Connection()
{
    m_arrivals->detach();
    m_thread.quit();
    m_thread.wait();
}

void Connection::open(const ConnectOptions& options)
{
    m_options = options;
    m_retry.stop();
    failAll(Reply::Outcome::NotConnected);
    setState(State::Connecting);
    QMetaObject::invokeMethod(
        m_wire, [wire = m_wire, options] { wire->open(options); }, Qt::QueuedConnection);
}

void Connection::close()
{
    m_retry.stop();
    setState(State::Closed);
    QMetaObject::invokeMethod(
        m_wire, [wire = m_wire] { wire->close(); }, Qt::QueuedConnection);
    m_subscriptions.clear();
    failAll(Reply::Outcome::NotConnected);
}

QString Connection::stateText() const
{
    const QString server = m_options.servers.join(QStringLiteral(", "));
    switch (m_state) {
    case State::Closed:
        return tr("Not connected.");
    case State::Connecting:
        return tr("Connecting to %1 …").arg(server);
    case State::Connected:
        return tr("Connected to %1.").arg(m_url);
    case State::Reconnecting:
        return m_reason.isEmpty()
            ? tr("The connection to %1 was lost; trying again.").arg(m_url)
            : tr("The connection to %1 was lost (%2); trying again.").arg(m_url, m_reason);
    case State::Failed:
        return tr("Cannot connect to %1: %2. Trying again.").arg(server, m_reason);
    }
    return {};
}

void Connection::publish(const Message& message)
{
    m_wire->enqueue(PublishCommand{0, false, message});
}

quint64 Connection::request(
    const Message& message, int timeoutMs, QObject* context, ReplyHandler handler)
{
    return send(message, timeoutMs, false, context, std::move(handler));
}

quint64 Connection::requestMany(
    const Message& message, int idleMs, QObject* context, ReplyHandler handler)
{
    return send(message, idleMs, true, context, std::move(handler));
}

quint64 Connection::send(
    const Message& message, int timeoutMs, bool many, QObject* context, ReplyHandler handler)
{
    const quint64 key = ++m_lastKey;
    m_requests.insert(key,
        {context,
            std::move(handler),
            m_clock.nsecsElapsed() / 1000,
            m_clock.elapsed() + timeoutMs,
            timeoutMs,
            many});
    if (!isConnected()) {
        // The answer comes later than the call, whatever happens.
        QMetaObject::invokeMethod(
            this,
            [this, key] {
                answer(key, {Reply::Outcome::NotConnected, {}, {}, 0});
            },
            Qt::QueuedConnection);
        return key;
    }
    m_wire->enqueue(PublishCommand{key, true, message});
    if (!m_expiry.isActive())
        m_expiry.start();
    return key;
}

void Connection::cancel(quint64 request)
{
    m_requests.remove(request);
}

quint64 Connection::subscribe(
    const QString& subject, const QString& queue, QObject* context, MessageHandler handler)
{
    const quint64 key = ++m_lastKey;
    m_subscriptions.insert(key, {context, std::move(handler)});
    m_wire->enqueue(SubscribeCommand{key, subject, queue});
    return key;
}

void Connection::unsubscribe(quint64 subscription)
{
    if (m_subscriptions.remove(subscription) > 0)
        m_wire->enqueue(UnsubscribeCommand{subscription});
}

QString Connection::newInbox()
{
    return QStringLiteral("_INBOX.") + QUuid::createUuid().toString(QUuid::Id128);
}

void Connection::drain()
{
    const QPointer<Connection> self(this);
    std::vector<Arrival> arrivals = m_arrivals->take();
    for (Arrival& a : arrivals) {
        dispatch(a);
        if (!self)
            return; // a handler closed the window
    }
}

void Connection::dispatch(Arrival& a)
{
    switch (a.kind) {
    case Arrival::Kind::Reply: {
        const bool nobody = a.message.status == 503;
        answer(a.key,
            {nobody ? Reply::Outcome::NoResponders : Reply::Outcome::Answered,
                std::move(a.message),
                {},
                0});
        break;
    }
    case Arrival::Kind::Delivery:
        deliver(a.key, a.message);
        break;
    case Arrival::Kind::Failed:
        answer(a.key, {Reply::Outcome::Failed, {}, a.text, 0});
        break;
    case Arrival::Kind::Opened:
        m_url = a.text;
        m_maxPayload = a.number;
        setState(State::Connected);
        break;
    case Arrival::Kind::OpenFailed:
        if (m_state == State::Connecting) {
            setState(State::Failed, a.text);
            m_retry.start();
        }
        break;
    case Arrival::Kind::Disconnected:
        if (m_state == State::Connected)
            setState(State::Reconnecting, a.text);
        break;
    case Arrival::Kind::Reconnected:
        m_maxPayload = a.number;
        if (m_state == State::Reconnecting)
            setState(State::Connected);
        break;
    case Arrival::Kind::Closed:
        if (m_state == State::Connected || m_state == State::Reconnecting)
            setState(State::Closed);
        break;
    case Arrival::Kind::ServerError:
        m_serverError = a.text;
        emit serverError(a.text);
        break;
    }
}

void Connection::answer(quint64 key, Reply reply)
{
    const auto it = m_requests.find(key);
    if (it == m_requests.end())
        return; // late, or cancelled
    Request& r = *it;
    reply.roundTripUs = m_clock.nsecsElapsed() / 1000 - r.sentUs;
    r.deadlineMs = m_clock.elapsed() + r.timeoutMs;
    const QPointer<QObject> context = r.context;
    const ReplyHandler handler = r.handler;
    if (!r.many || !reply.answered())
        m_requests.erase(it);
    if (context)
        handler(reply);
}

void Connection::deliver(quint64 key, const Message& message)
{
    const auto it = m_subscriptions.constFind(key);
    if (it == m_subscriptions.constEnd())
        return;
    if (!it->context) {
        unsubscribe(key);
        return;
    }
    const MessageHandler handler = it->handler;
    handler(message);
}

void Connection::expire()
{
    const qint64 now = m_clock.elapsed();
    std::vector<quint64> late;
    for (auto it = m_requests.cbegin(); it != m_requests.cend(); ++it) {
        if (it->deadlineMs <= now)
            late.push_back(it.key());
    }
    const QPointer<Connection> self(this);
    for (const quint64 key : late) {
        answer(key, {Reply::Outcome::TimedOut, {}, {}, 0});
        if (!self)
            return;
    }
    if (m_requests.isEmpty())
        m_expiry.stop();
}

void Connection::failAll(Reply::Outcome outcome)
{
    const QPointer<Connection> self(this);
    const QList<quint64> keys = m_requests.keys();
    for (const quint64 key : keys) {
        answer(key, {outcome, {}, {}, 0});
        if (!self)
            return;
    }
}

void Connection::setState(State state, const QString& reason)
{
    if (m_state == state && m_reason == reason)
        return;
    m_state = state;
    m_reason = reason;
    emit stateChanged();
}

} // namespace jetglass::client
