// SPDX-License-Identifier: GPL-3.0-or-later
// Delivery without being asked: interest, heartbeats, flow control.
#include "delivery_fixture.h"

using namespace jetglass;
using jetglass::tests::ConsumerBench;
using jetglass::tests::DeliveryFixture;
using jetglass::tests::Sent;
using jetglass::tests::statusOf;
using jetglass::tests::summary;

class TestConsumerPush final : public DeliveryFixture
{
    Q_OBJECT

private slots:
    void pushNeedsExactInterest();
    void pushIsBoundFromTheFirst();
    void changedFiltersWaitForTheDisk();
    void pushHeartbeats();
    void pushFlowControl();
};

void TestConsumerPush::pushNeedsExactInterest()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(2);
    b.addConsumer(R"("deliver_subject":"d.x","ack_policy":"explicit")");
    b.bus->addClient("d.>");
    b.bus->addClient("d.x", "queue");
    b.run();
    QVERIFY(!b.info().contains("push_bound"));
    QCOMPARE(summary(b.take("d.x")), QString());
    b.bus->addClient("d.x");
    b.run();
    QCOMPARE(b.info()["push_bound"], true);
    QCOMPARE(summary(b.take("d.x")), QString("1.1,1.2"));
}

void TestConsumerPush::pushIsBoundFromTheFirst()
{
    // Two who subscribe at once: the second asks while the creation of the first is still on its
    // way to the disk; the answer waits for it, and must say that it is taken.
    const QTemporaryDir directory;
    tests::StreamBench b(directory.path().toStdString());
    b.request("STREAM.CREATE.S", R"({"name":"S","subjects":["s.>"],"storage":"file"})");
    b.bus->addClient("d.x");
    b.worker.held = true;
    const auto unanswered = b.request("CONSUMER.CREATE.S.C",
        R"({"stream_name":"S","config":{"durable_name":"C","deliver_subject":"d.x"}})");
    QVERIFY(unanswered.is_null());
    QVERIFY(b.request("CONSUMER.INFO.S.C").is_null());
    b.worker.held = false;
    b.worker.drain();
    b.run();
    QVERIFY(b.bus->lastPayload("answer.3").find("\"push_bound\":true") != std::string::npos);
    QCOMPARE(b.request("CONSUMER.INFO.S.C")["push_bound"], true);
}

/// What a filter passes over that a crash takes back, the earlier filter would miss.
void TestConsumerPush::changedFiltersWaitForTheDisk()
{
    const QTemporaryDir directory;
    tests::StreamBench b(directory.path().toStdString());
    b.request("STREAM.CREATE.S", R"({"name":"S","subjects":["s.>"],"storage":"file"})");
    const auto create = [&b](const std::string& filter) {
        return b.request("CONSUMER.CREATE.S.C",
            R"({"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit",)"
            R"("deliver_subject":"d.x","filter_subject":")"
                + filter + "\"}}");
    };
    const auto delivered = [&b] {
        return b.request("CONSUMER.INFO.S.C").at("delivered").at("stream_seq").get<int>();
    };
    b.bus->addClient("d.x");
    create("s.a");
    b.publish("s.a");
    b.publish("s.b");
    QCOMPARE(delivered(), 1);
    b.worker.held = true;
    const std::size_t before = b.bus->delivered().size();
    QVERIFY(create("s.b").is_null());
    QCOMPARE(b.bus->delivered().size(), before);
    b.worker.held = false;
    b.worker.drain();
    b.run();
    QCOMPARE(delivered(), 2);
}

void TestConsumerPush::pushHeartbeats()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    b.publishMany(1);
    b.bus->addClient("d");
    b.addConsumer(R"("deliver_subject":"d","idle_heartbeat":1000000000)");
    QCOMPARE(summary(b.take("d")), QString("1.1"));
    b.advance(999);
    QCOMPARE(summary(b.take("d")), QString());
    b.advance(1);
    const auto beat = b.take("d");
    QCOMPARE(summary(beat), QString("100 Idle Heartbeat"));
    QVERIFY(beat[0].headers.find("Nats-Last-Consumer: 1\r\nNats-Last-Stream: 1\r\n")
        != std::string::npos);
    b.bus->removeClient("d");
    b.run();
    b.advance(3000);
    QCOMPARE(summary(b.take("d")), QString());
}

void TestConsumerPush::pushFlowControl()
{
    ConsumerBench& b = *m_bench;
    b.addStream();
    const std::string body(100'000, 'x');
    for (int i = 0; i < 40; ++i)
        b.publish("s.a", body);
    b.bus->addClient("d");
    b.addConsumer(R"("deliver_subject":"d","flow_control":true,"idle_heartbeat":5000000000)");
    const auto got = b.take("d");
    QCOMPARE(got.size(), std::size_t{22}); // 21 messages and one request
    std::string request;
    for (const Sent& message : got)
        if (statusOf(message) == "100 FlowControl Request")
            request = message.reply;
    QVERIFY(QString::fromStdString(request).startsWith("$JS.FC.S.C."));
    b.bus->inject("$JS.FC.S.C.none", "");
    b.run();
    QCOMPARE(b.take("d").size(), std::size_t{0});
    b.advance(5000);
    const auto beat = b.take("d");
    QVERIFY(!beat.empty());
    QVERIFY(beat[0].headers.find("Nats-Consumer-Stalled: " + request) != std::string::npos);
    b.bus->inject(request, "");
    b.run();
    QVERIFY(b.take("d").size() >= 19);
}

QTEST_GUILESS_MAIN(TestConsumerPush)
#include "tst_consumer_push.moc"
