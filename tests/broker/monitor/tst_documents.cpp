// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/document.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

using namespace jetglass;
using monitor::Document;
using monitor::Query;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'790'000'000 * kSecond;

/// Two open connections, a closed one, two accounts, no JetStream.
class FakeSource final : public monitor::Source
{
public:
    FakeSource()
    {
        m_server.id = "NSERVER";
        m_server.name = "one";
        m_server.start = kStart;
        m_server.now = kStart + 90061 * kSecond;
        m_server.configLoaded = kStart;
        m_server.in = {7, 70};
        m_server.connections = 2;
        m_server.httpRequests["/varz"] = 3;
        add(5, "$G", "", 10, 0);
        add(9, "A", "alice", 30, 0);
        add(2, "$G", "", 20, kStart + 5 * kSecond);
    }

    [[nodiscard]] const BrokerConfig& config() const override { return m_config; }
    [[nodiscard]] monitor::ServerFacts server() const override { return m_server; }
    [[nodiscard]] std::vector<monitor::ConnectionFacts> openConnections() const override
    {
        return some(true);
    }
    [[nodiscard]] std::vector<monitor::ConnectionFacts> closedConnections() const override
    {
        return some(false);
    }
    [[nodiscard]] std::vector<monitor::SubscriptionFacts> subscriptionsOf(
        ClientId client) const override
    {
        std::vector<monitor::SubscriptionFacts> found;
        std::copy_if(m_subscriptions.begin(),
            m_subscriptions.end(),
            std::back_inserter(found),
            [client](const monitor::SubscriptionFacts& s) { return s.client == client; });
        return found;
    }
    [[nodiscard]] std::vector<monitor::AccountFacts> accounts() const override
    {
        monitor::AccountFacts global;
        global.name = "$G";
        global.clients = 1;
        global.subscriptions = 2;
        global.matches = 4;
        global.cacheHits = 1;
        monitor::AccountFacts other;
        other.name = "A";
        other.subscriptions = 1;
        return {global, other};
    }
    void forEachSubscription(std::string_view account,
        const std::function<void(const monitor::SubscriptionFacts&)>& visit) const override
    {
        for (const auto& subscription : m_subscriptions) {
            if (subscription.account == account)
                visit(subscription);
        }
    }
    [[nodiscard]] const JetStreamConfig* jetstreamSettings() const override
    {
        return m_jetstream ? &*m_jetstream : nullptr;
    }
    [[nodiscard]] std::vector<monitor::JetStreamFacts> jetstream() const override { return {}; }

    BrokerConfig m_config;
    monitor::ServerFacts m_server;
    std::optional<JetStreamConfig> m_jetstream;

private:
    void add(std::uint32_t id,
        const char* account,
        const char* user,
        std::uint64_t bytes,
        std::int64_t stop)
    {
        monitor::ConnectionFacts facts;
        facts.id = ClientId{id};
        facts.type = "nats";
        facts.host = "127.0.0.1";
        facts.port = 1;
        facts.account = account;
        facts.user = user;
        facts.start = kStart;
        facts.lastActivity = kStart + kSecond;
        facts.stop = stop;
        facts.reason = "Client Closed";
        facts.rtt = 123'000;
        facts.in.bytes = bytes;
        m_connections.push_back(facts);
    }
    [[nodiscard]] std::vector<monitor::ConnectionFacts> some(bool open) const
    {
        std::vector<monitor::ConnectionFacts> found;
        std::copy_if(m_connections.begin(),
            m_connections.end(),
            std::back_inserter(found),
            [open](const monitor::ConnectionFacts& c) { return (c.stop == 0) == open; });
        return found;
    }

    std::vector<monitor::ConnectionFacts> m_connections;
    std::vector<monitor::SubscriptionFacts> m_subscriptions = {
        {"$G", "foo.*", "", "1", 4, 0, ClientId{5}},
        {"$G", "foo.bar", "q", "2", 0, 9, ClientId{5}},
        {"A", "bar", "", "1", 0, 0, ClientId{9}},
    };
};

Document page(const QString& target, const FakeSource& source)
{
    std::map<std::string, std::string> values;
    const QStringList parts = target.split(QLatin1Char('?'));
    if (parts.size() > 1) {
        for (const QString& pair : parts[1].split(QLatin1Char('&')))
            values[pair.section(QLatin1Char('='), 0, 0).toStdString()] =
                pair.section(QLatin1Char('='), 1).toStdString();
    }
    return monitor::answer(parts[0].toStdString(), Query(values), source);
}

QJsonObject json(const QString& target, const FakeSource& source)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(page(target, source).body)).object();
}

} // namespace

class TestDocuments : public QObject
{
    Q_OBJECT
private slots:
    void varzHasEveryField();
    void varzValues();
    void connections_data();
    void connections();
    void connectionFields();
    void subscriptions();
    void accounts();
    void exchange();
    void filtersCountInTotal();
    void jetstreamOff();
    void jetstreamWithoutStreams();
    void health_data();
    void health();
    void emptyForms_data();
    void emptyForms();
    void badQueries_data();
    void badQueries();
    void uptimes();
    void index();

private:
    FakeSource m_source;
};

void TestDocuments::varzHasEveryField()
{
    const QJsonObject varz = json(QStringLiteral("/varz"), m_source);
    const QStringList names =
        QStringLiteral("server_id server_name version proto go git_commit host port "
                       "max_connections max_subscriptions ping_interval "
                       "ping_max http_host http_port http_base_path https_port auth_required "
                       "auth_timeout max_control_line max_payload "
                       "max_pending tls_required tls_verify tls_timeout write_deadline cluster "
                       "gateway leaf mqtt websocket jetstream "
                       "start now uptime mem cores gomaxprocs gomemlimit cpu connections "
                       "total_connections routes remotes leafnodes "
                       "in_msgs out_msgs in_bytes out_bytes in_client_msgs out_client_msgs "
                       "in_client_bytes out_client_bytes "
                       "slow_consumers stale_connections stalled_clients subscriptions "
                       "http_req_stats config_load_time config_digest "
                       "tags metadata system_account slow_consumer_stats")
            .split(QLatin1Char(' '));
    for (const QString& name : names) {
        QVERIFY2(varz.contains(name), qPrintable(name));
        QVERIFY2(!varz.value(name).isNull(), qPrintable(name));
    }
}

void TestDocuments::varzValues()
{
    const QJsonObject varz = json(QStringLiteral("/varz"), m_source);
    QCOMPARE(varz.value(QStringLiteral("version")).toString(), QStringLiteral("2.15.2"));
    QCOMPARE(varz.value(QStringLiteral("uptime")).toString(), QStringLiteral("1d1h1m1s"));
    QCOMPARE(varz.value(QStringLiteral("in_bytes")).toInt(), 70);
    QCOMPARE(varz.value(QStringLiteral("ping_interval")).toDouble(), 120e9);
    QCOMPARE(varz.value(QStringLiteral("auth_timeout")).toDouble(), 2.0);
    QCOMPARE(varz.value(QStringLiteral("http_req_stats"))
                 .toObject()
                 .value(QStringLiteral("/varz"))
                 .toInt(),
        3);
    QVERIFY(varz.value(QStringLiteral("mem")).toDouble() > 0);
    QVERIFY(varz.value(QStringLiteral("tags")).isArray());
}

void TestDocuments::connections_data()
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

void TestDocuments::connections()
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

void TestDocuments::connectionFields()
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

void TestDocuments::subscriptions()
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

void TestDocuments::accounts()
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

void TestDocuments::exchange()
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

void TestDocuments::filtersCountInTotal()
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

void TestDocuments::jetstreamOff()
{
    const QJsonObject jsz = json(QStringLiteral("/jsz?consumers=true"), m_source);
    QCOMPARE(jsz.value(QStringLiteral("disabled")).toBool(), true);
    QVERIFY(json(QStringLiteral("/varz"), m_source)
                .value(QStringLiteral("jetstream"))
                .toObject()
                .isEmpty());
}

void TestDocuments::jetstreamWithoutStreams()
{
    FakeSource source;
    source.m_jetstream.emplace();
    source.m_jetstream->storeDir = "/store";
    source.m_jetstream->maxAckPending = 50;
    source.m_jetstream->maxBatchSize = 11;
    const auto limits = [](const QJsonObject& json) {
        return QJsonDocument(json.value(QStringLiteral("limits")).toObject())
            .toJson(QJsonDocument::Compact);
    };
    const QByteArray expected(
        R"({"default_max_consumers":1000,"max_ack_pending":50,"max_batch_size":11})");
    const QJsonObject jsz = json(QStringLiteral("/jsz?config=1"), source);
    QCOMPARE(limits(jsz), expected);
    QCOMPARE(jsz.value(QStringLiteral("config"))
                 .toObject()
                 .value(QStringLiteral("store_dir"))
                 .toString(),
        QStringLiteral("/store"));
    QVERIFY(!jsz.contains(QStringLiteral("streams_leader")));
    QVERIFY(!json(QStringLiteral("/jsz?accounts=1"), source)
                 .contains(QStringLiteral("account_details")));
    const QJsonObject varz = json(QStringLiteral("/varz"), source);
    QCOMPARE(limits(varz.value(QStringLiteral("jetstream")).toObject()), expected);
    QVERIFY(varz.value(QStringLiteral("feature_flags"))
                .toObject()
                .contains(QStringLiteral("js_api_reply_v2")));
    QVERIFY(varz.value(QStringLiteral("disk_io_wait_stats"))
                .toObject()
                .contains(QStringLiteral("max_wait_time")));
    // Who asks all servers at once gets no directories.
    const auto statistics = monitor::statsz(source)["jetstream"];
    QVERIFY(!statistics["config"].contains("store_dir"));
    QVERIFY(statistics["limits"].contains("default_max_consumers"));
    // An account that is not there, and one without JetStream.
    for (const auto& [account, reason] : {std::pair("A", "account \"A\" not jetstream enabled"),
             std::pair("NOPE", "account \"NOPE\" not found")}) {
        Query query;
        QVERIFY(monitor::jetstreamAccount(source, account, query).is_null());
        QCOMPARE(query.error(), std::string(reason));
    }
    QVERIFY(page(QStringLiteral("/ipqueuesz?all=1"), source).body.find("JetStream API queue")
        != std::string::npos);
}

void TestDocuments::health_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* query, int status, const char* body) {
        QTest::newRow(query) << QString::fromLatin1(query) << status << QByteArray(body);
    };
    row("", 200, R"({"status":"ok"})");
    row("details=true", 200, R"({"status":"ok"})");
    row("stream=X",
        400,
        R"({"status":"error","error":"\"account\" must not be empty when checking stream health"})");
    row("account=B",
        404,
        R"({"status":"unavailable","error":"JetStream account \"B\" not found"})");
    row("account=B&details=1",
        404,
        R"({"status":"unavailable","errors":[{"type":"ACCOUNT","account":"B",)"
        R"("error":"JetStream account \"B\" not found"}]})");
    row("js-enabled-only=true",
        503,
        R"({"status":"unavailable","error":"JetStream is not enabled"})");
}

void TestDocuments::health()
{
    QFETCH(QString, query);
    const Document document = page(QStringLiteral("/healthz?") + query, m_source);
    QTEST(document.status, "status");
    QTEST(QByteArray::fromStdString(document.body), "body");
}

void TestDocuments::emptyForms_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QStringList>("members");
    QTest::newRow("routes") << QStringLiteral("/routez")
                            << QStringList{QStringLiteral("num_routes"), QStringLiteral("routes")};
    QTest::newRow("gateways") << QStringLiteral("/gatewayz")
                              << QStringList{QStringLiteral("outbound_gateways"),
                                     QStringLiteral("inbound_gateways")};
    QTest::newRow("leafs") << QStringLiteral("/leafz")
                           << QStringList{QStringLiteral("leafnodes"), QStringLiteral("leafs")};
    QTest::newRow("raft") << QStringLiteral("/raftz") << QStringList{};
    QTest::newRow("queues") << QStringLiteral("/ipqueuesz") << QStringList{};
}

void TestDocuments::emptyForms()
{
    QFETCH(QString, path);
    QFETCH(QStringList, members);
    QCOMPARE(page(path, m_source).status, 200);
    const QJsonObject form = json(path, m_source);
    for (const QString& member : members)
        QVERIFY(form.contains(member));
    QCOMPARE(form.contains(QStringLiteral("server_id")), !members.isEmpty());
}

void TestDocuments::badQueries_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* target, int status, const char* text) {
        QTest::newRow(target) << QString::fromLatin1(target) << status << QByteArray(text);
    };
    row("/connz?limit=x",
        400,
        "Error decoding int for 'limit': strconv.Atoi: parsing \"x\": invalid syntax");
    row("/connz?subs=x",
        400,
        "Error decoding boolean for 'subs': strconv.ParseBool: parsing \"x\": invalid syntax");
    row("/connz?sort=foo", 400, "invalid sorting option: foo");
    row("/connz?state=foo", 400, "Error decoding state for foo");
    row("/jsz?limit=a", 400, "Error decoding int for 'limit'");
    row("/accountz?acc=nope", 400, "Account nope does not exist");
    row("/subsz?test=a.*", 400, "invalid test subject");
    row("/nothing", 404, "404 page not found");
}

void TestDocuments::badQueries()
{
    QFETCH(QString, target);
    QFETCH(QByteArray, text);
    const Document document = page(target, m_source);
    QTEST(document.status, "status");
    QVERIFY2(document.body.find(text.toStdString()) != std::string::npos, document.body.c_str());
}

void TestDocuments::uptimes()
{
    QCOMPARE(monitor::uptimeText(0), std::string("0s"));
    QCOMPARE(monitor::uptimeText(59 * kSecond), std::string("59s"));
    QCOMPARE(monitor::uptimeText(3723 * kSecond), std::string("1h2m3s"));
    QCOMPARE(monitor::uptimeText(273'906 * kSecond), std::string("3d4h5m6s"));
}

void TestDocuments::index()
{
    const Document document = page(QStringLiteral("/"), m_source);
    QVERIFY(document.type.rfind("text/html", 0) == 0);
    QVERIFY(document.body.find("./varz") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestDocuments)
#include "tst_documents.moc"
