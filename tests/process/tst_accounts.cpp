// SPDX-License-Identifier: GPL-3.0-or-later
// Several accounts in one server: what crosses between them, what the system account sees and does.
#include "server_run.h"
#include "test_client.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using jetglass::test::ServerRun;
using jetglass::test::TestClient;

namespace {

const std::string kAdmin = R"("user":"s","pass":"s")";

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

/// One message: its first line, and its body with the headers before it.
struct Message
{
    std::string line;
    std::string body;
};

/// CONNECT, and everything that the server says of itself after it.
bool login(TestClient& client, const std::string& options)
{
    return client.handshake(options) && client.flush().ends_with("PONG\n");
}

Message readMessage(TestClient& client)
{
    Message message;
    do
        message.line = client.line();
    while (message.line == "PING");
    if (message.line.find("MSG ") == std::string::npos)
        return message;
    const std::size_t size = std::stoul(message.line.substr(message.line.rfind(' ') + 1));
    message.body = client.bytes(size + 2).substr(0, size);
    return message;
}

Message ask(TestClient& client, const std::string& subject, const std::string& body = {})
{
    client.send("SUB answer.1 a\r\nUNSUB a 1\r\nPUB " + subject + " answer.1 "
        + std::to_string(body.size()) + "\r\n" + body + "\r\n");
    return readMessage(client);
}

QJsonObject json(const Message& message)
{
    return QJsonDocument::fromJson(bytes(message.body)).object();
}

QJsonObject dataOf(const Message& message)
{
    return json(message).value(QStringLiteral("data")).toObject();
}

} // namespace

class TestAccounts : public QObject
{
    Q_OBJECT
private slots:
    void services_data();
    void services();
    void streamsAndJetStream();
    void circle();
    void mappings();
    void jetStreamOfOneAccount();
    void jetStreamOfNoAccount();
    void pushThroughImport();
    void bytesAreAskedForInOrder();
    void connectionLimit();
    void systemPages();
    void systemFilters();
    void kickAndLameDuck();
    void events();
    void ordinaryAccounts();
    void reloadRequest();
    void reloadAddsAccounts();
    void badConfigurations_data();
    void badConfigurations();
};

void TestAccounts::services_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QList<QByteArray>>("answers");
    QTest::addColumn<QList<QByteArray>>("arriving");
    const QList<QByteArray> three = {"1", "2", ""};
    QTest::newRow("single") << QByteArray("Singleton") << three << QList<QByteArray>{"1"};
    QTest::newRow("stream") << QByteArray("Stream") << QList<QByteArray>{"1", "", "3"}
                            << QList<QByteArray>{"1", "", "3"};
    QTest::newRow("chunked") << QByteArray("Chunked") << QList<QByteArray>{"1", "", "3"}
                             << QList<QByteArray>{"1", ""};
}

void TestAccounts::services()
{
    QFETCH(QByteArray, type);
    QFETCH(QList<QByteArray>, answers);
    QFETCH(QList<QByteArray>, arriving);
    ServerRun server;
    QVERIFY(server.start("accounts {\n A { users: [ {user: a, password: a} ], exports: [ {service: "
                         "\"q.*\", response_type: "
        + type
        + "} ] }\n B { users: [ {user: b, password: b} ], imports: [ {service: {account: A, "
          "subject: \"q.*\"}, to: \"local.*.ask\", share: true} ] }\n}\n"));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b","name":"asker")"));
    a.send("SUB q.> 1\r\n");
    a.flush();
    b.send("SUB in.> 2\r\nHPUB local.x.ask in.7 43 45\r\nNATS/1.0\r\nK: v\r\n"
           "Nats-Request-Info: fake\r\n\r\nhi\r\n");
    const Message request = readMessage(a);
    QVERIFY2(request.line.starts_with("HMSG q.x 1 _R_."), request.line.c_str());
    QVERIFY(request.body.find("K: v\r\n") != std::string::npos);
    QVERIFY(request.body.find("fake") == std::string::npos);
    QVERIFY2(request.body.find(R"("acc":"B","user":"b","name":"asker")") != std::string::npos,
        request.body.c_str());
    QVERIFY(request.body.ends_with("hi"));
    std::string reply = request.line.substr(request.line.find("_R_."));
    reply.resize(reply.find(' '));
    for (const QByteArray& answer : answers)
        a.send("PUB " + reply + ' ' + std::to_string(answer.size()) + "\r\n" + answer.toStdString()
            + "\r\n");
    a.flush();
    for (const QByteArray& answer : arriving) {
        const Message message = readMessage(b);
        QVERIFY2(message.line.starts_with("MSG in.7 2 "), message.line.c_str());
        QCOMPARE(bytes(message.body), answer);
    }
    QCOMPARE(b.flush(), std::string("PONG\n"));
    // Without anybody there it is as if nobody listened here either.
    a.send("UNSUB 1\r\n");
    a.flush();
    QVERIFY(ask(b, "local.x.ask").body.starts_with("NATS/1.0 503"));
}

/// Another account's stream, read through the imported API, and its messages as they come.
void TestAccounts::streamsAndJetStream()
{
    ServerRun server;
    QVERIFY(server.start("jetstream { store_dir: \"" + server.path(QStringLiteral("js")).toUtf8()
        + "\" }\naccounts {\n"
          " A { jetstream: enabled, users: [ {user: a, password: a} ]\n"
          "  exports: [ {stream: \"o.>\"}, {service: \"$JS.API.>\", response_type: Stream} ] }\n"
          " B { users: [ {user: b, password: b} ], imports: [ {stream: {account: A, subject: "
          "\"o.>\"}, prefix: \"from\"}\n"
          "  {service: {account: A, subject: \"$JS.API.>\"}, to: \"JS.A.API.>\"} ] }\n}\n"));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    QVERIFY(ask(b, "JS.A.API.STREAM.CREATE.S", R"({"name":"S","subjects":["o.*"]})")
                .body.find("did_create")
        != std::string::npos);
    b.send("SUB from.o.* 1\r\n");
    b.flush();
    QVERIFY(ask(a, "o.1", "first").body.find(R"("seq":1)") != std::string::npos);
    const Message seen = readMessage(b);
    QVERIFY2(seen.line.starts_with("MSG from.o.1 1 "), seen.line.c_str());
    QCOMPARE(bytes(seen.body), QByteArray("first"));
    const Message info = ask(b, "JS.A.API.STREAM.INFO.S");
    QVERIFY2(info.body.find(R"("messages":1)") != std::string::npos, info.body.c_str());
    // A pull through the import: the reply leads back for as many messages as come.
    QVERIFY(
        ask(b,
            "JS.A.API.CONSUMER.CREATE.S.C",
            R"({"stream_name":"S","config":{"name":"C","durable_name":"C","ack_policy":"none"}})")
            .body.find(R"("name":"C")")
        != std::string::npos);
    ask(a, "o.2", "second");
    readMessage(b);
    b.send("SUB pull.1 9\r\nPUB JS.A.API.CONSUMER.MSG.NEXT.S.C pull.1 1\r\n2\r\n");
    const Message first = readMessage(b);
    QVERIFY2(
        first.line.find("MSG o.1 9 $JS.ACK.S.C.1.1.1.") != std::string::npos, first.line.c_str());
    const Message second = readMessage(b);
    QVERIFY2(second.line.find("MSG o.2 9 ") != std::string::npos, second.line.c_str());
}

void TestAccounts::circle()
{
    ServerRun server;
    QVERIFY(server.start(
        "accounts {\n"
        " A { users: [ {user: a, password: a} ], exports: [ {stream: x} ], imports: [ {stream: "
        "{account: B, subject: x}} ] }\n"
        " B { users: [ {user: b, password: b} ], exports: [ {stream: x} ], imports: [ {stream: "
        "{account: A, subject: x}} ] }\n}\n"));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    b.send("SUB x 1\r\n");
    b.flush();
    a.send("SUB own 2\r\nPUB x 1\r\n1\r\n");
    a.flush();
    QCOMPARE(bytes(readMessage(b).line), QByteArray("MSG x 1 1"));
    QCOMPARE(b.flush(), std::string("PONG\n"));
}

void TestAccounts::mappings()
{
    ServerRun server;
    QVERIFY(server.start(
        "accounts { A { users: [\n"
        "  {user: a, password: a, permissions: { publish: \"orders.>\", subscribe: \">\" }}\n"
        "  {user: b, password: b, permissions: { publish: \"new.>\", subscribe: \">\" }} ]\n"
        " mappings: { \"orders.*.in\": \"new.$1\", \"orders.part\": [ {destination: orders.p1, "
        "weight: 50}, {destination: orders.p2, weight: 50%} ] } } }\n"));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    a.send("SUB new.* 1\r\nSUB orders.* 2\r\nPUB orders.7.in 1\r\nx\r\n");
    QCOMPARE(bytes(readMessage(a).line), QByteArray("MSG new.7 1 1"));
    int first = 0;
    for (int i = 0; i < 200; ++i) {
        a.send("PUB orders.part 0\r\n\r\n");
        const std::string line = readMessage(a).line;
        first += static_cast<int>(line.starts_with("MSG orders.p1 "));
    }
    QVERIFY2(first > 50 && first < 150, qPrintable(QString::number(first)));
    // Rights are asked about what was published, and so is the answer without responders.
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    b.send("PUB orders.7.in 1\r\nx\r\n");
    QCOMPARE(
        bytes(b.line()), QByteArray("-ERR 'Permissions Violation for Publish to \"orders.7.in\"'"));
    a.send("UNSUB 1\r\n");
    QVERIFY(ask(a, "orders.8.in").body.find("Nats-Subject: orders.8.in") != std::string::npos);
}

void TestAccounts::jetStreamOfOneAccount()
{
    ServerRun server;
    QVERIFY(server.start("jetstream { store_dir: \"" + server.path(QStringLiteral("js")).toUtf8()
        + "\" }\naccounts {\n A { jetstream: enabled, users: [ {user: a, password: a} ] }\n"
          " B { users: [ {user: b, password: b} ] }\n}\n"));
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    QVERIFY(ask(b, "$JS.API.STREAM.CREATE.S", "{}").body.find(R"("err_code":10039)")
        != std::string::npos);
    // Where a consumer would have to be, nobody answers.
    QVERIFY(ask(b, "$JS.API.CONSUMER.MSG.NEXT.S.C").body.starts_with("NATS/1.0 503"));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    QVERIFY(ask(a, "$JS.API.STREAM.CREATE.S", R"({"name":"S","subjects":["s"]})")
                .body.find("did_create")
        != std::string::npos);
    // The same subject in the other account is another one.
    b.send("PUB s 0\r\n\r\n");
    b.flush();
    QVERIFY(ask(a, "$JS.API.STREAM.INFO.S").body.find(R"("messages":0)") != std::string::npos);
}

void TestAccounts::jetStreamOfNoAccount()
{
    ServerRun server;
    QVERIFY(server.start("jetstream { store_dir: \"" + server.path(QStringLiteral("js")).toUtf8()
        + "\" }\naccounts { B { users: [ {user: b, password: b} ] } }\n"));
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    const Message info = ask(b, "$JS.API.INFO");
    QVERIFY2(info.body.find(R"("err_code":10039)") != std::string::npos, info.body.c_str());
}

void TestAccounts::pushThroughImport()
{
    ServerRun server;
    QVERIFY(server.start("jetstream { store_dir: \"" + server.path(QStringLiteral("js")).toUtf8()
        + "\" }\naccounts {\n A { jetstream: enabled, users: [ {user: a, password: a} ]\n"
          "  exports: [ {stream: \"to.>\"}, {service: \"$JS.API.>\"} ] }\n"
          " B { users: [ {user: b, password: b} ], imports: [\n"
          "  {stream: {account: A, subject: \"to.>\"}, prefix: from}\n"
          "  {service: {account: A, subject: \"$JS.API.>\"}, to: \"JS.A.>\"} ] }\n}\n"));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    ask(a, "$JS.API.STREAM.CREATE.S", R"({"name":"S","subjects":["s"]})");
    ask(a, "s", "one");
    const std::string pushed = ask(b,
        "JS.A.CONSUMER.CREATE.S.C",
        R"({"stream_name":"S","config":{"name":"C","deliver_subject":"to.b","ack_policy":"none"}})")
                                   .body;
    QVERIFY2(pushed.find(R"("name":"C")") != std::string::npos, pushed.c_str());
    QVERIFY2(pushed.find("push_bound") == std::string::npos, pushed.c_str());
    // Whoever comes later in the other account wakes the consumer, and it stops when they go.
    b.send("SUB from.to.b 1\r\n");
    const Message first = readMessage(b);
    QVERIFY2(
        first.line.find("MSG s 1 $JS.ACK.S.C.1.1.1.") != std::string::npos, first.line.c_str());
    const char* bound = R"("push_bound":true)";
    QVERIFY(ask(a, "$JS.API.CONSUMER.INFO.S.C").body.find(bound) != std::string::npos);
    b.send("UNSUB 1\r\n");
    b.flush();
    QVERIFY(ask(a, "$JS.API.CONSUMER.INFO.S.C").body.find(bound) == std::string::npos);
}

/// Numbers before the rules of a configuration, bytes after them and after a stream of the name,
/// unless the request names its storage: then before them, too.
void TestAccounts::bytesAreAskedForInOrder()
{
    ServerRun server;
    QVERIFY(server.start("jetstream { store_dir: \"" + server.path(QStringLiteral("js")).toUtf8()
        + "\", max_file: 1000000 }\naccounts { A { users: [ {user: a, password: a} ]\n"
          " jetstream { max_file: 20000, max_consumers: 2 } } }\n"));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    const auto codeOf = [&a](const std::string& name, const std::string& config) {
        const Message answer =
            ask(a, "$JS.API.STREAM.CREATE." + name, R"({"name":")" + name + "\"," + config + "}");
        return json(answer)[QStringLiteral("error")][QStringLiteral("err_code")].toInt();
    };
    QCOMPARE(codeOf("S", R"("subjects":["s s"],"max_consumers":3)"), 10026);
    QCOMPARE(codeOf("S", R"("subjects":["s s"],"max_bytes":20001)"), 10052);
    QCOMPARE(codeOf("S", R"("subjects":["s"],"max_bytes":20001)"), 10047);
    QCOMPARE(codeOf("S", R"("subjects":["s"])"), 0);
    QCOMPARE(codeOf("S", R"("subjects":["s"],"max_bytes":20001)"), 10058);
    QCOMPARE(codeOf("T", R"("subjects":["s"],"max_bytes":20001)"), 10047);
    QCOMPARE(codeOf("T", R"("subjects":["t"],"max_bytes":20001,"num_replicas":3)"), 10074);
    const auto named = [&](const std::string& name, const std::string& config) {
        return codeOf(name, R"("storage":"file","max_bytes":20001,)" + config);
    };
    QCOMPARE(named("T", R"("subjects":["s s"])"), 10047);
    QCOMPARE(named("T", R"("subjects":["t"],"num_replicas":3)"), 10047);
    QCOMPARE(named("S", R"("subjects":["s"])"), 10047);
    QCOMPARE(named("T", R"("subjects":["s s"],"max_consumers":3)"), 10026);
    QCOMPARE(named("T", R"("subjects":["s s"],"sealed":true)"), 10052);
}

void TestAccounts::connectionLimit()
{
    ServerRun server;
    QVERIFY(server.start(
        "accounts { A { users: [ {user: a, password: a} ], limits: { max_connections: 1 } } }\n"));
    TestClient first(server.port());
    QVERIFY(login(first, R"("user":"a","pass":"a")"));
    TestClient second(server.port());
    second.line();
    second.send("CONNECT {\"user\":\"a\",\"pass\":\"a\"}\r\nPING\r\n");
    QCOMPARE(
        bytes(second.line()), QByteArray("-ERR 'maximum account active connections exceeded'"));
}

namespace {

const QByteArray kTwoAccounts = "server_name: here\nserver_tags: [\"az:1\"]\n"
                                "accounts { $SYS { users: [ {user: s, password: s} ] }\n"
                                " A { users: [ {user: a, password: a, permissions: { publish: { "
                                "allow: \">\", deny: \"no\" } }} "
                                "] } }\n";

} // namespace

void TestAccounts::systemPages()
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

void TestAccounts::systemFilters()
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

void TestAccounts::kickAndLameDuck()
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

void TestAccounts::events()
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

void TestAccounts::ordinaryAccounts()
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

void TestAccounts::reloadRequest()
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

void TestAccounts::reloadAddsAccounts()
{
    ServerRun server;
    QVERIFY(server.start("server_name: x\n"));
    server.write(QStringLiteral("server.conf"),
        "server_name: x\nsystem_account: ADMIN\naccounts {\n ADMIN { users: [ {user: s, password: "
        "s} ] }\n A { users: [ {user: a, password: a} ], exports: [ {stream: x} ] }\n"
        " B { users: [ {user: b, password: b} ], imports: [ {stream: {account: A, subject: x}} ] "
        "}\n}\n");
    server.signal(SIGHUP);
    QVERIFY(server.waitForLog("Reloaded server configuration"));
    TestClient s(server.port());
    QVERIFY(login(s, kAdmin));
    QVERIFY(json(ask(s, "$SYS.REQ.SERVER.PING")).contains(QStringLiteral("statsz")));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    b.send("SUB x 1\r\n");
    b.flush();
    a.send("PUB x 0\r\n\r\n");
    QCOMPARE(bytes(b.line()), QByteArray("MSG x 1 0"));
}

void TestAccounts::badConfigurations_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("mapping") << QByteArray("mappings { \"a.*\": \"b.$2\" }\n")
                             << QByteArray("Error adding mapping for \"a.*\"");
    QTest::newRow("not exported") << QByteArray(
        "accounts {\n A { exports: [ {stream: y} ] }\n"
        " B { imports: [ {stream: {account: A, subject: x}} ] }\n}\n")
                                  << QByteArray("is not authorized");
}

void TestAccounts::badConfigurations()
{
    QFETCH(QByteArray, config);
    QFETCH(QByteArray, text);
    ServerRun server;
    QCOMPARE(server.runToEnd(config), 1);
    QVERIFY2(server.log().contains(text), server.log().constData());
}

QTEST_GUILESS_MAIN(TestAccounts)
#include "tst_accounts.moc"
