// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/arrivals.h"

#include <QHash>
#include <QObject>
#include <QStringList>

#include <memory>
#include <mutex>
#include <variant>
#include <vector>

// As nats.h declares them, which few files shall have to read.
using natsConnection = struct __natsConnection; // NOLINT(bugprone-reserved-identifier)
using natsSubscription = struct __natsSubscription; // NOLINT(bugprone-reserved-identifier)

namespace jetglass::client {

struct ConnectOptions
{
    QStringList servers; ///< nats://host:port
    QString name; ///< client name that the server shows
    QString user;
    QString password;
    QString token;
    QString credentialsFile;
    int timeoutMs = 2000;
};

struct PublishCommand
{
    quint64 key = 0; ///< request to fail if it cannot be sent; 0 = nobody waits
    bool answered = false; ///< the reply subject becomes the request inbox plus key
    Message message;
};
struct SubscribeCommand
{
    quint64 key = 0;
    QString subject;
    QString queue;
};
struct UnsubscribeCommand
{
    quint64 key = 0;
};
using WireCommand = std::variant<PublishCommand, SubscribeCommand, UnsubscribeCommand>;

/// All of nats.c for one connection. Lives on the connection's worker thread, since connecting,
/// flushing and closing may block. Commands keep their order; what comes in goes to Arrivals.
class Wire : public QObject
{
    Q_OBJECT
public:
    explicit Wire(std::shared_ptr<Arrivals> arrivals);
    ~Wire() override;

    /// Any thread. A single queued call runs everything that was enqueued until then.
    void enqueue(WireCommand command);

    void open(const ConnectOptions& options);
    void close();

private:
    void runCommands();
    void run(const PublishCommand& command);
    void run(const SubscribeCommand& command);
    void run(const UnsubscribeCommand& command);
    void subscribe(quint64 key, const QString& subject, const QString& queue, bool inbox);
    void drop(natsSubscription* subscription);

    const std::shared_ptr<Arrivals> m_arrivals;
    std::mutex m_mutex;
    std::vector<WireCommand> m_commands; ///< guarded by m_mutex
    natsConnection* m_connection = nullptr;
    QByteArray m_inbox; ///< prefix of the answers to requests, with the last dot
    QHash<quint64, natsSubscription*> m_subscriptions; ///< key 0 is the request inbox
};

} // namespace jetglass::client
