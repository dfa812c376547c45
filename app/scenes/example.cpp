// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenes/example.h"

#include "scenes/script.h"

namespace jetglass::scenes {

void createOrders(client::Connection& connection,
    QObject* context,
    std::function<void(const QString& problem)> done)
{
    auto* script = new Script(context);
    script->waitConnected(connection);
    script->createStream(
        connection, QStringLiteral(R"({"name":"ORDERS","subjects":["orders.>"],"retention":"limits",
        "storage":"file","max_age":86400000000000,"num_replicas":1})"));
    script->createConsumer(
        connection, QStringLiteral("ORDERS"), QStringLiteral(R"({"durable_name":"payments",
        "ack_policy":"explicit","ack_wait":30000000000,"max_ack_pending":5})"));
    script->createConsumer(
        connection, QStringLiteral("ORDERS"), QStringLiteral(R"({"durable_name":"mailer",
        "ack_policy":"explicit","filter_subject":"orders.created"})"));
    const QStringList subjects{QStringLiteral("orders.created"),
        QStringLiteral("orders.paid"),
        QStringLiteral("orders.created"),
        QStringLiteral("orders.shipped"),
        QStringLiteral("orders.created")};
    for (qsizetype i = 0; i < subjects.size(); ++i)
        script->publish(connection,
            subjects[i],
            QStringLiteral(R"({"order_id":"ORD-%1","amount":%2})").arg(101 + i).arg(20 + 7 * i));
    script->run([script, done = std::move(done)](const QString& problem) {
        script->deleteLater();
        done(problem);
    });
}

} // namespace jetglass::scenes
