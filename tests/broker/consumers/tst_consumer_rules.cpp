// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/config_rules.h"
#include "consumers/consumer_config_json.h"
#include "streams/json_decode.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace jetglass;
using namespace jetglass::consumers;

namespace {

ConsumerConfig configOf(const QString& json)
{
    ConsumerConfig config;
    streams::JsonFields fields(true);
    declareConsumerConfig(fields, config);
    const auto done = streams::decodeJson(json.toStdString(), fields);
    if (!done)
        qFatal("%s", done.error().text.c_str());
    return config;
}

} // namespace

class TestConsumerRules : public QObject
{
    Q_OBJECT

private slots:
    void refuses_data();
    void refuses();
    void fillsDefaults();
    void streamLimitsAreDefaultAndCeiling();
    void acksPendingHaveThreeCeilings_data();
    void acksPendingHaveThreeCeilings();
    void refusesUpdates_data();
    void refusesUpdates();
    void stampsTheLevel_data();
    void stampsTheLevel();
    void jsonKeepsEveryMember();
};

void TestConsumerRules::refuses_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<int>("errCode"); // 0 = accepted
    QTest::newRow("empty") << "{}" << 0;
    QTest::newRow("bad name") << R"({"name":"a.b"})" << 10052;
    QTest::newRow("percent in name") << R"({"name":"a%b"})" << 0;
    QTest::newRow("negative ack wait") << R"({"ack_wait":-1})" << 10183;
    QTest::newRow("negative backoff") << R"({"backoff":[-1]})" << 10184;
    QTest::newRow("backoff longer than max deliver")
        << R"({"backoff":[1,2],"max_deliver":1})" << 10116;
    QTest::newRow("backoff as long") << R"({"backoff":[1,2],"max_deliver":2})" << 0;
    QTest::newRow("wildcard target") << R"({"deliver_subject":"d.*"})" << 10079;
    QTest::newRow("cycle") << R"({"deliver_subject":"s.a"})" << 10081;
    QTest::newRow("push with max waiting") << R"({"deliver_subject":"d","max_waiting":1})" << 10080;
    QTest::newRow("push, limit without acks")
        << R"({"deliver_subject":"d","max_ack_pending":1})" << 10082;
    QTest::newRow("short heartbeat")
        << R"({"deliver_subject":"d","idle_heartbeat":99999999})" << 10083;
    QTest::newRow("pull with rate") << R"({"rate_limit_bps":1})" << 10086;
    QTest::newRow("pull with heartbeat") << R"({"idle_heartbeat":1000000000})" << 10088;
    QTest::newRow("pull with flow control") << R"({"flow_control":true})" << 10089;
    QTest::newRow("short max expires") << R"({"max_expires":999999})" << 10115;
    QTest::newRow("flow control alone")
        << R"({"deliver_subject":"d","flow_control":true})" << 10108;
    QTest::newRow("both filters") << R"({"filter_subject":"a","filter_subjects":["b"]})" << 10136;
    QTest::newRow("filter misses the stream") << R"({"filter_subject":"nomatch.>"})" << 0;
    QTest::newRow("empty filter") << R"({"filter_subjects":["a",""]})" << 10139;
    QTest::newRow("subset filter") << R"({"filter_subjects":["a.>","a.*.b"]})" << 10138;
    QTest::newRow("partial overlap") << R"({"filter_subjects":["e.foo.*","e.*.foo"]})" << 0;
    QTest::newRow("all with sequence") << R"({"opt_start_seq":1})" << 10094;
    QTest::newRow("last per subject without filter")
        << R"({"deliver_policy":"last_per_subject"})" << 10094;
    QTest::newRow("bad sampling") << R"({"sample_freq":"often"})" << 10095;
    QTest::newRow("sampling in percent") << R"({"sample_freq":"50%"})" << 0;
    QTest::newRow("names differ") << R"({"name":"a","durable_name":"b"})" << 10132;
    QTest::newRow("group without policy") << R"({"priority_groups":["g"]})" << 10196;
    QTest::newRow("policy without group") << R"({"priority_policy":"overflow"})" << 10159;
    QTest::newRow("group on push")
        << R"({"priority_policy":"overflow","priority_groups":["g"],"deliver_subject":"d"})"
        << 10178;
    QTest::newRow("bad group name")
        << R"({"priority_policy":"overflow","priority_groups":["a b"]})" << 10162;
}

void TestConsumerRules::refuses()
{
    QFETCH(QString, json);
    QFETCH(int, errCode);
    ConsumerConfig config = configOf(json);
    StreamConfig stream;
    stream.subjects = {"s.>"};
    const auto done = normalizeConsumerConfig(config, stream, false);
    QCOMPARE(done.ok() ? 0 : done.error().apiErrCode, errCode);
}

void TestConsumerRules::fillsDefaults()
{
    ConsumerConfig config = configOf(R"({"ack_policy":"explicit","max_deliver":0})");
    QVERIFY(normalizeConsumerConfig(config, {}, true).ok());
    QCOMPARE(config.ackWait, 30'000'000'000);
    QCOMPARE(config.maxDeliver, -1);
    QCOMPARE(config.maxWaiting, 512);
    QCOMPARE(config.maxAckPending, 1000);
    config = configOf(R"({"ack_policy":"explicit","backoff":[7,9]})");
    QVERIFY(normalizeConsumerConfig(config, {}, false).ok());
    QCOMPARE(config.ackWait, 7);
    config = configOf("{}");
    QVERIFY(normalizeConsumerConfig(config, {}, false).ok());
    QCOMPARE(config.ackWait, 0);
    QCOMPARE(config.maxAckPending, 0);
}

void TestConsumerRules::streamLimitsAreDefaultAndCeiling()
{
    StreamConfig stream;
    stream.limitMaxAckPending = 5;
    stream.limitInactiveThreshold = 1'000'000'000;
    ConsumerConfig config = configOf(R"({"ack_policy":"explicit"})");
    QVERIFY(normalizeConsumerConfig(config, stream, false).ok());
    QCOMPARE(config.maxAckPending, 5);
    QCOMPARE(config.inactiveThreshold, 1'000'000'000);
    config = configOf(R"({"ack_policy":"explicit","max_ack_pending":6})");
    QCOMPARE(normalizeConsumerConfig(config, stream, false).error().apiErrCode, 10121);
    config = configOf(R"({"deliver_subject":"d"})");
    QCOMPARE(normalizeConsumerConfig(config, stream, false).error().apiErrCode, 10082);
    config = configOf("{}");
    QCOMPARE(normalizeConsumerConfig(config, stream, true).error().apiErrCode, 10157);
}

void TestConsumerRules::acksPendingHaveThreeCeilings_data()
{
    QTest::addColumn<int>("server");
    QTest::addColumn<int>("account");
    QTest::addColumn<int>("stream");
    QTest::addColumn<int>("named"); // by the error
    QTest::addColumn<int>("usual"); // without a wish
    QTest::newRow("none") << 0 << -1 << 0 << 0 << 1000;
    QTest::newRow("server") << 50 << -1 << 0 << 50 << 50;
    QTest::newRow("account") << 0 << 20 << 0 << 20 << 20;
    QTest::newRow("server before account") << 50 << 20 << 0 << 50 << 20;
    QTest::newRow("server before stream") << 50 << -1 << 20 << 50 << 20;
    QTest::newRow("account before stream") << 0 << 30 << 20 << 30 << 20;
}

void TestConsumerRules::acksPendingHaveThreeCeilings()
{
    QFETCH(int, server);
    QFETCH(int, account);
    QFETCH(int, stream);
    QFETCH(int, named);
    StreamConfig of;
    of.limitMaxAckPending = stream;
    ConfigLimits limits;
    limits.maxAckPending = server;
    limits.accountMaxAckPending = account;
    ConsumerConfig config = configOf(R"({"ack_policy":"explicit","max_ack_pending":60})");
    const auto done = normalizeConsumerConfig(config, of, false, limits);
    QCOMPARE(QString::fromStdString(done.ok() ? std::string() : done.error().text),
        named == 0
            ? QString()
            : QStringLiteral("consumer max ack pending exceeds system limit of %1").arg(named));
    config = configOf(R"({"ack_policy":"explicit"})");
    QVERIFY(normalizeConsumerConfig(config, of, false, limits).ok());
    QTEST(static_cast<int>(config.maxAckPending), "usual");
}

void TestConsumerRules::refusesUpdates_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("text");
    QTest::newRow("same") << R"({"max_waiting":10})"
                          << "";
    QTest::newRow("more acks pending") << R"({"max_waiting":10,"max_ack_pending":7})"
                                       << "";
    QTest::newRow("replaces, does not merge") << "{}"
                                              << "max waiting can not be updated";
    QTest::newRow("ack policy") << R"({"max_waiting":10,"ack_policy":"all"})"
                                << "ack policy can not be updated";
    QTest::newRow("to push") << R"({"deliver_subject":"d"})"
                             << "can not update pull consumer to push based";
    QTest::newRow("start") << R"({"max_waiting":10,"opt_start_seq":3})"
                           << "start sequence can not be updated";
}

void TestConsumerRules::refusesUpdates()
{
    QFETCH(QString, to);
    QFETCH(QString, text);
    const auto done = checkConsumerUpdate(configOf(R"({"max_waiting":10})"), configOf(to));
    QCOMPARE(QString::fromStdString(done.ok() ? "" : done.error().text), text);
}

void TestConsumerRules::stampsTheLevel_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("level");
    QTest::newRow("plain") << "{}"
                           << "0";
    QTest::newRow("zero time") << R"({"pause_until":"0001-01-01T00:00:00Z"})"
                               << "0";
    QTest::newRow("paused") << R"({"pause_until":"2040-01-01T00:00:00Z"})"
                            << "1";
    QTest::newRow("priority") << R"({"priority_groups":["g"]})"
                              << "1";
    QTest::newRow("flow control acks") << R"({"ack_policy":"flow_control"})"
                                       << "4";
    QTest::newRow("sent keys are dropped")
        << R"({"metadata":{"_nats.ver":"1","_nats.level":"9","_nats.req.level":"7"}})"
        << "0";
}

void TestConsumerRules::stampsTheLevel()
{
    QFETCH(QString, json);
    QFETCH(QString, level);
    ConsumerConfig config = configOf(json);
    stampRequiredLevel(config);
    QCOMPARE(config.metadata,
        (std::map<std::string, std::string>{{"_nats.req.level", level.toStdString()}}));
}

void TestConsumerRules::jsonKeepsEveryMember()
{
    const QString json =
        R"({"durable_name":"d","name":"d","description":"x","deliver_policy":"by_start_time",)"
        R"("opt_start_time":"2026-01-01T00:00:00+01:00","ack_policy":"explicit","ack_wait":5,)"
        R"("max_deliver":3,"backoff":[5,6],"filter_subjects":["a","b"],"replay_policy":"original",)"
        R"("rate_limit_bps":8,"sample_freq":"9%","max_waiting":1,"max_ack_pending":2,)"
        R"("flow_control":true,"headers_only":true,"max_batch":4,"max_expires":5,"max_bytes":6,)"
        R"("deliver_subject":"t","deliver_group":"g","idle_heartbeat":7,"inactive_threshold":8,)"
        R"("num_replicas":1,"mem_storage":true,"metadata":{"k":"v"},)"
        R"("pause_until":"2040-01-01T00:00:00Z","priority_groups":["p"],)"
        R"("priority_policy":"overflow","priority_timeout":9})";
    const ConsumerConfig config = configOf(json);
    const auto out = consumerConfigToJson(config, ConfigAudience::Catalog);
    QCOMPARE(QString::fromStdString(out.dump()), json);
    QCOMPARE(configOf(QString::fromStdString(out.dump())), config);
}

QTEST_GUILESS_MAIN(TestConsumerRules)
#include "tst_consumer_rules.moc"
