// SPDX-License-Identifier: GPL-3.0-or-later
// Who may come in by which way: credentials of a listener, and users bound to one.
#include "server_run.h"
#include "test_client.h"
#include "web_client.h"

#include <QTest>

#include <string>

using jetglass::test::ServerRun;
using jetglass::test::TestClient;
using jetglass::test::WebClient;

class TestListenerUsers : public QObject
{
    Q_OBJECT
private slots:
    void ownCredentials_data();
    void ownCredentials();
    void connectionTypes();
};

void TestListenerUsers::ownCredentials_data()
{
    QTest::addColumn<QByteArray>("server");
    QTest::addColumn<QByteArray>("listener");
    QTest::addColumn<std::string>("web"); // what a WebSocket client says, and what another one
    QTest::addColumn<std::string>("plain");
    const std::string user = R"(,"user":"w","pass":"p")";
    QTest::newRow("only here") << QByteArray() << QByteArray("user: w, password: p") << user
                               << std::string();
    QTest::newRow("instead of the server's")
        << QByteArray("authorization { user: x, password: y }\n")
        << QByteArray("user: w, password: p") << user << std::string(R"(,"user":"x","pass":"y")");
    QTest::newRow("token") << QByteArray("authorization { user: x, password: y }\n")
                           << QByteArray("token: t") << std::string(R"(,"auth_token":"t")")
                           << std::string(R"(,"user":"x","pass":"y")");
}

/// A listener's credentials hold for its clients, and for nobody else.
void TestListenerUsers::ownCredentials()
{
    QFETCH(QByteArray, server);
    QFETCH(QByteArray, listener);
    QFETCH(std::string, web);
    QFETCH(std::string, plain);
    ServerRun run;
    QVERIFY(run.start(server + "websocket { port: -1, no_tls: true, authorization { " + listener
        + ", timeout: 0.3 } }\n"));
    WebClient good(run.webSocketPort());
    QVERIFY(good.upgrade().find(" 101 ") != std::string::npos);
    QVERIFY(good.line().find("\"auth_required\":true") != std::string::npos);
    QCOMPARE(good.hello(web), std::string("PONG"));
    const std::string other = server.isEmpty() ? R"(,"user":"w","pass":"q")" : plain;
    WebClient bad(run.webSocketPort());
    QVERIFY(bad.connect());
    QCOMPARE(bad.hello(other), std::string("-ERR 'Authorization Violation'"));
    WebClient silent(run.webSocketPort());
    QVERIFY(silent.connect());
    QCOMPARE(silent.line(), std::string("-ERR 'Authentication Timeout'"));
    const auto says = [](const std::string& options) {
        return options.empty() ? options : options.substr(1);
    };
    TestClient straight(run.port());
    QVERIFY(straight.handshake(says(plain)));
    if (!server.isEmpty()) {
        TestClient lost(run.port());
        QVERIFY(!lost.handshake(says(web)));
    }
}

/// Users may be let in by one way only.
void TestListenerUsers::connectionTypes()
{
    ServerRun server;
    QVERIFY(server.start("authorization { users: [\n"
                         " {user: w, password: p, allowed_connection_types: [websocket]}\n"
                         " {user: s, password: p, allowed_connection_types: [STANDARD, MQTT]}\n"
                         " {user: e, password: p}\n] }\n"
                         "websocket { port: -1, no_tls: true }\n"));
    const auto web = [&server](const std::string& user) {
        WebClient client(server.webSocketPort());
        return client.connect()
            && client.hello(R"(,"user":")" + user + R"(","pass":"p")") == "PONG";
    };
    const auto plain = [&server](const std::string& user) {
        TestClient client(server.port());
        return client.handshake(R"("user":")" + user + R"(","pass":"p")");
    };
    QVERIFY(web("w") && !plain("w"));
    QVERIFY(!web("s") && plain("s"));
    QVERIFY(web("e") && plain("e"));
}

QTEST_GUILESS_MAIN(TestListenerUsers)
#include "tst_listener_users.moc"
