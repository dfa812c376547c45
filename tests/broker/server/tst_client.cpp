// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_broker.h"

#include <QTest>

#include <algorithm>

using namespace jetglass;
using namespace jetglass::server::test;

namespace {
constexpr std::int64_t kSecond = 1'000'000'000;

QString text(const std::string& s)
{
    return QString::fromStdString(s);
}
}

class TestClient : public QObject
{
    Q_OBJECT
private slots:
    void answers_data();
    void answers();
    void firstInfoAndSecondInfo();
    void withoutConnect();
    void headersAndPlainReceivers();
    void noResponders();
    void echoOff();
    void unsubscribeMax();
    void limits_data();
    void limits();
    void authentication();
    void permissions();
    void allowResponses();
    void slowConsumer();
    void stallsThePublisher();
    void stale();
    void authenticationTimeout();
    void reload();
    void lameDuck();
    void closedRecords();
};

void TestClient::answers_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<bool>("closed");
    const auto row = [](const char* name, const char* input, const char* output, bool closed) {
        QTest::newRow(name) << QByteArray(input) << QByteArray(output) << closed;
    };
    row("ping", "PING\r\n", "PONG\r\n", false);
    row("unknown", "FOO\r\n", "-ERR 'Unknown Protocol Operation'\r\n", true);
    row("verb alone", "SUB\r\n", "-ERR 'Unknown Protocol Operation'\r\n", true);
    row("arguments", "SUB a b c d\r\n", "", true);
    row("bad connect", "CONNECT {\r\n", "", true);
    row("empty connect", "CONNECT null\r\nPING\r\n", "PONG\r\n", false);
    row("peer error", "-ERR 'x'\r\n", "", true);
    row("protocol 2", "CONNECT {\"protocol\":2}\r\n", "-ERR 'invalid client protocol'\r\n", true);
    row("no responders without headers",
        "CONNECT {\"headers\":false,\"no_responders\":true}\r\n",
        "-ERR 'no responders requires headers support'\r\n",
        true);
    row("obsolete account",
        "CONNECT {\"account\":\"x\"}\r\n",
        "-ERR 'Authorization Violation'\r\n",
        true);
    row("invalid subject", "SUB foo..bar 1\r\n", "-ERR 'Invalid Subject'\r\n", false);
    row("own message", "SUB foo 1\r\nPUB foo 2\r\nhi\r\n", "MSG foo 1 2\r\nhi\r\n", false);
    row("overlap",
        "SUB foo 1\r\nSUB * 2\r\nPUB foo 0\r\n\r\n",
        "MSG foo 2 0\r\n\r\nMSG foo 1 0\r\n\r\n",
        false);
    row("sid twice",
        "SUB foo 1\r\nSUB bar 1\r\nPUB bar 0\r\n\r\nPUB foo 0\r\n\r\n",
        "MSG foo 1 0\r\n\r\n",
        false);
    row("unsubscribed", "SUB foo 1\r\nUNSUB 1\r\nPUB foo 0\r\n\r\n", "", false);
    row("reserved publish",
        "PUB _GR_.x 0\r\n\r\n",
        "-ERR 'Permissions Violation for Publish to \"_GR_.x\"'\r\n",
        false);
    row("forged ack address",
        "PUB foo $JS.ACK.x 0\r\n\r\n",
        "-ERR 'Permissions Violation for Publish with Reply of \"$JS.ACK.x\"'\r\n",
        false);
    row("reserved queue",
        "SUB foo _sys_ 1\r\n",
        "-ERR 'Permissions Violation for Subscription to \"foo\" using queue \"_sys_\"'\r\n",
        false);
    row("verbose",
        "CONNECT {\"verbose\":true,\"pedantic\":true}\r\nSUB foo 1\r\nPUB foo.* 0\r\n\r\nUNSUB "
        "1\r\n",
        "+OK\r\n+OK\r\n-ERR 'Invalid Publish Subject'\r\n+OK\r\n+OK\r\n",
        false);
}

void TestClient::answers()
{
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, output);
    QFETCH(bool, closed);
    FakeBroker broker;
    auto peer = broker.connect();
    QCOMPARE(text(broker.say(peer, input.toStdString())), QString::fromUtf8(output));
    QCOMPARE(peer.link->closed, closed);

    // The same, a byte at a time.
    FakeBroker second;
    auto slow = second.connect();
    std::string got;
    for (const char c : input)
        got += second.say(slow, std::string(1, c));
    QCOMPARE(text(got), QString::fromUtf8(output));
    QCOMPARE(slow.link->closed, closed);
}

void TestClient::firstInfoAndSecondInfo()
{
    FakeBroker broker;
    FakeBroker::Peer peer{std::make_shared<FakeLink>(), nullptr};
    peer.client = broker.engine.connect(peer.link);
    broker.endTurn();
    const QString first = text(peer.link->take());
    QVERIFY(first.startsWith("INFO {") && first.endsWith("} \r\n"));
    QVERIFY(first.contains("\"client_id\":1") && !first.contains("connect_info"));
    const QString answer =
        text(broker.say(peer, "CONNECT {\"verbose\":false,\"protocol\":1}\r\nPING\r\nPING\r\n"));
    QVERIFY(answer.startsWith("PONG\r\nINFO {"));
    QVERIFY(
        answer.contains("\"connect_info\":true") && answer.contains("\"remote_account\":\"$G\""));
    QVERIFY(answer.endsWith("} \r\nPONG\r\n"));
}

void TestClient::withoutConnect()
{
    FakeBroker broker;
    auto peer = broker.connect("");
    QCOMPARE(text(broker.say(peer, "SUB foo 1\r\nPUB foo 2\r\nhi\r\nPUB foo.* 1\r\nx\r\nPING\r\n")),
        QString("+OK\r\n+OK\r\nMSG foo 1 2\r\nhi\r\n-ERR 'Invalid Publish "
                "Subject'\r\n+OK\r\nPONG\r\n"));
}

void TestClient::headersAndPlainReceivers()
{
    FakeBroker broker;
    auto a = broker.connect();
    auto b = broker.connect("CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB foo 9\r\n");
    QCOMPARE(text(broker.say(a, "SUB foo 1\r\nHPUB foo r 12 14\r\nNATS/1.0\r\n\r\nhi\r\n")),
        QString("HMSG foo 1 r 12 14\r\nNATS/1.0\r\n\r\nhi\r\n"));
    QCOMPARE(text(b.link->take()), QString("MSG foo 9 r 2\r\nhi\r\n"));
    QCOMPARE(text(broker.say(a, "HPUB foo 0 2\r\nhi\r\n")), QString("MSG foo 1 2\r\nhi\r\n"));
    QCOMPARE(text(b.link->take()), QString("MSG foo 9 2\r\nhi\r\n"));
    QCOMPARE(text(broker.say(b, "HPUB foo 0 0\r\n\r\n")), QString());
    QVERIFY(b.link->closed);
}

void TestClient::noResponders()
{
    FakeBroker broker;
    auto peer = broker.connect();
    QCOMPARE(text(broker.say(peer, "SUB _INBOX.x.* 1\r\nPUB nobody _INBOX.x.y 0\r\n\r\n")),
        QString("HMSG _INBOX.x.y 1 38 38\r\nNATS/1.0 503\r\nNats-Subject: nobody\r\n\r\n\r\n"));
    QCOMPARE(
        text(broker.say(peer, "UNSUB 1\r\nSUB _INBOX.x.* q 2\r\nPUB nobody _INBOX.x.y 0\r\n\r\n")),
        QString());
}

void TestClient::echoOff()
{
    FakeBroker broker;
    auto peer = broker.connect(
        "CONNECT {\"verbose\":false,\"pedantic\":false,\"echo\":false}\r\nSUB foo 1\r\n");
    auto other = broker.connect();
    QCOMPARE(text(broker.say(peer, "PUB foo 0\r\n\r\n")), QString());
    broker.say(other, "PUB foo 0\r\n\r\n");
    QCOMPARE(text(peer.link->take()), QString("MSG foo 1 0\r\n\r\n"));
}

void TestClient::unsubscribeMax()
{
    FakeBroker broker;
    auto peer = broker.connect();
    const std::string publish = "PUB a 0\r\n\r\n";
    const QString message = "MSG a 1 0\r\n\r\n";
    QCOMPARE(text(broker.say(peer, "SUB a 1\r\nUNSUB 1 2\r\n" + publish + publish + publish)),
        message + message);
    QCOMPARE(text(broker.say(
                 peer, "SUB a 1\r\n" + publish + publish + "UNSUB 1 3\r\n" + publish + publish)),
        message + message + message);
    QCOMPARE(text(broker.say(peer, "SUB a 1\r\n" + publish + publish + "UNSUB 1 2\r\n" + publish)),
        message + message);
    QCOMPARE_EQ(broker.engine.counts().subscriptions, 0U);
}

void TestClient::limits_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<bool>("closed");
    QTest::newRow("payload") << QByteArray("PUB a 101\r\n")
                             << QByteArray("-ERR 'Maximum Payload Violation'\r\n") << true;
    QTest::newRow("control line") << QByteArray("SUB ") + QByteArray(70, 's')
                                  << QByteArray("-ERR 'maximum control line exceeded'\r\n") << true;
    QTest::newRow("subscriptions")
        << QByteArray("SUB a 1\r\nSUB b 2\r\nSUB c 3\r\n")
        << QByteArray("-ERR 'maximum subscriptions exceeded'\r\n") << false;
    QTest::newRow("tokens")
        << QByteArray("SUB a.b.c.d 1\r\n")
        << QByteArray(
               "-ERR 'Permissions Violation for Subscription to \"a.b.c.d\", too many tokens'\r\n")
        << false;
}

void TestClient::limits()
{
    QFETCH(QByteArray, input);
    BrokerConfig config;
    config.maxPayload = 100;
    config.maxControlLine = 64;
    config.maxSubscriptions = 2;
    config.maxSubTokens = 3;
    config.maxConnections = 1;
    FakeBroker broker(config);
    auto peer = broker.connect("CONNECT {\"verbose\":false,\"pedantic\":false}\r\n");
    auto refused = std::make_shared<FakeLink>();
    QVERIFY(broker.engine.connect(refused) == nullptr);
    QVERIFY(
        refused->closed && text(refused->sent).endsWith("-ERR 'maximum connections exceeded'\r\n"));
    QTEST(QByteArray::fromStdString(broker.say(peer, input.toStdString())), "output");
    QTEST(peer.link->closed, "closed");
}

void TestClient::authentication()
{
    BrokerConfig config;
    config.auth.token = "secret";
    FakeBroker broker(config);
    auto first = broker.connect("");
    QCOMPARE(text(broker.say(first, "PING\r\n")), QString("-ERR 'Authorization Violation'\r\n"));
    QVERIFY(first.link->closed);
    auto wrong = broker.connect("");
    QCOMPARE(text(broker.say(wrong, "CONNECT {\"auth_token\":\"x\"}\r\n")),
        QString("-ERR 'Authorization Violation'\r\n"));
    auto right = broker.connect("");
    QCOMPARE(text(broker.say(
                 right, "CONNECT {\"auth_token\":\"secret\",\"verbose\":false}\r\nPING\r\n")),
        QString("PONG\r\n"));
}

void TestClient::permissions()
{
    BrokerConfig config;
    UserConfig user;
    user.user = "u";
    user.password = "p";
    user.permissions.emplace();
    user.permissions->publishAllow = {"a.>"};
    user.permissions->publishDeny = {"a.secret"};
    user.permissions->subscribeDeny = {"b.secret"};
    UserConfig free;
    free.user = "f";
    free.password = "p";
    config.auth.users = {user, free};
    FakeBroker broker(config);
    auto peer = broker.connect(
        "CONNECT {\"verbose\":false,\"pedantic\":false,\"user\":\"u\",\"pass\":\"p\"}\r\n");
    auto other = broker.connect(
        "CONNECT {\"verbose\":false,\"pedantic\":false,\"user\":\"f\",\"pass\":\"p\"}\r\n");
    QCOMPARE(text(broker.say(peer, "PUB a.x 0\r\n\r\nPUB b 0\r\n\r\nPUB a.secret 0\r\n\r\n")),
        QString("-ERR 'Permissions Violation for Publish to \"b\"'\r\n"
                "-ERR 'Permissions Violation for Publish to \"a.secret\"'\r\n"));
    QCOMPARE(text(broker.say(peer, "SUB b.secret 1\r\nSUB b.> 2\r\n")),
        QString("-ERR 'Permissions Violation for Subscription to \"b.secret\"'\r\n"));
    broker.say(other, "PUB b.secret 0\r\n\r\nPUB b.open 0\r\n\r\n");
    QCOMPARE(text(peer.link->take()), QString("MSG b.open 2 0\r\n\r\n"));
}

void TestClient::allowResponses()
{
    BrokerConfig config;
    UserConfig service;
    service.user = "s";
    service.password = "p";
    service.permissions.emplace();
    service.permissions->allowResponses = Permissions::Responses{1, 10 * kSecond};
    UserConfig free;
    free.user = "f";
    free.password = "p";
    config.auth.users = {service, free};
    FakeBroker broker(config);
    auto peer = broker.connect(
        "CONNECT {\"verbose\":false,\"pedantic\":false,\"user\":\"s\",\"pass\":\"p\"}\r\nSUB q "
        "1\r\n");
    auto asker = broker.connect(
        "CONNECT {\"verbose\":false,\"pedantic\":false,\"user\":\"f\",\"pass\":\"p\"}\r\n");
    const QString refused = "-ERR 'Permissions Violation for Publish to \"in.1\"'\r\n";
    QCOMPARE(text(broker.say(peer, "PUB in.1 0\r\n\r\n")), refused);
    broker.say(asker, "PUB q in.1 0\r\n\r\n");
    peer.link->take();
    QCOMPARE(text(broker.say(peer, "PUB in.1 0\r\n\r\nPUB in.1 0\r\n\r\n")), refused);
    broker.say(asker, "PUB q in.1 0\r\n\r\n");
    peer.link->take();
    broker.clock.advance(11 * kSecond);
    QCOMPARE(text(broker.say(peer, "PUB in.1 0\r\n\r\n")), refused);
}

void TestClient::slowConsumer()
{
    BrokerConfig config;
    config.maxPending = 4 << 20;
    RecordingLog log;
    log.debug = false;
    FakeBroker broker(config, &log);
    auto reader = broker.connect();
    broker.say(reader, "SUB a 1\r\nSUB b 2\r\n");
    auto writer = broker.connect();
    reader.link->blocked = true;
    const std::string publish = "PUB a 1000000\r\n" + std::string(1'000'000, 'x') + "\r\n";
    for (int i = 0; i < 5 && !reader.link->closed; ++i)
        broker.say(writer, publish);
    QVERIFY(reader.link->closed);
    QCOMPARE(text(reader.link->take()), QString()); // no line, what was queued is dropped
    QCOMPARE_EQ(broker.engine.counts().slowConsumers, 1U);
    QCOMPARE_EQ(broker.engine.counts().subscriptions, 0U);
    QVERIFY(broker.engine.closedConnections().back().reason
        == server::CloseReason::SlowConsumerPendingBytes);
    QVERIFY2(std::any_of(log.lines.begin(),
                 log.lines.end(),
                 [](const std::string& line) {
                     return line.ends_with(
                         "Slow Consumer Detected: MaxPending of 4194304 Exceeded");
                 }),
        "who runs a server without -D must see it");
    QCOMPARE(text(broker.say(writer, publish + "PING\r\n")), QString("PONG\r\n"));
}

void TestClient::stallsThePublisher()
{
    BrokerConfig config;
    config.maxPending = 4 << 20;
    FakeBroker broker(config);
    auto reader = broker.connect();
    broker.say(reader, "SUB a 1\r\n");
    auto writer = broker.connect();
    reader.link->blocked = true;
    const std::string publish = "PUB a 1000000\r\n" + std::string(1'000'000, 'x') + "\r\n";
    broker.say(writer, publish + publish + publish);
    QVERIFY(!writer.link->paused);
    broker.say(writer, publish);
    QVERIFY(writer.link->paused && !reader.link->closed);
    broker.advance(5'000'000);
    QVERIFY(!writer.link->paused);
}

void TestClient::stale()
{
    FakeBroker broker;
    auto peer = broker.connect();
    broker.say(peer, "PING\r\n");
    broker.advance(3 * kSecond);
    QCOMPARE(text(peer.link->take()), QString("PING\r\n"));
    broker.say(peer, "PONG\r\n");
    broker.advance(120 * kSecond);
    QCOMPARE(text(peer.link->take()), QString("PING\r\n"));
    broker.say(peer, "SUB a 1\r\n"); // traffic postpones a ping, only PONG resets the count
    broker.advance(120 * kSecond);
    QCOMPARE(text(peer.link->take()), QString());
    broker.advance(120 * kSecond);
    QCOMPARE(text(peer.link->take()), QString("PING\r\n"));
    broker.advance(120 * kSecond);
    QCOMPARE(text(peer.link->take()), QString("-ERR 'Stale Connection'\r\n"));
    QVERIFY(peer.link->closed);
    QCOMPARE_EQ(broker.engine.counts().staleConnections, 1U);
}

void TestClient::authenticationTimeout()
{
    BrokerConfig config;
    config.auth.token = "secret";
    FakeBroker broker(config);
    auto peer = broker.connect("");
    broker.advance(2 * kSecond);
    QCOMPARE(text(peer.link->take()), QString("-ERR 'Authentication Timeout'\r\n"));
    QVERIFY(peer.link->closed);
}

void TestClient::reload()
{
    BrokerConfig config;
    UserConfig a;
    a.user = "a";
    a.password = "p";
    UserConfig b = a;
    b.user = "b";
    config.auth.users = {a, b};
    FakeBroker broker(config);
    auto stays = broker.connect(
        "CONNECT {\"verbose\":false,\"user\":\"a\",\"pass\":\"p\"}\r\nSUB x 1\r\nSUB y 2\r\n");
    auto goes = broker.connect("CONNECT {\"verbose\":false,\"user\":\"b\",\"pass\":\"p\"}\r\n");
    config.auth.users.pop_back();
    config.auth.users.front().permissions.emplace();
    config.auth.users.front().permissions->subscribeDeny = {"y"};
    broker.engine.reload(config, std::make_shared<accounts::Authenticator>(config.auth));
    broker.endTurn();
    QCOMPARE(text(goes.link->take()), QString("-ERR 'Authorization Violation'\r\n"));
    QCOMPARE(text(stays.link->take()),
        QString("-ERR 'Permissions Violation for Subscription to \"y\" (sid \"2\")'\r\n"));
    QCOMPARE(
        text(broker.say(stays, "PUB x 0\r\n\r\nPUB y 0\r\n\r\n")), QString("MSG x 1 0\r\n\r\n"));
}

void TestClient::lameDuck()
{
    FakeBroker broker;
    auto a = broker.connect("CONNECT {\"verbose\":false,\"protocol\":1}\r\nPING\r\n");
    auto b = broker.connect("CONNECT {\"verbose\":false,\"protocol\":0}\r\nPING\r\n");
    a.link->take();
    bool done = false;
    broker.engine.lameDuck([&done] { done = true; });
    broker.endTurn();
    QVERIFY(text(a.link->take()).contains("\"ldm\":true"));
    QCOMPARE(text(b.link->take()), QString());
    broker.advance(10 * kSecond);
    QVERIFY(a.link->closed != b.link->closed);
    QVERIFY(!done);
    broker.advance(2 * kSecond);
    QVERIFY(a.link->closed && b.link->closed && done);
}

void TestClient::closedRecords()
{
    FakeBroker broker;
    auto peer = broker.connect();
    broker.say(peer, "SUB a 1\r\nPUB a 3\r\nabc\r\n");
    peer.client->peerGone(server::CloseReason::ClientClosed);
    broker.endTurn();
    const auto closed = broker.engine.closedConnections();
    QCOMPARE_EQ(closed.size(), 1U);
    QCOMPARE_EQ(closed.front().in.bytes, 3U);
    QCOMPARE_EQ(closed.front().out.messages, 1U);
    QCOMPARE_EQ(closed.front().subscriptions, 1U);
    QCOMPARE_EQ(broker.engine.counts().connections, 0U);
    QVERIFY(broker.engine.client(ClientId{1}) == nullptr);
}

QTEST_GUILESS_MAIN(TestClient)
#include "tst_client.moc"
