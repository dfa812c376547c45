// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/fetch.h"

#include <QJsonDocument>

namespace jetglass::client {

using namespace Qt::StringLiterals;

std::optional<DeliveryInfo> parseAckSubject(const QString& subject)
{
    const QStringList t = subject.split(u'.');
    if (t.size() < 9 || t[0] != u"$JS"_s || t[1] != u"ACK"_s)
        return std::nullopt;
    qsizetype at = 2;
    DeliveryInfo info;
    if (t.size() >= 11) {
        if (t[2] != u"_"_s)
            info.domain = t[2];
        at = 4; // domain and account hash
    } else if (t.size() != 9) {
        return std::nullopt;
    }
    info.stream = t[at];
    info.consumer = t[at + 1];
    bool ok[5] = {};
    info.delivered = t[at + 2].toULongLong(&ok[0]);
    info.streamSeq = t[at + 3].toULongLong(&ok[1]);
    info.consumerSeq = t[at + 4].toULongLong(&ok[2]);
    info.timestamp = t[at + 5].toLongLong(&ok[3]);
    info.pending = t[at + 6].toULongLong(&ok[4]);
    for (const bool one : ok) {
        if (!one)
            return std::nullopt;
    }
    return info;
}

QString ackSubject(const DeliveryInfo& delivery)
{
    return u"$JS.ACK.%1.%2.%3.%4.%5.%6.%7"_s.arg(delivery.stream, delivery.consumer)
        .arg(delivery.delivered)
        .arg(delivery.streamSeq)
        .arg(delivery.consumerSeq)
        .arg(delivery.timestamp)
        .arg(delivery.pending);
}

QByteArray ackPayload(AckKind kind, std::chrono::nanoseconds delay)
{
    switch (kind) {
    case AckKind::Ack:
        return "+ACK";
    case AckKind::Nak:
        return "-NAK";
    case AckKind::NakDelay:
        return "-NAK {\"delay\":" + QByteArray::number(static_cast<qint64>(delay.count())) + '}';
    case AckKind::InProgress:
        return "+WPI";
    case AckKind::Term:
        return "+TERM";
    }
    return {};
}

QByteArray ackNextPayload(int batch)
{
    return "+NXT {\"batch\":" + QByteArray::number(batch) + '}';
}

QJsonObject FetchRequest::toJson() const
{
    QJsonObject o{{u"batch"_s, batch}};
    if (noWait)
        o.insert(u"no_wait"_s, true);
    else
        o.insert(u"expires"_s, static_cast<qint64>(std::chrono::nanoseconds(expires).count()));
    if (maxBytes > 0)
        o.insert(u"max_bytes"_s, maxBytes);
    if (!group.isEmpty())
        o.insert(u"group"_s, group);
    return o;
}

QString FetchRequest::subject() const
{
    return u"$JS.API.CONSUMER.MSG.NEXT."_s + stream + u'.' + consumer;
}

QString FetchEnd::words() const
{
    const QString got = Fetcher::tr("%n message(s) received", nullptr, received);
    if (cancelled)
        return Fetcher::tr("%1; the fetch was cancelled.").arg(got);
    switch (status) {
    case 0:
        return Fetcher::tr("%1; the batch is complete.").arg(got);
    case 404:
        return Fetcher::tr("%1; nothing more is waiting (404 %2).").arg(got, text);
    case 408:
        return Fetcher::tr("%1; the request's time is over (408 %2).").arg(got, text);
    case 409:
        return Fetcher::tr("%1; the server ended the request (409 %2).").arg(got, text);
    case 503:
        return Fetcher::tr(
            "Nobody answers: this consumer does not exist, or it is a push consumer (503).");
    case -1:
        return Fetcher::tr("%1; the server did not answer in time.").arg(got);
    default:
        return Fetcher::tr("%1; the request ended with %2 %3.").arg(got).arg(status).arg(text);
    }
}

Fetcher::Fetcher(Connection* connection, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
{
    m_silence.setSingleShot(true);
    connect(&m_silence, &QTimer::timeout, this, [this] { finish({m_received, -1, {}, false}); });
}

Fetcher::~Fetcher()
{
    if (m_connection && m_subscription)
        m_connection->unsubscribe(m_subscription);
}

void Fetcher::fetch(const FetchRequest& request)
{
    start(request.batch, request.noWait ? 0 : static_cast<int>(request.expires.count()));
    if (!m_connection || !m_subscription)
        return;
    Message m;
    m.subject = request.subject();
    m.reply = m_inbox;
    m.payload = QJsonDocument(request.toJson()).toJson(QJsonDocument::Compact);
    m_connection->publish(m);
}

void Fetcher::ackNext(const QString& ackSubject, int batch)
{
    start(batch, 30000);
    if (!m_connection || !m_subscription)
        return;
    Message m;
    m.subject = ackSubject;
    m.reply = m_inbox;
    m.payload = ackNextPayload(batch);
    m_connection->publish(m);
}

void Fetcher::start(int batch, int expiresMs)
{
    cancel();
    m_wanted = batch;
    m_received = 0;
    if (!m_connection || !m_connection->isConnected()) {
        QMetaObject::invokeMethod(
            this,
            [this] {
                emit ended({0, -1, {}, false});
            },
            Qt::QueuedConnection);
        return;
    }
    m_inbox = Connection::newInbox();
    m_subscription = m_connection->subscribe(
        m_inbox, {}, this, [this](const Message& message) { onMessage(message); });
    m_silence.start(expiresMs + 2000);
}

void Fetcher::cancel()
{
    if (m_subscription)
        finish({m_received, 0, {}, true});
}

void Fetcher::onMessage(const Message& message)
{
    if (message.status == 100)
        return; // heartbeat or flow control
    if (message.status != 0) {
        finish({m_received, message.status, message.statusText, false});
        return;
    }
    ++m_received;
    const bool last = m_received >= m_wanted;
    const QPointer<Fetcher> self(this);
    emit received(message);
    if (self && last)
        finish({m_received, 0, {}, false});
}

void Fetcher::finish(const FetchEnd& end)
{
    m_silence.stop();
    if (m_connection && m_subscription)
        m_connection->unsubscribe(m_subscription);
    m_subscription = 0;
    emit ended(end);
}

PushListener::PushListener(Connection* connection, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
{
}

PushListener::~PushListener()
{
    stop();
}

void PushListener::listen(const QString& deliverSubject, const QString& group)
{
    stop();
    if (!m_connection)
        return;
    m_subscription = m_connection->subscribe(deliverSubject, group, this, [this](const Message& m) {
        // A flow control request stalls the consumer until it is answered; so do stalled
        // heartbeats.
        if (m.status == 100) {
            Message answer;
            answer.subject = m.reply.isEmpty() ? m.header(u"Nats-Consumer-Stalled"_s) : m.reply;
            if (!answer.subject.isEmpty() && m_connection)
                m_connection->publish(answer);
            return;
        }
        emit received(m);
    });
}

void PushListener::stop()
{
    if (m_connection && m_subscription)
        m_connection->unsubscribe(m_subscription);
    m_subscription = 0;
}

} // namespace jetglass::client
