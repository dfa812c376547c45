// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/wire.h"

#include <QUuid>

#include <nats/nats.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace jetglass::client {
namespace {

/// What a nats.c callback gets. Freed by the last callback that nats.c makes for it.
struct Link
{
    std::shared_ptr<Arrivals> arrivals;
    quint64 key = 0;
    bool inbox = false;
};

QString statusWords(natsStatus status)
{
    const char* last = nats_GetLastError(nullptr);
    if (last && *last)
        return QString::fromUtf8(last);
    return QString::fromUtf8(natsStatus_GetText(status));
}

void copyHeaders(natsMsg* from, Message& to)
{
    const char** keys = nullptr;
    int count = 0;
    if (natsMsgHeader_Keys(from, &keys, &count) != NATS_OK)
        return;
    std::vector<QByteArray> names;
    names.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        names.emplace_back(keys[i]);
    std::free(keys); // NOLINT(cppcoreguidelines-no-malloc): allocated by nats.c, as its
                     // documentation says
    std::sort(names.begin(), names.end());
    for (const QByteArray& name : names) {
        const char** values = nullptr;
        int n = 0;
        if (natsMsgHeader_Values(from, name.constData(), &values, &n) != NATS_OK)
            continue;
        for (int i = 0; i < n; ++i)
            to.headers.append({QString::fromUtf8(name), QString::fromUtf8(values[i])});
        std::free(values); // NOLINT(cppcoreguidelines-no-malloc)
    }
}

Message copyMessage(natsMsg* msg)
{
    Message m;
    m.subject = QString::fromUtf8(natsMsg_GetSubject(msg));
    if (const char* reply = natsMsg_GetReply(msg))
        m.reply = QString::fromUtf8(reply);
    m.payload = QByteArray(natsMsg_GetData(msg), natsMsg_GetDataLength(msg));
    copyHeaders(msg, m);
    // nats.c turns the status line into two header fields.
    if (m.payload.isEmpty()) {
        bool number = false;
        const int status = m.header(QStringLiteral("Status")).toInt(&number);
        if (number && status >= 100 && status < 1000) {
            m.status = status;
            m.statusText = m.header(QStringLiteral("Description"));
        }
    }
    return m;
}

void onMessage(natsConnection*, natsSubscription*, natsMsg* msg, void* closure)
{
    const auto* link = static_cast<Link*>(closure);
    Arrival a;
    a.kind = link->inbox ? Arrival::Kind::Reply : Arrival::Kind::Delivery;
    a.message = copyMessage(msg);
    natsMsg_Destroy(msg);
    a.key = link->key;
    if (link->inbox) {
        const qsizetype dot = a.message.subject.lastIndexOf(QLatin1Char('.'));
        a.key = a.message.subject.mid(dot + 1).toULongLong();
    }
    link->arrivals->push(std::move(a));
}

void onSubscriptionComplete(void* closure)
{
    delete static_cast<Link*>(closure);
}

void pushState(void* closure, Arrival::Kind kind, const QString& text, qint64 number)
{
    Arrival a;
    a.kind = kind;
    a.text = text;
    a.number = number;
    static_cast<Link*>(closure)->arrivals->push(std::move(a));
}

void onDisconnected(natsConnection* nc, void* closure)
{
    const char* text = nullptr;
    natsConnection_GetLastError(nc, &text);
    pushState(closure, Arrival::Kind::Disconnected, QString::fromUtf8(text ? text : ""), 0);
}

void onReconnected(natsConnection* nc, void* closure)
{
    pushState(closure, Arrival::Kind::Reconnected, {}, natsConnection_GetMaxPayload(nc));
}

void onError(natsConnection* nc, natsSubscription*, natsStatus status, void* closure)
{
    const char* text = nullptr;
    natsConnection_GetLastError(nc, &text);
    const bool known = text && *text;
    pushState(closure,
        Arrival::Kind::ServerError,
        QString::fromUtf8(known ? text : natsStatus_GetText(status)),
        0);
}

void onClosed(natsConnection*, void* closure)
{
    pushState(closure, Arrival::Kind::Closed, {}, 0);
    delete static_cast<Link*>(closure);
}

struct OptionsFree
{
    void operator()(natsOptions* o) const { natsOptions_Destroy(o); }
};

natsStatus configure(natsOptions* o, const ConnectOptions& options, void* link)
{
    std::vector<QByteArray> urls;
    urls.reserve(static_cast<std::size_t>(options.servers.size()));
    for (const QString& s : options.servers)
        urls.push_back(s.toUtf8());
    std::vector<const char*> pointers;
    pointers.reserve(urls.size());
    for (const QByteArray& u : urls)
        pointers.push_back(u.constData());
    natsStatus s = natsOptions_SetServers(o, pointers.data(), static_cast<int>(pointers.size()));
    const auto then = [&s](auto call) {
        if (s == NATS_OK)
            s = call();
    };
    then([&] { return natsOptions_SetName(o, options.name.toUtf8().constData()); });
    then([&] { return natsOptions_SetTimeout(o, options.timeoutMs); });
    then([&] { return natsOptions_SetAllowReconnect(o, true); });
    then([&] { return natsOptions_SetMaxReconnect(o, -1); });
    then([&] { return natsOptions_SetReconnectWait(o, 500); });
    then([&] { return natsOptions_SetReconnectJitter(o, 100, 100); });
    then([&] { return natsOptions_SetSendAsap(o, false); });
    then([&] { return natsOptions_SetDisconnectedCB(o, onDisconnected, link); });
    then([&] { return natsOptions_SetReconnectedCB(o, onReconnected, link); });
    then([&] { return natsOptions_SetErrorHandler(o, onError, link); });
    then([&] { return natsOptions_SetClosedCB(o, onClosed, link); });
    if (!options.user.isEmpty()) {
        then([&] {
            return natsOptions_SetUserInfo(
                o, options.user.toUtf8().constData(), options.password.toUtf8().constData());
        });
    }
    if (!options.token.isEmpty())
        then([&] { return natsOptions_SetToken(o, options.token.toUtf8().constData()); });
    if (!options.credentialsFile.isEmpty()) {
        then([&] {
            return natsOptions_SetUserCredentialsFromFiles(
                o, options.credentialsFile.toLocal8Bit().constData(), nullptr);
        });
    }
    return s;
}

} // namespace

Wire::Wire(std::shared_ptr<Arrivals> arrivals)
    : m_arrivals(std::move(arrivals))
{
}

Wire::~Wire()
{
    close();
}

void Wire::enqueue(WireCommand command)
{
    const std::scoped_lock lock(m_mutex);
    m_commands.push_back(std::move(command));
    if (m_commands.size() == 1)
        QMetaObject::invokeMethod(this, &Wire::runCommands, Qt::QueuedConnection);
}

void Wire::open(const ConnectOptions& options)
{
    close();
    auto link = std::make_unique<Link>(Link{m_arrivals, 0, false});
    natsOptions* raw = nullptr;
    natsStatus s = natsOptions_Create(&raw);
    const std::unique_ptr<natsOptions, OptionsFree> o(raw);
    if (s == NATS_OK)
        s = configure(raw, options, link.get());
    if (s == NATS_OK)
        s = natsConnection_Connect(&m_connection, raw);
    Arrival a;
    if (s != NATS_OK) {
        m_connection = nullptr;
        a.kind = Arrival::Kind::OpenFailed;
        a.text = statusWords(s);
        m_arrivals->push(std::move(a));
        return;
    }
    (void)link.release(); // from here onClosed frees it
    m_inbox = "_INBOX." + QUuid::createUuid().toByteArray(QUuid::Id128) + '.';
    subscribe(0, QString::fromUtf8(m_inbox + '*'), {}, true);
    a.kind = Arrival::Kind::Opened;
    a.number = natsConnection_GetMaxPayload(m_connection);
    char url[256] = {};
    natsConnection_GetConnectedUrl(m_connection, url, sizeof(url));
    a.text = QString::fromUtf8(url);
    m_arrivals->push(std::move(a));
}

void Wire::close()
{
    if (!m_connection)
        return;
    for (natsSubscription* s : std::as_const(m_subscriptions))
        drop(s);
    m_subscriptions.clear();
    // What was published last still goes out; a server that does not read any more must not hold
    // us.
    natsConnection_FlushTimeout(m_connection, 500);
    natsConnection_Destroy(m_connection);
    m_connection = nullptr;
}

void Wire::runCommands()
{
    std::vector<WireCommand> commands;
    {
        const std::scoped_lock lock(m_mutex);
        commands.swap(m_commands);
    }
    for (const WireCommand& c : commands)
        std::visit([this](const auto& command) { run(command); }, c);
}

void Wire::run(const PublishCommand& command)
{
    const auto fail = [&](const QString& text) {
        if (command.key == 0)
            return;
        Arrival a;
        a.kind = Arrival::Kind::Failed;
        a.key = command.key;
        a.text = text;
        m_arrivals->push(std::move(a));
    };
    if (!m_connection)
        return fail(QString::fromUtf8(natsStatus_GetText(NATS_CONNECTION_CLOSED)));
    const Message& m = command.message;
    const QByteArray reply =
        command.answered ? m_inbox + QByteArray::number(command.key) : m.reply.toUtf8();
    natsMsg* msg = nullptr;
    natsStatus s = natsMsg_Create(&msg,
        m.subject.toUtf8().constData(),
        reply.isEmpty() ? nullptr : reply.constData(),
        m.payload.constData(),
        static_cast<int>(m.payload.size()));
    for (qsizetype i = 0; s == NATS_OK && i < m.headers.size(); ++i) {
        s = natsMsgHeader_Add(
            msg, m.headers[i].name.toUtf8().constData(), m.headers[i].value.toUtf8().constData());
    }
    if (s == NATS_OK)
        s = natsConnection_PublishMsg(m_connection, msg);
    natsMsg_Destroy(msg);
    if (s != NATS_OK)
        fail(statusWords(s));
}

void Wire::run(const SubscribeCommand& command)
{
    subscribe(command.key, command.subject, command.queue, false);
}

void Wire::run(const UnsubscribeCommand& command)
{
    if (natsSubscription* s = m_subscriptions.take(command.key))
        drop(s);
}

void Wire::subscribe(quint64 key, const QString& subject, const QString& queue, bool inbox)
{
    natsStatus s = m_connection ? NATS_OK : NATS_CONNECTION_CLOSED;
    if (s == NATS_OK) {
        auto link = std::make_unique<Link>(Link{m_arrivals, key, inbox});
        natsSubscription* sub = nullptr;
        const QByteArray subj = subject.toUtf8();
        s = queue.isEmpty()
            ? natsConnection_Subscribe(&sub, m_connection, subj.constData(), onMessage, link.get())
            : natsConnection_QueueSubscribe(&sub,
                m_connection,
                subj.constData(),
                queue.toUtf8().constData(),
                onMessage,
                link.get());
        if (s == NATS_OK) {
            natsSubscription_SetOnCompleteCB(sub, onSubscriptionComplete, link.get());
            (void)link.release(); // from here onSubscriptionComplete frees it
            m_subscriptions.insert(key, sub);
            return;
        }
    }
    Arrival a;
    a.kind = Arrival::Kind::Failed;
    a.key = key;
    a.text = statusWords(s);
    m_arrivals->push(std::move(a));
}

void Wire::drop(natsSubscription* subscription)
{
    natsSubscription_Unsubscribe(subscription);
    natsSubscription_Destroy(subscription);
}

} // namespace jetglass::client
