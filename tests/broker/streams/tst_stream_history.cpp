// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/consumer.h"
#include "stream_bench.h"
#include "streams/removal_ledger.h"

#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::tests::StreamBench;

/// What is remembered of messages that are gone or settled, over restarts and failed writes.
class TestStreamHistory : public QObject
{
    Q_OBJECT

private slots:
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

    void removalsSurviveARestart();
    void whoRemovedSurvivesARestart();
    void lostMessagesAreListed();
    void outcomesSurviveARestart();
    void aResetForgetsOutcomesForGood();
    void memoryIsBounded();
    void anAckIsTheNewerEnd();
    void settledWorkGoesAfterAFailedWrite_data();
    void settledWorkGoesAfterAFailedWrite();
    void settledWorkGoesAfterACrash();

private:
    void consume(const std::string& config)
    {
        m_bench->request("CONSUMER.CREATE.S.C",
            R"({"stream_name":"S","config":{"name":"C","durable_name":"C","ack_policy":"explicit")"
                + config + "}}");
        m_bench->bus->addClient("inbox");
    }
    /// The ack subjects of what a pull brings.
    std::vector<std::string> pull(int batch)
    {
        m_bench->bus->clear();
        m_bench->bus->inject("$JS.API.CONSUMER.MSG.NEXT.S.C",
            R"({"no_wait":true,"batch":)" + std::to_string(batch) + "}",
            "inbox");
        m_bench->run();
        std::vector<std::string> acks;
        for (const auto& sent : m_bench->bus->delivered())
            if (!sent.reply.empty())
                acks.push_back(sent.reply);
        return acks;
    }
    void ack(const std::string& subject, const std::string& word = {})
    {
        m_bench->bus->inject(subject, word);
        m_bench->run();
    }
    consumers::Consumer& consumer()
    {
        return static_cast<consumers::Consumer&>(*m_bench->stream().consumer("C"));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

void TestStreamHistory::removalsSurviveARestart()
{
    m_bench->create(R"("subjects":["s.*"])");
    for (int i = 0; i < 20; ++i)
        m_bench->publish("s." + std::to_string(i % 2));
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":7})");
    m_bench->request("STREAM.PURGE.S", R"({"seq":5})");
    m_bench->advance(2000); // what follows within a second joins the row before
    m_bench->request("STREAM.PURGE.S", R"({"filter":"s.1"})");
    const auto before = m_bench->stream().removals().find(StreamSeq(1), StreamSeq{}, 10);
    QCOMPARE(before.size(), std::size_t{3});
    m_bench->restart();
    const auto after = m_bench->stream().removals().find(StreamSeq(1), StreamSeq{}, 10);
    QCOMPARE(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        QCOMPARE(after[i].first, before[i].first);
        QCOMPARE(after[i].last, before[i].last);
        QCOMPARE(after[i].count, before[i].count);
        QCOMPARE(after[i].bytes, before[i].bytes);
        QCOMPARE(after[i].cause, before[i].cause);
        QCOMPARE(after[i].time, before[i].time);
    }
    // As after kill -9, but what is older than a second has been written.
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":9})");
    m_bench->advance(1100);
    m_bench = nullptr;
    m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    QCOMPARE(m_bench->stream().removals().size(), std::size_t{4});
}

void TestStreamHistory::whoRemovedSurvivesARestart()
{
    m_bench->create(R"("subjects":["s"])");
    for (int i = 0; i < 4; ++i)
        m_bench->publish("s");
    m_bench->bus->nameClients("orders-api");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":2})");
    m_bench->advance(2000); // a batch of its own
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":3})");
    for (int start = 0; start < 2; ++start) {
        m_bench->restart();
        const auto rows = m_bench->stream().removals().find(StreamSeq(1), StreamSeq{}, 10);
        QCOMPARE(rows.size(), std::size_t{2});
        for (const RemovalRow& row : rows)
            QCOMPARE(row.client, ClientId{kPastClient});
        QCOMPARE(m_bench->stream().pastClients(), std::vector<std::string>{"orders-api"});
    }
}

void TestStreamHistory::lostMessagesAreListed()
{
    m_bench->create(R"("subjects":["s"])");
    for (int i = 0; i < 5; ++i)
        m_bench->publish("s", "payload-" + std::to_string(i));
    m_bench = nullptr;
    QDirIterator files(m_folder->path(), {"*.blk"}, QDir::Files, QDirIterator::Subdirectories);
    QFile block(files.next());
    QVERIFY(block.open(QIODevice::ReadWrite));
    const qsizetype at = block.readAll().indexOf("payload-2");
    QVERIFY(at > 0);
    QVERIFY(block.seek(at) && block.putChar('X'));
    block.close();
    for (int start = 0; start < 2; ++start) { // found, and remembered
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
        store::MessageView message;
        QVERIFY(!m_bench->stream().store().load(StreamSeq(3), message));
        m_bench->stream().noteLost();
        const auto rows = m_bench->stream().removals().find(StreamSeq(1), StreamSeq{}, 10);
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].first, StreamSeq(3));
        QCOMPARE(rows[0].last, StreamSeq(3));
        QCOMPARE(rows[0].cause, Removal::Lost);
        QVERIFY(rows[0].time != 0);
        m_bench = nullptr;
    }
}

void TestStreamHistory::outcomesSurviveARestart()
{
    m_bench->create(R"("subjects":["s"])");
    for (int i = 0; i < 4; ++i)
        m_bench->publish("s");
    consume(R"(,"max_deliver":2)");
    // What bears the very time of a consumer's creation may be of an earlier one of its number.
    m_bench->clock.advance(1);
    std::vector<std::string> acks = pull(4);
    QCOMPARE(acks.size(), std::size_t{4});
    ack(acks[0]);
    ack(acks[1], "+TERM");
    ack(acks[2], "-NAK");
    acks = pull(1);
    QCOMPARE(acks.size(), std::size_t{1});
    ack(acks[0]);
    const DeliveryCell terminated = consumer().cell(StreamSeq(2), "s");
    const DeliveryCell again = consumer().cell(StreamSeq(3), "s");
    QCOMPARE(terminated.state, DeliveryState::Terminated);
    QCOMPARE(again.deliveries, 2U);
    m_bench->restart();
    QCOMPARE(consumer().cell(StreamSeq(2), "s").state, DeliveryState::Terminated);
    QCOMPARE(consumer().cell(StreamSeq(2), "s").since, terminated.since);
    QCOMPARE(consumer().cell(StreamSeq(3), "s").state, DeliveryState::Acked);
    QCOMPARE(consumer().cell(StreamSeq(3), "s").deliveries, 2U);
}

void TestStreamHistory::aResetForgetsOutcomesForGood()
{
    m_bench->create(R"("subjects":["s"])");
    m_bench->publish("s");
    consume({});
    ack(pull(1).at(0), "+TERM");
    QVERIFY(consumer().reset(1).ok());
    m_bench->restart();
    QCOMPARE(consumer().cell(StreamSeq(1), "s").state, DeliveryState::Waiting);
}

void TestStreamHistory::memoryIsBounded()
{
    std::uint64_t used = 0;
    constexpr std::uint64_t kBudget = 100 * sizeof(RemovalRow);
    {
        streams::RemovalLedger ledger(&used, kBudget);
        for (std::uint64_t seq = 1; seq <= 1000; seq += 2)
            ledger.add({StreamSeq(seq), StreamSeq(seq), 1, 10, Removal::Delete, {}, 0});
        QCOMPARE(ledger.size(), std::size_t{100});
        QCOMPARE(used, kBudget);
        // The newest are those that stay.
        QCOMPARE(ledger.find(StreamSeq(1), {}, 1).front().first, StreamSeq(999));
        consumers::SettledMemory memory(&used, kBudget + 200);
        for (std::uint64_t seq = 1; seq <= 10; ++seq)
            memory.remember(StreamSeq(seq), {DeliveryState::Terminated, 1, 0, {}});
        QVERIFY(!memory.find(StreamSeq(1)));
        QVERIFY(memory.find(StreamSeq(10)));
        QVERIFY(used <= kBudget + 200);
    }
    QCOMPARE(used, std::uint64_t{0});
}

/// A reset that history.log does not know yet: the message was given up, and then acknowledged.
void TestStreamHistory::anAckIsTheNewerEnd()
{
    consumers::SettledMemory memory;
    memory.remember(StreamSeq(7), {DeliveryState::Exhausted, 3, 10, {}});
    memory.acked(StreamSeq(7), 20, ClientId{4});
    QCOMPARE(memory.find(StreamSeq(7))->state, DeliveryState::Acked);
    QCOMPARE(memory.find(StreamSeq(7))->time, std::int64_t{20});
}

void TestStreamHistory::settledWorkGoesAfterAFailedWrite_data()
{
    QTest::addColumn<QString>("retention");
    QTest::newRow("work queue") << QStringLiteral("workqueue");
    QTest::newRow("interest") << QStringLiteral("interest");
}

void TestStreamHistory::settledWorkGoesAfterAFailedWrite()
{
    QFETCH(QString, retention);
    m_bench->create(R"("subjects":["s"],"retention":")" + retention.toStdString() + '"');
    consume({});
    for (int i = 0; i < 3; ++i)
        m_bench->publish("s");
    const std::vector<std::string> acks = pull(3);
    m_bench->files.failing = true;
    ack(acks.at(1));
    m_bench->files.failing = false;
    // The message is still there, but settled: nobody would ever get it.
    CHECK_JSON(m_bench->state()["messages"], 3);
    m_bench->advance(2000);
    CHECK_JSON(m_bench->state()["messages"], 2);
    CHECK_JSON(m_bench->state()["num_deleted"], 1);
    ack(acks.at(0));
    CHECK_JSON(m_bench->state()["messages"], 1);
}

void TestStreamHistory::settledWorkGoesAfterACrash()
{
    m_bench->create(R"("subjects":["s"],"retention":"workqueue")");
    consume(R"(,"filter_subject":"s")");
    for (int i = 0; i < 3; ++i)
        m_bench->publish("s");
    const std::vector<std::string> acks = pull(3);
    // The ack reaches the consumer's log, the removal does not reach the stream's file.
    m_bench->files.failing = true;
    m_bench->files.failingEnding = ".blk";
    ack(acks.at(0));
    m_bench->files.failing = false;
    m_bench = nullptr;
    m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    m_bench->run();
    CHECK_JSON(m_bench->state()["messages"], 2);
    CHECK_JSON(m_bench->state()["first_seq"], 2);
}

QTEST_GUILESS_MAIN(TestStreamHistory)
#include "tst_stream_history.moc"
