// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/protocol_trace.h"
#include "support/fake_broker.h"

#include <QTest>

using namespace jetglass;
using namespace jetglass::server;
using namespace jetglass::server::test;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string all;
    for (const std::string& line : lines)
        all += line + '\n';
    return all;
}

} // namespace

class TestProtocolTrace : public QObject
{
    Q_OBJECT
private slots:
    void secrets_data();
    void secrets();
    void quoting_data();
    void quoting();
    void payloads_data();
    void payloads();
    void connection();
    void labels_data();
    void labels();
    void offAndReload();
    void brokersOwn();
};

void TestProtocolTrace::secrets_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char* name, const char* json, const char* shown) {
        QTest::newRow(name) << QByteArray(json) << QByteArray(shown);
    };
    row("nothing to hide",
        R"({"verbose":false,"name":"pass"})",
        R"({"verbose":false,"name":"pass"})");
    row("password", R"({"user":"u","pass":"geheim"})", R"({"user":"u","pass":"[REDACTED]"})");
    row("token", R"({"auth_token" : "t", "x":1})", R"({"auth_token" : "[REDACTED]", "x":1})");
    row("key and signature",
        R"({"nkey":"UA","sig":"abc","jwt":"ey"})",
        R"({"nkey":"[REDACTED]","sig":"[REDACTED]","jwt":"[REDACTED]"})");
    row("any case", R"({"PassWord":"x"})", R"({"PassWord":"[REDACTED]"})");
    row("quote inside", R"({"pass":"a\"b,c}","x":2})", R"({"pass":"[REDACTED]","x":2})");
    row("escaped name", R"({"p\u0061ss":"x"})", R"({"p\u0061ss":"[REDACTED]"})");
    row("a number", R"({"pass":12345,"y":1})", R"({"pass":[REDACTED],"y":1})");
    row("not closed", R"({"pass":"abc)", R"({"pass":"[REDACTED]")");
    row("nothing behind the colon", R"({"pass":)", R"({"pass":[REDACTED])");
}

void TestProtocolTrace::secrets()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, shown);
    QCOMPARE(bytes(withoutSecrets(json.toStdString())), shown);
}

void TestProtocolTrace::quoting_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("plain") << QByteArray("hello") << QByteArray("\"hello\"");
    QTest::newRow("escapes") << QByteArray("a\"b\\\r\n\t") << QByteArray(R"("a\"b\\\r\n\t")");
    QTest::newRow("control") << QByteArray("\x01\x7f", 2) << QByteArray(R"("\x01\x7f")");
    QTest::newRow("null") << QByteArray("\0", 1) << QByteArray(R"("\x00")");
    QTest::newRow("utf-8") << QByteArray("gr\xc3\xbcn") << QByteArray("\"gr\xc3\xbcn\"");
    QTest::newRow("broken utf-8") << QByteArray("\xc3(\xff") << QByteArray(R"("\xc3(\xff")");
}

void TestProtocolTrace::quoting()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(bytes(quotedText(text.toStdString())), shown);
}

void TestProtocolTrace::payloads_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<int>("most");
    QTest::addColumn<bool>("headersOnly");
    QTest::addColumn<QByteArray>("shown"); // empty = no line
    const QByteArray headers("NATS/1.0\r\nA: b\r\n\r\n");
    QTest::newRow("whole") << QByteArray() << QByteArray("hello") << 0 << false
                           << QByteArray("MSG_PAYLOAD: [\"hello\"]");
    QTest::newRow("cut") << QByteArray() << QByteArray("hello") << 4 << false
                         << QByteArray("MSG_PAYLOAD: [\"hell...\"]");
    QTest::newRow("just fits") << QByteArray() << QByteArray("hello") << 5 << false
                               << QByteArray("MSG_PAYLOAD: [\"hello\"]");
    QTest::newRow("empty") << QByteArray() << QByteArray() << 0 << false << QByteArray();
    QTest::newRow("headers and payload")
        << headers << QByteArray("x") << 0 << false
        << QByteArray(R"(MSG_PAYLOAD: ["NATS/1.0\r\nA: b\r\n\r\nx"])");
    QTest::newRow("headers only") << headers << QByteArray("x") << 0 << true
                                  << QByteArray(R"(MSG_PAYLOAD: ["NATS/1.0\r\nA: b\r\n"])");
    QTest::newRow("headers only, none there")
        << QByteArray() << QByteArray("x") << 0 << true << QByteArray();
}

void TestProtocolTrace::payloads()
{
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, payload);
    QFETCH(int, most);
    QFETCH(bool, headersOnly);
    QFETCH(QByteArray, shown);
    LogConfig config;
    config.maxTracedMsgLen = most;
    config.traceHeaders = headersOnly;
    const auto text = tracePayload(headers.toStdString(), payload.toStdString(), config);
    QCOMPARE(bytes(text.value_or("")), shown);
}

/// The lines of a whole conversation, as nats-server 2.15.2 was seen to write them.
void TestProtocolTrace::connection()
{
    RecordingLog log;
    FakeBroker broker(BrokerConfig{}, &log);
    auto peer = broker.connect({});
    log.lines.clear();
    broker.say(peer,
        "CONNECT {\"verbose\":false,\"pedantic\":false,\"pass\":\"x\",\"headers\":true,"
        "\"no_responders\":true}\r\n"
        "PING\r\nSUB foo 1\r\nsub bar q 2\r\nUNSUB 1 5\r\nPUB foo 5\r\nhello\r\n"
        "HPUB foo rep 18 19\r\nNATS/1.0\r\nA: b\r\n\r\nx\r\nUNSUB 2\r\nSUB x.. "
        "8\r\nPONG\r\nBAD\r\n");
    const std::string who = "127.0.0.1:5000 - cid:1 - ";
    const std::vector<std::string> expected = {
        "<<- [CONNECT "
        "{\"verbose\":false,\"pedantic\":false,\"pass\":\"[REDACTED]\",\"headers\":true,"
        "\"no_responders\":true}]",
        "<<- [PING]",
        "->> [PONG]",
        "<<- [SUB foo 1]",
        "<<- [SUB bar q 2]",
        "<<- [UNSUB 1 5]",
        "<<- [PUB foo 5]",
        "<<- MSG_PAYLOAD: [\"hello\"]",
        "->> [MSG foo 1 5]",
        "->> MSG_PAYLOAD: [\"hello\"]",
        "<<- [HPUB foo rep 18 19]",
        R"(<<- MSG_PAYLOAD: ["NATS/1.0\r\nA: b\r\n\r\nx"])",
        "->> [HMSG foo 1 rep 18 19]",
        R"(->> MSG_PAYLOAD: ["NATS/1.0\r\nA: b\r\n\r\nx"])",
        "<<- [UNSUB 2]",
        "<-> [DELSUB 2]",
        "<<- [SUB x.. 8]",
        "->> [-ERR Invalid Subject]",
        "<<- [PONG]",
        "->> [-ERR Unknown Protocol Operation]",
        "<-> [DELSUB 1]",
        "Client connection closed: Protocol Violation",
    };
    std::string wanted;
    for (const std::string& line : expected)
        wanted += who + line + '\n';
    QCOMPARE(bytes(joined(log.lines)), bytes(wanted));
}

void TestProtocolTrace::labels_data()
{
    QTest::addColumn<QByteArray>("connect");
    QTest::addColumn<QByteArray>("label");
    QTest::newRow("nothing said") << QByteArray("{}") << QByteArray("cid:1 - ");
    QTest::newRow("program") << QByteArray(R"({"name":"me","lang":"c","version":"1.0"})")
                             << QByteArray("cid:1 - \"v1.0:c:me\" - ");
    QTest::newRow("name only") << QByteArray(R"({"name":"me"})") << QByteArray("cid:1 - \"me\" - ");
    QTest::newRow("user") << QByteArray(R"({"name":"me","user":"u","pass":"p"})")
                          << QByteArray("cid:1 - \"me\" - \"$G/user:u\" - ");
    QTest::newRow("token") << QByteArray(R"({"auth_token":"t"})")
                           << QByteArray("cid:1 - \"$G/token\" - ");
}

void TestProtocolTrace::labels()
{
    QFETCH(QByteArray, connect);
    QFETCH(QByteArray, label);
    RecordingLog log;
    FakeBroker broker(BrokerConfig{}, &log);
    auto peer = broker.connect("CONNECT " + connect.toStdString() + "\r\n");
    broker.say(peer, "PING\r\n");
    QVERIFY2(joined(log.lines).find("127.0.0.1:5000 - " + label.toStdString() + "<<- [PING]")
            != std::string::npos,
        joined(log.lines).c_str());
}

void TestProtocolTrace::offAndReload()
{
    RecordingLog log;
    log.trace = false;
    FakeBroker broker(BrokerConfig{}, &log);
    auto peer = broker.connect();
    log.lines.clear();
    broker.say(peer, "SUB foo 1\r\nPUB foo 0\r\n\r\nPING\r\n");
    QCOMPARE(bytes(joined(log.lines)), QByteArray());

    log.trace = true;
    broker.engine.reload(broker.engine.config(), broker.engine.authenticator());
    broker.say(peer, "PING\r\n");
    QCOMPARE(bytes(joined(log.lines)),
        QByteArray("127.0.0.1:5000 - cid:1 - <<- [PING]\n127.0.0.1:5000 - cid:1 - ->> [PONG]\n"));
}

/// What the broker itself publishes is traced too, in the system account only when that is wanted.
void TestProtocolTrace::brokersOwn()
{
    for (const bool verbose : {false, true}) {
        RecordingLog log;
        BrokerConfig config;
        config.log.traceVerbose = verbose;
        FakeBroker broker(config, &log);
        broker.engine.globalAccount().publish({"a.b", "r", {}, "hi"});
        broker.engine.systemAccount().publish({"$SYS.X", {}, {}, "yo"});
        std::string wanted =
            "JETSTREAM - <<- [PUB a.b r 2]\nJETSTREAM - <<- MSG_PAYLOAD: [\"hi\"]\n";
        if (verbose)
            wanted += "SYSTEM - <<- [PUB $SYS.X 2]\nSYSTEM - <<- MSG_PAYLOAD: [\"yo\"]\n";
        QCOMPARE(bytes(joined(log.lines)), bytes(wanted));
    }
}

QTEST_GUILESS_MAIN(TestProtocolTrace)
#include "tst_protocol_trace.moc"
