// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/s2_stream.h"
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

/// Stands for a service of the system account, as the API does.
class SystemService final : public streams::MessageHandler
{
public:
    void onMessage(const streams::Inbound&) override { ++calls; }
    [[nodiscard]] std::string systemSubject(std::string_view subject) const override
    {
        return "as." + std::string(subject);
    }
    int calls = 0;
};

/// Puts all it gets into a batch.
class Batch final : public streams::MessageHandler
{
public:
    void onMessage(const streams::Inbound& message) override { message.tracer->waitsInBatch(); }
    [[nodiscard]] bool takesTraces() const override { return true; }
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

/// A offers o.> as a stream and q.> as a service to B.
BrokerConfig twoAccounts(bool allowTrace)
{
    BrokerConfig config;
    AccountConfig a;
    a.name = "A";
    a.exports.resize(2);
    a.exports[0].subject = "o.>";
    a.exports[1].service = true;
    a.exports[1].subject = "q.>";
    a.exports[1].allowTrace = allowTrace;
    AccountConfig b;
    b.name = "B";
    b.imports.resize(2);
    b.imports[0].account = b.imports[1].account = "A";
    b.imports[0].subject = "o.>";
    b.imports[0].allowTrace = allowTrace;
    b.imports[1].service = true;
    b.imports[1].subject = "q.x";
    b.imports[1].to = "ask";
    b.traceDestination = "trace";
    config.accounts = {a, b};
    for (const char* name : {"a", "b"}) {
        UserConfig user;
        user.user = user.password = name;
        user.account = name == std::string("a") ? "A" : "B";
        config.auth.users.push_back(user);
    }
    return config;
}

FakeBroker::Peer as(FakeBroker& broker, const std::string& user)
{
    return broker.connect(R"(CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":")"
        + user + R"(","pass":")" + user + "\"}\r\n");
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
    void tellsWhatWasRefused();
    void tellsOfWhatIsTooLarge();
    void compressedAsAsked();
    void leavesOutEmptyHeaders();
    void keepsQuietOfBatches();
    void tellsOfTheApi_data();
    void tellsOfTheApi();
    void intoOtherAccounts_data();
    void intoOtherAccounts();
    void servicesOfOtherAccounts_data();
    void servicesOfOtherAccounts();
    void followsTraceParents_data();
    void followsTraceParents();
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

void TestMessageTrace::tellsWhatWasRefused()
{
    BrokerConfig config;
    UserConfig user;
    user.user = user.password = "u";
    user.permissions.emplace();
    user.permissions->publishDeny = {"no"};
    config.auth.users = {user};
    FakeBroker broker(config);
    auto writer = broker.connect(R"(CONNECT {"verbose":false,"headers":true,"user":"u","pass":"u"})"
                                 "\r\n");
    broker.say(writer, "SUB trace 1\r\n");
    const Json trace = traceIn(broker.say(writer, publish("no", "Nats-Trace-Dest: trace\r\n")));
    QVERIFY(trace.is_object());
    QCOMPARE(kinds(trace), QStringList({QStringLiteral("in")}));
    QCOMPARE(trace["events"][0]["error"].get<std::string>(),
        std::string("Permissions Violation for Publish to \"no\""));
    // Who may not publish there hears of that alone.
    const std::string denied = broker.say(writer, publish("no", "Nats-Trace-Dest: no\r\n"));
    QCOMPARE(QByteArray::fromStdString(denied).count("-ERR"), 1);
}

/// As much of its headers counts as has come with the line.
void TestMessageTrace::tellsOfWhatIsTooLarge()
{
    BrokerConfig config;
    config.maxPayload = 100;
    FakeBroker broker(config);
    auto reader = broker.connect();
    broker.say(reader, "SUB trace 1\r\n");
    auto writer = broker.connect();
    const std::string said = broker.say(
        writer, publish("s", "Nats-Trace-Dest: trace\r\nA: " + std::string(99, 'a') + "\r\n"));
    QVERIFY2(said.starts_with("-ERR 'Maximum Payload Violation'"), said.c_str());
    const Json trace = traceIn(reader.link->take());
    QVERIFY(trace.is_object());
    QCOMPARE(kinds(trace), QStringList({QStringLiteral("in")}));
    QCOMPARE(
        trace["events"][0]["error"].get<std::string>(), std::string("maximum payload exceeded"));
    QCOMPARE(trace["events"][0]["subj"].get<std::string>(), std::string("s"));
    QCOMPARE(trace["request"]["msgsize"].get<int>(), 142);

    // Not followed, it only ends the connection.
    auto other = broker.connect();
    broker.say(other, publish("s", "A: " + std::string(99, 'a') + "\r\n"));
    QCOMPARE(reader.link->take(), std::string());
}

void TestMessageTrace::compressedAsAsked()
{
    FakeBroker broker;
    auto reader = broker.connect();
    broker.say(reader, "SUB trace 1\r\n");
    auto writer = broker.connect();
    broker.say(writer, publish("s", "Nats-Trace-Dest: trace\r\nAccept-Encoding: gzip, snappy\r\n"));
    const std::string packed = reader.link->take();
    QVERIFY2(packed.find("Content-Encoding: snappy\r\n") != std::string::npos, packed.c_str());
    const auto body = packed.find("\r\n\r\n") + 4;
    archive::S2Reader unpacker;
    unpacker.feed(std::string_view(packed).substr(body, packed.size() - body - 2));
    unpacker.finish();
    QCOMPARE(unpacker.next(), archive::S2Reader::Step::Data);
    const Json trace = traceIn(std::string(unpacker.data()) + "\r\n");
    QCOMPARE(kinds(trace), QStringList({QStringLiteral("in")}));

    broker.say(writer, publish("s", "Nats-Trace-Dest: trace\r\nAccept-Encoding: br\r\n"));
    const std::string plain = reader.link->take();
    QVERIFY(plain.find("Content-Encoding: identity\r\n") != std::string::npos);
    QVERIFY(traceIn(plain).is_object());
}

void TestMessageTrace::leavesOutEmptyHeaders()
{
    FakeBroker broker;
    auto reader = broker.connect();
    broker.say(reader, "SUB trace 1\r\n");
    auto writer = broker.connect();
    broker.say(writer, publish("s", "A: 1\r\nA: 2\r\nb:  \r\nNats-Trace-Dest: trace\r\n"));
    QCOMPARE(traceIn(reader.link->take())["request"]["header"].dump(),
        std::string(R"({"A":["1","2"],"Nats-Trace-Dest":["trace"]})"));
}

void TestMessageTrace::keepsQuietOfBatches()
{
    FakeBroker broker;
    auto reader = broker.connect();
    broker.say(reader, "SUB trace 1\r\n");
    auto writer = broker.connect();
    Batch batch;
    const auto registration = broker.engine.globalAccount().subscribe("s", {}, batch);
    broker.say(writer, publish("s", "Nats-Trace-Dest: trace\r\n"));
    QCOMPARE(reader.link->take(), std::string());
}

void TestMessageTrace::tellsOfTheApi_data()
{
    QTest::addColumn<bool>("wayOnly");
    QTest::newRow("asked") << false;
    QTest::newRow("only the way") << true;
}

void TestMessageTrace::tellsOfTheApi()
{
    QFETCH(bool, wayOnly);
    FakeBroker broker;
    auto reader = broker.connect();
    broker.say(reader, "SUB trace 1\r\n");
    auto writer = broker.connect();
    SystemService service;
    const auto registration = broker.engine.globalAccount().subscribe("api.*", {}, service);
    broker.say(writer,
        publish("api.x",
            std::string("Nats-Trace-Dest: trace\r\n")
                + (wayOnly ? "Nats-Trace-Only: TRUE\r\n" : "")));
    QCOMPARE(service.calls, wayOnly ? 0 : 1);
    const Json trace = traceIn(reader.link->take());
    QCOMPARE(kinds(trace), QStringList({QStringLiteral("in"), QStringLiteral("si")}));
    const Json& request = trace["events"][1];
    QCOMPARE(request["acc"].get<std::string>(), std::string("$SYS"));
    QCOMPARE(request["from"].get<std::string>(), std::string("api.x"));
    QCOMPARE(request["to"].get<std::string>(), std::string("as.api.x"));
}

void TestMessageTrace::intoOtherAccounts_data()
{
    QTest::addColumn<bool>("allowed");
    QTest::addColumn<bool>("wayOnly");
    QTest::addColumn<QStringList>("told");
    QTest::addColumn<bool>("delivered");
    const QStringList exported{QStringLiteral("in"), QStringLiteral("se")};
    const QStringList further = exported + QStringList{QStringLiteral("eg")};
    QTest::newRow("not followed") << false << false << exported << true;
    QTest::newRow("not followed, only the way") << false << true << exported << false;
    QTest::newRow("followed") << true << false << further << true;
    QTest::newRow("followed, only the way") << true << true << further << false;
}

void TestMessageTrace::intoOtherAccounts()
{
    QFETCH(bool, allowed);
    QFETCH(bool, wayOnly);
    FakeBroker broker(twoAccounts(allowed));
    auto a = as(broker, "a");
    broker.say(a, "SUB trace 1\r\n");
    auto b = as(broker, "b");
    broker.say(b, "SUB o.* 1\r\n");
    const Json trace = traceIn(broker.say(a,
        publish("o.1",
            std::string("Nats-Trace-Dest: trace\r\n")
                + (wayOnly ? "Nats-Trace-Only: on\r\n" : ""))));
    QTEST(kinds(trace), "told");
    if (allowed)
        QCOMPARE(trace["events"][2]["acc"].get<std::string>(), std::string("B"));
    QTEST(b.link->take().find("hi") != std::string::npos, "delivered");
}

void TestMessageTrace::servicesOfOtherAccounts_data()
{
    QTest::addColumn<bool>("allowed");
    QTest::addColumn<QStringList>("told");
    QTest::newRow("not followed") << false
                                  << QStringList{QStringLiteral("in"), QStringLiteral("si")};
    QTest::newRow("followed") << true
                              << QStringList{QStringLiteral("in"),
                                     QStringLiteral("si"),
                                     QStringLiteral("eg")};
}

void TestMessageTrace::servicesOfOtherAccounts()
{
    QFETCH(bool, allowed);
    FakeBroker broker(twoAccounts(allowed));
    auto a = as(broker, "a");
    broker.say(a, "SUB q.x 1\r\n");
    auto b = as(broker, "b");
    broker.say(b, "SUB trace 1\r\n");
    const Json trace = traceIn(broker.say(b, publish("ask", "Nats-Trace-Dest: trace\r\n")));
    QTEST(kinds(trace), "told");
    const std::string got = a.link->take();
    QCOMPARE(trace["events"][1]["to"].get<std::string>(), std::string("q.x"));
    // Whoever serves does not start a trace of its own where B would have to be asked.
    const char* header = allowed ? "Nats-Trace-Dest: _R_." : "Nats-Trace-Dest: trace disabled\r\n";
    QVERIFY2(got.find(header) != std::string::npos, got.c_str());
    QVERIFY2(got.find("Nats-Request-Info: ") < got.find("Nats-Trace-Dest: "), got.c_str());
}

void TestMessageTrace::followsTraceParents_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("parent");
    QTest::addColumn<bool>("told");
    const QByteArray id = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-";
    QTest::newRow("sampled") << "b" << id + "01" << true;
    QTest::newRow("more flags") << "b" << id + "7f" << true;
    QTest::newRow("not sampled") << "b" << id + "00" << false;
    QTest::newRow("out of range") << "b" << id + "81" << false;
    QTest::newRow("no flags") << "b" << id << false;
    QTest::newRow("account without a destination") << "a" << id + "01" << false;
}

void TestMessageTrace::followsTraceParents()
{
    QFETCH(QString, user);
    QFETCH(QByteArray, parent);
    FakeBroker broker(twoAccounts(false));
    auto peer = as(broker, user.toStdString());
    broker.say(peer, "SUB trace 1\r\nSUB s 2\r\n");
    const std::string got =
        broker.say(peer, publish("s", "TraceParent: " + parent.toStdString() + "\r\n"));
    QVERIFY(got.find("MSG s 2") != std::string::npos);
    QTEST(traceIn(got).is_object(), "told");
}

QTEST_GUILESS_MAIN(TestMessageTrace)
#include "tst_message_trace.moc"
