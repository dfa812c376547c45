// SPDX-License-Identifier: GPL-3.0-or-later
// /varz, /jsz, /healthz and the forms of what a single server has not got.
#include "monitored_server.h"

#include <QJsonArray>
#include <QTest>

#include <nlohmann/json.hpp>

#include <tuple>
#include <utility>

using namespace jetglass;
using monitor::Document;
using monitor::Query;
using tests::FakeSource;
using tests::json;
using tests::kSecond;
using tests::page;

class TestServerPages : public QObject
{
    Q_OBJECT
private slots:
    void varzHasEveryField();
    void varzValues();
    void varzLeavesOut();
    void trafficOfTheGone();
    void compressionMentioned();
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

void TestServerPages::varzHasEveryField()
{
    const QJsonObject varz = json(QStringLiteral("/varz"), m_source);
    const QStringList names =
        QStringLiteral("server_id server_name version proto go host port "
                       "max_connections ping_interval "
                       "ping_max http_host http_port http_base_path https_port "
                       "auth_timeout max_control_line max_payload "
                       "max_pending tls_timeout write_deadline cluster "
                       "gateway leaf mqtt websocket jetstream "
                       "start now uptime mem cores gomaxprocs cpu connections "
                       "total_connections routes remotes leafnodes "
                       "in_msgs out_msgs in_bytes out_bytes in_client_msgs out_client_msgs "
                       "in_client_bytes out_client_bytes "
                       "slow_consumers stale_connections stalled_clients subscriptions "
                       "http_req_stats config_load_time config_digest "
                       "system_account slow_consumer_stats")
            .split(QLatin1Char(' '));
    for (const QString& name : names) {
        QVERIFY2(varz.contains(name), qPrintable(name));
        QVERIFY2(!varz.value(name).isNull(), qPrintable(name));
    }
}

void TestServerPages::varzValues()
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
}

/// What a default says is left out, as the real server does.
void TestServerPages::varzLeavesOut()
{
    const QStringList optional =
        QStringLiteral("max_subscriptions auth_required tls_required tls_verify tags metadata")
            .split(QLatin1Char(' '));
    const auto present = [&](const FakeSource& source) {
        const QJsonObject varz = json(QStringLiteral("/varz"), source);
        QStringList found;
        for (const QString& name : optional) {
            if (varz.contains(name))
                found.append(name);
        }
        return found;
    };
    QCOMPARE(present(m_source), QStringList());
    FakeSource set;
    set.m_config.maxSubscriptions = 7;
    set.m_config.auth.token = "t";
    set.m_config.tls.enabled = true;
    set.m_config.tls.verify = true;
    set.m_config.tags = {"a:b"};
    set.m_config.metadata["k"] = "v";
    QCOMPARE(present(set), optional);
    set.m_config.auth.timeout = kSecond / 2;
    const std::string text = page(QStringLiteral("/varz"), set).body;
    QVERIFY(text.find("\"auth_timeout\": 0.5,") != std::string::npos);
    QVERIFY(text.find("\"tls_timeout\": 2,") != std::string::npos);
}

/// An account counts on what the clients that have left exchanged.
void TestServerPages::trafficOfTheGone()
{
    FakeSource source;
    source.m_left = {3, 300};
    const QJsonArray all = json(QStringLiteral("/accstatz?unused=1"), source)
                               .value(QStringLiteral("account_statz"))
                               .toArray();
    for (const auto& [place, member, bytes] :
        {std::tuple(0, "received", 310), std::tuple(0, "sent", 300), std::tuple(1, "sent", 0)}) {
        QCOMPARE(all[place]
                     .toObject()
                     .value(QLatin1String(member))
                     .toObject()
                     .value(QStringLiteral("bytes"))
                     .toInt(),
            bytes);
    }
}

/// Both limits in the configuration, and only then.
void TestServerPages::compressionMentioned()
{
    FakeSource source;
    source.m_jetstream.emplace();
    const auto mentioned = [&source] {
        return json(QStringLiteral("/jsz"), source)
            .value(QStringLiteral("config"))
            .toObject()
            .contains(QStringLiteral("compress_ok"));
    };
    source.m_config.jetstream.maxMemory = 10;
    QVERIFY(!mentioned());
    source.m_config.jetstream.maxStore = 10;
    QVERIFY(mentioned());
}

void TestServerPages::jetstreamOff()
{
    const QJsonObject jsz = json(QStringLiteral("/jsz?consumers=true"), m_source);
    QCOMPARE(jsz.value(QStringLiteral("disabled")).toBool(), true);
    QVERIFY(json(QStringLiteral("/varz"), m_source)
                .value(QStringLiteral("jetstream"))
                .toObject()
                .isEmpty());
}

void TestServerPages::jetstreamWithoutStreams()
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

void TestServerPages::health_data()
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

void TestServerPages::health()
{
    QFETCH(QString, query);
    const Document document = page(QStringLiteral("/healthz?") + query, m_source);
    QTEST(document.status, "status");
    QTEST(QByteArray::fromStdString(document.body), "body");
}

void TestServerPages::emptyForms_data()
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

void TestServerPages::emptyForms()
{
    QFETCH(QString, path);
    QFETCH(QStringList, members);
    QCOMPARE(page(path, m_source).status, 200);
    const QJsonObject form = json(path, m_source);
    for (const QString& member : members)
        QVERIFY(form.contains(member));
    QCOMPARE(form.contains(QStringLiteral("server_id")), !members.isEmpty());
}

void TestServerPages::badQueries_data()
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

void TestServerPages::badQueries()
{
    QFETCH(QString, target);
    QFETCH(QByteArray, text);
    const Document document = page(target, m_source);
    QTEST(document.status, "status");
    QVERIFY2(document.body.find(text.toStdString()) != std::string::npos, document.body.c_str());
}

void TestServerPages::uptimes()
{
    QCOMPARE(monitor::uptimeText(0), std::string("0s"));
    QCOMPARE(monitor::uptimeText(59 * kSecond), std::string("59s"));
    QCOMPARE(monitor::uptimeText(3723 * kSecond), std::string("1h2m3s"));
    QCOMPARE(monitor::uptimeText(273'906 * kSecond), std::string("3d4h5m6s"));
}

void TestServerPages::index()
{
    const Document document = page(QStringLiteral("/"), m_source);
    QVERIFY(document.type.rfind("text/html", 0) == 0);
    QVERIFY(document.body.find("./varz") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestServerPages)
#include "tst_server_pages.moc"
