// SPDX-License-Identifier: GPL-3.0-or-later
// What a stream tells of messages that are followed on their way.
#include "stream_bench.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::tests::StreamBench;

namespace {

/// "subject", "-" without interest, "!why"; "..." while it waits in a batch.
class Tracer final : public streams::MessageTracer
{
public:
    [[nodiscard]] bool wayOnly() const override { return onlyTheWay; }
    void reachedStream(std::string_view stream,
        std::string_view subject,
        bool noInterest,
        std::string_view error) override
    {
        told = std::string(stream) + ' ' + std::string(subject);
        if (noInterest)
            told += '-';
        if (!error.empty())
            told += '!' + std::string(error);
    }
    void waitsInBatch() override { told = "..."; }
    bool onlyTheWay = false;
    std::string told;
};

} // namespace

class TestStreamTrace : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
        m_bench->create(
            R"("subjects":["s.>"],"allow_atomic":true,"allow_batched":true,"max_msg_size":200)");
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void atomicBatches();
    void onlyTheWayOfAnAtomicBatch();
    void refusedBatches();
    void fastBatches();
    void onlyTheWayKeepsItsHeader();

private:
    /// What the stream told of a message; \a headers without the version line.
    std::string follow(const std::string& subject,
        const std::string& headers,
        const std::string& reply = "ack",
        const std::string& payload = "x",
        bool onlyTheWay = false)
    {
        Tracer tracer;
        tracer.onlyTheWay = onlyTheWay;
        const std::string block = "NATS/1.0\r\nNats-Trace-Dest: t\r\n" + headers + "\r\n";
        const streams::Sender sender;
        m_bench->stream().onMessage({subject, reply, block, payload, &sender, &tracer});
        m_bench->run();
        return tracer.told;
    }
    static std::string place(const std::string& batch, int at, bool last = false)
    {
        return "Nats-Batch-Id: " + batch + "\r\nNats-Batch-Sequence: " + std::to_string(at) + "\r\n"
            + (last ? "Nats-Batch-Commit: 1\r\n" : "");
    }
    int messages() { return m_bench->state()["messages"].get<int>(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

void TestStreamTrace::atomicBatches()
{
    QCOMPARE(follow("s.1", place("b", 1)), std::string("..."));
    QCOMPARE(messages(), 0);
    QCOMPARE(follow("s.2", place("b", 2, true)), std::string("S s.2"));
    QCOMPARE(messages(), 2);
    // The commit's way is that of the batch.
    follow("s.3", place("c", 1));
    const std::string last =
        "Nats-Batch-Id: c\r\nNats-Batch-Sequence: 2\r\nNats-Batch-Commit: eob\r\n";
    QCOMPARE(follow("s.9", last), std::string("S s.3"));
    QCOMPARE(messages(), 3);
}

void TestStreamTrace::onlyTheWayOfAnAtomicBatch()
{
    m_bench->publish("s.1", "x", "Nats-Batch-Id: b\r\nNats-Batch-Sequence: 1");
    QCOMPARE(follow("s.2", place("b", 2, true), "ack", "x", true), std::string("S s.2"));
    QCOMPARE(messages(), 0);
    QCOMPARE(follow("s.2", place("b", 3, true)),
        std::string("S !atomic publish batch is incomplete (10176)"));
}

void TestStreamTrace::refusedBatches()
{
    QCOMPARE(
        follow("s.1", place("b", 2)), std::string("S !atomic publish batch is incomplete (10176)"));
    QCOMPARE(
        follow("s.1", place("c", 1) + "Nats-Expected-Last-Sequence: 7\r\n"), std::string("..."));
    QCOMPARE(follow("s.1", place("c", 2, true)), std::string("S !last sequence mismatch: 7 vs 0"));
    m_bench->publish("s.1", "x", "Nats-Msg-Id: 1");
    QCOMPARE(follow("s.1", place("e", 1, true) + "Nats-Msg-Id: 1\r\n"),
        std::string("S !msgid is duplicate"));
    QCOMPARE(follow("s.1", place("d", 1), "ack", std::string(200, 'x')),
        std::string("S !JetStream message size exceeds limits for '$G > S'"));
    QCOMPARE(follow("s.1", "", "ack", std::string(200, 'x')),
        std::string("S !maximum payload exceeded"));
    QCOMPARE(messages(), 1);
}

void TestStreamTrace::fastBatches()
{
    QCOMPARE(follow("s.1", "", "in.b.10.fail.1.0.$FI"), std::string("S s.1"));
    QCOMPARE(messages(), 1);
    QCOMPARE(follow("s.2", "", "in.b.10.fail.2.1.$FI", "x", true), std::string("S s.2"));
    QCOMPARE(messages(), 1);
    // A question of how far it is has no way.
    QCOMPARE(follow("s.1", "", "in.b.10.fail.2.4.$FI"), std::string("..."));
    QCOMPARE(follow("s.1", "", "in.c.10.fail.2.1.$FI"),
        std::string("S !batch publish ID unknown (10208)"));
}

void TestStreamTrace::onlyTheWayKeepsItsHeader()
{
    // Held back until the batch is committed by a message that nobody follows.
    QCOMPARE(follow("s.1", place("b", 1), "ack", "x", true), std::string("..."));
    m_bench->publish(
        "s.2", "x", "Nats-Batch-Id: b\r\nNats-Batch-Sequence: 2\r\nNats-Batch-Commit: 1");
    store::MessageView message;
    QVERIFY(m_bench->stream().store().load(StreamSeq(1), message));
    QVERIFY(message.headers.find("Nats-Trace-Dest: t\r\n") != std::string_view::npos);
}

QTEST_GUILESS_MAIN(TestStreamTrace)
#include "tst_stream_trace.moc"
