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
};

void TestReloadRules::nothingChanged()
{
    const auto plan = host::planReload(BrokerConfig{}, BrokerConfig{});
    QVERIFY(plan.ok());
    QVERIFY(plan->empty());
}

void TestReloadRules::taken_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* line, Change change) {
        QTest::newRow(line) << std::move(change) << QByteArray(line);
    };
    row("max_payload = 5", [](BrokerConfig& c) { c.maxPayload = 5; });
    row("debug = true", [](BrokerConfig& c) { c.log.debug = true; });
    row("authorization users", [](BrokerConfig& c) {
        c.auth.users.push_back({"a", "b", {}, {}, {}});
    });
    row("authorization token", [](BrokerConfig& c) { c.auth.token = "secret"; });
    row("ping_max = 7", [](BrokerConfig& c) { c.pingMax = 7; });
    row("log_file = x", [](BrokerConfig& c) { c.log.file = "x"; });
}

void TestReloadRules::taken()
{
    QFETCH(Change, change);
    QFETCH(QByteArray, line);
    BrokerConfig wanted;
    change(wanted);
    const auto plan = host::planReload(BrokerConfig{}, wanted);
    QVERIFY(plan.ok());
    QCOMPARE(*plan, std::vector<std::string>{line.toStdString()});
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
    row("StoreDir: old=, new=/x", [](BrokerConfig& c) { c.jetstream.storeDir = "/x"; });
}

void TestReloadRules::refused()
{
    QFETCH(Change, change);
    QFETCH(QByteArray, error);
    BrokerConfig wanted;
    wanted.maxPayload = 17; // would be fine alone
    change(wanted);
    const auto plan = host::planReload(BrokerConfig{}, wanted);
    QVERIFY(!plan);
    QCOMPARE(QByteArray::fromStdString(plan.error().text), error);
}

QTEST_GUILESS_MAIN(TestReloadRules)
#include "tst_reload_rules.moc"
