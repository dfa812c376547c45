// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/api_error.h"

#include <QCoreApplication>

namespace jetglass::client {
namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(jetglass::client::ApiError)
};

struct Meaning
{
    int errCode;
    const char* text;
};

// Only what a person at the window can run into; an unknown number shows the server's own
// description alone.
constexpr Meaning kMeanings[] = {
    {10003,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "The request lacks something or asks for two things at once.")},
    {10014,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "There is no consumer of this name on the stream. An ephemeral one may have gone after "
            "its inactive_threshold.")},
    {10025,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "The server does not know a field of this request, or a value has the wrong type.")},
    {10026,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "The stream's max_consumers is reached. Delete a consumer or raise the limit.")},
    {10037,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "No message is stored there: it was removed, or it never existed.")},
    {10039,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "The server runs without JetStream for this account. It needs -js or a jetstream block "
            "in its configuration.")},
    {10052,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "A value of the configuration breaks a rule; the server's text names it.")},
    {10054,
        QT_TRANSLATE_NOOP(
            "jetglass::client::ApiError", "The message is larger than the stream's max_msg_size.")},
    {10056, QT_TRANSLATE_NOOP("jetglass::client::ApiError", "A stream's name cannot be changed.")},
    {10057,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "The message could not be removed; the stream may have deny_delete.")},
    {10058,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "A stream of this name exists with another configuration. Edit it, or choose another "
            "name.")},
    {10059,
        QT_TRANSLATE_NOOP(
            "jetglass::client::ApiError", "There is no stream of this name in this account.")},
    {10060,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "Nats-Expected-Stream names another stream than the one that captures this subject. "
            "Nothing was stored.")},
    {10065,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "Another stream already captures one of these subjects. Two streams of one account may "
            "not overlap.")},
    {10070,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "Nats-Expected-Last-Msg-Id does not match the last stored message. Nothing was "
            "stored.")},
    {10071,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "Somebody else wrote since: the expected last sequence is not the last one any more. "
            "Nothing was stored; read again and retry.")},
    {10074,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "Replicas need a cluster of servers. This is one server, so num_replicas has to be "
            "1.")},
    {10077,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "The stream did not store the message: with discard new a full stream refuses what is "
            "new. Acks free space only with interest or work-queue retention.")},
    {10099,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "On a work-queue stream two consumers may exist only if their filters do not overlap. "
            "Let workers share one durable consumer.")},
    {10100,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "On a work-queue stream every message belongs to one consumer, so filters may not "
            "overlap. Let workers share one durable consumer.")},
    {10101,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "On a work-queue stream a consumer starts with all that is stored: deliver_policy has "
            "to be all.")},
    {10098,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "On a work-queue stream a message goes when it is acked, so ack_policy has to be "
            "explicit.")},
    {10109,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "A sealed stream never changes again, except by deleting it.")},
    {10110,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "The stream was created with deny_purge, which cannot be taken back.")},
    {10111,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "Nats-Rollup needs allow_rollup_hdrs on the stream, and its value has to be sub or "
            "all.")},
    {10148,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "A consumer of this name exists with another configuration. Edit it, or choose another "
            "name.")},
    {10166,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "Nats-TTL needs allow_msg_ttl on the stream. Nothing was stored.")},
    {10167,
        QT_TRANSLATE_NOOP("jetglass::client::ApiError",
            "Messages come faster than they can be stored. Wait and send again.")},
};

} // namespace

QString ApiError::text() const
{
    switch (kind) {
    case Kind::Api:
        return Words::tr("%1 (error %2, code %3)").arg(description).arg(errCode).arg(code);
    case Kind::NoResponders:
        return Words::tr("Nobody answers on this subject (503, no responders).");
    case Kind::TimedOut:
        return Words::tr("No answer came in time.");
    case Kind::NotConnected:
        return Words::tr("There is no connection to the server.");
    case Kind::Failed:
        return Words::tr("The request could not be sent: %1").arg(description);
    case Kind::Malformed:
        return Words::tr("The answer could not be read: %1").arg(description);
    }
    return {};
}

QString ApiError::meaning() const
{
    if (kind == Kind::NoResponders)
        return Words::tr("No stream captures it and no client subscribes to it.");
    if (kind == Kind::TimedOut)
        return Words::tr(
            "A stream with no_ack never answers; otherwise the server is busy, paused or gone.");
    if (kind != Kind::Api)
        return {};
    for (const Meaning& m : kMeanings) {
        if (m.errCode == errCode)
            return Words::tr(m.text);
    }
    return {};
}

ApiError apiErrorFromJson(const QJsonObject& error)
{
    return {ApiError::Kind::Api,
        error.value(QLatin1String("code")).toInt(),
        error.value(QLatin1String("err_code")).toInt(),
        error.value(QLatin1String("description")).toString()};
}

ApiError apiErrorFromReply(const Reply& reply)
{
    switch (reply.outcome) {
    case Reply::Outcome::NoResponders:
        return {ApiError::Kind::NoResponders, 503, 0, {}};
    case Reply::Outcome::TimedOut:
        return {ApiError::Kind::TimedOut, 0, 0, {}};
    case Reply::Outcome::NotConnected:
        return {ApiError::Kind::NotConnected, 0, 0, {}};
    case Reply::Outcome::Answered:
    case Reply::Outcome::Failed:
        break;
    }
    return {ApiError::Kind::Failed, 0, 0, reply.error};
}

} // namespace jetglass::client
