// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream_bench.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::tests::StreamBench;

class tst_StreamApi : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void createsOnceAndAgain();
    void refuses_data();
    void refuses();
    void accountLimits();
    void fullAccount();
    void keepsPagingBesideErrors();
    void pagesNames();
    void listsSubjectsAndGaps();
    void countsCalls();
    void getsMessages_data();
    void getsMessages();
    void deletesAsTheStoreDoes();
    void updatesAndTrims();
    void markersTurnOnWhatACounterRefuses();
    void limitsBecomeInterest();
    void answersDirectly();
    void sendsBatches();
    void publishesAdvisories();
    void survivesAnyBody();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

void tst_StreamApi::createsOnceAndAgain()
{
    const auto first = m_bench->create(R"("subjects":["s.>"])");
    CHECK_JSON(first["type"], "io.nats.jetstream.api.v1.stream_create_response");
    CHECK_JSON(first["did_create"], true);
    CHECK_JSON(first["config"]["max_msgs"], -1);
    CHECK_JSON(first["config"]["metadata"]["_nats.level"], "5");
    QVERIFY(!first.contains("cluster"));
    CHECK_JSON(first["state"]["first_ts"], "0001-01-01T00:00:00Z");
    m_bench->clock.advance(1'000'000);
    const auto again = m_bench->create(R"("subjects":["s.>"])");
    CHECK_JSON(again["did_create"], true);
    CHECK_JSON(again["created"], first["created"]);
    CHECK_JSON(m_bench->create(R"("subjects":["s.>"],"max_msgs":3)")["error"]["err_code"], 10058);
    CHECK_JSON(m_bench->create(R"("subjects":["s.a"])", "T")["error"]["err_code"], 10065);
}

void tst_StreamApi::refuses_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("code");
    QTest::newRow("create without a body") << "STREAM.CREATE.T"
                                           << "" << 10056;
    QTest::newRow("update without a body") << "STREAM.UPDATE.T"
                                           << "" << 10052;
    QTest::newRow("update of a missing stream") << "STREAM.UPDATE.T"
                                                << R"({"name":"T"})" << 10059;
    QTest::newRow("name differs") << "STREAM.CREATE.T"
                                  << R"({"name":"U"})" << 10056;
    QTest::newRow("path separator") << R"(STREAM.CREATE.a\b)"
                                    << R"({"name":"a\\b"})" << 10128;
    QTest::newRow("sealed") << "STREAM.CREATE.T"
                            << R"({"name":"T","sealed":true})" << 10052;
    QTest::newRow("three replicas") << "STREAM.CREATE.T"
                                    << R"({"name":"T","num_replicas":3})" << 10074;
    QTest::newRow("delete with a body") << "STREAM.DELETE.S"
                                        << R"({"x":1})" << 10038;
    QTest::newRow("delete of a missing stream") << "STREAM.DELETE.T"
                                                << "" << 10059;
    QTest::newRow("purge seq and keep") << "STREAM.PURGE.S"
                                        << R"({"seq":4,"keep":2})" << 10003;
    QTest::newRow("delete of no message") << "STREAM.MSG.DELETE.S"
                                          << "{}" << 10003;
    QTest::newRow("get without a body") << "STREAM.MSG.GET.S"
                                        << "" << 10003;
    QTest::newRow("get of nothing") << "STREAM.MSG.GET.S"
                                    << "{}" << 10003;
    QTest::newRow("get not found") << "STREAM.MSG.GET.S"
                                   << R"({"seq":9})" << 10037;
    QTest::newRow("limit is unknown") << "STREAM.NAMES"
                                      << R"({"limit":5})" << 10025;
    QTest::newRow("cluster only") << "STREAM.LEADER.STEPDOWN.T"
                                  << "" << 10010;
}

void tst_StreamApi::refuses()
{
    QFETCH(QString, call);
    QFETCH(QString, body);
    m_bench->create(R"("subjects":["s.>"])");
    const auto answer = m_bench->request(call.toStdString(), body.toStdString());
    QTEST(answer["error"]["err_code"].get<int>(), "code");
}

/// In the order of the real server: streams, consumers, the bytes of one stream, then bytes
/// together.
void tst_StreamApi::accountLimits()
{
    AccountLimits& limits = m_bench->limits;
    limits.maxStore = 20'000;
    limits.maxMemory = 10'000;
    limits.maxStreams = 2;
    limits.maxConsumers = 3;
    limits.memoryMaxStreamBytes = 4000;
    limits.storeMaxStreamBytes = 15'000;
    limits.maxStreamBytesRequired = true;
    const auto code = [this](const char* members, const char* name) {
        const auto made = m_bench->create(members, name);
        return made.contains("error") ? made["error"]["err_code"].get<int>() : 0;
    };
    QCOMPARE(code(R"("subjects":["n"])", "N"), 10113);
    QCOMPARE(code(R"("subjects":["n"],"max_bytes":16000)", "N"), 10122);
    QCOMPARE(code(R"("subjects":["n"],"max_bytes":21000)", "N"), 10122);
    QCOMPARE(code(R"("subjects":["n"],"max_bytes":5000,"storage":"memory")", "N"), 10122);
    QCOMPARE(code(R"("subjects":["n"],"max_bytes":16000,"max_consumers":9)", "N"), 10026);
    QCOMPARE(code(R"("subjects":["a"],"max_bytes":15000)", "A"), 0);
    QCOMPARE(code(R"("subjects":["b"],"max_bytes":6000)", "B"), 10047);
    QCOMPARE(code(R"("subjects":["b"],"max_bytes":5000)", "B"), 0);
    QCOMPARE(code(R"("subjects":["c"],"max_bytes":1)", "C"), 10027);
    QCOMPARE(code(R"("subjects":["a"],"max_bytes":15000)", "A"), 0); // itself does not count
    const auto change = [this](const char* body) {
        const auto answer = m_bench->request("STREAM.UPDATE.B", body);
        return answer.contains("error") ? answer["error"]["err_code"].get<int>() : 0;
    };
    QCOMPARE(change(R"({"name":"B","subjects":["b"],"max_bytes":5001})"), 10047);
    QCOMPARE(change(R"({"name":"B","subjects":["b"],"max_bytes":4000})"), 0);
    QCOMPARE(change(R"({"name":"B","subjects":["b"],"max_bytes":5000,"max_consumers":4})"), 10026);
    const auto info = m_bench->request("INFO", "");
    CHECK_JSON(info["limits"]["max_storage"], 20'000);
    CHECK_JSON(info["limits"]["max_streams"], 2);
    CHECK_JSON(info["limits"]["storage_max_stream_bytes"], 15'000);
    CHECK_JSON(info["limits"]["max_bytes_required"], true);
    CHECK_JSON(info["reserved_storage"], 19'000);
    for (int n = 0; n < 3; ++n) {
        const std::string name = "c" + std::to_string(n);
        const auto made = m_bench->request("CONSUMER.CREATE.A." + name,
            R"({"stream_name":"A","config":{"name":")" + name + R"(","ack_policy":"none"}})");
        QVERIFY2(!made.contains("error"), made.dump().c_str());
    }
    CHECK_JSON(m_bench->request("CONSUMER.CREATE.A.d",
                   R"({"stream_name":"A","config":{"name":"d","ack_policy":"none"}})")["error"]
                                                                                      ["err_code"],
        10026);
}

/// An account without a byte left makes no unlimited stream either.
void tst_StreamApi::fullAccount()
{
    m_bench->limits.maxStore = 1000;
    QVERIFY(!m_bench->create(R"("subjects":["a"],"max_bytes":1000)", "A").contains("error"));
    CHECK_JSON(m_bench->create(R"("subjects":["b"])", "B")["error"]["err_code"], 10047);
    m_bench->limits.maxAckPending = 10;
    const auto made = m_bench->request("CONSUMER.CREATE.A.c",
        R"({"stream_name":"A","config":{"name":"c","ack_policy":"explicit"}})");
    CHECK_JSON(made["config"]["max_ack_pending"], 10);
    CHECK_JSON(m_bench->request("CONSUMER.CREATE.A.d",
                   R"({"stream_name":"A","config":{"name":"d","ack_policy":"explicit",)"
                   R"("max_ack_pending":11}})")["error"]["err_code"],
        10121);
}

void tst_StreamApi::keepsPagingBesideErrors()
{
    const auto missing = m_bench->request("STREAM.INFO.T");
    CHECK_JSON(missing["error"]["err_code"], 10059);
    CHECK_JSON(missing["total"], 0);
    const auto level =
        m_bench->request("STREAM.NAMES", {}, "NATS/1.0\r\nNats-Required-Api-Level: 99\r\n\r\n");
    CHECK_JSON(level["error"]["err_code"], 10185);
    QVERIFY(level["streams"].is_null());
    CHECK_JSON(m_bench->request("STREAM.PURGE.T")["purged"], 0);
}

void tst_StreamApi::pagesNames()
{
    for (const char* name : {"C", "A", "b", "B"})
        m_bench->create(R"("storage":"memory")", name);
    const auto all = m_bench->request("STREAM.NAMES");
    CHECK_JSON(all["streams"], (StreamBench::Json{"A", "B", "C", "b"}));
    const auto beyond = m_bench->request("STREAM.NAMES", R"({"offset":99})");
    CHECK_JSON(beyond["offset"], 4);
    QVERIFY(beyond["streams"].is_null());
    CHECK_JSON(
        m_bench->request("STREAM.LIST", R"({"offset":99})")["streams"], StreamBench::Json::array());
    CHECK_JSON(m_bench->request("STREAM.NAMES", R"({"subject":"*"})")["total"], 4);
    CHECK_JSON(
        m_bench->request("STREAM.NAMES", R"({"subject":"A"})")["streams"], StreamBench::Json{"A"});
}

void tst_StreamApi::listsSubjectsAndGaps()
{
    m_bench->create(R"("subjects":["s.>"])");
    for (const char* subject : {"s.a", "s.b", "s.a", "s.c"})
        m_bench->publish(subject);
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":2})");
    const auto info =
        m_bench->request("STREAM.INFO.S", R"({"subjects_filter":"s.*","deleted_details":true})");
    CHECK_JSON(info["state"]["subjects"], (StreamBench::Json{{"s.a", 2}, {"s.c", 1}}));
    CHECK_JSON(info["state"]["deleted"], StreamBench::Json::array({2}));
    CHECK_JSON(info["total"], 2);
    CHECK_JSON(info["limit"], 100000);
    CHECK_JSON(info["cluster"]["leader"], "bench");
    CHECK_JSON(m_bench->request("STREAM.INFO.S", R"({"subjects_filter":"none"})")["limit"], 0);
}

void tst_StreamApi::countsCalls()
{
    const auto api = [this] { return m_bench->request("INFO")["api"]; };
    CHECK_JSON(api()["total"], 0);
    m_bench->create(R"("subjects":["s"])");
    m_bench->publish("s");
    CHECK_JSON(api()["total"], 2);
    m_bench->request("STREAM.MSG.GET.S", R"({"seq":1})");
    CHECK_JSON(api()["total"], 3);
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":9})");
    CHECK_JSON(api()["errors"], 0);
    m_bench->request("STREAM.MSG.GET.S", R"({"seq":9})");
    CHECK_JSON(api()["errors"], 1);
    QVERIFY(m_bench->request("NOPE").is_null());
    CHECK_JSON(api()["total"], 8);
    const auto info = m_bench->request("INFO");
    CHECK_JSON(info["storage"], 32);
    CHECK_JSON(info["streams"], 1);
}

void tst_StreamApi::getsMessages_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("seq"); // 0 = not found
    QTest::newRow("by sequence") << R"({"seq":2})" << 2;
    QTest::newRow("last of a subject") << R"({"last_by_subj":"s.a"})" << 4;
    QTest::newRow("last of a pattern") << R"({"last_by_subj":"s.*"})" << 4;
    QTest::newRow("last of none") << R"({"last_by_subj":"x"})" << 0;
    QTest::newRow("next from the start") << R"({"next_by_subj":"s.a"})" << 1;
    QTest::newRow("next from 2") << R"({"next_by_subj":"s.a","seq":2})" << 4;
    QTest::newRow("next beyond") << R"({"next_by_subj":"s.a","seq":5})" << 0;
    QTest::newRow("from a time") << R"({"start_time":"2000-01-01T00:00:00Z"})" << 1;
    QTest::newRow("from a later time") << R"({"start_time":"2090-01-01T00:00:00Z"})" << 0;
}

void tst_StreamApi::getsMessages()
{
    QFETCH(QString, body);
    QFETCH(int, seq);
    m_bench->create(R"("subjects":["s.>"])");
    for (const char* subject : {"s.a", "s.b", "s.a.x", "s.a"})
        m_bench->publish(subject, "1", "K: v");
    const auto answer = m_bench->request("STREAM.MSG.GET.S", body.toStdString());
    if (seq == 0) {
        CHECK_JSON(answer["error"]["err_code"], 10037);
        return;
    }
    CHECK_JSON(answer["message"]["seq"], seq);
    CHECK_JSON(answer["message"]["data"], "MQ==");
    CHECK_JSON(answer["message"]["hdrs"], "TkFUUy8xLjANCks6IHYNCg0K");
}

void tst_StreamApi::deletesAsTheStoreDoes()
{
    m_bench->create(R"("subjects":["s"])");
    m_bench->create(R"("subjects":["m"],"storage":"memory")", "M");
    for (int i = 0; i < 3; ++i) {
        m_bench->publish("s");
        m_bench->publish("m");
    }
    CHECK_JSON(m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":2})")["success"], true);
    CHECK_JSON(m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":2})")["error"]["err_code"], 10043);
    CHECK_JSON(m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":9})")["error"]["description"],
        "stream store EOF");
    CHECK_JSON(m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":0})")["error"]["description"],
        "no message found");
    CHECK_JSON(m_bench->request("STREAM.MSG.DELETE.M", R"({"seq":9})")["error"]["err_code"], 10043);
}

void tst_StreamApi::updatesAndTrims()
{
    m_bench->create(R"("subjects":["s.*"])");
    for (int i = 0; i < 10; ++i)
        m_bench->publish(i % 2 == 0 ? "s.a" : "s.b");
    const auto update = [this](const std::string& members) {
        return m_bench->request("STREAM.UPDATE.S", R"({"name":"S",)" + members + "}");
    };
    CHECK_JSON(update(R"("subjects":["s.*"],"max_msgs":6)")["config"]["max_msgs"], 6);
    CHECK_JSON(m_bench->state()["first_seq"], 5);
    update(R"("subjects":["s.*"],"max_msgs_per_subject":1)");
    CHECK_JSON(m_bench->state()["messages"], 2);
    CHECK_JSON(m_bench->request("STREAM.INFO.S")["config"]["max_msgs"], -1);
    update(R"("subjects":["t"])");
    QVERIFY(m_bench->publish("s.a").empty());
    QCOMPARE(m_bench->publish("t"), std::string(R"({"stream":"S","seq":11})"));
}

/// The configuration is checked again with what the first check has filled in.
void tst_StreamApi::markersTurnOnWhatACounterRefuses()
{
    m_bench->create(R"("subjects":["s.>"],"allow_msg_counter":true)");
    const auto answer = m_bench->request("STREAM.UPDATE.S",
        R"({"name":"S","subjects":["s.>"],"allow_msg_counter":true,)"
        R"("subject_delete_marker_ttl":10000000000})");
    CHECK_JSON(answer["error"]["err_code"], 10052);
    CHECK_JSON(answer["error"]["description"], "counter stream cannot use message TTLs");
}

/// Only what a consumer selects and has settled goes; what nobody selects stays.
void tst_StreamApi::limitsBecomeInterest()
{
    m_bench->create(R"("subjects":["s.>"])");
    for (int i = 0; i < 6; ++i)
        m_bench->publish("s.a");
    m_bench->request("CONSUMER.DURABLE.CREATE.S.d",
        R"({"stream_name":"S","config":{"durable_name":"d","ack_policy":"explicit","filter_subject":"s.b"}})");
    m_bench->request(
        "STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"],"retention":"interest"})");
    CHECK_JSON(m_bench->state()["messages"], 6);
}

void tst_StreamApi::answersDirectly()
{
    m_bench->create(R"("subjects":["s.>"],"allow_direct":true)");
    m_bench->publish("s.a", "one", "K: v");
    const auto get = [this](const std::string& call, const std::string& body) {
        m_bench->bus->clear();
        m_bench->bus->inject("$JS.API.DIRECT.GET." + call, body, "in");
        return m_bench->bus->published().empty() ? tests::Sent{}
                                                 : m_bench->bus->published().front();
    };
    const auto found = get("S.s.a", {});
    QCOMPARE(found.payload, std::string("one"));
    QVERIFY(found.headers.starts_with("NATS/1.0\r\nK: v\r\nNats-Stream: S\r\nNats-Subject: "
                                      "s.a\r\nNats-Sequence: 1\r\nNats-Time-Stamp: "));
    QCOMPARE(get("S", R"({"seq":1,"no_hdr":true})").headers, std::string());
    QCOMPARE(get("S", {}).headers, std::string("NATS/1.0 408 Empty Request\r\n\r\n"));
    QCOMPARE(get("S", "{bad").headers, std::string("NATS/1.0 408 Malformed Request\r\n\r\n"));
    QCOMPARE(get("S", R"({"seq":1,"last_by_subj":"s.a"})").headers,
        std::string("NATS/1.0 408 Bad Request\r\n\r\n"));
    QCOMPARE(
        get("S", R"({"seq":7})").headers, std::string("NATS/1.0 404 Message Not Found\r\n\r\n"));
    m_bench->request("STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"]})");
    QVERIFY(get("S", R"({"seq":1})").headers.empty());
}

void tst_StreamApi::sendsBatches()
{
    m_bench->create(R"("subjects":["s.>"],"allow_direct":true)");
    for (const char* subject : {"s.a", "s.b", "s.a", "s.b"})
        m_bench->publish(subject);
    const auto batch = [this](const std::string& body) {
        m_bench->bus->clear();
        m_bench->bus->inject("$JS.API.DIRECT.GET.S", body, "in");
        return m_bench->bus->published();
    };
    const auto plain = batch(R"({"seq":1,"batch":2})");
    QCOMPARE(plain.size(), std::size_t{3});
    QVERIFY(plain[0].headers.ends_with("Nats-Num-Pending: 3\r\nNats-Last-Sequence: 0\r\n\r\n"));
    QCOMPARE(plain[2].headers,
        std::string("NATS/1.0 204 EOB\r\nNats-Num-Pending: 2\r\nNats-Last-Sequence: 2\r\n\r\n"));
    const auto multi = batch(R"({"multi_last":["s.*"],"up_to_seq":3})");
    QCOMPARE(multi.size(), std::size_t{3});
    QVERIFY(multi[0].headers.find("Nats-Sequence: 2\r\n") != std::string::npos);
    QVERIFY(multi[1].headers.find("Nats-Sequence: 3\r\n") != std::string::npos);
    QVERIFY(multi[2].headers.ends_with("Nats-UpTo-Sequence: 3\r\n\r\n"));
    QCOMPARE(batch(R"({"multi_last":["x"]})").front().headers,
        std::string("NATS/1.0 404 No Results\r\n\r\n"));
}

void tst_StreamApi::publishesAdvisories()
{
    m_bench->bus->addClient("$JS.EVENT.ADVISORY.>");
    m_bench->create(R"("subjects":["s"])");
    m_bench->create(R"("subjects":["s"])");
    QCOMPARE(m_bench->bus->countPublished("$JS.EVENT.ADVISORY.STREAM.CREATED.S"), std::size_t{1});
    QCOMPARE(m_bench->bus->countPublished("$JS.EVENT.ADVISORY.API"), std::size_t{2});
    const auto audit =
        StreamBench::Json::parse(m_bench->bus->lastPayload("$JS.EVENT.ADVISORY.API"));
    CHECK_JSON(audit["subject"], "$JS.API.STREAM.CREATE.S");
    CHECK_JSON(audit["client"]["id"], 7);
    m_bench->request("STREAM.DELETE.S");
    const auto action =
        StreamBench::Json::parse(m_bench->bus->lastPayload("$JS.EVENT.ADVISORY.STREAM.DELETED.S"));
    CHECK_JSON(action["action"], "delete");
    CHECK_JSON(action["type"], "io.nats.jetstream.advisory.v1.stream_action");
}

void tst_StreamApi::survivesAnyBody()
{
    m_bench->create(R"("subjects":["s"],"allow_direct":true)");
    const std::string nested(100'000, '[');
    for (const std::string& body : {nested,
             std::string("{\"name\":\"\xff\xfe\"}"),
             std::string("{\"name\":"),
             std::string(1, '\0'),
             std::string("\"\\"),
             std::string("{{{{")})
        for (const char* call : {"STREAM.CREATE.S",
                 "STREAM.UPDATE.S",
                 "STREAM.INFO.S",
                 "STREAM.NAMES",
                 "STREAM.MSG.GET.S",
                 "STREAM.DELETE.S"})
            QVERIFY(m_bench->request(call, body).is_object());
    CHECK_JSON(m_bench->request("STREAM.NAMES")["total"], 1);
}

QTEST_GUILESS_MAIN(tst_StreamApi)
#include "tst_stream_api.moc"
