// SPDX-License-Identifier: GPL-3.0-or-later
// The transitions of clients, each with the event that tells of it.
#include "support/fake_broker.h"
#include "transition_record.h"

using namespace jetglass;
using namespace jetglass::server::test;
using jetglass::tests::FlowWalk;
using jetglass::tests::TransitionRecord;

class TestFlowClients : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        BrokerConfig config;
        config.maxPending = 4 << 20;
        m_broker = std::make_unique<FakeBroker>(config);
        m_record = std::make_unique<TransitionRecord>(m_broker->clock.wallTime());
        m_broker->hub.add(*m_record);
    }
    void cleanup()
    {
        m_broker->hub.remove(*m_record);
        m_seen += m_record->seen();
        m_broker.reset();
    }
    void cleanupTestCase() { QCOMPARE(tests::unseen(FlowWalk::Clients, m_seen), QStringList()); }

    void comeSubscribeAndGo();
    void tooSlowByPendingBytes();
    void tooSlowByTheWriteDeadline();

private:
    std::unique_ptr<FakeBroker> m_broker;
    std::unique_ptr<TransitionRecord> m_record;
    QList<FlowKind> m_seen;
};

void TestFlowClients::comeSubscribeAndGo()
{
    auto first = m_broker->connect();
    auto second = m_broker->connect();
    CHECK_FLOW(*m_record, {"ClientConnected by1", "ClientConnected by2"});
    m_broker->advance(5'000'000);
    m_broker->say(second, "SUB s.1 one\r\nSUB s.* two\r\nUNSUB one\r\nSUB s.2 two\r\n");
    const auto hash = [](std::string_view sid) { return QString::number(subjects::hash(sid)); };
    QVERIFY(hash("one") != hash("two"));
    CHECK_FLOW(*m_record,
        {"ClientSubscribed second=" + hash("one") + " by2 at=5 's.1'",
            "ClientSubscribed second=" + hash("two") + " by2 at=5 's.*'"});
    first.client->peerGone(server::CloseReason::ClientClosed);
    m_broker->endTurn();
    m_broker->engine.kick(ClientId{2});
    m_broker->endTurn();
    CHECK_FLOW(*m_record, {"ClientGone by1 at=5", "ClientGone by2 at=5"});
}

void TestFlowClients::tooSlowByPendingBytes()
{
    auto reader = m_broker->connect();
    auto writer = m_broker->connect();
    m_broker->say(reader, "SUB a 1\r\n");
    m_record->forget();
    reader.link->blocked = true;
    const std::string publish = "PUB a 1000000\r\n" + std::string(1'000'000, 'x') + "\r\n";
    for (int i = 0; i < 5 && !reader.link->closed; ++i)
        m_broker->say(writer, publish);
    CHECK_FLOW(*m_record, {"ClientSlow by1", "ClientGone by1"});
}

void TestFlowClients::tooSlowByTheWriteDeadline()
{
    auto reader = m_broker->connect();
    m_record->forget();
    reader.client->writeDeadlinePassed();
    m_broker->endTurn();
    CHECK_FLOW(*m_record, {"ClientSlow by1", "ClientGone by1"});
}

QTEST_GUILESS_MAIN(TestFlowClients)
#include "tst_flow_clients.moc"
