// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenes/script.h"

#include "client/fetch.h"
#include "client/publish.h"
#include "client/request.h"

#include <QJsonDocument>
#include <QTimer>

#include <memory>

namespace jetglass::scenes {

using client::Connection;
using client::Message;

namespace {

constexpr int kTimeoutMs = 5000;

QJsonObject object(const QString& json)
{
    return QJsonDocument::fromJson(json.toUtf8()).object();
}

/// An error that is none of the server's has no description; an empty text would be no problem.
QString problemOf(const client::ApiError& error)
{
    return error.description.isEmpty() ? error.text() : error.description;
}

} // namespace

void Script::add(Step step)
{
    m_steps.push_back(std::move(step));
}

void Script::waitConnected(Connection& connection)
{
    add([this, &connection](const Done& done) {
        if (connection.isConnected())
            return done(QString());
        auto* once = new QObject(this);
        connect(&connection, &Connection::stateChanged, once, [once, &connection, done] {
            if (!connection.isConnected())
                return;
            once->deleteLater();
            done(QString());
        });
    });
}

void Script::call(
    Connection& connection, const QString& endpoint, const QString& json, const Done& done)
{
    client::callApi(
        connection, endpoint, object(json), this, [done](const client::ApiAnswer& answer) {
            done(answer.ok() ? QString() : problemOf(*answer.error));
        });
}

void Script::createStream(Connection& connection, const QString& json)
{
    add([this, &connection, json](const Done& done) {
        call(connection,
            QStringLiteral("STREAM.CREATE.") + object(json)[QStringLiteral("name")].toString(),
            json,
            done);
    });
}

void Script::createConsumer(Connection& connection, const QString& stream, const QString& json)
{
    add([this, &connection, stream, json](const Done& done) {
        const QString name = object(json)[QStringLiteral("durable_name")].toString();
        const QString body =
            QStringLiteral(R"({"stream_name":"%1","config":%2})").arg(stream, json);
        call(connection, QStringLiteral("CONSUMER.CREATE.%1.%2").arg(stream, name), body, done);
    });
}

void Script::publish(
    Connection& connection, const QString& subject, const QString& payload, const QString& id)
{
    add([this, &connection, subject, payload, id](const Done& done) {
        Message message;
        message.subject = subject;
        message.payload = payload.toUtf8();
        if (!id.isEmpty())
            message.headers = {{QStringLiteral("Nats-Msg-Id"), id}};
        client::publishAcked(
            connection, message, kTimeoutMs, this, [done](const client::PubAck& ack) {
                done(ack.ok() ? QString() : problemOf(*ack.error));
            });
    });
}

void Script::publishMany(
    Connection& connection, const QStringList& subjects, const QString& payload, int count)
{
    add([this, &connection, subjects, payload, count](const Done& done) {
        for (int i = 0; i < count; ++i) {
            Message message;
            message.subject = subjects[i % subjects.size()];
            message.payload =
                QString(payload).replace(QStringLiteral("%1"), QString::number(i + 1)).toUtf8();
            if (i + 1 < count) {
                connection.publish(message);
                continue;
            }
            client::publishAcked(
                connection, message, kTimeoutMs, this, [done](const client::PubAck& ack) {
                    done(ack.ok() ? QString() : problemOf(*ack.error));
                });
        }
    });
}

void Script::purge(Connection& connection, const QString& stream, const QString& json)
{
    add([this, &connection, stream, json](const Done& done) {
        call(connection, QStringLiteral("STREAM.PURGE.") + stream, json, done);
    });
}

void Script::deleteMessage(Connection& connection, const QString& stream, quint64 seq)
{
    add([this, &connection, stream, seq](const Done& done) {
        call(connection,
            QStringLiteral("STREAM.MSG.DELETE.") + stream,
            QStringLiteral(R"({"seq":%1})").arg(seq),
            done);
    });
}

void Script::consume(Connection& connection,
    const QString& stream,
    const QString& consumer,
    const QStringList& answers)
{
    add([this, &connection, stream, consumer, answers](const Done& done) {
        auto* fetcher = new client::Fetcher(&connection, this);
        auto left = std::make_shared<QStringList>(answers);
        connect(
            fetcher, &client::Fetcher::received, this, [&connection, left](const Message& message) {
                const QString verb = left->isEmpty() ? QString() : left->takeFirst();
                if (verb.isEmpty())
                    return;
                Message ack;
                ack.subject = message.reply;
                ack.payload = verb.toUtf8();
                connection.publish(ack);
            });
        connect(fetcher, &client::Fetcher::ended, this, [fetcher, done] {
            fetcher->deleteLater();
            done(QString());
        });
        client::FetchRequest request;
        request.stream = stream;
        request.consumer = consumer;
        request.batch = static_cast<int>(answers.size());
        request.noWait = true;
        fetcher->fetch(request);
    });
}

void Script::pause(int milliseconds)
{
    add([this, milliseconds](const Done& done) {
        QTimer::singleShot(milliseconds, this, [done] { done(QString()); });
    });
}

void Script::run(Done done)
{
    m_done = std::move(done);
    next();
}

void Script::next()
{
    if (m_steps.empty()) {
        const Done done = std::move(m_done);
        done(QString());
        return;
    }
    const Step step = std::move(m_steps.front());
    m_steps.pop_front();
    step([this](const QString& problem) {
        if (problem.isEmpty())
            return next();
        m_steps.clear();
        const Done done = std::move(m_done);
        done(problem);
    });
}

} // namespace jetglass::scenes
