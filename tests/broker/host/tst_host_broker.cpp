// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/broker.h"
#include "host/host_broker.h"
#include "net/loopback.h"
#include "test_client.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <future>

using namespace jetglass;
using test::TestClient;

namespace {

BrokerConfig quietConfig()
{
    BrokerConfig config;
    config.port = -1;
    config.log.quiet = true;
    return config;
}

BrokerConfig storedConfig(const QTemporaryDir& directory)
{
    BrokerConfig config = quietConfig();
    config.jetstream.enabled = true;
    config.jetstream.storeDir = directory.path().toStdString();
    return config;
}

std::unique_ptr<Broker> startBroker(const BrokerConfig& config)
{
    auto broker = Broker::start(config);
    if (!broker)
        qFatal("%s", broker.error().text.c_str());
    return std::move(*broker);
}

/// A request on the raw socket; the answer's payload.
std::string request(TestClient& client, const std::string& subject, const std::string& body)
{
    client.send("SUB in.1 r\r\nUNSUB r 1\r\nPUB " + subject + " in.1 " + std::to_string(body.size())
        + "\r\n" + body + "\r\n");
    std::string head = client.line();
    while (!head.empty() && head.find("MSG in.1") == std::string::npos)
        head = client.line();
    const std::size_t size = std::stoul(head.substr(head.rfind(' ') + 1));
    return client.bytes(size + 2).substr(0, size);
}

template<class Answer, class Ask>
Answer asked(Ask ask)
{
    auto promise = std::make_shared<std::promise<Answer>>();
    ask([promise](Answer answer) { promise->set_value(std::move(answer)); });
    return promise->get_future().get();
}

class CountingObserver final : public FlowObserver
{
public:
    void onFlow(const FlowEvent&, const FlowText&) noexcept override { ++m_count; }
    [[nodiscard]] int count() const { return m_count; }

private:
    std::atomic<int> m_count{0};
};

const std::string kCreateOrders = R"({"name":"ORDERS","subjects":["orders.>"],"storage":"file"})";

} // namespace

class TestHostBroker : public QObject
{
    Q_OBJECT
private slots:
    void publishAndSubscribe();
    void portInUse();
    void impossibleHost();
    void storeInUse();
    void messagesSurviveARestart_data();
    void messagesSurviveARestart();
    void questions();
    void observers();
    void monitoring();
    void everyFamily_data();
    void everyFamily();
    void monitoringUnderABasePath();
    void jetstreamWithoutAccounts();
    void tracesAreStoredSwitchedOff();
    void reloadChangesPermissions();
    void reloadStartsJetStream();
    void reloadStopsJetStream();
    void lateJetStreamMayFail();
    void refusedReloadChangesNothing();
    void lameDuckWithoutClientsEnds();
    void stopClosesClients();
    void filesComeAndGo();
};

void TestHostBroker::publishAndSubscribe()
{
    const auto broker = startBroker(quietConfig());
    QVERIFY(broker->port() != 0);
    QCOMPARE(broker->host(), std::string("127.0.0.1"));
    QCOMPARE(broker->serverId().size(), std::size_t{56});
    QVERIFY(broker->storeDirectory().empty());
    TestClient client(broker->port());
    QVERIFY(client.handshake());
    client.send("SUB foo 7\r\nPUB foo 2\r\nhi\r\n");
    QVERIFY(client.flush().find("MSG foo 7 2\nhi\n") != std::string::npos);
}

void TestHostBroker::portInUse()
{
    const auto first = startBroker(quietConfig());
    BrokerConfig config = quietConfig();
    config.port = first->port();
    const auto second = Broker::start(config);
    QVERIFY(!second);
    QVERIFY(second.error().code == Errc::InUse);
    QVERIFY(second.error().text.find("port") != std::string::npos);
    QVERIFY(second.error().text.find(std::to_string(first->port())) != std::string::npos);
}

void TestHostBroker::impossibleHost()
{
    BrokerConfig config = quietConfig();
    config.host = "203.0.113.7"; // documentation range, nobody's own
    QVERIFY(!Broker::start(config));
}

void TestHostBroker::storeInUse()
{
    const QTemporaryDir directory;
    const auto first = startBroker(storedConfig(directory));
    QCOMPARE(first->storeDirectory(), directory.path().toStdString() + "/jetstream");
    const auto second = Broker::start(storedConfig(directory));
    QVERIFY(!second);
    QVERIFY2(second.error().code == Errc::InUse, second.error().text.c_str());
}

void TestHostBroker::messagesSurviveARestart_data()
{
    QTest::addColumn<bool>("crash");
    QTest::newRow("orderly stop") << false;
    QTest::newRow("crash") << true;
}

void TestHostBroker::messagesSurviveARestart()
{
    QFETCH(bool, crash);
    const QTemporaryDir directory;
    auto broker = startBroker(storedConfig(directory));
    {
        TestClient client(broker->port());
        QVERIFY(client.handshake());
        QVERIFY(request(client, "$JS.API.STREAM.CREATE.ORDERS", kCreateOrders).find("\"created\"")
            != std::string::npos);
        for (int i = 1; i <= 3; ++i)
            QCOMPARE(request(client, "orders.a", "x"),
                "{\"stream\":\"ORDERS\",\"seq\":" + std::to_string(i) + '}');
    }
    if (crash)
        broker->abandon();
    else
        broker->stop();
    QVERIFY(broker->stopped());
    broker = startBroker(storedConfig(directory));
    TestClient client(broker->port());
    QVERIFY(client.handshake());
    QCOMPARE(request(client, "orders.a", "x"), std::string("{\"stream\":\"ORDERS\",\"seq\":4}"));
}

void TestHostBroker::questions()
{
    const QTemporaryDir directory;
    const auto broker = startBroker(storedConfig(directory));
    TestClient client(broker->port());
    QVERIFY(client.handshake("\"name\":\"tester\""));
    request(client, "$JS.API.STREAM.CREATE.ORDERS", kCreateOrders);
    request(client, "orders.a", "hello");
    const auto overview = asked<BrokerOverview>([&](auto reply) { broker->askOverview(reply); });
    QCOMPARE(overview.streams.size(), std::size_t{1});
    QCOMPARE(overview.streams[0].name, std::string("ORDERS"));
    QCOMPARE(overview.streams[0].counts.messages, std::uint64_t{1});
    QCOMPARE(overview.server.connections, std::uint64_t{1});
    const auto clients = asked<ClientsAnswer>([&](auto reply) { broker->askClients(reply); });
    QCOMPARE(clients.rows.size(), std::size_t{1});
    QCOMPARE(clients.rows[0].name, std::string("tester"));
    MessageQuestion question;
    question.stream = overview.streams[0].id;
    question.first = StreamSeq(1);
    const auto messages = asked<MessageAnswer>([&](auto reply) { broker->ask(question, reply); });
    QVERIFY(messages.found);
    QCOMPARE(messages.rows.size(), std::size_t{1});
    QCOMPARE(messages.rows[0].payload, std::string("hello"));
    question.stream = StreamId{4711};
    QVERIFY(!asked<MessageAnswer>([&](auto reply) { broker->ask(question, reply); }).found);
}

void TestHostBroker::observers()
{
    const auto broker = startBroker(quietConfig());
    CountingObserver observer;
    broker->addObserver(observer);
    {
        TestClient client(broker->port());
        QVERIFY(client.handshake());
    }
    QTRY_VERIFY(observer.count() >= 2); // connected and gone
    broker->removeObserver(observer);
    const int before = observer.count();
    TestClient client(broker->port());
    QVERIFY(client.handshake());
    QCOMPARE(observer.count(), before);
    broker->stop();
    broker->addObserver(observer); // after the end it is merely remembered
    broker->removeObserver(observer);
}

void TestHostBroker::monitoring()
{
    const QTemporaryDir directory;
    BrokerConfig config = storedConfig(directory);
    config.httpPort = -1;
    const auto broker = startBroker(config);
    TestClient client(broker->port());
    QVERIFY(client.handshake());
    client.send("SUB foo 7\r\n");
    client.flush();
    const auto get = [&](const char* path) { return test::httpGet(broker->httpPort(), path); };
    const std::string varz = get("/varz");
    QVERIFY(varz.find("200 OK") != std::string::npos);
    QVERIFY(varz.find("Access-Control-Allow-Origin: *") != std::string::npos);
    QVERIFY(varz.find("\"version\": \"2.15.2\"") != std::string::npos);
    const std::string connz = get("/connz?subs=detail");
    QVERIFY(connz.find("\"subject\": \"foo\"") != std::string::npos);
    QVERIFY(connz.find("\"sid\": \"7\"") != std::string::npos);
    QVERIFY(get("/connz?limit=x").find("400 Bad Request") != std::string::npos);
    QVERIFY(get("/nothing").find("404 Not Found") != std::string::npos);
    QVERIFY(get("/healthz").find("{\"status\":\"ok\"}") != std::string::npos);
    QVERIFY(get("/jsz").find(broker->storeDirectory()) != std::string::npos);
    QVERIFY(get("/varz?callback=f").find("\r\n\r\nf({") != std::string::npos);
    QVERIFY(get("/varz").find("\"/varz\": 3") != std::string::npos);
}

void TestHostBroker::everyFamily_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("told");
    QTest::newRow("none") << ""
                          << "127.0.0.1";
    QTest::newRow("0.0.0.0") << "0.0.0.0"
                             << "0.0.0.0";
    if (net::hasLoopback6())
        QTest::newRow("::") << "::"
                            << "::";
}

/// Clients and monitoring are reached by the loopback addresses of both families, at any port and
/// told of as one.
void TestHostBroker::everyFamily()
{
    QFETCH(QString, host);
    QFETCH(QString, told);
    BrokerConfig config = quietConfig();
    config.host = host.toStdString();
    config.httpPort = -1;
    const auto broker = startBroker(config);
    QCOMPARE(QString::fromStdString(broker->host()), told);
    for (const char* address : {net::kLoopback4, net::kLoopback6}) {
        if (address == net::kLoopback6 && !net::hasLoopback6())
            break;
        TestClient client(broker->port(), address);
        const std::string info = client.line();
        QVERIFY(info.find("\"host\":\"" + told.toStdString() + '"') != std::string::npos);
        QVERIFY(info.find("\"client_ip\":\"" + std::string(address) + '"') != std::string::npos);
        const std::string varz = test::httpGet(broker->httpPort(), "/varz", address);
        QVERIFY(varz.find("\"http_host\": \"" + told.toStdString() + '"') != std::string::npos);
    }
}

/// It runs all the same: who asks is told that his account has none.
void TestHostBroker::jetstreamWithoutAccounts()
{
    const QTemporaryDir directory;
    BrokerConfig config = storedConfig(directory);
    config.accounts.emplace_back().name = "A";
    config.auth.users.push_back({"a", "a", {}, "A", {}});
    const auto broker = startBroker(config);
    TestClient client(broker->port());
    QVERIFY(client.handshake(R"("user":"a","pass":"a")"));
    QVERIFY(request(client, "$JS.API.INFO", "").find("10039") != std::string::npos);
}

void TestHostBroker::tracesAreStoredSwitchedOff()
{
    const QTemporaryDir directory;
    const auto broker = startBroker(storedConfig(directory));
    TestClient client(broker->port());
    QVERIFY(client.handshake());
    request(client, "$JS.API.STREAM.CREATE.ORDERS", kCreateOrders);
    const auto publish = [&](const std::string& more) {
        const std::string block = "NATS/1.0\r\nK: v\r\nNats-Trace-Dest: in.1\r\n" + more + "\r\n";
        client.send("SUB in.1 r\r\nUNSUB r 1\r\nHPUB orders.a " + std::to_string(block.size()) + ' '
            + std::to_string(block.size()) + "\r\n" + block + "\r\n");
        const std::string head = client.line();
        return client.bytes(std::stoul(head.substr(head.rfind(' ') + 1)) + 2);
    };
    QVERIFY(publish("Nats-Trace-Only: true\r\n").find(R"("stream":"ORDERS")") != std::string::npos);
    QVERIFY(publish("").find(R"("stream":"ORDERS")") != std::string::npos);
    const std::string stored = request(client, "$JS.API.STREAM.MSG.GET.ORDERS", R"({"seq":1})");
    const QByteArray block =
        QByteArray("NATS/1.0\r\nK: v\r\nNats-Trace-Dest: trace disabled\r\n\r\n").toBase64();
    QVERIFY2(stored.find(block.toStdString()) != std::string::npos, stored.c_str());
    QVERIFY(request(client, "$JS.API.STREAM.MSG.GET.ORDERS", R"({"seq":2})").find("10037")
        != std::string::npos);
}

void TestHostBroker::monitoringUnderABasePath()
{
    BrokerConfig config = quietConfig();
    config.httpPort = -1;
    config.httpBasePath = "/nats/";
    const auto broker = startBroker(config);
    QVERIFY(
        test::httpGet(broker->httpPort(), "/nats/varz").find("\"server_id\"") != std::string::npos);
    QVERIFY(test::httpGet(broker->httpPort(), "/nats").find("Jetglass") != std::string::npos);
    QVERIFY(test::httpGet(broker->httpPort(), "/varz").find("404") != std::string::npos);
    QVERIFY(test::httpGet(broker->httpPort(), "/natsvarz").find("404") != std::string::npos);
}

void TestHostBroker::reloadChangesPermissions()
{
    BrokerConfig config = quietConfig();
    config.auth.users = {{"a", "a", {}, {}, {}}};
    const auto broker = startBroker(config);
    TestClient client(broker->port());
    QVERIFY(client.handshake("\"user\":\"a\",\"pass\":\"a\""));
    client.send("SUB q 1\r\n");
    client.flush();
    config.auth.users[0].permissions.emplace();
    config.auth.users[0].permissions->subscribeDeny = {"q"};
    QVERIFY(broker->reload(config).ok());
    const std::string said = client.until("-ERR");
    QVERIFY2(said.find("Permissions Violation for Subscription to \"q\" (sid \"1\")")
            != std::string::npos,
        said.c_str());
    config.auth.users[0].user = "b";
    QVERIFY(broker->reload(config).ok());
    QVERIFY(client.until("-ERR").find("Authorization Violation") != std::string::npos);
    QVERIFY(client.closedByPeer());
}

void TestHostBroker::reloadStartsJetStream()
{
    const QTemporaryDir directory;
    const auto broker = startBroker(quietConfig());
    TestClient client(broker->port());
    QVERIFY(client.handshake());
    QVERIFY(broker->reload(storedConfig(directory)).ok());
    QVERIFY(request(client, "$JS.API.STREAM.CREATE.ORDERS", kCreateOrders).find("\"created\"")
        != std::string::npos);
    QCOMPARE(request(client, "orders.a", "x"), std::string("{\"stream\":\"ORDERS\",\"seq\":1}"));
    TestClient later(broker->port());
    QVERIFY(later.line().find("\"jetstream\":true") != std::string::npos);
}

void TestHostBroker::reloadStopsJetStream()
{
    const QTemporaryDir directory;
    BrokerConfig config = storedConfig(directory);
    config.lab = true;
    const auto broker = startBroker(config);
    TestClient client(broker->port());
    QVERIFY(client.handshake("\"headers\":true,\"no_responders\":true"));
    request(client, "$JS.API.STREAM.CREATE.ORDERS", kCreateOrders);
    QCOMPARE(request(client, "orders.a", "x"), std::string("{\"stream\":\"ORDERS\",\"seq\":1}"));
    BrokerConfig without = config;
    without.jetstream = {};
    QVERIFY(broker->reload(without).ok());
    client.send("SUB reply 7\r\nPUB orders.a reply 1\r\nx\r\n");
    QVERIFY(client.flush().find("NATS/1.0 503") != std::string::npos);
    QVERIFY(request(client, "$LAB.CLOCK.INFO", "").find("io.jetglass.lab.v1") != std::string::npos);
    TestClient later(broker->port());
    QVERIFY(later.line().find("\"jetstream\":true") == std::string::npos);
    QVERIFY(broker->reload(config).ok());
    QCOMPARE(request(client, "orders.a", "x"), std::string("{\"stream\":\"ORDERS\",\"seq\":2}"));
}

void TestHostBroker::lateJetStreamMayFail()
{
    const QTemporaryDir directory;
    const auto owner = startBroker(storedConfig(directory));
    const auto broker = startBroker(quietConfig());
    QVERIFY(broker->reload(storedConfig(directory)).ok());
    TestClient client(broker->port());
    QVERIFY(client.handshake());
    client.send("SUB foo 7\r\nPUB foo 2\r\nhi\r\n");
    QVERIFY(client.flush().find("MSG foo 7 2\nhi\n") != std::string::npos);
    owner->stop();
    QVERIFY(broker->reload(storedConfig(directory)).ok()); // the next one tries again
    QVERIFY(request(client, "$JS.API.INFO", "").find("\"streams\":0") != std::string::npos);
}

void TestHostBroker::refusedReloadChangesNothing()
{
    BrokerConfig config = quietConfig();
    const auto broker = startBroker(config);
    config.port = 1;
    config.auth.token = "secret";
    const auto reloaded = broker->reload(config);
    QVERIFY(!reloaded);
    QVERIFY(reloaded.error().text.find("Port") != std::string::npos);
    TestClient client(broker->port());
    QVERIFY(client.handshake()); // still without the token
}

void TestHostBroker::lameDuckWithoutClientsEnds()
{
    const QTemporaryDir directory;
    const auto broker = startBroker(storedConfig(directory));
    broker->lameDuck();
    broker->wait();
    QVERIFY(broker->stopped());
    TestClient client(broker->port());
    QVERIFY(!client.connected());
}

void TestHostBroker::stopClosesClients()
{
    const auto broker = startBroker(quietConfig());
    TestClient client(broker->port());
    QVERIFY(client.handshake());
    broker->stop();
    QVERIFY(client.closedByPeer());
    broker->stop(); // once more does nothing
    bool answered = false;
    broker->askClients([&answered](const ClientsAnswer&) { answered = true; });
    QVERIFY(!answered);
}

void TestHostBroker::filesComeAndGo()
{
    const QTemporaryDir directory;
    BrokerConfig config = quietConfig();
    config.portsFileDir = directory.path().toStdString();
    config.pidFile = directory.filePath(QStringLiteral("pid")).toStdString();
    const auto broker = startBroker(config);
    QCOMPARE(QDir(directory.path()).entryList(QDir::Files).size(), 2);
    broker->stop();
    QVERIFY(QDir(directory.path()).entryList(QDir::Files).isEmpty());
}

QTEST_GUILESS_MAIN(TestHostBroker)
#include "tst_host_broker.moc"
