// SPDX-License-Identifier: GPL-3.0-or-later
// A client with many subscriptions goes: they end a part per turn, and from the first moment on
// nobody meets them any more.
#include "support/fake_broker.h"

#include <QTest>

using namespace jetglass;
using namespace jetglass::server::test;

namespace {

constexpr std::uint64_t kMany = 10'000;
/// What one turn may end: see Engine, kEndedPart.
constexpr std::uint64_t kPart = 1'000;

std::string subscribe(std::uint64_t from, std::uint64_t to)
{
    std::string text;
    for (std::uint64_t i = from; i < to; ++i)
        text += "SUB s." + std::to_string(i) + ' ' + std::to_string(i) + "\r\n";
    return text;
}

} // namespace

class TestLeavingClient : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_broker = std::make_unique<FakeBroker>();
        m_holder = m_broker->connect();
        m_other = m_broker->connect();
        m_broker->say(m_holder, subscribe(0, kMany));
    }
    void cleanup() { m_broker.reset(); }

    void endsAPartEachTurn();
    void getsNothingMore();
    void groupsGoOn();
    void watchersAreToldAtOnce();
    void isNoLongerListed();
    void brokerEndsMeanwhile();

private:
    void leave() { m_holder.client->peerGone(server::CloseReason::ClientClosed); }
    [[nodiscard]] std::uint64_t left() const { return m_broker->engine.counts().subscriptions; }

    std::unique_ptr<FakeBroker> m_broker;
    FakeBroker::Peer m_holder;
    FakeBroker::Peer m_other;
};

void TestLeavingClient::endsAPartEachTurn()
{
    QCOMPARE(left(), kMany);
    leave();
    QCOMPARE(m_broker->engine.counts().connections, std::uint64_t{1});
    std::uint64_t before = left();
    QVERIFY(before >= kMany - kPart);
    for (std::uint64_t turns = 0; left() > 0; ++turns) {
        QVERIFY(turns <= kMany / kPart);
        m_broker->engine.endTurn();
        QVERIFY(before - left() <= kPart);
        QVERIFY(left() == 0 || m_broker->engine.pending()); // the loop must not sleep
        before = left();
    }
    m_broker->endTurn();
    QVERIFY(!m_broker->engine.pending());
    QCOMPARE(m_broker->engine.globalAccount().matcherCounts().subscriptions, std::uint64_t{0});
}

void TestLeavingClient::getsNothingMore()
{
    m_broker->say(m_other, "SUB in.* 1\r\nSUB s.9 2\r\n");
    leave();
    m_holder.link->take();
    for (int turn = 0; left() > 2; ++turn) {
        for (std::uint64_t i = 0; i < kMany; i += 997) {
            // Nobody is there, and the publisher is told so.
            m_other.client->receive("PUB s." + std::to_string(i) + " in.x 0\r\n\r\n");
        }
        m_other.client->receive("PUB s.9 2\r\nhi\r\n");
        m_broker->engine.endTurn();
        const std::string got = m_other.link->take();
        QCOMPARE(QString::fromStdString(got).count(QStringLiteral("NATS/1.0 503")), 11);
        QVERIFY(got.find("MSG s.9 2 2\r\nhi\r\n") != std::string::npos);
        QVERIFY(m_holder.link->sent.empty());
        QVERIFY(turn < 100);
    }
}

void TestLeavingClient::groupsGoOn()
{
    m_broker->say(m_holder, "SUB q g a\r\nSUB q g b\r\nSUB q g c\r\n");
    m_broker->say(m_other, "SUB q g 1\r\n");
    leave();
    for (int i = 0; i < 50; ++i)
        m_other.client->receive("PUB q 0\r\n\r\n");
    m_broker->engine.endTurn();
    QCOMPARE(QString::fromStdString(m_other.link->take()).count(QStringLiteral("MSG q 1 0")), 50);
}

void TestLeavingClient::watchersAreToldAtOnce()
{
    auto& account = m_broker->engine.globalAccount();
    int wrong = 0;
    std::vector<streams::RegistrationPtr> watches;
    int called = 0;
    for (std::uint64_t i = 0; i < kMany; i += 997) {
        const std::string subject = "s." + std::to_string(i);
        QVERIFY(account.hasExactInterest(subject, {}));
        watches.push_back(account.watchInterest(subject, [&account, subject, &called, &wrong] {
            ++called;
            wrong += static_cast<int>(
                account.hasExactInterest(subject, {}) || account.hasInterest(subject));
        }));
    }
    leave();
    m_broker->engine.endTurn();
    QVERIFY(left() > 0);
    QCOMPARE(called, static_cast<int>(watches.size()));
    QCOMPARE(wrong, 0);
}

void TestLeavingClient::isNoLongerListed()
{
    m_broker->say(m_other, "SUB mine 1\r\n");
    leave();
    m_broker->engine.endTurn();
    QVERIFY(left() > 1);
    int listed = 0;
    m_broker->engine.globalAccount().forEachSubscription(
        [&listed](const server::SubscriptionRecord& record) {
            ++listed;
            QCOMPARE(record.subject, std::string("mine"));
        });
    QCOMPARE(listed, 1);
    QCOMPARE(m_broker->engine.closedConnections().back().subscriptions, kMany);
}

void TestLeavingClient::brokerEndsMeanwhile()
{
    leave();
    m_broker->engine.endTurn();
    QVERIFY(left() > 0);
    m_broker.reset(); // sanitizers would see a subscription that died inside the tree
    QVERIFY(m_holder.link->closed);
}

QTEST_GUILESS_MAIN(TestLeavingClient)
#include "tst_leaving_client.moc"
