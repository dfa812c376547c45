// SPDX-License-Identifier: GPL-3.0-or-later
// The lab as a client on the wire meets it: gates before real streams and consumers, and a clock
// that is moved by hand.
#include "broker/broker.h"
#include "test_client.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using test::TestClient;

namespace {

const std::string kStream =
    R"({"name":"S","subjects":["s.>"],"storage":"file","duplicate_window":120000000000})";
const std::string kPush =
    R"({"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit",)"
    R"("deliver_subject":"d","ack_wait":1000000000}})";

/// What a MSG or HMSG brought.
struct Arrived
{
    std::string subject;
    std::string reply;
    std::string payload;
};

} // namespace

class TestLab : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void lostPubAckIsRetried();
    void delayedPubAck();
    void reorderedPubAcks();
    void pubAckGateBySubject();
    void heldPublish();
    void removingAGateLetsGo();
    void publishersWaitWhileTooMuchIsHeld();
    void heldDeliveryIsNotDelivered();
    void droppedDeliveryComesAgain();
    void duplicatedDelivery();
    void lateAckComesAfterRedelivery();
    void droppedAck();
    void advanceGoesFromDeadlineToDeadline();
    void advanceLetsClientsReact();
    void movedClockNeedsTheLab();
    void resetBringsRealTimeBack();

private:
    std::unique_ptr<Broker> start(bool lab);
    std::string request(const std::string& subject, const std::string& body);
    void addGate(const std::string& members);
    void consume();
    void publish(const std::string& subject, const std::string& id = {});
    /// Everything that has come for a subscription up to now: after a PING all of it has.
    std::vector<Arrived> arrived(const std::string& sid);
    QString pubAcks();

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<Broker> m_broker;
    std::unique_ptr<TestClient> m_client;
};

std::unique_ptr<Broker> TestLab::start(bool lab)
{
    BrokerConfig config;
    config.port = -1;
    config.log.quiet = true;
    config.lab = lab;
    config.jetstream.enabled = true;
    config.jetstream.storeDir = m_directory->path().toStdString();
    auto broker = Broker::start(config);
    return broker ? std::move(*broker) : nullptr;
}

void TestLab::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    m_broker = start(true);
    QVERIFY(m_broker);
    m_client = std::make_unique<TestClient>(m_broker->port());
    QVERIFY(m_client->handshake());
    m_client->send("SUB ack a\r\nSUB d d\r\n");
    QVERIFY(request("$JS.API.STREAM.CREATE.S", kStream).find("did_create") != std::string::npos);
}

void TestLab::cleanup()
{
    m_client.reset();
    m_broker.reset();
    m_directory.reset();
}

std::string TestLab::request(const std::string& subject, const std::string& body)
{
    TestClient other(m_broker->port());
    if (!other.handshake())
        return {};
    other.send("SUB in r\r\nPUB " + subject + " in " + std::to_string(body.size()) + "\r\n" + body
        + "\r\n");
    std::string head = other.line();
    while (!head.empty() && !head.starts_with("MSG in"))
        head = other.line();
    return head.empty() ? std::string() : other.bytes(std::stoul(head.substr(head.rfind(' ') + 1)));
}

void TestLab::addGate(const std::string& members)
{
    const std::string answer = request("$LAB.GATE.ADD", "{" + members + "}");
    QVERIFY2(answer.find("\"number\"") != std::string::npos, answer.c_str());
}

void TestLab::consume()
{
    const std::string answer = request("$JS.API.CONSUMER.DURABLE.CREATE.S.C", kPush);
    QVERIFY2(answer.find("\"error\"") == std::string::npos, answer.c_str());
}

void TestLab::publish(const std::string& subject, const std::string& id)
{
    if (id.empty()) {
        m_client->send("PUB " + subject + " ack 2\r\nhi\r\n");
        return;
    }
    const std::string headers = "NATS/1.0\r\nNats-Msg-Id: " + id + "\r\n\r\n";
    m_client->send("HPUB " + subject + " ack " + std::to_string(headers.size()) + " "
        + std::to_string(headers.size() + 2) + "\r\n" + headers + "hi\r\n");
}

std::vector<Arrived> TestLab::arrived(const std::string& sid)
{
    // An answer to a request of another client is behind whatever the broker had to send before it.
    request("$JS.API.INFO", "");
    std::vector<Arrived> found;
    const QStringList lines = QString::fromStdString(m_client->flush()).split('\n');
    for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
        const QStringList words = lines[i].split(' ');
        if (words[0] != "MSG" || words[2].toStdString() != sid)
            continue;
        found.push_back({words[1].toStdString(),
            words.size() > 4 ? words[3].toStdString() : std::string(),
            lines[i + 1].toStdString()});
    }
    return found;
}

QString TestLab::pubAcks()
{
    QString all;
    for (const Arrived& one : arrived("a"))
        all += QString::fromStdString(one.payload);
    return all;
}

void TestLab::lostPubAckIsRetried()
{
    addGate(R"("place":"pub_ack_out","verb":"drop","count":1)");
    publish("s.a", "order-1");
    QCOMPARE(pubAcks(), QString());
    publish("s.a", "order-1");
    QCOMPARE(pubAcks(), QString(R"({"stream":"S","seq":1,"duplicate": true})"));
    QVERIFY(request("$JS.API.STREAM.INFO.S", "").find("\"messages\":1,") != std::string::npos);
}

void TestLab::delayedPubAck()
{
    addGate(R"("place":"pub_ack_out","verb":"delay","delay_ms":5000)");
    publish("s.a");
    request("$LAB.CLOCK.PAUSE", "");
    QCOMPARE(pubAcks(), QString());
    request("$LAB.CLOCK.ADVANCE", R"({"ms":4000})");
    QCOMPARE(pubAcks(), QString());
    request("$LAB.CLOCK.ADVANCE", R"({"ms":1001})");
    QCOMPARE(pubAcks(), QString(R"({"stream":"S","seq":1})"));
}

void TestLab::reorderedPubAcks()
{
    addGate(R"("place":"pub_ack_out","verb":"reorder")");
    publish("s.a");
    publish("s.b");
    QCOMPARE(pubAcks(), QString(R"({"stream":"S","seq":2}{"stream":"S","seq":1})"));
}

void TestLab::pubAckGateBySubject()
{
    addGate(R"("place":"pub_ack_out","verb":"drop","subject":"s.lost.*")");
    publish("s.a");
    publish("s.lost.b");
    publish("s.c");
    QCOMPARE(pubAcks(), QString(R"({"stream":"S","seq":1}{"stream":"S","seq":3})"));
}

void TestLab::heldPublish()
{
    addGate(R"("place":"publish_in","verb":"hold","subject":"s.held")");
    publish("s.held");
    publish("s.held");
    publish("s.other");
    QCOMPARE(pubAcks(), QString(R"({"stream":"S","seq":1})")); // overtakes: it is not held
    QVERIFY(request("$LAB.GATE.LIST", "").find("\"held\":2") != std::string::npos);
    QVERIFY(request("$LAB.GATE.STEP", "").find("\"moved\":1") != std::string::npos);
    QCOMPARE(pubAcks(), QString(R"({"stream":"S","seq":2})"));
    QVERIFY(request("$LAB.GATE.STEP", R"({"count":10})").find("\"moved\":1") != std::string::npos);
    QCOMPARE(pubAcks(), QString(R"({"stream":"S","seq":3})"));
}

void TestLab::removingAGateLetsGo()
{
    consume();
    addGate(R"("place":"publish_in","verb":"hold")");
    addGate(R"("place":"delivery_out","verb":"hold")");
    publish("s.a");
    publish("s.b");
    QCOMPARE(pubAcks(), QString());
    QVERIFY(request("$LAB.GATE.REMOVE", R"({"number":1})").find("\"success\":true")
        != std::string::npos);
    QCOMPARE(pubAcks(), QString(R"({"stream":"S","seq":1}{"stream":"S","seq":2})"));
    QCOMPARE(arrived("d").size(), std::size_t{0});
    QVERIFY(request("$LAB.GATE.REMOVE", "{}").find("\"success\":true") != std::string::npos);
    QCOMPARE(arrived("d").size(), std::size_t{2});
}

void TestLab::publishersWaitWhileTooMuchIsHeld()
{
    constexpr int kSent = 40'000;
    constexpr int kMost = 10'000; // contracts.md, section 6
    addGate(R"("place":"publish_in","verb":"hold")");
    TestClient publisher(m_broker->port());
    QVERIFY(publisher.handshake());
    std::string batch;
    for (int i = 0; i < kSent; ++i)
        batch += "PUB s.a 64\r\n" + std::string(64, 'x') + "\r\n";
    publisher.send(batch + "PING\r\n");
    const auto held = [this] {
        const std::string list = request("$LAB.GATE.LIST", "");
        const std::size_t at = list.find("\"held\":");
        return at == std::string::npos ? -1 : std::stoi(list.substr(at + 7));
    };
    QTRY_VERIFY(held() >= kMost);
    // What had been read when the limit was reached is held as well, but no more is read.
    const int most = held();
    QVERIFY2(most < kSent, std::to_string(most).c_str());
    request("$LAB.GATE.STEP", R"({"count":)" + std::to_string(most - kMost + 1) + "}");
    QTRY_VERIFY(held() >= kMost); // room for one lets the next ones in
    QVERIFY(request("$LAB.GATE.REMOVE", R"({"number":1})").find("error") == std::string::npos);
    QVERIFY(!publisher.until("PONG").empty());
    const std::string info = request("$JS.API.STREAM.INFO.S", "");
    QVERIFY2(info.find("\"messages\":" + std::to_string(kSent)) != std::string::npos, info.c_str());
}

void TestLab::heldDeliveryIsNotDelivered()
{
    consume();
    addGate(R"("place":"delivery_out","verb":"hold","consumer":"C")");
    request("$LAB.CLOCK.PAUSE", "");
    publish("s.a");
    publish("s.b");
    QCOMPARE(arrived("d").size(), std::size_t{0});
    request("$LAB.CLOCK.ADVANCE", R"({"ms":60000})"); // its ack wait does not run
    QCOMPARE(arrived("d").size(), std::size_t{0});
    const std::string info = request("$JS.API.CONSUMER.INFO.S.C", "");
    QVERIFY2(info.find("\"num_pending\":2") != std::string::npos, info.c_str());
    QVERIFY2(info.find("\"num_ack_pending\":0") != std::string::npos, info.c_str());
    request("$LAB.GATE.STEP", "");
    const auto stepped = arrived("d");
    QCOMPARE(stepped.size(), std::size_t{1});
    QVERIFY(stepped[0].reply.starts_with("$JS.ACK.S.C.1.1.1."));
}

void TestLab::droppedDeliveryComesAgain()
{
    consume();
    addGate(R"("place":"delivery_out","verb":"drop","count":1)");
    request("$LAB.CLOCK.PAUSE", "");
    publish("s.a");
    QCOMPARE(arrived("d").size(), std::size_t{0});
    const std::string info = request("$JS.API.CONSUMER.INFO.S.C", "");
    QVERIFY2(info.find("\"num_ack_pending\":1") != std::string::npos,
        info.c_str()); // delivered, as the broker sees it
    request("$LAB.CLOCK.ADVANCE", R"({"ms":1100})");
    const auto again = arrived("d");
    QCOMPARE(again.size(), std::size_t{1});
    QVERIFY(again[0].reply.starts_with("$JS.ACK.S.C.2.1.2."));
}

void TestLab::duplicatedDelivery()
{
    consume();
    addGate(R"("place":"delivery_out","verb":"duplicate","count":1)");
    publish("s.a");
    const auto both = arrived("d");
    QCOMPARE(both.size(), std::size_t{2});
    QCOMPARE(both[0].reply, both[1].reply);
}

void TestLab::lateAckComesAfterRedelivery()
{
    consume();
    addGate(R"("place":"ack_in","verb":"delay","delay_ms":1500,"count":1)");
    request("$LAB.CLOCK.PAUSE", "");
    publish("s.a");
    const auto first = arrived("d");
    QCOMPARE(first.size(), std::size_t{1});
    m_client->send("PUB " + first[0].reply + " 0\r\n\r\n");
    m_client->flush();
    request("$LAB.CLOCK.ADVANCE", R"({"ms":1200})");
    QCOMPARE(arrived("d").size(), std::size_t{1}); // the ack is still on its way
    request("$LAB.CLOCK.ADVANCE", R"({"ms":400})");
    const std::string info = request("$JS.API.CONSUMER.INFO.S.C", "");
    QVERIFY2(info.find("\"num_ack_pending\":0") != std::string::npos, info.c_str());
    request("$LAB.CLOCK.ADVANCE", R"({"ms":5000})");
    QCOMPARE(arrived("d").size(), std::size_t{0});
}

void TestLab::droppedAck()
{
    consume();
    addGate(R"("place":"ack_in","verb":"drop","count":1)");
    request("$LAB.CLOCK.PAUSE", "");
    publish("s.a");
    const auto first = arrived("d");
    QCOMPARE(first.size(), std::size_t{1});
    m_client->send("PUB " + first[0].reply + " 0\r\n\r\n");
    m_client->flush();
    request("$LAB.CLOCK.ADVANCE", R"({"ms":1100})");
    const auto second = arrived("d");
    QCOMPARE(second.size(), std::size_t{1});
    m_client->send("PUB " + second[0].reply + " 0\r\n\r\n");
    m_client->flush();
    request("$LAB.CLOCK.ADVANCE", R"({"ms":10000})");
    QCOMPARE(arrived("d").size(), std::size_t{0});
}

void TestLab::advanceGoesFromDeadlineToDeadline()
{
    consume();
    request("$LAB.CLOCK.PAUSE", "");
    publish("s.a");
    QCOMPARE(arrived("d").size(), std::size_t{1});
    const std::string answer = request("$LAB.CLOCK.ADVANCE", R"({"ms":5500})");
    QVERIFY2(answer.find("\"fired\":") != std::string::npos, answer.c_str());
    QCOMPARE(arrived("d").size(), std::size_t{5}); // one each second, none skipped
}

void TestLab::advanceLetsClientsReact()
{
    consume();
    request("$LAB.CLOCK.PAUSE", "");
    publish("s.a");
    QCOMPARE(arrived("d").size(), std::size_t{1}); // and is not acked
    TestClient other(m_broker->port());
    QVERIFY(other.handshake());
    other.send("SUB in r\r\nPUB $LAB.CLOCK.ADVANCE in 25\r\n{\"ms\":5500,\"settle\":true}\r\n");
    // The second delivery comes together with a question, and time stands until it is answered.
    std::string reply;
    for (std::string line = m_client->line(); reply.empty() || line != "PING";
         line = m_client->line()) {
        QVERIFY(!line.empty());
        if (line == "PING")
            m_client->send("PONG\r\n");
        else if (const QStringList words = QString::fromStdString(line).split(' ');
                 words[0] == "MSG" && words[2] == "d")
            reply = words[3].toStdString();
    }
    m_client->send("PUB " + reply + " 4\r\n+ACK\r\nPONG\r\n");
    std::string head = other.line();
    while (!head.empty() && !head.starts_with("MSG in"))
        head = other.line();
    QVERIFY(!head.empty());
    QCOMPARE(arrived("d").size(), std::size_t{0});
}

void TestLab::movedClockNeedsTheLab()
{
    request("$LAB.CLOCK.ADVANCE", R"({"ms":3600000})");
    m_client.reset();
    m_broker.reset();
    QVERIFY(!start(false));
    m_broker = start(true);
    QVERIFY(m_broker);
    const std::string info = request("$LAB.CLOCK.INFO", "");
    const std::string key = "\"offset_ms\":";
    QVERIFY2(info.find(key) != std::string::npos, info.c_str());
    const qint64 offset = std::stoll(info.substr(info.find(key) + key.size()));
    QVERIFY2(offset > 3'590'000 && offset <= 3'600'000, info.c_str());
}

void TestLab::resetBringsRealTimeBack()
{
    request("$LAB.CLOCK.ADVANCE", R"({"ms":3600000})");
    addGate(R"("place":"publish_in","verb":"drop")");
    const std::string answer = request("$LAB.RESET", "");
    QVERIFY2(answer.find("\"streams\":1") != std::string::npos, answer.c_str());
    QVERIFY(request("$LAB.GATE.LIST", "").find("\"gates\":[]") != std::string::npos);
    QVERIFY(request("$LAB.CLOCK.INFO", "").find("\"real\":true") != std::string::npos);
    m_client.reset();
    m_broker.reset();
    m_broker = start(false);
    QVERIFY(m_broker);
}

QTEST_GUILESS_MAIN(TestLab)
#include "tst_lab.moc"
