// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenes/scene.h"

#include "scenes/example.h"
#include "scenes/script.h"

#include <array>

namespace jetglass::scenes {

using client::Connection;

namespace {

const QString kOrders = QStringLiteral("ORDERS");
const QString kAck = QStringLiteral("+ACK");
const QString kNone;

QStringList orderSubjects()
{
    return {QStringLiteral("orders.created"),
        QStringLiteral("orders.paid"),
        QStringLiteral("orders.created"),
        QStringLiteral("orders.shipped"),
        QStringLiteral("orders.paid"),
        QStringLiteral("orders.cancelled")};
}

QString orderPayload()
{
    return QStringLiteral(
        R"({"order_id":"ORD-%1","event":"created","customer":"c-482","amount":299.99,"items":[{"sku":"A-17","n":2},{"sku":"B-03","n":1}]})");
}

QStringList times(int n, const QString& answer)
{
    QStringList all;
    for (int i = 0; i < n; ++i)
        all << answer;
    return all;
}

void orders(Script& script, Connection& api, Connection& worker1, Connection& worker2)
{
    script.createStream(api,
        QStringLiteral(
            R"({"name":"ORDERS","subjects":["orders.>"],"retention":"limits","storage":"file",
        "max_age":86400000000000,"max_msgs":60,"duplicate_window":120000000000,"num_replicas":1})"));
    script.createConsumer(
        api, kOrders, QStringLiteral(R"({"durable_name":"payments","ack_policy":"explicit",
        "ack_wait":30000000000,"max_ack_pending":5})"));
    script.createConsumer(api,
        kOrders,
        QStringLiteral(R"({"durable_name":"audit","ack_policy":"all","max_ack_pending":1000})"));
    script.createConsumer(
        api, kOrders, QStringLiteral(R"({"durable_name":"mailer","ack_policy":"explicit",
        "filter_subject":"orders.created","max_deliver":1,"ack_wait":200000000})"));
    script.publishMany(api, orderSubjects(), orderPayload(), 40);
    script.publish(api,
        QStringLiteral("orders.created"),
        QStringLiteral(R"({"order_id":"ORD-117","amount":12.5})"),
        QStringLiteral("order-117"));
    script.publish(api,
        QStringLiteral("orders.created"),
        QStringLiteral(R"({"order_id":"ORD-117","amount":12.5})"),
        QStringLiteral("order-117"));
    script.deleteMessage(api, kOrders, 12);
    script.deleteMessage(api, kOrders, 13);
    script.consume(worker1,
        kOrders,
        QStringLiteral("mailer"),
        times(8, kAck) + QStringList{kNone, QStringLiteral("+TERM")});
    script.consume(worker1, kOrders, QStringLiteral("payments"), times(5, kAck));
    for (int i = 0; i < 4; ++i)
        script.consume(
            i % 2 == 0 ? worker1 : worker2, kOrders, QStringLiteral("payments"), times(5, kAck));
    script.consume(worker2, kOrders, QStringLiteral("payments"), {QStringLiteral("-NAK")});
    script.consume(worker2, kOrders, QStringLiteral("payments"), {kNone, kAck, kAck});
    script.consume(worker1,
        kOrders,
        QStringLiteral("payments"),
        {kNone, QStringLiteral("-NAK {\"delay\":25000000000}"), QStringLiteral("+WPI")});
    script.consume(worker2,
        kOrders,
        QStringLiteral("audit"),
        times(35, kNone) + QStringList{kAck, kNone, kNone});
    script.pause(300); // the mailer's one delivery runs out
    script.publishMany(api, orderSubjects(), orderPayload(), 8);
}

void others(Script& script, Connection& api, Connection& worker)
{
    const QString tasks = QStringLiteral("TASKS");
    script.createStream(api,
        QStringLiteral(
            R"({"name":"TASKS","subjects":["tasks.>"],"retention":"workqueue","storage":"file","num_replicas":1})"));
    script.createConsumer(api,
        tasks,
        QStringLiteral(
            R"({"durable_name":"workers","ack_policy":"explicit","max_ack_pending":3,"ack_wait":60000000000})"));
    script.publishMany(api,
        {QStringLiteral("tasks.resize"), QStringLiteral("tasks.mail")},
        QStringLiteral(R"({"task":%1})"),
        12);
    script.consume(
        worker, tasks, QStringLiteral("workers"), {kAck, kAck, kAck, kNone, kNone, kNone});
    script.createStream(api,
        QStringLiteral(
            R"({"name":"NOTIFICATIONS","subjects":["notify.>"],"retention":"interest","storage":"memory","num_replicas":1})"));
    script.createConsumer(api,
        QStringLiteral("NOTIFICATIONS"),
        QStringLiteral(
            R"({"durable_name":"email","ack_policy":"explicit","filter_subject":"notify.email"})"));
    script.createConsumer(api,
        QStringLiteral("NOTIFICATIONS"),
        QStringLiteral(R"({"durable_name":"push","ack_policy":"explicit"})"));
    script.publishMany(api,
        {QStringLiteral("notify.email"), QStringLiteral("notify.push")},
        QStringLiteral(R"({"n":%1})"),
        6);
    script.createStream(api,
        QStringLiteral(
            R"({"name":"DEVICE-STATUS","subjects":["device.*.status"],"max_msgs_per_subject":1,"storage":"file","num_replicas":1})"));
    script.publishMany(api,
        {QStringLiteral("device.d1.status"),
            QStringLiteral("device.d2.status"),
            QStringLiteral("device.d3.status")},
        QStringLiteral(R"({"online":true,"n":%1})"),
        9);
    script.createStream(api,
        QStringLiteral(
            R"({"name":"KV_settings","subjects":["$KV.settings.>"],"max_msgs_per_subject":5,"allow_rollup_hdrs":true,
        "deny_delete":true,"allow_direct":true,"discard":"new","num_replicas":1})"));
    script.publishMany(api,
        {QStringLiteral("$KV.settings.theme"), QStringLiteral("$KV.settings.lang")},
        QStringLiteral("v%1"),
        4);
}

void longNames(Script& script, Connection& api)
{
    const QString stream =
        QStringLiteral("WAREHOUSE-INVENTORY-RECONCILIATION-EUROPE-CENTRAL-PRODUCTION-2026");
    script.createStream(api,
        QStringLiteral(
            R"({"name":"%1","subjects":["warehouse.inventory.reconciliation.europe.>"],"num_replicas":1})")
            .arg(stream));
    script.createConsumer(api,
        stream,
        QStringLiteral(
            R"({"durable_name":"nightly-reconciliation-report-generator-for-the-accounting-department",
        "ack_policy":"explicit","filter_subject":"warehouse.inventory.reconciliation.europe.berlin.hall-17.shelf-4242.stock-level-changed"})"));
    script.createConsumer(api,
        stream,
        QStringLiteral(R"({"durable_name":"短消息通知服务","ack_policy":"explicit"})"));
    script.publishMany(api,
        {QStringLiteral("warehouse.inventory.reconciliation.europe.berlin.hall-17.shelf-4242.stock-"
                        "level-changed"),
            QStringLiteral("warehouse.inventory.reconciliation.europe.prag.hall-2")},
        QStringLiteral(
            R"({"sku":"%1","text":"a value that is long enough to be cut in every column where it is shown in one line"})"),
        30);
    script.consume(api,
        stream,
        QStringLiteral("nightly-reconciliation-report-generator-for-the-accounting-department"),
        {kAck, kNone, kNone});
}

} // namespace

Stage::Stage(const QString& url, QObject* parent)
    : QObject(parent)
    , m_url(url)
{
    connect(&m_traffic, &QTimer::timeout, this, &Stage::trafficStep);
}

QStringList Stage::names()
{
    return {QStringLiteral("orders"),
        QStringLiteral("empty"),
        QStringLiteral("long-names"),
        QStringLiteral("dense"),
        QStringLiteral("example")};
}

Connection& Stage::client(const QString& name)
{
    for (auto& [known, connection] : m_clients) {
        if (known == name)
            return *connection;
    }
    auto connection = std::make_unique<Connection>();
    client::ConnectOptions options;
    options.servers = QStringList{m_url};
    options.name = name;
    connection->open(options);
    m_clients.emplace_back(name, std::move(connection));
    return *m_clients.back().second;
}

void Stage::play(const QString& name, std::function<void(const QString& problem)> done)
{
    if (!names().contains(name))
        return done(tr("There is no scene %1. There are: %2")
                        .arg(name, names().join(QStringLiteral(", "))));
    if (name == QLatin1String("empty"))
        return done(QString());
    Connection& api = client(QStringLiteral("orders-api"));
    if (name == QLatin1String("example"))
        return createOrders(api, this, std::move(done));
    auto* script = new Script(this);
    script->waitConnected(api);
    if (name == QLatin1String("orders")) {
        Connection& worker1 = client(QStringLiteral("worker-1"));
        Connection& worker2 = client(QStringLiteral("worker-2"));
        script->waitConnected(worker1);
        script->waitConnected(worker2);
        others(*script, api, worker1);
        orders(*script, api, worker1, worker2);
    } else if (name == QLatin1String("long-names")) {
        longNames(*script, api);
    } else {
        script->createStream(
            api, QStringLiteral(R"({"name":"EVENTS","subjects":["events.>"],"num_replicas":1})"));
        script->createConsumer(api,
            QStringLiteral("EVENTS"),
            QStringLiteral(
                R"({"durable_name":"archive","ack_policy":"explicit","max_ack_pending":20000})"));
        script->publishMany(api,
            {QStringLiteral("events.a"), QStringLiteral("events.b")},
            QStringLiteral(R"({"n":%1})"),
            20'000);
        script->consume(api,
            QStringLiteral("EVENTS"),
            QStringLiteral("archive"),
            times(6'000, kAck) + times(400, kNone) + times(600, kAck));
    }
    script->run([script, done = std::move(done)](const QString& problem) {
        script->deleteLater();
        done(problem);
    });
}

void Stage::startTraffic()
{
    m_traffic.start(350);
}

/// Orders come in, two workers take them; now and then one is refused or forgotten, so that every
/// state can be seen.
void Stage::trafficStep()
{
    ++m_step;
    const QStringList subjects = orderSubjects();
    client::Message message;
    message.subject = subjects[m_step % subjects.size()];
    message.payload =
        orderPayload().replace(QStringLiteral("%1"), QString::number(1000 + m_step)).toUtf8();
    client(QStringLiteral("orders-api")).publish(message);
    static const std::array<QString, 7> kAnswers{
        kAck, kAck, kAck, QStringLiteral("-NAK {\"delay\":5000000000}"), kAck, kNone, kAck};
    const QString& answer = kAnswers[static_cast<std::size_t>(m_step) % kAnswers.size()];
    auto* script = new Script(this);
    script->consume(
        client(m_step % 2 == 0 ? QStringLiteral("worker-1") : QStringLiteral("worker-2")),
        kOrders,
        QStringLiteral("payments"),
        {answer});
    if (m_step % 4 == 0)
        script->consume(client(QStringLiteral("worker-2")),
            kOrders,
            QStringLiteral("audit"),
            {kAck, kAck, kAck, kAck});
    script->run([script](const QString&) { script->deleteLater(); });
}

} // namespace jetglass::scenes
