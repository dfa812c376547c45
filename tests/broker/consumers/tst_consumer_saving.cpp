// SPDX-License-Identifier: GPL-3.0-or-later
// What goes on in a stream while the catalog saves a change of its consumers, and what waits.
#include "consumer_bench.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace jetglass;
using jetglass::tests::ConsumerBench;

class TestConsumerSaving : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_bench.reset(); }
    void creationHoldsNobodyUp();
    void creationCountsWhatCameMeanwhile();
    void creationHoldsAcksOfInterest();
    void deletionHoldsNobodyUp();
    void deletionLeavesWhatOthersWant();
    void requestsKeepTheirOrder();

private:
    ConsumerBench& bench() { return *m_bench; }
    void stream(const std::string& more = {})
    {
        bench().request("STREAM.CREATE.S", R"({"name":"S","subjects":["s.>"])" + more + "}");
    }
    /// Asks, and leaves it unanswered until the worker is let go.
    void begin(const std::string& subject, const std::string& body = {})
    {
        bench().worker.held = true;
        QCOMPARE(bench().request(subject, body), ConsumerBench::Json());
    }
    void beginCreation(const std::string& name)
    {
        begin("CONSUMER.CREATE.S." + name,
            R"({"stream_name":"S","config":{"durable_name":")" + name
                + R"(","ack_policy":"explicit"}})");
    }
    void end()
    {
        bench().worker.letGo();
        bench().run();
    }
    [[nodiscard]] std::uint64_t messages() { return bench().stream().store().state().messages; }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<ConsumerBench> m_bench;
};

void TestConsumerSaving::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<ConsumerBench>(m_directory->path().toStdString());
}

void TestConsumerSaving::creationHoldsNobodyUp()
{
    stream();
    bench().addConsumer(R"("ack_policy":"explicit")");
    beginCreation("D");
    bench().publish("s.a");
    QCOMPARE(messages(), 1U);
    QCOMPARE(bench().pull("1").size(), std::size_t{1});
    QVERIFY(bench().ackSeq(1));
}

/// It was placed before what came; all of that is its own.
void TestConsumerSaving::creationCountsWhatCameMeanwhile()
{
    stream(R"(,"max_msgs":3)");
    bench().publishMany(2);
    beginCreation("D");
    bench().publishMany(2);
    QCOMPARE(bench().request("STREAM.INFO.S"), ConsumerBench::Json());
    end();
    QCOMPARE(bench().info("D")["num_pending"], 3);
    QCOMPARE(bench().pull("3", "in", "D").size(), std::size_t{3});
    QCOMPARE(bench().info("D")["num_pending"], 0);
    bench().publish("s.a");
    QCOMPARE(bench().info("D")["num_pending"], 1);
}

/// What the last one that wanted a message has acknowledged would be gone before the new one came.
void TestConsumerSaving::creationHoldsAcksOfInterest()
{
    stream(R"(,"retention":"interest")");
    bench().addConsumer(R"("ack_policy":"explicit")");
    bench().publish("s.a");
    QCOMPARE(bench().pull("1").size(), std::size_t{1});
    beginCreation("D");
    bench().publish("s.b");
    QCOMPARE(messages(), 1U);
    end();
    QCOMPARE(messages(), 2U);
    QCOMPARE(bench().info("D")["num_pending"], 2);
}

void TestConsumerSaving::deletionHoldsNobodyUp()
{
    stream();
    bench().addConsumer(R"("ack_policy":"explicit")");
    begin("CONSUMER.DELETE.S.C");
    bench().publish("s.a");
    QCOMPARE(messages(), 1U);
    end();
    QCOMPARE(bench().info()["error"]["err_code"], 10014);
}

/// What the one that goes has acknowledged meanwhile the other one still needs.
void TestConsumerSaving::deletionLeavesWhatOthersWant()
{
    stream(R"(,"retention":"interest")");
    bench().addConsumer(R"("ack_policy":"explicit")");
    bench().addConsumer(R"("ack_policy":"explicit")", "D");
    bench().publish("s.a");
    QCOMPARE(bench().pull("1").size(), std::size_t{1});
    begin("CONSUMER.DELETE.S.C");
    QVERIFY(bench().ackSeq(1));
    end();
    QCOMPARE(messages(), 1U);
    QCOMPARE(bench().pull("1", "in", "D").size(), std::size_t{1});
}

/// Publishes pass a creation, but neither a purge behind it nor what waits behind that.
void TestConsumerSaving::requestsKeepTheirOrder()
{
    stream();
    bench().publishMany(2);
    beginCreation("D");
    QCOMPARE(bench().request("STREAM.PURGE.S"), ConsumerBench::Json());
    QCOMPARE(bench().request("CONSUMER.DELETE.S.D"), ConsumerBench::Json());
    end();
    QCOMPARE(messages(), 0U);
    QCOMPARE(bench().info("D")["error"]["err_code"], 10014);
    bench().publish("s.a");
    QCOMPARE(messages(), 1U);
}

QTEST_GUILESS_MAIN(TestConsumerSaving)
#include "tst_consumer_saving.moc"
