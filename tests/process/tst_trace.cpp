// SPDX-License-Identifier: GPL-3.0-or-later
// What the log says of the protocol, with the flags and the keys that ask for it.
#include "server_run.h"
#include "test_client.h"

#include <QTest>

using jetglass::test::ServerRun;
using jetglass::test::TestClient;

class TestTrace : public QObject
{
    Q_OBJECT
private slots:
    void lines_data();
    void lines();
    void reload();
};

void TestTrace::lines_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("present");
    QTest::addColumn<QByteArray>("absent");
    const QByteArray all = "[TRC]";
    const QByteArray created = "Client connection created";
    QTest::newRow("quiet") << QByteArray() << QStringList() << QByteArray("Server is ready") << all;
    QTest::newRow("-V") << QByteArray() << QStringList{QStringLiteral("-V")}
                        << QByteArray("<<- [PUB foo 5]") << created;
    QTest::newRow("-DV") << QByteArray() << QStringList{QStringLiteral("-DV")} << created
                         << QByteArray("secret");
    QTest::newRow("trace") << QByteArray("trace: true\n") << QStringList()
                           << QByteArray("<<- MSG_PAYLOAD: [\"hello\"]") << created;
    QTest::newRow("trace_verbose") << QByteArray("trace_verbose: true\n") << QStringList()
                                   << QByteArray("->> [MSG foo 1 5]") << created;
    QTest::newRow("cut") << QByteArray("trace: true\nmax_traced_msg_len: 2\n") << QStringList()
                         << QByteArray("MSG_PAYLOAD: [\"he...\"]") << QByteArray("hello");
    QTest::newRow("headers only") << QByteArray("trace: true\ntrace_headers: true\n")
                                  << QStringList() << QByteArray("<<- [PUB foo 5]")
                                  << QByteArray("hello");
    QTest::newRow("redacted") << QByteArray("trace: true\n") << QStringList()
                              << QByteArray("\"pass\":\"[REDACTED]\"") << QByteArray("secret");
}

void TestTrace::lines()
{
    QFETCH(QByteArray, config);
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, present);
    QFETCH(QByteArray, absent);
    ServerRun server;
    QVERIFY(server.start(config, arguments));
    TestClient client(server.port());
    QVERIFY(client.handshake(R"("user":"u","pass":"secret","auth_token":"secret")"));
    client.send("SUB foo 1\r\nPUB foo 5\r\nhello\r\n");
    client.flush();
    QCOMPARE(server.stop(), 0);
    QVERIFY2(server.log().contains(present), server.log().constData());
    QVERIFY2(!server.log().contains(absent), server.log().constData());
}

void TestTrace::reload()
{
    ServerRun server;
    QVERIFY(server.start("debug: false\n"));
    TestClient client(server.port());
    QVERIFY(client.handshake());
    client.send("PUB before 0\r\n\r\n");
    client.flush();
    server.write(QStringLiteral("server.conf"), "trace: true\n");
    server.signal(SIGHUP);
    QVERIFY(server.waitForLog("Reloaded server configuration"));
    client.send("PUB after 0\r\n\r\n");
    client.flush();
    QVERIFY(server.waitForLog("<<- [PUB after 0]"));
    QVERIFY(!server.log().contains("PUB before"));
}

QTEST_GUILESS_MAIN(TestTrace)
#include "tst_trace.moc"
