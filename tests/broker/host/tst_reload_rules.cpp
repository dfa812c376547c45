// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/reload_rules.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace jetglass;

using Change = std::function<void(BrokerConfig&)>;
Q_DECLARE_METATYPE(Change)

class TestReloadRules : public QObject
{
    Q_OBJECT
private slots:
    void nothingChanged();
    void taken_data();
    void taken();
    void refused_data();
    void refused();
    void jetStreamIsSettledOnlyWhileItRuns();
    void unnamedUserGoes();
};

/// Said at every reload: users and accounts are always made anew.
const std::vector<std::string>& always()
{
    static const std::vector<std::string> lines{
        "Reloaded: authorization users", "Reloaded: accounts"};
    return lines;
}

void TestReloadRules::nothingChanged()
{
    const auto plan = host::planReload(BrokerConfig{}, BrokerConfig{});
    QVERIFY(plan.ok());
    QCOMPARE(*plan, always());
}

void TestReloadRules::taken_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* line, Change change) {
        QTest::newRow(line) << std::move(change) << QByteArray(line);
    };
    row("Reloaded: max_payload = 5", [](BrokerConfig& c) { c.maxPayload = 5; });
    row("Reloaded: max_connections = -1", [](BrokerConfig& c) { c.maxConnections = -1; });
    row("Reloaded: debug = true", [](BrokerConfig& c) { c.log.debug = true; });
    row("Reloaded: authorization nkey users", [](BrokerConfig& c) {
        c.auth.users.push_back({{}, {}, "U", {}, {}});
    });
    row("Reloaded: authorization token", [](BrokerConfig& c) { c.auth.token = "secret"; });
    row("Reloaded: authorization timeout = 2.5",
        [](BrokerConfig& c) { c.auth.timeout = 2'500'000'000; });
    row("Reloaded: ping_max = 7", [](BrokerConfig& c) { c.pingMax = 7; });
    row("Reloaded: ping_interval = 5s", [](BrokerConfig& c) { c.pingInterval = 5'000'000'000; });
    row("Reloaded: write_deadline = 3s", [](BrokerConfig& c) { c.writeDeadline = 3'000'000'000; });
    row("Reloaded: log_file = x", [](BrokerConfig& c) { c.log.file = "x"; });
    row("Reloaded: tags", [](BrokerConfig& c) { c.tags = {"a"}; });
    row("Reloaded: metadata", [](BrokerConfig& c) { c.metadata = {{"a", "b"}}; });
    row("Reload: client_advertise = h:1", [](BrokerConfig& c) { c.clientAdvertise = "h:1"; });
    row("Reloaded: fast producers will not be stalled",
        [](BrokerConfig& c) { c.noFastProducerStall = true; });
    row("Reloaded: tls = enabled", [](BrokerConfig& c) { c.tls.enabled = true; });
    row("Reloaded: tls = disabled", [](BrokerConfig& c) { c.tls.certificates = {{"a", "b"}}; });
    row("Reloaded: tls timeout = 0.5", [](BrokerConfig& c) { c.tls.timeout = 500'000'000; });
    row("Reloaded: 2 pinned_certs", [](BrokerConfig& c) { c.tls.pinnedCerts = {"a", "b"}; });
    row("Reloaded: Client TLS handshake first: true",
        [](BrokerConfig& c) { c.tls.handshakeFirst = 0; });
    row("Reloaded: JetStream", [](BrokerConfig& c) { c.jetstream = {}; });
    row("Reloaded: JetStream limits", [](BrokerConfig& c) { c.jetstream.defaultMaxConsumers = 5; });
    row("Reloaded: JetStream max_mem_store = 19.07 MB",
        [](BrokerConfig& c) { c.jetstream.maxMemory = 20'000'000; });
    row("Reloaded: JetStream max_file_store = 1.00 KB",
        [](BrokerConfig& c) { c.jetstream.maxStore = 1024; });
}

void TestReloadRules::taken()
{
    QFETCH(Change, change);
    QFETCH(QByteArray, line);
    BrokerConfig old;
    old.jetstream.enabled = true;
    old.jetstream.maxMemory = old.jetstream.maxStore = 1000;
    BrokerConfig wanted = old;
    change(wanted);
    const auto plan = host::planReload(old, wanted);
    QVERIFY2(plan.ok(), plan ? "" : plan.error().text.c_str());
    std::vector<std::string> lines = *plan;
    for (const std::string& usual : always())
        std::erase(lines, usual);
    QCOMPARE(lines, std::vector<std::string>{line.toStdString()});
}

void TestReloadRules::refused_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* error, Change change) {
        QTest::newRow(error) << std::move(change)
                             << QByteArray("config reload not supported for ") + error;
    };
    row("Port: old=4222, new=4333", [](BrokerConfig& c) { c.port = 4333; });
    row("Host: old=127.0.0.1, new=::1", [](BrokerConfig& c) { c.host = "::1"; });
    row("ServerName: old=, new=x", [](BrokerConfig& c) { c.serverName = "x"; });
    row("MaxPending: old=67108864, new=1", [](BrokerConfig& c) { c.maxPending = 1; });
    row("jetstream storage directory", [](BrokerConfig& c) { c.jetstream.storeDir = "/x"; });
    row("NoJetStreamStrict: old=false, new=true",
        [](BrokerConfig& c) { c.jetstream.strict = false; });
    row("SyncInterval: old=2m0s, new=5s",
        [](BrokerConfig& c) { c.jetstream.syncInterval = 5'000'000'000; });
    row("decreasing jetstream max memory and store",
        [](BrokerConfig& c) { c.jetstream.maxStore = 500; });
    row("jetstream max memory and max store", [](BrokerConfig& c) { c.jetstream.maxMemory = -1; });
    row("NoAuthUser: old=, new=a", [](BrokerConfig& c) { c.auth.noAuthUser = "a"; });
    row("SystemAccount: old=, new=A", [](BrokerConfig& c) { c.auth.systemAccount = "A"; });
    row("NoSystemAccount: old=false, new=true", [](BrokerConfig& c) { c.noSystemAccount = true; });
    row("LogSizeLimit: old=0, new=5", [](BrokerConfig& c) { c.log.fileSizeLimit = 5; });
    row("TLSMap: old=false, new=true", [](BrokerConfig& c) { c.tls.verifyAndMap = true; });
    row("TLSRateLimit: old=0, new=5", [](BrokerConfig& c) { c.tls.connectionRate = 5; });
    row("WriteTimeout: old=, new=retry",
        [](BrokerConfig& c) { c.writeTimeout = WriteTimeout::Retry; });
    row("MaxClosedClients: old=10000, new=5", [](BrokerConfig& c) { c.maxClosedClients = 5; });
    row("LameDuckDuration: old=2m0s, new=50s",
        [](BrokerConfig& c) { c.lameDuckDuration = 50'000'000'000; });
    row("Websocket", [](BrokerConfig& c) { c.websocket.sameOrigin = true; });
}

void TestReloadRules::refused()
{
    QFETCH(Change, change);
    QFETCH(QByteArray, error);
    BrokerConfig old;
    old.jetstream.enabled = true;
    old.jetstream.maxMemory = old.jetstream.maxStore = 1000;
    BrokerConfig wanted = old;
    wanted.maxPayload = 17; // would be fine alone
    change(wanted);
    const auto plan = host::planReload(old, wanted);
    QVERIFY(!plan);
    QCOMPARE(QByteArray::fromStdString(plan.error().text), error);
}

/// What a JetStream that is off would use may be anything.
void TestReloadRules::jetStreamIsSettledOnlyWhileItRuns()
{
    BrokerConfig old;
    BrokerConfig wanted;
    wanted.jetstream.storeDir = "/x";
    wanted.jetstream.maxMemory = 5;
    const auto idle = host::planReload(old, wanted);
    QVERIFY(idle.ok());
    QCOMPARE(*idle, always());
    wanted.jetstream.enabled = true;
    QVERIFY(host::planReload(old, wanted).ok());
    wanted.jetstream.domain = "hub";
    const auto domain = host::planReload(old, wanted);
    QVERIFY(!domain);
    QCOMPARE(domain.error().text,
        std::string("config reload not supported for JetStreamDomain: old=, new=hub"));
}

/// The user without whom nobody came in may go, if there is none like that any more.
void TestReloadRules::unnamedUserGoes()
{
    BrokerConfig old;
    old.auth.noAuthUser = "a";
    old.auth.users = {{"a", "b", {}, {}, {}}};
    BrokerConfig wanted = old;
    wanted.auth.noAuthUser.clear();
    QVERIFY(!host::planReload(old, wanted));
    wanted.auth.users = {{"c", "b", {}, {}, {}}};
    QVERIFY(host::planReload(old, wanted).ok());
}

QTEST_GUILESS_MAIN(TestReloadRules)
#include "tst_reload_rules.moc"
