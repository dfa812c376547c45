// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_broker.h"

#include <QTest>

#include <functional>

using namespace jetglass;
using namespace jetglass::server::test;

namespace {

QString text(const std::string& s)
{
    return QString::fromStdString(s);
}

int count(const std::string& text, std::string_view word)
{
    int n = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++n;
    return n;
}

class Handler final : public streams::MessageHandler
{
public:
    void onMessage(const streams::Inbound& message) override
    {
        ++calls;
        subject = message.subject;
        sender = message.sender->id;
        if (then)
            then(message);
    }
    std::function<void(const streams::Inbound&)> then;
    int calls = 0;
    std::string subject;
    ClientId sender{};
};

} // namespace

class TestAccount : public QObject
{
    Q_OBJECT
private slots:
    void queueSpread();
    void oneGroupOverSubjects();
    void queueSkipsThoseWhoCannot();
    void handlersAreResponders();
    void handlerChangesSubscriptionsWhileRouting();
    void deliverOnAnotherSubject();
    void interest();
    void watches();
    void accountsAreApart();
    void manySubscriptionsOfOneClient();
    void mappings_data();
    void mappings();
};

void TestAccount::queueSpread()
{
    FakeBroker broker;
    auto a = broker.connect();
    auto b = broker.connect();
    auto c = broker.connect();
    broker.say(a, "SUB job q 1\r\n");
    broker.say(b, "SUB job q 1\r\n");
    broker.say(c, "SUB job 1\r\n");
    auto writer = broker.connect();
    std::string publishes;
    for (int i = 0; i < 1000; ++i)
        publishes += "PUB job 0\r\n\r\n";
    broker.say(writer, publishes);
    const int atA = count(a.link->take(), "MSG job");
    const int atB = count(b.link->take(), "MSG job");
    QCOMPARE(atA + atB, 1000);
    QVERIFY2(atA > 350 && atA < 650, qPrintable(QString::number(atA)));
    QCOMPARE(count(c.link->take(), "MSG job"), 1000);
}

void TestAccount::oneGroupOverSubjects()
{
    FakeBroker broker;
    auto a = broker.connect();
    broker.say(a, "SUB foo.* q 1\r\nSUB foo.bar q 2\r\nSUB foo.> r 3\r\n");
    std::string publishes;
    for (int i = 0; i < 200; ++i)
        publishes += "PUB foo.bar 0\r\n\r\n";
    const std::string got = broker.say(a, publishes);
    const int first = count(got, "MSG foo.bar 1 ");
    QCOMPARE(first + count(got, "MSG foo.bar 2 "), 200);
    QVERIFY(first > 50 && first < 150);
    QCOMPARE(count(got, "MSG foo.bar 3 "), 200);
}

void TestAccount::queueSkipsThoseWhoCannot()
{
    FakeBroker broker;
    auto silent = broker.connect(
        "CONNECT {\"verbose\":false,\"pedantic\":false,\"echo\":false}\r\nSUB a q 1\r\n");
    auto other = broker.connect();
    broker.say(other, "SUB a q 1\r\n");
    std::string publishes;
    for (int i = 0; i < 20; ++i)
        publishes += "PUB a 0\r\n\r\n";
    QCOMPARE(text(broker.say(silent, publishes)), QString());
    QCOMPARE(count(other.link->take(), "MSG a 1"), 20);
}

void TestAccount::handlersAreResponders()
{
    FakeBroker broker;
    Handler handler;
    const auto registration = broker.engine.globalAccount().subscribe("api.>", {}, handler);
    auto peer = broker.connect();
    QCOMPARE(text(broker.say(peer, "SUB in 1\r\nPUB api.x in 2\r\nhi\r\n")), QString());
    QCOMPARE(handler.calls, 1);
    QVERIFY(handler.subject == "api.x" && handler.sender == peer.client->id());
    handler.then = [&](const streams::Inbound& m) {
        broker.engine.globalAccount().publish(
            {.subject = m.reply, .reply = {}, .headers = {}, .payload = "answer"});
    };
    QCOMPARE(
        text(broker.say(peer, "PUB api.x in 2\r\nhi\r\n")), QString("MSG in 1 6\r\nanswer\r\n"));
}

void TestAccount::handlerChangesSubscriptionsWhileRouting()
{
    FakeBroker broker;
    auto& account = broker.engine.globalAccount();
    Handler first;
    Handler second;
    streams::RegistrationPtr mine;
    std::vector<streams::RegistrationPtr> more;
    first.then = [&](const streams::Inbound&) {
        mine.reset();
        for (int i = 0; i < 50; ++i)
            more.push_back(account.subscribe("a", {}, second));
    };
    mine = account.subscribe("a", {}, first);
    const auto after = account.subscribe("a", {}, second);
    account.publish({.subject = "a", .reply = {}, .headers = {}, .payload = {}});
    QCOMPARE(first.calls, 1);
    QCOMPARE(second.calls, 1);
    account.publish({.subject = "a", .reply = {}, .headers = {}, .payload = {}});
    QCOMPARE(first.calls, 1);
    QCOMPARE(second.calls, 52);
    second.then = [&](const streams::Inbound&) { more.clear(); };
    account.publish({.subject = "a", .reply = {}, .headers = {}, .payload = {}});
    QCOMPARE(second.calls, 54); // the one that clears the others, and the one that stays
}

void TestAccount::deliverOnAnotherSubject()
{
    FakeBroker broker;
    auto& account = broker.engine.globalAccount();
    Handler stream;
    const auto registration = account.subscribe(">", {}, stream);
    auto peer = broker.connect();
    broker.say(peer, "SUB push.x 7\r\n");
    ClientId taker{};
    const streams::Outbound message{
        .subject = "orders.1", .reply = "$JS.ACK.x", .headers = {}, .payload = "hi"};
    QVERIFY(account.deliver("push.x", message, &taker));
    broker.endTurn();
    QCOMPARE(text(peer.link->take()), QString("MSG orders.1 7 $JS.ACK.x 2\r\nhi\r\n"));
    QVERIFY(taker == peer.client->id());
    QVERIFY(!account.deliver("push.y", message, nullptr));
    QCOMPARE(stream.calls, 0);
}

void TestAccount::interest()
{
    FakeBroker broker;
    auto& account = broker.engine.globalAccount();
    Handler handler;
    const auto registration = account.subscribe("push.>", {}, handler);
    QVERIFY(!account.hasInterest("push.x"));
    auto peer = broker.connect();
    broker.say(peer, "SUB push.* 1\r\nSUB exact 2\r\nSUB grouped q 3\r\n");
    QVERIFY(account.hasInterest("push.x"));
    QVERIFY(!account.hasExactInterest("push.x", {}));
    QVERIFY(account.hasExactInterest("push.*", {}));
    QVERIFY(account.hasExactInterest("exact", {}) && !account.hasExactInterest("exact", "q"));
    QVERIFY(account.hasExactInterest("grouped", "q") && !account.hasExactInterest("grouped", {}));
    peer.client->peerGone(server::CloseReason::ClientClosed);
    QVERIFY(!account.hasInterest("push.x") && !account.hasExactInterest("exact", {}));
}

void TestAccount::watches()
{
    FakeBroker broker;
    auto& account = broker.engine.globalAccount();
    int calls = 0;
    auto watch = account.watchInterest("a.b", [&] { ++calls; });
    auto peer = broker.connect();
    broker.say(peer, "SUB a.b 1\r\n");
    QCOMPARE(calls, 1);
    broker.say(peer, "SUB a.* 2\r\nSUB c 3\r\n");
    QCOMPARE(calls, 1);
    broker.say(peer, "UNSUB 1\r\nSUB a.b 1\r\n");
    QCOMPARE(calls, 2);
    peer.client->peerGone(server::CloseReason::ClientClosed);
    broker.endTurn();
    QCOMPARE(calls, 3);
    watch.reset();
    auto other = broker.connect();
    broker.say(other, "SUB a.b 1\r\n");
    QCOMPARE(calls, 3);
}

void TestAccount::accountsAreApart()
{
    BrokerConfig config;
    UserConfig a;
    a.user = "a";
    a.password = "p";
    a.account = "A";
    UserConfig b = a;
    b.user = "b";
    b.account = "B";
    config.auth.users = {a, b};
    FakeBroker broker(config);
    auto one =
        broker.connect("CONNECT {\"verbose\":false,\"user\":\"a\",\"pass\":\"p\"}\r\nSUB > 1\r\n");
    auto two =
        broker.connect("CONNECT {\"verbose\":false,\"user\":\"b\",\"pass\":\"p\"}\r\nSUB > 1\r\n");
    QCOMPARE(text(broker.say(two, "PUB x 0\r\n\r\n")), QString("MSG x 1 0\r\n\r\n"));
    QCOMPARE(text(one.link->take()), QString());
    QCOMPARE_EQ(broker.engine.account("A").clientCount(), 1U);
}

void TestAccount::manySubscriptionsOfOneClient()
{
    FakeBroker broker;
    auto peer = broker.connect();
    std::string lines;
    constexpr int kCount = 20'000;
    for (int i = 0; i < kCount; ++i)
        lines += "SUB dev." + std::to_string(i) + " " + std::to_string(i) + "\r\n";
    broker.say(peer, lines);
    QCOMPARE_EQ(broker.engine.counts().subscriptions, static_cast<unsigned>(kCount));
    peer.client->peerGone(server::CloseReason::ClientClosed);
    QVERIFY(!broker.engine.globalAccount().hasInterest("dev.5"));
    broker.engine.endTurn();
    QVERIFY(broker.engine.pending()); // they end in parts, and the tree is cleared in parts
    broker.endTurn();
    QCOMPARE_EQ(broker.engine.counts().subscriptions, 0U);
    QCOMPARE_EQ(broker.engine.globalAccount().matcherCounts().subscriptions, 0U);
}

void TestAccount::mappings_data()
{
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<int>("weight");
    QTest::addColumn<QByteArray>("taken"); // the subject it goes to, empty = it is lost
    QTest::newRow("all") << QByteArray("n") << 100 << QByteArray("n");
    QTest::newRow("none") << QByteArray("n") << 0 << QByteArray("m");
    QTest::newRow("as much as is named") << QByteArray("m") << 100 << QByteArray("m");
    QTest::newRow("none is named") << QByteArray("m") << 0 << QByteArray();
}

void TestAccount::mappings()
{
    QFETCH(QByteArray, to);
    QFETCH(int, weight);
    QFETCH(QByteArray, taken);
    BrokerConfig config;
    config.mappings = {{"m", {{to.toStdString(), weight}}}};
    FakeBroker broker(config);
    auto reader = broker.connect();
    broker.say(reader, "SUB > 1\r\n");
    auto writer = broker.connect();
    broker.say(writer, "PUB m 0\r\n\r\n");
    const std::string got = reader.link->take();
    QCOMPARE(QByteArray::fromStdString(got),
        taken.isEmpty() ? QByteArray() : "MSG " + taken + " 1 0\r\n\r\n");
}

QTEST_GUILESS_MAIN(TestAccount)
#include "tst_account.moc"
