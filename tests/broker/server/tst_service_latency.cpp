// SPDX-License-Identifier: GPL-3.0-or-later
// How long a service of another account takes to answer, as its account publishes it.
#include "support/fake_broker.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace jetglass;
using namespace jetglass::server::test;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

/// A offers q.> to B and publishes on "took" how long it takes; \a sampling 0 = by headers.
BrokerConfig measured(int sampling, bool share)
{
    BrokerConfig config;
    AccountConfig a;
    a.name = "A";
    a.exports.resize(1);
    a.exports[0].service = true;
    a.exports[0].subject = "q.>";
    a.exports[0].latencySubject = "took";
    a.exports[0].latencySampling = sampling;
    AccountConfig b;
    b.name = "B";
    b.imports.resize(1);
    b.imports[0].service = true;
    b.imports[0].account = "A";
    b.imports[0].subject = "q.x";
    b.imports[0].to = "ask";
    b.imports[0].share = share;
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
    return broker.connect(
        R"(CONNECT {"verbose":false,"headers":true,"no_responders":true,"lang":"x","user":")" + user
        + R"(","pass":")" + user + R"(","name":"the )" + user + "\"}\r\n");
}

std::string request(const std::string& headers, const std::string& reply = "back")
{
    const std::string block = "NATS/1.0\r\n" + headers + "\r\n";
    return "HPUB ask " + reply + ' ' + std::to_string(block.size()) + ' '
        + std::to_string(block.size() + 2) + "\r\n" + block + "hi\r\n";
}

/// The only metric in what somebody got; discarded if there is none.
Json metricIn(const std::string& bytes)
{
    const auto from = bytes.find("{\"type\"");
    return from == std::string::npos
        ? Json(Json::value_t::discarded)
        : Json::parse(bytes.substr(from, bytes.find("\r\n", from) - from), nullptr, false);
}

std::string replyOf(const std::string& bytes)
{
    const auto from = bytes.find("_R_.");
    return from == std::string::npos ? std::string()
                                     : bytes.substr(from, bytes.find(' ', from) - from);
}

} // namespace

class TestServiceLatency : public QObject
{
    Q_OBJECT
private slots:
    void tellsHowLongItTook_data();
    void tellsHowLongItTook();
    void tellsOfFailures_data();
    void tellsOfFailures();
    void tellsWhoLeft();
    void samplesByHeaders_data();
    void samplesByHeaders();
};

void TestServiceLatency::tellsHowLongItTook_data()
{
    QTest::addColumn<bool>("share");
    QTest::newRow("asker unknown") << false;
    QTest::newRow("asker known") << true;
}

void TestServiceLatency::tellsHowLongItTook()
{
    QFETCH(bool, share);
    FakeBroker broker(measured(100, share));
    auto a = as(broker, "a");
    broker.say(a, "SUB q.x 1\r\nSUB took 2\r\n");
    auto b = as(broker, "b");
    broker.say(b, "SUB back 1\r\n");
    broker.say(b, "PUB ask back 2\r\nhi\r\n");
    const std::string reply = replyOf(a.link->take());
    QVERIFY2(reply.ends_with(".T"), reply.c_str());
    broker.advance(30 * kMillisecond);
    const Json metric = metricIn(broker.say(a, "PUB " + reply + " 2\r\nok\r\n"));
    QVERIFY(b.link->take().find("ok") != std::string::npos);
    QVERIFY(metric.is_object());
    QCOMPARE(
        metric["type"].get<std::string>(), std::string("io.nats.server.metric.v1.service_latency"));
    QCOMPARE(metric["status"].get<int>(), 200);
    QVERIFY(!metric.contains("description"));
    QCOMPARE(metric["requestor"]["acc"].get<std::string>(), std::string("B"));
    QCOMPARE(metric["requestor"].contains("name"), share);
    QCOMPARE(metric["responder"]["acc"].get<std::string>(), std::string("A"));
    QCOMPARE(metric["responder"]["name"].get<std::string>(), std::string("the a"));
    QCOMPARE(metric["responder"]["server"].get<std::string>(), std::string("test"));
    QCOMPARE(metric["responder"]["kind"].get<std::string>(), std::string("Client"));
    const auto rtt = metric["responder"].value("rtt", std::int64_t{0});
    QCOMPARE(metric["service"].get<std::int64_t>(), 30 * kMillisecond - rtt);
    QCOMPARE(metric["total"].get<std::int64_t>(),
        30 * kMillisecond + metric["requestor"].value("rtt", std::int64_t{0}));
    // One answer, one measure.
    QVERIFY(metricIn(broker.say(a, "PUB " + reply + " 2\r\nok\r\n")).is_discarded());
}

void TestServiceLatency::tellsOfFailures_data()
{
    QTest::addColumn<bool>("served");
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("description");
    QTest::newRow("nobody there") << false << QByteArray("back") << 503
                                  << QByteArray("Service Unavailable");
    QTest::newRow("no answer") << true << QByteArray("back") << 504
                               << QByteArray("Service Timeout");
    QTest::newRow("no reply subject") << true << QByteArray() << 400 << QByteArray("Bad Request");
}

void TestServiceLatency::tellsOfFailures()
{
    QFETCH(bool, served);
    QFETCH(QByteArray, reply);
    FakeBroker broker(measured(100, false));
    auto a = as(broker, "a");
    broker.say(a, served ? "SUB q.x 1\r\nSUB took 2\r\n" : "SUB took 2\r\n");
    auto b = as(broker, "b");
    broker.say(b, "SUB back 1\r\n");
    broker.say(b, "PUB ask " + reply.toStdString() + " 2\r\nhi\r\n");
    broker.advance(ExportConfig{}.threshold);
    const Json metric = metricIn(a.link->take());
    QVERIFY(metric.is_object());
    QTEST(metric["status"].get<int>(), "status");
    QTEST(QByteArray::fromStdString(metric["description"].get<std::string>()), "description");
    QVERIFY(!metric.contains("responder"));
    QCOMPARE(metric["service"].get<int>(), 0);
}

void TestServiceLatency::tellsWhoLeft()
{
    FakeBroker broker(measured(100, true));
    auto a = as(broker, "a");
    broker.say(a, "SUB q.x 1\r\nSUB took 2\r\n");
    auto b = as(broker, "b");
    broker.say(b, "SUB box.* 1\r\nPUB ask box.1 2\r\nhi\r\n");
    const std::string reply = replyOf(a.link->take());
    broker.say(b, "UNSUB 1\r\n");
    const Json metric = metricIn(a.link->take());
    QVERIFY(metric.is_object());
    QCOMPARE(metric["status"].get<int>(), 408);
    QCOMPARE(metric["description"].get<std::string>(), std::string("Request Timeout"));
    QVERIFY(metricIn(broker.say(a, "PUB " + reply + " 2\r\nok\r\n")).is_discarded());
}

void TestServiceLatency::samplesByHeaders_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("kept"); // empty = not measured
    QTest::newRow("none") << QByteArray("K: v\r\n") << QByteArray();
    QTest::newRow("B3") << QByteArray("x-b3-sampled: 1\r\nX-B3-TraceId: 7\r\nK: v\r\n")
                        << QByteArray(R"({"X-B3-Sampled":["1"],"X-B3-Traceid":["7"]})");
    QTest::newRow("B3, not sampled")
        << QByteArray("X-B3-Sampled: 0\r\nX-B3-TraceId: 7\r\n") << QByteArray();
    QTest::newRow("B3, for us to say")
        << QByteArray("X-B3-TraceId: 7\r\n") << QByteArray(R"({"X-B3-Traceid":["7"]})");
    QTest::newRow("B3 in one") << QByteArray("b3: a-b-1-c\r\n")
                               << QByteArray(R"({"B3":["a-b-1-c"]})");
    QTest::newRow("B3 in one, not sampled") << QByteArray("b3: a-b-0-c\r\n") << QByteArray();
    QTest::newRow("Uber") << QByteArray("uber-trace-id: a:b:c:1\r\nuberctx-x: y\r\n")
                          << QByteArray(R"({"Uber-Trace-Id":["a:b:c:1"],"Uberctx-X":["y"]})");
    QTest::newRow("Uber, not sampled") << QByteArray("Uber-Trace-Id: a:b:c:2\r\n") << QByteArray();
    QTest::newRow("W3C") << QByteArray("traceparent: 00-a-b-01\r\ntracestate: s\r\n")
                         << QByteArray(R"({"Traceparent":["00-a-b-01"],"Tracestate":["s"]})");
    QTest::newRow("W3C, not sampled") << QByteArray("traceparent: 00-a-b-00\r\n") << QByteArray();
}

void TestServiceLatency::samplesByHeaders()
{
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, kept);
    FakeBroker broker(measured(0, false));
    auto a = as(broker, "a");
    broker.say(a, "SUB q.x 1\r\nSUB took 2\r\n");
    auto b = as(broker, "b");
    broker.say(b, request(headers.toStdString()));
    const std::string reply = replyOf(a.link->take());
    QCOMPARE(reply.ends_with(".T"), !kept.isEmpty());
    const Json metric = metricIn(broker.say(a, "PUB " + reply + " 2\r\nok\r\n"));
    QCOMPARE(metric.is_object(), !kept.isEmpty());
    if (!kept.isEmpty())
        QCOMPARE(QByteArray::fromStdString(metric["header"].dump()), kept);
}

QTEST_GUILESS_MAIN(TestServiceLatency)
#include "tst_service_latency.moc"
