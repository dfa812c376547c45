// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_broker.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace jetglass;
using namespace jetglass::server::test;
using Json = nlohmann::json;

namespace {

/// Stores what it gets, as a stream would.
class FakeStream final : public streams::MessageHandler
{
public:
    void onMessage(const streams::Inbound& message) override
    {
        if (message.tracer != nullptr) {
            message.tracer->reachedStream("S", message.subject, false, {});
            if (message.tracer->wayOnly())
                return;
        }
        ++stored;
    }
    [[nodiscard]] bool takesTraces() const override { return true; }
    int stored = 0;
};

class Service final : public streams::MessageHandler
{
public:
    void onMessage(const streams::Inbound&) override { ++calls; }
    int calls = 0;
};

std::string publish(const std::string& subject, const std::string& headers)
{
    const std::string block = "NATS/1.0\r\n" + headers + "\r\n";
    return "HPUB " + subject + ' ' + std::to_string(block.size()) + ' '
        + std::to_string(block.size() + 2) + "\r\n" + block + "hi\r\n";
}

/// The only trace in what somebody got; discarded if there is none.
Json traceIn(const std::string& bytes)
{
    const auto from = bytes.find("{\"server\"");
    return from == std::string::npos
        ? Json(Json::value_t::discarded)
        : Json::parse(bytes.substr(from, bytes.find("\r\n", from) - from), nullptr, false);
}

QStringList kinds(const Json& trace)
{
    QStringList list;
    for (const Json& event : trace["events"])
        list << QString::fromStdString(event["type"].get<std::string>());
    return list;
}

} // namespace

class TestMessageTrace : public QObject
{
    Q_OBJECT
private slots:
    void tellsWhomItReaches();
    void onlyTheWay();
    void notFollowed_data();
    void notFollowed();
    void tellsOfMappings();
    void needsTheRightToPublishThere();
};

void TestMessageTrace::tellsWhomItReaches()
{
    FakeBroker broker;
    auto watcher = broker.connect(R"(CONNECT {"verbose":false,"headers":true,"name":"watcher"})"
                                  "\r\n");
    broker.say(watcher, "SUB s.* 1\r\nSUB s.a q 2\r\n");
    auto reader = broker.connect();
    broker.say(reader, "SUB trace 1\r\n");
    auto writer =
        broker.connect(R"(CONNECT {"verbose":false,"headers":true,"echo":false,"name":"writer"})"
                       "\r\n");
    broker.say(writer, "SUB s.a 1\r\n");
    FakeStream stream;
    const auto registration = broker.engine.globalAccount().subscribe("s.>", {}, stream);
    broker.say(writer, publish("s.a", "Nats-Trace-Dest: trace\r\nK: v\r\n"));
    QCOMPARE(stream.stored, 1);
    QVERIFY(watcher.link->take().find("hi") != std::string::npos);
    const Json trace = traceIn(reader.link->take());
    QVERIFY(trace.is_object());
    QCOMPARE(trace["request"]["header"].dump(),
        std::string(R"({"K":["v"],"Nats-Trace-Dest":["trace"]})"));
    QCOMPARE(trace["request"]["msgsize"].get<int>(), 44);
    const QStringList types = kinds(trace);
    QCOMPARE(types.mid(0, 2), QStringList({QStringLiteral("in"), QStringLiteral("js")}));
    QCOMPARE(types.count(QStringLiteral("eg")), 3);
    const Json& in = trace["events"][0];
    QCOMPARE(in["name"].get<std::string>(), std::string("writer"));
    QCOMPARE(in["acc"].get<std::string>(), std::string("$G"));
    QCOMPARE(in["subj"].get<std::string>(), std::string("s.a"));
    QCOMPARE(trace["events"][1]["stream"].get<std::string>(), std::string("S"));
    int refused = 0;
    int queued = 0;
    for (const Json& event : trace["events"]) {
        refused += event.value("error", "") == "Not delivered because of no echo";
        queued += event.value("queue", "") == "q";
    }
    QCOMPARE(refused, 1);
    QCOMPARE(queued, 1);
}

void TestMessageTrace::onlyTheWay()
{
    FakeBroker broker;
    auto watcher = broker.connect();
    broker.say(watcher, "SUB s.* 1\r\n");
    auto reader = broker.connect();
    broker.say(reader, "SUB trace 1\r\n");
    auto writer = broker.connect();
    FakeStream stream;
    Service service;
    const auto first = broker.engine.globalAccount().subscribe("s.>", {}, stream);
    const auto second = broker.engine.globalAccount().subscribe("s.a", {}, service);
    broker.say(writer, publish("s.a", "Nats-Trace-Dest: trace\r\nNats-Trace-Only: true\r\n"));
    QCOMPARE(stream.stored, 0);
    QCOMPARE(service.calls, 0);
    QCOMPARE(watcher.link->take(), std::string());
    QCOMPARE(kinds(traceIn(reader.link->take())),
        QStringList({QStringLiteral("in"), QStringLiteral("js"), QStringLiteral("eg")}));
}

void TestMessageTrace::notFollowed_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::newRow("no header") << QByteArray("K: v\r\n");
    QTest::newRow("empty") << QByteArray("Nats-Trace-Dest: \r\n");
    QTest::newRow("switched off") << QByteArray("Nats-Trace-Dest: trace disabled\r\n");
    QTest::newRow("no subject") << QByteArray("Nats-Trace-Dest: trace..x\r\n");
    QTest::newRow("only the second header") << QByteArray("Nats-Trace-Only: true\r\n");
}

void TestMessageTrace::notFollowed()
{
    QFETCH(QByteArray, headers);
    FakeBroker broker;
    auto reader = broker.connect();
    broker.say(reader, "SUB > 1\r\n");
    auto writer = broker.connect();
    broker.say(writer, publish("s.a", headers.toStdString()));
    const std::string got = reader.link->take();
    QVERIFY(got.find("hi") != std::string::npos);
    QVERIFY(traceIn(got).is_discarded());
}

void TestMessageTrace::tellsOfMappings()
{
    BrokerConfig config;
    config.mappings = {{"m.x", {{"s.mapped", 100}}}};
    FakeBroker broker(config);
    auto reader = broker.connect();
    broker.say(reader, "SUB trace 1\r\n");
    auto writer = broker.connect();
    broker.say(writer, publish("m.x", "Nats-Trace-Dest: trace\r\n"));
    const Json trace = traceIn(reader.link->take());
    QCOMPARE(kinds(trace), QStringList({QStringLiteral("in"), QStringLiteral("sm")}));
    QCOMPARE(trace["events"][0]["subj"].get<std::string>(), std::string("m.x"));
    QCOMPARE(trace["events"][1]["to"].get<std::string>(), std::string("s.mapped"));
}

void TestMessageTrace::needsTheRightToPublishThere()
{
    BrokerConfig config;
    UserConfig user;
    user.user = user.password = "u";
    user.permissions.emplace();
    user.permissions->publishAllow = std::vector<std::string>{"s.>"};
    config.auth.users = {user};
    FakeBroker broker(config);
    auto writer = broker.connect(R"(CONNECT {"verbose":false,"headers":true,"user":"u","pass":"u"})"
                                 "\r\n");
    broker.say(writer, "SUB > 1\r\n");
    const std::string got = broker.say(writer, publish("s.a", "Nats-Trace-Dest: trace\r\n"));
    QVERIFY2(got.find("Permissions Violation for Publish to \"trace\"") != std::string::npos,
        got.c_str());
    QVERIFY(got.find("hi") == std::string::npos);
}

QTEST_GUILESS_MAIN(TestMessageTrace)
#include "tst_message_trace.moc"
