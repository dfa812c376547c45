// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/config_rules.h"
#include "streams/json_decode.h"
#include "streams/message_ttl.h"
#include "streams/publish_headers.h"
#include "streams/stream_config_json.h"

#include <QTest>

using namespace jetglass;
using namespace jetglass::streams;

namespace {

Result<StreamConfig> read(const std::string& body, bool strict = true)
{
    StreamConfig config;
    JsonFields fields(strict);
    declareStreamConfig(fields, config);
    if (auto done = decodeJson(body, fields); !done)
        return done.error();
    return config;
}

} // namespace

/// Reading, checking and writing of stream configurations, and the small texts of publishing.
class tst_StreamConfig : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refusesUnreadable_data();
    void refusesUnreadable();
    void fillsDefaults();
    void refusesInvalid_data();
    void refusesInvalid();
    void refusesUpdates_data();
    void refusesUpdates();
    void sealingTightens();
    void writesWhatItReads();
    void stampsTheLevel();
    void escapesAnswers();
    void parsesTtl_data();
    void parsesTtl();
    void findsHeaders();
    void editsHeaders();
};

void tst_StreamConfig::reads_data()
{
    QTest::addColumn<QString>("body");
    QTest::newRow("names without regard to case") << R"({"NAME":"S","Max_Msgs":7})";
    QTest::newRow("the last duplicate wins") << R"({"name":"S","max_msgs":5,"max_msgs":7})";
    QTest::newRow("two values") << R"({"name":"S"}{"max_msgs":7})";
    QTest::newRow("null leaves the default") << R"({"name":"S","max_msgs":7,"subjects":null})";
    QTest::newRow("blanks around") << " {\"name\":\"S\",\"max_msgs\":7} \n";
}

void tst_StreamConfig::reads()
{
    QFETCH(QString, body);
    const auto config = read(body.toStdString());
    QVERIFY2(config.ok(), config.ok() ? "" : config.error().text.c_str());
    QCOMPARE(config->name, std::string("S"));
    QCOMPARE(config->maxMsgs, 7);
}

void tst_StreamConfig::refusesUnreadable_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("detail");
    QTest::newRow("unknown member") << R"({"name":"S","foo":1})"
                                    << R"(json: unknown field "foo")";
    QTest::newRow("unknown inside") << R"({"consumer_limits":{"bogus":1}})"
                                    << R"(json: unknown field "bogus")";
    QTest::newRow("text for a number") << R"({"max_msgs":"ten"})"
                                       << "";
    QTest::newRow("fraction") << R"({"max_msgs":1.5})"
                              << "";
    QTest::newRow("too big for 32 bits") << R"({"max_msg_size":2147483648})"
                                         << "";
    QTest::newRow("text for a list") << R"({"subjects":"s"})"
                                     << "";
    QTest::newRow("null for an enumeration") << R"({"retention":null})"
                                             << "";
    QTest::newRow("case of an enumeration") << R"({"retention":"Limits"})"
                                            << "";
    QTest::newRow("not closed") << R"({"name":"S")"
                                << "";
    QTest::newRow("garbage behind") << R"({"name":"S"} x)"
                                    << "";
    QTest::newRow("a list") << "[]"
                            << "";
}

void tst_StreamConfig::refusesUnreadable()
{
    QFETCH(QString, body);
    QFETCH(QString, detail);
    const auto config = read(body.toStdString());
    QVERIFY(!config.ok());
    QCOMPARE(config.error().apiErrCode, 10025);
    QVERIFY(QString::fromStdString(config.error().text)
                .startsWith(QLatin1String("invalid JSON: ") + detail));
    if (!detail.isEmpty())
        QVERIFY(read(body.toStdString(), false).ok());
}

void tst_StreamConfig::fillsDefaults()
{
    StreamConfig config;
    config.name = "S";
    config.maxMsgs = 0;
    config.maxAge = 10'000'000'000;
    QVERIFY(normalizeStreamConfig(config, false).ok());
    QCOMPARE(config.maxMsgs, -1);
    QCOMPARE(config.duplicateWindow, config.maxAge);
    QCOMPARE(config.subjects, std::vector<std::string>{"S"});
    StreamConfig again;
    again.name = "S";
    again.maxAge = 10'000'000'000;
    const auto done = normalizeStreamConfig(again, true);
    QVERIFY(!done.ok());
    QCOMPARE(done.error().apiErrCode, 10157);
}

void tst_StreamConfig::refusesInvalid_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("text");
    QTest::newRow("no name")
        << "{}" << 10052
        << R"(stream name is required and can not contain '.', '*', '>', '\', '/')";
    QTest::newRow("young") << R"({"name":"S","max_age":99000000})" << 10052
                           << "max age needs to be >= 100ms";
    QTest::newRow("window above age")
        << R"({"name":"S","max_age":1000000000,"duplicate_window":2000000000})" << 10052
        << "duplicates window can not be larger then max age";
    QTest::newRow("rollup without purge")
        << R"({"name":"S","deny_purge":true,"allow_rollup_hdrs":true})" << 10052
        << "roll-ups require the purge permission";
    QTest::newRow("new per subject")
        << R"({"name":"S","discard_new_per_subject":true})" << 10052
        << "discard new per subject requires discard new policy to be set";
    QTest::newRow("overlap inside") << R"({"name":"S","subjects":["a.*","a.b"]})" << 10052
                                    << R"(subject "a.*" overlaps with "a.b")";
    QTest::newRow("everything") << R"({"name":"S","subjects":[">"]})" << 10052
                                << "capturing all subjects requires no-ack to be true";
    QTest::newRow("api") << R"({"name":"S","subjects":["*.>"]})" << 10052
                         << "subjects that overlap with jetstream api require no-ack to be true";
    QTest::newRow("system") << R"({"name":"S","subjects":["$SYS.a"]})" << 10052
                            << "subjects that overlap with system api require no-ack to be true";
    QTest::newRow("replicas") << R"({"name":"S","num_replicas":3})" << 10074
                              << "replicas > 1 not supported in non-clustered mode";
    QTest::newRow("too many replicas")
        << R"({"name":"S","num_replicas":6})" << 10052 << "maximum replicas is 5";
    QTest::newRow("mirror with subjects")
        << R"({"name":"S","mirror":{"name":"O"},"subjects":["x"]})" << 10034
        << "stream mirrors can not contain subjects";
    QTest::newRow("source twice") << R"({"name":"S","sources":[{"name":"O"},{"name":"O"}]})"
                                  << 10140 << "duplicate source configuration detected";
    QTest::newRow("itself") << R"({"name":"S","mirror":{"name":"S"}})" << 10052 << "detected cycle";
    QTest::newRow("republish cycle")
        << R"({"name":"S","subjects":["a.>"],"republish":{"src":">","dest":"a.x.>"}})" << 10052
        << "stream configuration for republish destination forms a cycle";
    QTest::newRow("transform") << R"({"name":"S","subject_transform":{"src":"a..b","dest":"c"}})"
                               << 10155 << "stream transform source: invalid subject a..b";
}

void tst_StreamConfig::refusesInvalid()
{
    QFETCH(QString, body);
    auto config = read(body.toStdString());
    QVERIFY(config.ok());
    const auto done = normalizeStreamConfig(*config, false);
    QVERIFY(!done.ok());
    QTEST(done.error().apiErrCode, "code");
    QTEST(QString::fromStdString(done.error().text), "text");
}

void tst_StreamConfig::refusesUpdates_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("code");
    QTest::newRow("storage") << "{}"
                             << R"({"storage":"memory"})" << 10052;
    QTest::newRow("to work queue") << "{}"
                                   << R"({"retention":"workqueue"})" << 10052;
    QTest::newRow("to interest") << "{}"
                                 << R"({"retention":"interest"})" << 0;
    QTest::newRow("allow delete again") << R"({"deny_delete":true})"
                                        << "{}" << 10052;
    QTest::newRow("allow purge again") << R"({"deny_purge":true})"
                                       << "{}" << 10052;
    QTest::newRow("mirror added") << "{}"
                                  << R"({"mirror":{"name":"O"}})" << 10055;
    QTest::newRow("ttl off") << R"({"allow_msg_ttl":true})"
                             << "{}" << 10052;
    QTest::newRow("persist mode") << "{}"
                                  << R"({"persist_mode":"async"})" << 10052;
    QTest::newRow("limits are free") << R"({"max_msgs":5})"
                                     << R"({"max_msgs":3,"max_consumers":2})" << 0;
}

void tst_StreamConfig::refusesUpdates()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    auto before = read(from.toStdString());
    auto after = read(to.toStdString());
    QVERIFY(before.ok() && after.ok());
    const auto done = checkStreamUpdate(*before, *after);
    QTEST(done.ok() ? 0 : done.error().apiErrCode, "code");
}

void tst_StreamConfig::sealingTightens()
{
    StreamConfig from;
    StreamConfig to;
    to.sealed = true;
    to.maxAge = 5'000'000'000;
    to.allowRollup = true;
    QVERIFY(checkStreamUpdate(from, to).ok());
    QVERIFY(to.denyDelete && to.denyPurge && !to.allowRollup);
    QCOMPARE(to.maxAge, 0);
    QCOMPARE(to.discard, Discard::New);
    StreamConfig open;
    QVERIFY(!checkStreamUpdate(to, open).ok());
}

void tst_StreamConfig::writesWhatItReads()
{
    const std::string body =
        R"({"name":"S","description":"d","subjects":["s.>"],"retention":"interest","max_consumers":3,"max_msgs":4,"max_bytes":500,"max_age":60000000000,"max_msgs_per_subject":2,"max_msg_size":100,"discard":"new","storage":"memory","num_replicas":1,"no_ack":true,"duplicate_window":1000000000,"placement":{"cluster":"c","tags":["t"]},"compression":"s2","first_seq":10,"subject_transform":{"src":"s.*","dest":"s.x.$1"},"republish":{"src":"s.>","dest":"r.>","headers_only":true},"allow_direct":true,"mirror_direct":false,"discard_new_per_subject":true,"sealed":false,"deny_delete":true,"deny_purge":false,"allow_rollup_hdrs":true,"consumer_limits":{"inactive_threshold":5000000000,"max_ack_pending":7},"allow_msg_ttl":true,"subject_delete_marker_ttl":2000000000,"metadata":{"k":"v"}})";
    const auto config = read(body);
    QVERIFY(config.ok());
    QCOMPARE(streamConfigToJson(*config, false).dump(), body);
}

void tst_StreamConfig::stampsTheLevel()
{
    StreamConfig config;
    config.metadata = {
        {"_nats.ver", "9"}, {"_nats.level", "9"}, {"_nats.req.level", "9"}, {"k", "v"}};
    stampRequiredLevel(config);
    const std::map<std::string, std::string> expected{{"_nats.req.level", "0"}, {"k", "v"}};
    QCOMPARE(config.metadata, expected);
    config.allowMsgTtl = true;
    stampRequiredLevel(config);
    QCOMPARE(config.metadata["_nats.req.level"], std::string("1"));
}

void tst_StreamConfig::escapesAnswers()
{
    QCOMPARE(encodeJson({{"a", "<b>&\xff"}}),
        std::string("{\"a\":\"\\u003cb\\u003e\\u0026\xEF\xBF\xBD\"}"));
}

void tst_StreamConfig::parsesTtl_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qlonglong>("ns"); // -2 = invalid
    QTest::newRow("seconds") << "30" << 30'000'000'000LL;
    QTest::newRow("duration") << "1h30m" << 5'400'000'000'000LL;
    QTest::newRow("cut to seconds") << "1500ms" << 1'000'000'000LL;
    QTest::newRow("never") << "NEVER" << -1LL;
    QTest::newRow("zero") << "0" << -2LL;
    QTest::newRow("zero seconds") << "0s" << -2LL;
    QTest::newRow("below a second") << "500ms" << -2LL;
    QTest::newRow("negative") << "-1" << -2LL;
    QTest::newRow("fraction") << "1.5" << -2LL;
    QTest::newRow("text") << "bogus" << -2LL;
}

void tst_StreamConfig::parsesTtl()
{
    QFETCH(QString, text);
    QTEST(static_cast<qlonglong>(parseTtl(text.toStdString()).value_or(-2)), "ns");
}

void tst_StreamConfig::findsHeaders()
{
    const std::string block =
        "NATS/1.0\r\nA: Nats-Msg-Id: no\r\nNats-Msg-Id:   a b\r\nNats-Msg-Id: second\r\n"
        "nats-expected-stream: T\r\nNats-TTL:\r\nNats-Rollup:sub\r\n\r\n";
    const auto found = PublishHeaders::find(block);
    QCOMPARE(found.msgId, std::string_view("a b"));
    QVERIFY(found.expectedStream.empty());
    QVERIFY(found.ttl.empty());
    QCOMPARE(found.rollup, std::string_view("sub"));
    QVERIFY(!found.hasStatus);
    QVERIFY(PublishHeaders::find("NATS/1.0 503\r\n\r\n").hasStatus);
    QVERIFY(PublishHeaders::find("Nats").msgId.empty());
}

void tst_StreamConfig::editsHeaders()
{
    QCOMPARE(
        withoutStatus("NATS/1.0 503 No\r\nA: b\r\n\r\n"), std::string("NATS/1.0\r\nA: b\r\n\r\n"));
    QCOMPARE(withoutStatus("NATS/1.0 503\r\n\r\n"), std::string());
    QCOMPARE(withoutHeader("NATS/1.0\r\nA: b\r\nC: d\r\n\r\n", "A"),
        std::string("NATS/1.0\r\nC: d\r\n\r\n"));
    QCOMPARE(withoutHeader("NATS/1.0\r\nA: b\r\n\r\n", "A"), std::string());
    QCOMPARE(withHeader({}, "A", "b"), std::string("NATS/1.0\r\nA: b\r\n\r\n"));
    QCOMPARE(headerValue("NATS/1.0\r\nAB: x\r\nA: b\r\n\r\n", "A"), std::string_view("b"));
}

QTEST_GUILESS_MAIN(tst_StreamConfig)
#include "tst_stream_config.moc"
