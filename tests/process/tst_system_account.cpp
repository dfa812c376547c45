// SPDX-License-Identifier: GPL-3.0-or-later
// What the system account sees and does, and what others get instead.
#include "requests.h"
#include "server_run.h"

#include <QJsonArray>
#include <QTest>

using jetglass::test::ask;
using jetglass::test::bytes;
using jetglass::test::json;
using jetglass::test::kAdmin;
using jetglass::test::login;
using jetglass::test::Message;
using jetglass::test::readMessage;
using jetglass::test::ServerRun;
using jetglass::test::TestClient;

namespace {

const QByteArray kTwoAccounts = "server_name: here\nserver_tags: [\"az:1\"]\n"
                                "accounts { $SYS { users: [ {user: s, password: s} ] }\n"
                                " A { users: [ {user: a, password: a, permissions: { publish: { "
                                "allow: \">\", deny: \"no\" } }} "
                                "] } }\n";

QJsonObject dataOf(const Message& message)
{
    return json(message).value(QStringLiteral("data")).toObject();
}

} // namespace

class TestSystemAccount : public QObject
{
    Q_OBJECT
private slots:
    void systemPages();
    void systemFilters();
    void kickAndLameDuck();
    void events();
    void ordinaryAccounts();
    void reloadRequest();
};

void TestSystemAccount::systemPages()
{
    ServerRun server;
    QVERIFY(server.start(kTwoAccounts));
    TestClient s(server.port());
    QVERIFY(login(s, kAdmin));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a","name":"worker")"));
    const QJsonObject ping = json(ask(s, "$SYS.REQ.SERVER.PING"));
    const QJsonObject card = ping.value(QStringLiteral("server")).toObject();
    QCOMPARE(card.value(QStringLiteral("name")).toString(), QStringLiteral("here"));
    const std::string id = card.value(QStringLiteral("id")).toString().toStdString();
    QCOMPARE(ping.value(QStringLiteral("statsz"))
                 .toObject()
                 .value(QStringLiteral("connections"))
                 .toInt(),
        2);
    for (const char* page : {"VARZ",
             "CONNZ",
             "SUBSZ",
             "JSZ",
             "HEALTHZ",
             "ACCOUNTZ",
             "ROUTEZ",
             "GATEWAYZ",
             "LEAFZ",
             "IPQUEUESZ",
             "RAFTZ",
             "EXPVARZ"}) {
        for (const std::string& target : {std::string("PING"), id}) {
            const QJsonObject answer = json(ask(s, "$SYS.REQ.SERVER." + target + '.' + page));
            QVERIFY2(answer.contains(QStringLiteral("data")), page);
            QVERIFY2(answer.contains(QStringLiteral("server")), page);
        }
    }
    const QJsonObject connections = dataOf(ask(s,
        "$SYS.REQ.SERVER.PING.CONNZ",
        R"({"auth":true,"subscriptions_detail":true,"sort":"cid","limit":1,"offset":1})"));
    const QJsonObject one =
        connections.value(QStringLiteral("connections")).toArray().first().toObject();
    QCOMPARE(one.value(QStringLiteral("account")).toString(), QStringLiteral("A"));
    QCOMPARE(one.value(QStringLiteral("authorized_user")).toString(), QStringLiteral("a"));
    QCOMPARE(
        dataOf(ask(s, "$SYS.REQ.ACCOUNT.A.CONNZ")).value(QStringLiteral("num_connections")).toInt(),
        1);
    QCOMPARE(
        dataOf(ask(s, "$SYS.REQ.ACCOUNT.A.INFO")).value(QStringLiteral("account_name")).toString(),
        QStringLiteral("A"));
    QCOMPARE(json(ask(s, "$SYS.REQ.ACCOUNT.A.CONNS")).value(QStringLiteral("conns")).toInt(), 1);
    const QJsonObject none = json(ask(s, "$SYS.REQ.ACCOUNT.X.INFO"));
    QCOMPARE(none.value(QStringLiteral("error"))
                 .toObject()
                 .value(QStringLiteral("description"))
                 .toString(),
        QStringLiteral("Account X does not exist"));
    const QJsonArray all = dataOf(ask(s, "$SYS.REQ.ACCOUNT.PING.STATZ"))
                               .value(QStringLiteral("account_statz"))
                               .toArray();
    QCOMPARE(all.size(), 2);
    a.send("SUB foo.* 1\r\n");
    a.flush();
    s.send("SUB foo.* 5\r\n");
    QCOMPARE(bytes(ask(s, "$SYS.DEBUG.SUBSCRIBERS", "foo.x").body), QByteArray("1"));
    QVERIFY(ask(s, "$SYS.REQ.SERVER.PING.NOPE").body.starts_with("NATS/1.0 503"));
}

void TestSystemAccount::systemFilters()
{
    ServerRun server;
    QVERIFY(server.start(kTwoAccounts));
    TestClient s(server.port());
    QVERIFY(login(s, kAdmin));
    s.send("SUB in.> 1\r\n");
    const auto answered = [&](const std::string& options, const std::string& page = "VARZ") {
        s.send("PUB $SYS.REQ.SERVER.PING." + page + " in.1 " + std::to_string(options.size())
            + "\r\n" + options + "\r\n");
        return s.flush().find("MSG in.1") != std::string::npos;
    };
    QVERIFY(answered(R"({"server_name":"her"})"));
    QVERIFY(!answered(R"({"server_name":"her","exact_match":true})"));
    QVERIFY(answered(R"({"server_name":"here","exact_match":true})"));
    QVERIFY(!answered(R"({"server_name":"there"})"));
    QVERIFY2(answered(R"({"server_name":"there"})", "IDZ"), "who asks for ids reads no filters");
    QVERIFY(!answered(R"({"cluster":"C1"})"));
    QVERIFY(answered(R"({"tags":["az:1"]})"));
    QVERIFY(!answered(R"({"tags":["az:1","az:2"]})"));
    QVERIFY(answered("null"));
    const QJsonObject bad = json(ask(s, "$SYS.REQ.SERVER.PING.VARZ", "nonsense"));
    QCOMPARE(
        bad.value(QStringLiteral("error")).toObject().value(QStringLiteral("code")).toInt(), 400);
    // Options of the wrong type are no reason to fall over.
    ask(s, "$SYS.REQ.SERVER.PING.CONNZ", R"({"limit":"x","sort":5,"state":"y","cid":{}})");
    ask(s, "$SYS.REQ.SERVER.PING.JSZ", R"({"accounts":[1],"offset":-5})");
    QVERIFY(answered("{}"));
}

void TestSystemAccount::kickAndLameDuck()
{
    ServerRun server;
    QVERIFY(server.start(kTwoAccounts));
    TestClient s(server.port());
    QVERIFY(login(s, kAdmin));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    a.flush(); // the second INFO
    const QJsonObject page = dataOf(ask(s, "$SYS.REQ.ACCOUNT.A.CONNZ"));
    const int cid = page.value(QStringLiteral("connections"))
                        .toArray()
                        .first()
                        .toObject()
                        .value(QStringLiteral("cid"))
                        .toInt();
    const std::string prefix =
        "$SYS.REQ.SERVER." + page.value(QStringLiteral("server_id")).toString().toStdString() + '.';
    const std::string body = "{\"cid\":" + std::to_string(cid) + '}';
    QVERIFY(!json(ask(s, prefix + "LDM", body)).contains(QStringLiteral("error")));
    const std::string info = a.line();
    QVERIFY2(
        info.starts_with("INFO ") && info.find("\"ldm\":true") != std::string::npos, info.c_str());
    QCOMPARE(a.flush(), std::string("PONG\n"));
    for (const char* wrong : {R"({"cid":9999})", "{}", R"({"cid":"x"})"})
        QVERIFY(json(ask(s, prefix + "KICK", wrong)).contains(QStringLiteral("error")));
    QVERIFY(!json(ask(s, prefix + "KICK", body)).contains(QStringLiteral("error")));
    QVERIFY(a.closedByPeer());
}

void TestSystemAccount::events()
{
    ServerRun server;
    QVERIFY(server.start(kTwoAccounts));
    TestClient s(server.port());
    QVERIFY(login(s, kAdmin));
    s.send("SUB $SYS.ACCOUNT.A.> 1\r\nSUB $SYS.SERVER.*.CLIENT.AUTH.ERR 2\r\n"
           "SUB $SYS.SERVER.*.STATSZ 3\r\nSUB $SYS.SERVER.*.SHUTDOWN 4\r\n");
    s.flush();
    {
        TestClient a(server.port());
        QVERIFY(login(a, R"("user":"a","pass":"a","name":"worker")"));
    }
    QStringList seen;
    QJsonObject gone;
    while (seen.size() < 5) { // statistics come a second after the first client of the account
        const Message message = readMessage(s);
        QVERIFY2(message.line.starts_with("MSG "), message.line.c_str());
        const QString subject =
            QString::fromStdString(message.line).section(QLatin1Char(' '), 1, 1);
        seen << subject.section(QLatin1Char('.'), -1);
        if (subject.endsWith(QStringLiteral(".DISCONNECT")))
            gone = json(message);
    }
    seen.sort();
    QCOMPARE(seen,
        QStringList({QStringLiteral("CONNECT"),
            QStringLiteral("CONNS"),
            QStringLiteral("CONNS"),
            QStringLiteral("DISCONNECT"),
            QStringLiteral("STATSZ")}));
    QCOMPARE(gone.value(QStringLiteral("reason")).toString(), QStringLiteral("Client Closed"));
    const QJsonObject client = gone.value(QStringLiteral("client")).toObject();
    QCOMPARE(client.value(QStringLiteral("name")).toString(), QStringLiteral("worker"));
    QCOMPARE(client.value(QStringLiteral("acc")).toString(), QStringLiteral("A"));

    TestClient wrong(server.port());
    QVERIFY(!login(wrong, R"("user":"a","pass":"b")"));
    Message message = readMessage(s);
    while (message.line.find(".STATSZ") != std::string::npos)
        message = readMessage(s);
    QVERIFY2(message.line.find(".CLIENT.AUTH.ERR 2 ") != std::string::npos, message.line.c_str());
    QCOMPARE(json(message).value(QStringLiteral("reason")).toString(),
        QStringLiteral("Authentication Failure"));
    QCOMPARE(server.stop(), 0);
    while (!message.line.empty() && message.line.find(".SHUTDOWN 4") == std::string::npos)
        message = readMessage(s);
    QVERIFY(!message.line.empty());
}

void TestSystemAccount::ordinaryAccounts()
{
    ServerRun server;
    QVERIFY(server.start(kTwoAccounts));
    TestClient s(server.port());
    QVERIFY(login(s, kAdmin));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    const QJsonObject info = dataOf(ask(a, "$SYS.REQ.USER.INFO"));
    QCOMPARE(info.value(QStringLiteral("user")).toString(), QStringLiteral("a"));
    QCOMPARE(info.value(QStringLiteral("permissions"))
                 .toObject()
                 .value(QStringLiteral("publish"))
                 .toObject()
                 .value(QStringLiteral("deny"))
                 .toArray()
                 .first()
                 .toString(),
        QStringLiteral("no"));
    // Only its own connections, whatever it asks for.
    const QJsonObject page =
        dataOf(ask(a, "$SYS.REQ.SERVER.PING.CONNZ", R"({"acc":"$SYS","account":"$SYS"})"));
    QCOMPARE(page.value(QStringLiteral("num_connections")).toInt(), 1);
    for (const char* subject : {"$SYS.REQ.SERVER.PING",
             "$SYS.REQ.SERVER.PING.VARZ",
             "$SYS.REQ.ACCOUNT.A.CONNZ",
             "$SYS.DEBUG.SUBSCRIBERS"})
        QVERIFY2(ask(a, subject).body.starts_with("NATS/1.0 503"), subject);
    a.send("SUB $SYS.> 1\r\n");
    a.flush();
    TestClient other(server.port());
    QVERIFY(login(other, R"("user":"a","pass":"a")"));
    QCOMPARE(a.flush(), std::string("PONG\n")); // no events here
}

void TestSystemAccount::reloadRequest()
{
    ServerRun server;
    QVERIFY(server.start(kTwoAccounts));
    TestClient s(server.port());
    QVERIFY(login(s, kAdmin));
    const QByteArray id =
        json(ask(s, "$SYS.REQ.SERVER.PING.IDZ")).value(QStringLiteral("id")).toString().toUtf8();
    QVERIFY(!json(ask(s, "$SYS.REQ.SERVER." + id.toStdString() + ".RELOAD"))
                 .contains(QStringLiteral("error")));
    QVERIFY(server.waitForLog("Reloaded server configuration"));
    QVERIFY(json(ask(s, "$SYS.REQ.SERVER.PING")).contains(QStringLiteral("statsz")));
}

QTEST_GUILESS_MAIN(TestSystemAccount)
#include "tst_system_account.moc"
