// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/handshake_json.h"
#include "protocol/headers.h"
#include "protocol/message_head.h"

#include <QTest>

using namespace jetglass::protocol;

class TestHeaders : public QObject
{
    Q_OBJECT
private slots:
    void find_data();
    void find();
    void append();
    void status();
    void messageHead();
    void connect_data();
    void connect();
    void info();
};

void TestHeaders::find_data()
{
    QTest::addColumn<QByteArray>("block");
    QTest::addColumn<QByteArray>("value"); // null: not found
    const auto row = [](const char* name, const char* block, const char* value) {
        QTest::newRow(name) << QByteArray(block) << QByteArray(value);
    };
    row("plain", "NATS/1.0\r\nNats-Msg-Id: x\r\n\r\n", "x");
    row("no blank", "NATS/1.0\r\nNats-Msg-Id:x\r\n\r\n", "x");
    row("kept at the end", "NATS/1.0\r\nNats-Msg-Id:   x  \r\n\r\n", "x  ");
    row("first wins", "NATS/1.0\r\nNats-Msg-Id: x\r\nNats-Msg-Id: y\r\n\r\n", "x");
    row("longer key before it", "NATS/1.0\r\nNats-Msg-Id-2: y\r\nNats-Msg-Id: x\r\n\r\n", "x");
    row("inside another value", "NATS/1.0\r\nA: Nats-Msg-Id: y\r\nNats-Msg-Id: x\r\n\r\n", "x");
    row("empty value", "NATS/1.0\r\nNats-Msg-Id:\r\n\r\n", "");
    row("other case", "NATS/1.0\r\nnats-msg-id: x\r\n\r\n", nullptr);
    row("blank before the colon", "NATS/1.0\r\nNats-Msg-Id : x\r\n\r\n", nullptr);
    row("not at a line's start", "NATS/1.0\r\nX-Nats-Msg-Id: x\r\n\r\n", nullptr);
    row("nothing", "", nullptr);
    row("garbage", "Nats-Msg-Id", nullptr);
}

void TestHeaders::find()
{
    QFETCH(QByteArray, block);
    QFETCH(QByteArray, value);
    const std::string text = block.toStdString();
    const auto found = findHeader(text, "Nats-Msg-Id");
    QCOMPARE(found.has_value(), !value.isNull());
    if (found)
        QCOMPARE(QByteArray(found->data(), static_cast<qsizetype>(found->size())), value);
}

void TestHeaders::append()
{
    std::string block;
    appendHeader(block, "A", "1");
    QVERIFY(block == "NATS/1.0\r\nA: 1\r\n\r\n");
    appendHeader(block, "B", "2");
    QVERIFY(block == "NATS/1.0\r\nA: 1\r\nB: 2\r\n\r\n");
}

void TestHeaders::status()
{
    QVERIFY(statusBlock(503, {}) == "NATS/1.0 503\r\n\r\n");
    QVERIFY(statusBlock(409, "Consumer Deleted") == "NATS/1.0 409 Consumer Deleted\r\n\r\n");
    QVERIFY(
        statusBlock(503, {}, "Nats-Subject: a\r\n") == "NATS/1.0 503\r\nNats-Subject: a\r\n\r\n");
}

void TestHeaders::messageHead()
{
    MessageHead head;
    head.set("foo", "bar", 0, 5);
    QVERIFY(head.before(false) == "MSG foo " && head.after(false) == " bar 5\r\n");
    head.set("foo", "", 12, 5);
    QVERIFY(head.before(true) == "HMSG foo " && head.after(true) == " 12 17\r\n");
    QVERIFY(head.before(false) == "MSG foo " && head.after(false) == " 5\r\n");
}

void TestHeaders::connect_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<bool>("good");
    QTest::addColumn<bool>("verbose");
    const auto row = [](const char* json, bool good, bool verbose) {
        QTest::newRow(json) << QByteArray(json) << good << verbose;
    };
    row("{}", true, true);
    row("{\"verbose\":false}", true, false);
    row("{\"VERBOSE\":false}", true, false);
    row("{\"verbose\":null}", true, true);
    row("{\"other\":{\"a\":[1]},\"verbose\":false}", true, false);
    row("{\"verbose\":\"no\"}", false, true);
    row("{\"protocol\":\"1\"}", false, true);
    row("{\"user\":1}", false, true);
    row("{\"verbose\":false", false, true);
    row("[]", false, true);
    row("", false, true);
}

void TestHeaders::connect()
{
    QFETCH(QByteArray, json);
    ConnectOptions options;
    QTEST(parseConnect(json.toStdString(), options), "good");
    QTEST(options.verbose, "verbose");
}

void TestHeaders::info()
{
    ServerInfo info;
    info.serverId = "N1";
    info.port = 4222;
    info.maxPayload = 100;
    const std::string plain = infoText(info);
    QVERIFY(plain.find("\"port\":4222") != std::string::npos);
    for (const char* always : {"\"go\":", "\"api_lvl\":", "\"proto\":1", "\"headers\":"})
        QVERIFY2(plain.find(always) != std::string::npos, always);
    for (const char* absent :
        {"auth_required", "jetstream", "nonce", "ldm", "domain", "connect_info"})
        QVERIFY2(plain.find(absent) == std::string::npos, absent);
    info.lameDuck = true;
    info.connectInfo = true;
    info.remoteAccount = "$G";
    const std::string second = infoText(info);
    QVERIFY(second.find("\"ldm\":true") != std::string::npos);
    QVERIFY(second.find("\"remote_account\":\"$G\"") != std::string::npos);
    QVERIFY(second.find('\n') == std::string::npos);
}

QTEST_GUILESS_MAIN(TestHeaders)
#include "tst_headers.moc"
