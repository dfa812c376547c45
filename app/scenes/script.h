// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connection.h"

#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>

namespace jetglass::scenes {

/// Steps that a client does one after the other, each when the one before was answered. GUI thread,
/// nothing blocks.
class Script final : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const QString& problem)>;
    using Step = std::function<void(Done done)>;

    using QObject::QObject;

    void add(Step step);
    void waitConnected(client::Connection& connection);
    void createStream(client::Connection& connection, const QString& json);
    void createConsumer(client::Connection& connection, const QString& stream, const QString& json);
    void publish(client::Connection& connection,
        const QString& subject,
        const QString& payload,
        const QString& id = {});
    /// Many at once, waiting for the last pub ack only. %1 in the payload is the number.
    void publishMany(client::Connection& connection,
        const QStringList& subjects,
        const QString& payload,
        int count);
    void purge(client::Connection& connection, const QString& stream, const QString& json);
    void deleteMessage(client::Connection& connection, const QString& stream, quint64 seq);
    /// Fetches as many messages as there are answers and sends each its own: "+ACK", "-NAK
    /// {\"delay\":…}", "+WPI",
    /// "+TERM", or "" for none.
    void consume(client::Connection& connection,
        const QString& stream,
        const QString& consumer,
        const QStringList& answers);
    void pause(int milliseconds);

    /// Runs all steps; stops at the first that is refused.
    void run(Done done);

private:
    void next();
    void call(client::Connection& connection,
        const QString& endpoint,
        const QString& json,
        const Done& done);

    std::deque<Step> m_steps;
    Done m_done;
};

} // namespace jetglass::scenes
