// SPDX-License-Identifier: GPL-3.0-or-later
// /connz, /subsz, /accountz and /accstatz: who is connected, to what, in which account.
#include "monitored_server.h"

#include <QJsonArray>
#include <QTest>

#include <optional>
#include <utility>

using namespace jetglass;
using monitor::Document;
using tests::FakeSource;
using tests::json;
using tests::page;

class TestConnectionPages : public QObject
{
    Q_OBJECT
private slots:
    void connections_data();
    void connections();
    void connectionFields();
    void subscriptions();
    void accounts();
    void exchange();
    void filtersCountInTotal();

private:
    FakeSource m_source;
};

void TestConnectionPages::connections_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("cids");
    QTest::addColumn<int>("total");
    const auto row = [](const char* query, const char* cids, int total) {
        QTest::newRow(query) << QString::fromLatin1(query) << QString::fromLatin1(cids) << total;
    };
    row("", "5 9", 2);
    row("sort=bytes_from", "9 5", 2);
    row("state=closed", "2", 1);
    row("state=any", "2 5 9", 3);
    row("cid=9", "9", 1);
    row("cid=77", "", 0);
    row("acc=A", "9", 1);
    row("user=alice", "9", 2);
    row("limit=1", "5", 2);
    row("offset=1", "9", 2);
    row("offset=9", "", 2);
}

void TestConnectionPages::connections()
{
    QFETCH(QString, query);
    const QJsonObject connz = json(QStringLiteral("/connz?") + query, m_source);
    QStringList cids;
    const QJsonArray entries = connz.value(QStringLiteral("connections")).toArray();
    for (const auto& entry : entries)
        cids << QString::number(entry.toObject().value(QStringLiteral("cid")).toInt());
    QTEST(cids.join(QLatin1Char(' ')), "cids");
    QTEST(connz.value(QStringLiteral("total")).toInt(), "total");
    QCOMPARE(connz.value(QStringLiteral("num_connections")).toInt(), int(entries.size()));
}

void TestConnectionPages::connectionFields()
{
    const auto first = [&](const char* target) {
        return json(QString::fromLatin1(target), m_source)
            .value(QStringLiteral("connections"))
            .toArray()[0]
            .toObject();
    };
    const QJsonObject open = first("/connz?cid=9");
    QCOMPARE(open.value(QStringLiteral("rtt")).toString(), QStringLiteral("123µs"));
    QCOMPARE(open.value(QStringLiteral("kind")).toString(), QStringLiteral("Client"));
    QVERIFY(!open.contains(QStringLiteral("stop"))
        && !open.contains(QStringLiteral("authorized_user")));
    const QJsonObject withAuth = first("/connz?cid=9&auth=1");
    QCOMPARE(withAuth.value(QStringLiteral("authorized_user")).toString(), QStringLiteral("alice"));
    QCOMPARE(withAuth.value(QStringLiteral("account")).toString(), QStringLiteral("A"));
    QCOMPARE(withAuth.value(QStringLiteral("name_tag")).toString(), QStringLiteral("A"));
    QVERIFY(!open.contains(QStringLiteral("name_tag")));
    // The account of those who name none is not worth a word.
    QVERIFY(!first("/connz?cid=5&auth=1").contains(QStringLiteral("account")));
    const QJsonObject closed = first("/connz?state=closed");
    QCOMPARE(closed.value(QStringLiteral("reason")).toString(), QStringLiteral("Client Closed"));
    QCOMPARE(closed.value(QStringLiteral("uptime")).toString(), QStringLiteral("5s"));
    const QJsonArray list =
        first("/connz?cid=5&subs=1").value(QStringLiteral("subscriptions_list")).toArray();
    QCOMPARE(list.size(), 2);
    const QJsonObject detail = first("/connz?cid=5&subs=detail")
                                   .value(QStringLiteral("subscriptions_list_detail"))
                                   .toArray()[1]
                                   .toObject();
    QCOMPARE(detail.value(QStringLiteral("sid")).toString(), QStringLiteral("2"));
    QCOMPARE(detail.value(QStringLiteral("qgroup")).toString(), QStringLiteral("q"));
    QCOMPARE(detail.value(QStringLiteral("max")).toInt(), 9);
}

void TestConnectionPages::subscriptions()
{
    const QJsonObject plain = json(QStringLiteral("/subsz"), m_source);
    QCOMPARE(plain.value(QStringLiteral("num_subscriptions")).toInt(), 3);
    QCOMPARE(plain.value(QStringLiteral("cache_hit_rate")).toDouble(), 0.25);
    QVERIFY(!plain.contains(QStringLiteral("subscriptions_list")));
    const auto count = [&](const char* target) {
        return json(QString::fromLatin1(target), m_source)
            .value(QStringLiteral("subscriptions_list"))
            .toArray()
            .size();
    };
    QCOMPARE(count("/subsz?subs=1"), 3);
    QCOMPARE(count("/subsz?subs=1&limit=2"), 2);
    QCOMPARE(count("/subsz?subs=1&acc=A"), 1);
    QCOMPARE(count("/subsz?test=foo.bar"), 2);
    QCOMPARE(count("/subscriptionsz?subs=1&offset=2"), 1);
}

void TestConnectionPages::accounts()
{
    const QJsonArray names =
        json(QStringLiteral("/accountz"), m_source).value(QStringLiteral("accounts")).toArray();
    QCOMPARE(names.size(), 2);
    const QJsonObject detail = json(QStringLiteral("/accountz?acc=$G"), m_source)
                                   .value(QStringLiteral("account_detail"))
                                   .toObject();
    QCOMPARE(detail.value(QStringLiteral("client_connections")).toInt(), 1);
    QCOMPARE(detail.value(QStringLiteral("jetstream_enabled")).toBool(true), false);
    const auto statistics = [&](const char* target) {
        return json(QString::fromLatin1(target), m_source)
            .value(QStringLiteral("account_statz"))
            .toArray();
    };
    QCOMPARE(statistics("/accstatz").size(), 1);
    QCOMPARE(statistics("/accstatz?unused=1").size(), 2);
    QCOMPARE(statistics("/accstatz")[0]
                 .toObject()
                 .value(QStringLiteral("received"))
                 .toObject()
                 .value(QStringLiteral("bytes"))
                 .toInt(),
        10);
}

void TestConnectionPages::exchange()
{
    m_source.m_config = {};
    m_source.m_config.auth.systemAccount = "SYS";
    AccountConfig giver;
    giver.name = "$G";
    giver.exports = {{true, "svc.*", std::nullopt, ExportConfig::Response::Stream},
        {false, "st.>", std::vector<std::string>{"A"}}};
    giver.mappings = {{"m.*", {{"n.$1", 40}, {"o.$1", 60}}}};
    AccountConfig taker;
    taker.name = "A";
    taker.imports = {{true, "$G", "svc.*", "", true}, {false, "$G", "st.>", "from.st.>"}};
    m_source.m_config.accounts = {giver, taker};
    const auto detail = [&](const char* account) {
        return json(QStringLiteral("/accountz?acc=") + QLatin1String(account), m_source)
            .value(QStringLiteral("account_detail"))
            .toObject();
    };
    const auto text = [](const QJsonValue& value) {
        return value.isArray() ? QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact)
                               : QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
    };
    QCOMPARE(text(detail("$G").value(QStringLiteral("exports"))),
        QByteArray(R"([{"response_type":"Streamed","subject":"svc.*","type":"service"},)"
                   R"({"approved_accounts":["A"],"subject":"st.>","type":"stream"}])"));
    QCOMPARE(text(detail("$G").value(QStringLiteral("mappings"))),
        QByteArray(R"({"m.*":[{"subject":"n.$1","weight":40},{"subject":"o.$1","weight":100}]})"));
    const QJsonArray imports = detail("A").value(QStringLiteral("imports")).toArray();
    // Two of its own, and four of the system account's.
    QCOMPARE(imports.size(), 6);
    QCOMPARE(text(imports[0]),
        QByteArray(R"({"account":"$G","invalid":false,"local_subject":"svc.*","share":true,)"
                   R"("subject":"svc.*","to":"svc.*","tracking":false,"type":"service"})"));
    QCOMPARE(text(imports[1]),
        QByteArray(R"({"account":"$G","invalid":false,"local_subject":"from.st.>","share":false,)"
                   R"("subject":"st.>","tracking":false,"type":"stream"})"));
    QCOMPARE(imports[2].toObject().value(QStringLiteral("subject")).toString(),
        QStringLiteral("$SYS.REQ.USER.A.INFO"));
    QVERIFY(!detail("A").contains(QStringLiteral("exports")));
    QVERIFY(!detail("A").contains(QStringLiteral("mappings")));
    QVERIFY(!detail("A").contains(QStringLiteral("is_system")));
    m_source.m_config = {};
}

void TestConnectionPages::filtersCountInTotal()
{
    const auto counts = [&](const char* query) {
        const QJsonObject page = json(QStringLiteral("/connz?") + QLatin1String(query), m_source);
        return std::pair(page.value(QStringLiteral("num_connections")).toInt(),
            page.value(QStringLiteral("total")).toInt());
    };
    QCOMPARE(counts("user=alice"), std::pair(1, 2));
    QCOMPARE(counts("user=nobody"), std::pair(0, 2));
    QCOMPARE(counts("acc=A"), std::pair(1, 1));
    QCOMPARE(counts("acc=$G&filter_subject=foo.bar"), std::pair(1, 1));
    QCOMPARE(counts("acc=$G&filter_subject=bar"), std::pair(0, 1));
    const Document without = page(QStringLiteral("/connz?filter_subject=foo"), m_source);
    QCOMPARE(without.status, 400);
    QVERIFY2(without.body.find("filter by subject only valid with account filtering")
            != std::string::npos,
        without.body.c_str());
}

QTEST_GUILESS_MAIN(TestConnectionPages)
#include "tst_connection_pages.moc"
