// SPDX-License-Identifier: GPL-3.0-or-later
// Several accounts in one server: what crosses between them, and what each may have.
#include "requests.h"
#include "server_run.h"

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

class TestAccounts : public QObject
{
    Q_OBJECT
private slots:
    void services_data();
    void services();
    void streamsAndJetStream();
    void mappings();
    void jetStreamOfOneAccount();
    void jetStreamOfNoAccount();
    void pushThroughImport();
    void bytesAreAskedForInOrder();
    void connectionLimit();
    void reloadAddsAccounts();
    void limits();
    void accountInSubject();
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

void TestAccounts::reloadAddsAccounts()
{
    ServerRun server;
    QVERIFY(server.start("server_name: x\nsystem_account: ADMIN\n"
                         "accounts { ADMIN { users: [ {user: s, password: s} ] } }\n"));
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

/// What an account may at most stands under what the server allows.
void TestAccounts::limits()
{
    ServerRun server;
    QVERIFY(
        server.start("max_subscriptions: 3\naccounts {\n A { users: [ {user: a, password: a} ]\n"
                     "  limits { max_subs: 2, max_payload: 10 } }\n"
                     " B { users: [ {user: b, password: b} ], limits { max_subs: 9 } }\n}\n"));
    const auto subscribe = [](TestClient& client) {
        std::string answer;
        for (int sid = 1; answer.empty() && sid < 9; ++sid) {
            const std::string id = std::to_string(sid);
            client.send("SUB x." + id + ' ' + id + "\r\n");
            const std::string said = client.flush();
            if (said != "PONG\n")
                answer = id + ' ' + said;
        }
        return answer;
    };
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    QCOMPARE(subscribe(a), std::string("3 -ERR 'maximum subscriptions exceeded'\nPONG\n"));
    a.send("PUB x.1 10\r\n0123456789\r\n");
    QCOMPARE(readMessage(a).body, std::string("0123456789"));
    a.send("PUB x.1 11\r\n0123456789a\r\n");
    QCOMPARE(a.line(), std::string("-ERR 'Maximum Payload Violation'"));
    QVERIFY(a.closedByPeer());
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    QCOMPARE(subscribe(b), std::string("4 -ERR 'maximum subscriptions exceeded'\nPONG\n"));
    b.send("PUB x.1 11\r\n0123456789a\r\n");
    QCOMPARE(readMessage(b).body, std::string("0123456789a"));
}

/// One token of what is exported must be the importer's name.
void TestAccounts::accountInSubject()
{
    ServerRun server;
    QVERIFY(
        server.start("accounts {\n A { users: [ {user: a, password: a} ]\n"
                     "  exports: [ {stream: \"o.*\", account_token_position: 2} ] }\n"
                     " B { users: [ {user: b, password: b} ]\n"
                     "  imports: [ {stream: {account: A, subject: \"o.B\"}, to: mine} ] }\n}\n"));
    TestClient a(server.port());
    QVERIFY(login(a, R"("user":"a","pass":"a")"));
    TestClient b(server.port());
    QVERIFY(login(b, R"("user":"b","pass":"b")"));
    b.send("SUB > 1\r\n");
    b.flush();
    a.send("PUB o.C 1\r\nx\r\nPUB o.B 1\r\ny\r\n");
    a.flush();
    const Message got = readMessage(b);
    QCOMPARE(got.line, std::string("MSG mine 1 1"));
    QCOMPARE(got.body, std::string("y"));
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
