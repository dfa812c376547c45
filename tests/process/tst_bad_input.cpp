// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong around the program: no space, foreign stores, ports that are taken.
#include "stored_stream.h"

#include <QDir>
#include <QFile>
#include <QTcpServer>
#include <QTest>

#include <sys/resource.h>

using jetglass::test::answerTo;
using jetglass::test::contains;
using jetglass::test::kStreamS;
using jetglass::test::ServerRun;
using jetglass::test::storeArguments;
using jetglass::test::TestClient;

class TestBadInput : public QObject
{
    Q_OBJECT
private slots:
    void fileSizeLimit();
    void startsWhereNothingCanGrow();
    void syncAlways();
    void portsTaken_data();
    void portsTaken();
    void badStoreDirectories_data();
    void badStoreDirectories();
    void foreignStore();
    void storeInUse();
};

/// The system refuses to let a file grow, as a full disk would.
void TestBadInput::fileSizeLimit()
{
    constexpr rlim_t kLimit = 1U << 20U;
    const std::string payload(60'000, 'x');
    ServerRun server;
    server.setChildSetup([] {
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = kLimit;
        setrlimit(RLIMIT_FSIZE, &limit);
        ::signal(SIGXFSZ, SIG_IGN);
    });
    QVERIFY(server.start({}, storeArguments(server)));
    int acknowledged = 0;
    {
        TestClient client(server.port());
        QVERIFY(client.handshake());
        QVERIFY(contains(answerTo(client, "$JS.API.STREAM.CREATE.S", kStreamS), "did_create"));
        QVERIFY(contains(
            answerTo(client, "$JS.API.STREAM.CREATE.F", R"({"name":"F","subjects":["f"]})"),
            "did_create"));
        QVERIFY(contains(answerTo(client,
                             "$JS.API.STREAM.CREATE.M",
                             R"({"name":"M","subjects":["m"],"storage":"memory"})"),
            "did_create"));
        std::string answer = answerTo(client, "s.1", payload);
        while (contains(answer, "\"seq\":") && !contains(answer, "error") && acknowledged < 100) {
            ++acknowledged;
            answer = answerTo(client, "s.1", payload);
        }
        QVERIFY2(contains(answer, "\"err_code\":10077"), answer.c_str());
        QVERIFY(acknowledged > 5 && acknowledged < 18);
        // It stays so, the sequence is not used up, and others go on.
        QVERIFY(contains(answerTo(client, "s.1", payload), "\"err_code\":10077"));
        QVERIFY(contains(answerTo(client, "f", "small"), "\"seq\":1}"));
        QVERIFY(contains(answerTo(client, "m", payload), "\"seq\":1}"));
        const std::string info = answerTo(client, "$JS.API.STREAM.INFO.S");
        QVERIFY2(
            contains(info, "\"messages\":" + std::to_string(acknowledged) + ','), info.c_str());
        QVERIFY(server.waitForLog("[ERR]"));
    }
    server.kill();
    server.setChildSetup([] {});
    QVERIFY(server.start({}, storeArguments(server)));
    TestClient client(server.port());
    QVERIFY(client.handshake());
    const std::string info = answerTo(client, "$JS.API.STREAM.INFO.S");
    QVERIFY2(contains(info, "\"messages\":" + std::to_string(acknowledged) + ','), info.c_str());
    QVERIFY(contains(
        answerTo(client, "s.1", payload), "\"seq\":" + std::to_string(acknowledged + 1) + '}'));
    QVERIFY(contains(answerTo(client, "f", "small"), "\"seq\":2}"));
}

/// Killed, and then no file may grow any more: it starts, serves what is stored and refuses the
/// rest.
void TestBadInput::startsWhereNothingCanGrow()
{
    constexpr int kMessages = 100;
    ServerRun server;
    QVERIFY(server.start({}, storeArguments(server)));
    {
        TestClient client(server.port());
        QVERIFY(client.handshake());
        QVERIFY(contains(answerTo(client, "$JS.API.STREAM.CREATE.S", kStreamS), "did_create"));
        for (int i = 0; i < kMessages; ++i)
            QVERIFY(contains(answerTo(client, "s.1", std::string(300, 'x')), "\"seq\":"));
    }
    server.kill(); // what the catalog says is in its WAL alone now
    server.setChildSetup([] {
        constexpr rlim_t kLimit = 16U
            << 10U; // less than the block has, and than shared memory takes
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = kLimit;
        setrlimit(RLIMIT_FSIZE, &limit);
        ::signal(SIGXFSZ, SIG_IGN);
    });
    for (int end : {SIGKILL, SIGTERM}) {
        QVERIFY2(server.start({}, storeArguments(server)), server.log().constData());
        TestClient client(server.port());
        QVERIFY(client.handshake());
        QVERIFY(contains(answerTo(client, "$JS.API.STREAM.INFO.S"), "\"messages\":100,"));
        QVERIFY(
            contains(answerTo(client, "$JS.API.STREAM.MSG.GET.S", R"({"seq":100})"), "\"data\":"));
        const std::string refused = answerTo(client, "s.1", "x");
        QVERIFY2(contains(refused, "\"err_code\":10077"), refused.c_str());
        const std::string made =
            answerTo(client, "$JS.API.STREAM.CREATE.T", R"({"name":"T","subjects":["t"]})");
        QVERIFY2(contains(made, "\"error\":"), made.c_str());
        QVERIFY(contains(answerTo(client, "$JS.API.STREAM.NAMES"), "\"streams\":[\"S\"]"));
        server.stop(end); // in order: the checkpoint of the catalog fails
    }
    server.setChildSetup([] {});
    QVERIFY(server.start({}, storeArguments(server)));
    TestClient client(server.port());
    QVERIFY(client.handshake());
    QVERIFY(contains(answerTo(client, "$JS.API.STREAM.INFO.S"), "\"messages\":100,"));
    QVERIFY(contains(answerTo(client, "$JS.API.STREAM.NAMES"), "\"streams\":[\"S\"]"));
    QVERIFY(contains(answerTo(client, "s.1", "x"), "\"seq\":101}"));
}

void TestBadInput::syncAlways()
{
    ServerRun server;
    QVERIFY(server.start("http: \"127.0.0.1:-1\"\njetstream { sync_interval: always, store_dir: \""
        + server.path(QStringLiteral("store")).toUtf8() + "\" }\n"));
    TestClient one(server.port());
    TestClient two(server.port());
    QVERIFY(one.handshake() && two.handshake());
    QVERIFY(contains(answerTo(one, "$JS.API.STREAM.CREATE.S", kStreamS), "did_create"));
    constexpr int kEach = 200;
    for (TestClient* client : {&one, &two}) {
        std::string all = "SUB ack 1\r\n";
        for (int i = 0; i < kEach; ++i)
            all += "PUB s.1 ack 2\r\nhi\r\n";
        client->send(all);
    }
    // Each hears of all: both listen on the same subject, and none is missing.
    for (TestClient* client : {&one, &two}) {
        int acks = 0;
        for (std::string line = client->line(); !line.empty(); line = client->line()) {
            acks += static_cast<int>(line.starts_with("MSG ack 1 "));
            if (acks == kEach)
                break;
        }
        QCOMPARE(acks, kEach);
    }
    QVERIFY(contains(jetglass::test::httpGet(server.httpPort(), "/varz"), "\"sync_always\": true"));
    server.kill();
    QVERIFY(server.start("jetstream { sync_interval: always, store_dir: \""
        + server.path(QStringLiteral("store")).toUtf8() + "\" }\n"));
    TestClient after(server.port());
    QVERIFY(after.handshake());
    QVERIFY(contains(answerTo(after, "$JS.API.STREAM.INFO.S"), "\"messages\":400,"));
}

void TestBadInput::portsTaken_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("clients") << QByteArray()
                             << QStringList{QStringLiteral("-p"), QStringLiteral("PORT")};
    QTest::newRow("monitoring") << QByteArray()
                                << QStringList{QStringLiteral("-m"), QStringLiteral("PORT")};
    QTest::newRow("websocket") << QByteArray("websocket { port: PORT, no_tls: true }\n")
                               << QStringList();
}

void TestBadInput::portsTaken()
{
    QFETCH(QByteArray, config);
    QFETCH(QStringList, arguments);
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const QString port = QString::number(other.serverPort());
    ServerRun server;
    QCOMPARE(server.runToEnd(config.replace("PORT", port.toUtf8()),
                 arguments.replaceInStrings(QStringLiteral("PORT"), port)),
        1);
    const QByteArray log = server.log();
    QVERIFY2(log.contains("[FTL] "), log.constData());
    QVERIFY2(log.contains("127.0.0.1:" + port.toUtf8()), log.constData());
    QVERIFY2(log.contains("address already in use"), log.constData());
    QVERIFY(!log.contains("Server is ready"));
}

void TestBadInput::badStoreDirectories_data()
{
    QTest::addColumn<QString>("directory"); // relative: in the test's own
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a file") << QStringLiteral("file")
                            << QByteArray("storage directory is not a directory");
    QTest::newRow("below a file") << QStringLiteral("file/store")
                                  << QByteArray("could not create storage directory");
    QTest::newRow("where nothing can be made")
        << QStringLiteral("/proc/jetglass") << QByteArray("could not create storage directory");
}

void TestBadInput::badStoreDirectories()
{
    QFETCH(QString, directory);
    QFETCH(QByteArray, text);
    ServerRun server;
    server.write(QStringLiteral("file"), "x");
    const QString path =
        directory.startsWith(QLatin1Char('/')) ? directory : server.path(directory);
    QCOMPARE(server.runToEnd({}, {QStringLiteral("-js"), QStringLiteral("-sd"), path}), 1);
    const QByteArray log = server.log();
    QVERIFY2(log.contains("[FTL] ") && log.contains(text), log.constData());
    QVERIFY2(log.contains(path.toUtf8()), log.constData());
}

/// Making a stream in it would delete what the other program has stored under that name.
void TestBadInput::foreignStore()
{
    ServerRun server;
    const QString stream = QStringLiteral("store/jetstream/$G/streams/ORDERS");
    QVERIFY(QDir(server.path(QString())).mkpath(stream + QStringLiteral("/msgs")));
    server.write(stream + QStringLiteral("/meta.inf"), "{\"name\":\"ORDERS\"}");
    server.write(stream + QStringLiteral("/msgs/1.blk"), "theirs");
    QCOMPARE(server.runToEnd({}, storeArguments(server)), 1);
    const QByteArray log = server.log();
    QVERIFY2(log.contains("[FTL] ") && log.contains("ORDERS/meta.inf")
            && log.contains("store of a nats-server"),
        log.constData());
    QFile block(server.path(stream + QStringLiteral("/msgs/1.blk")));
    QVERIFY(block.open(QIODevice::ReadOnly));
    QCOMPARE(block.readAll(), QByteArray("theirs"));
}

void TestBadInput::storeInUse()
{
    ServerRun first;
    QVERIFY(first.start({}, storeArguments(first)));
    ServerRun second;
    QCOMPARE(second.runToEnd({}, storeArguments(first)), 1);
    const QByteArray log = second.log();
    QVERIFY2(log.contains("[FTL] ") && log.contains("another broker uses this directory"),
        log.constData());
}

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
