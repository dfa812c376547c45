// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong around the program: no space, foreign and damaged stores, ports that are taken.
#include "server_run.h"
#include "test_client.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTcpServer>
#include <QTest>

#include <sys/resource.h>

using jetglass::test::ServerRun;
using jetglass::test::TestClient;

namespace {

/// A request; the answer's body.
std::string ask(TestClient& client, const std::string& subject, const std::string& body = {})
{
    client.send("SUB answer.1 a\r\nUNSUB a 1\r\nPUB " + subject + " answer.1 "
        + std::to_string(body.size()) + "\r\n" + body + "\r\n");
    std::string line;
    do
        line = client.line();
    while (line == "PING" || line.starts_with("INFO "));
    if (line.find("MSG answer.1") == std::string::npos)
        return line;
    const std::size_t size = std::stoul(line.substr(line.rfind(' ') + 1));
    return client.bytes(size + 2).substr(0, size);
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

QStringList storeArguments(const ServerRun& server)
{
    return {QStringLiteral("-js"), QStringLiteral("-sd"), server.path(QStringLiteral("store"))};
}

/// The files of a store whose names end like this, sorted.
QStringList filesOf(const ServerRun& server, const QString& ending)
{
    QStringList all;
    QDirIterator files(
        server.path(QStringLiteral("store")), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        if (file.endsWith(ending))
            all << file;
    }
    all.sort();
    return all;
}

void damage(const QString& name, qint64 at, const QByteArray& with)
{
    QFile file(name);
    if (!file.open(QIODevice::ReadWrite) || !file.seek(at) || file.write(with) != with.size())
        qFatal("cannot damage %s", qPrintable(name));
}

const std::string kStreamS = R"({"name":"S","subjects":["s.*"]})";

} // namespace

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
    void damagedFiles_data();
    void damagedFiles();
    void messagesGone();
    void damagedCatalog_data();
    void damagedCatalog();
    void damagedCatalogWithoutCopies();

private:
    static bool makeStream(ServerRun& server, int messages);
};

/// A start with a stream of so many messages, and an orderly end.
bool TestBadInput::makeStream(ServerRun& server, int messages)
{
    if (!server.start({}, storeArguments(server)))
        return false;
    TestClient client(server.port());
    if (!client.handshake()
        || !contains(ask(client, "$JS.API.STREAM.CREATE.S", kStreamS), "did_create"))
        return false;
    constexpr int kAtOnce = 1000; // a block ends between two turns of the broker
    const std::string padding(messages > kAtOnce ? 2000 : 0, ' '); // many fill more than a block
    std::string all;
    for (int i = 1; i <= messages; ++i) {
        const std::string text = "message " + std::to_string(i) + padding;
        all += "PUB s.1 " + std::to_string(text.size()) + "\r\n" + text + "\r\n";
        if (i % kAtOnce == 0 || i == messages) {
            client.send(all);
            client.flush();
            all.clear();
        }
    }
    if (!contains(
            ask(client, "$JS.API.STREAM.INFO.S"), "\"messages\":" + std::to_string(messages) + ','))
        return false;
    return server.stop() == 0;
}

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
        QVERIFY(contains(ask(client, "$JS.API.STREAM.CREATE.S", kStreamS), "did_create"));
        QVERIFY(contains(ask(client, "$JS.API.STREAM.CREATE.F", R"({"name":"F","subjects":["f"]})"),
            "did_create"));
        QVERIFY(contains(ask(client,
                             "$JS.API.STREAM.CREATE.M",
                             R"({"name":"M","subjects":["m"],"storage":"memory"})"),
            "did_create"));
        std::string answer = ask(client, "s.1", payload);
        while (contains(answer, "\"seq\":") && !contains(answer, "error") && acknowledged < 100) {
            ++acknowledged;
            answer = ask(client, "s.1", payload);
        }
        QVERIFY2(contains(answer, "\"err_code\":10077"), answer.c_str());
        QVERIFY(acknowledged > 5 && acknowledged < 18);
        // It stays so, the sequence is not used up, and others go on.
        QVERIFY(contains(ask(client, "s.1", payload), "\"err_code\":10077"));
        QVERIFY(contains(ask(client, "f", "small"), "\"seq\":1}"));
        QVERIFY(contains(ask(client, "m", payload), "\"seq\":1}"));
        const std::string info = ask(client, "$JS.API.STREAM.INFO.S");
        QVERIFY2(
            contains(info, "\"messages\":" + std::to_string(acknowledged) + ','), info.c_str());
        QVERIFY(server.waitForLog("[ERR]"));
    }
    server.kill();
    server.setChildSetup([] {});
    QVERIFY(server.start({}, storeArguments(server)));
    TestClient client(server.port());
    QVERIFY(client.handshake());
    const std::string info = ask(client, "$JS.API.STREAM.INFO.S");
    QVERIFY2(contains(info, "\"messages\":" + std::to_string(acknowledged) + ','), info.c_str());
    QVERIFY(
        contains(ask(client, "s.1", payload), "\"seq\":" + std::to_string(acknowledged + 1) + '}'));
    QVERIFY(contains(ask(client, "f", "small"), "\"seq\":2}"));
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
        QVERIFY(contains(ask(client, "$JS.API.STREAM.CREATE.S", kStreamS), "did_create"));
        for (int i = 0; i < kMessages; ++i)
            QVERIFY(contains(ask(client, "s.1", std::string(300, 'x')), "\"seq\":"));
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
        QVERIFY(contains(ask(client, "$JS.API.STREAM.INFO.S"), "\"messages\":100,"));
        QVERIFY(contains(ask(client, "$JS.API.STREAM.MSG.GET.S", R"({"seq":100})"), "\"data\":"));
        const std::string refused = ask(client, "s.1", "x");
        QVERIFY2(contains(refused, "\"err_code\":10077"), refused.c_str());
        const std::string made =
            ask(client, "$JS.API.STREAM.CREATE.T", R"({"name":"T","subjects":["t"]})");
        QVERIFY2(contains(made, "\"error\":"), made.c_str());
        QVERIFY(contains(ask(client, "$JS.API.STREAM.NAMES"), "\"streams\":[\"S\"]"));
        server.stop(end); // in order: the checkpoint of the catalog fails
    }
    server.setChildSetup([] {});
    QVERIFY(server.start({}, storeArguments(server)));
    TestClient client(server.port());
    QVERIFY(client.handshake());
    QVERIFY(contains(ask(client, "$JS.API.STREAM.INFO.S"), "\"messages\":100,"));
    QVERIFY(contains(ask(client, "$JS.API.STREAM.NAMES"), "\"streams\":[\"S\"]"));
    QVERIFY(contains(ask(client, "s.1", "x"), "\"seq\":101}"));
}

void TestBadInput::syncAlways()
{
    ServerRun server;
    QVERIFY(server.start("http: \"127.0.0.1:-1\"\njetstream { sync_interval: always, store_dir: \""
        + server.path(QStringLiteral("store")).toUtf8() + "\" }\n"));
    TestClient one(server.port());
    TestClient two(server.port());
    QVERIFY(one.handshake() && two.handshake());
    QVERIFY(contains(ask(one, "$JS.API.STREAM.CREATE.S", kStreamS), "did_create"));
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
    QVERIFY(contains(ask(after, "$JS.API.STREAM.INFO.S"), "\"messages\":400,"));
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

void TestBadInput::damagedFiles_data()
{
    QTest::addColumn<int>("messages");
    QTest::addColumn<QString>("ending"); // of the file that is damaged
    QTest::addColumn<qint64>("at"); // negative: from the end
    QTest::addColumn<int>("lost"); // at most
    QTest::newRow("middle of a block") << 50 << QStringLiteral(".blk") << qint64{200} << 3;
    QTest::newRow("head of a block") << 50 << QStringLiteral(".blk") << qint64{0} << 1;
    QTest::newRow("end of a block") << 50 << QStringLiteral(".blk") << qint64{-10} << 1;
    // A block that is full has an index, which only saves reading the block.
    QTest::newRow("index") << 5000 << QStringLiteral(".idx") << qint64{0} << 0;
}

void TestBadInput::damagedFiles()
{
    QFETCH(int, messages);
    QFETCH(QString, ending);
    QFETCH(qint64, at);
    QFETCH(int, lost);
    ServerRun server;
    QVERIFY(makeStream(server, messages));
    const QStringList files = filesOf(server, ending);
    QVERIFY(!files.isEmpty());
    const qint64 size = QFileInfo(files.first()).size();
    damage(files.first(), at < 0 ? size + at : at, "\x55\xaa\x55\xaa\x55\xaa\x55\xaa");
    QVERIFY(server.start({}, storeArguments(server)));
    TestClient client(server.port());
    QVERIFY(client.handshake());
    const std::string info = ask(client, "$JS.API.STREAM.INFO.S");
    const auto number = [&info](const std::string& name) {
        const auto place = info.find('"' + name + "\":");
        return place == std::string::npos ? -1 : std::stoi(info.substr(place + name.size() + 3));
    };
    const int left = number("messages");
    QVERIFY2(left >= messages - lost, info.c_str());
    if (left < messages) // what is lost is said, with the name of the file
        QVERIFY2(server.log().contains(QFileInfo(files.first()).fileName().toUtf8()),
            server.log().constData());
    const int last = number("last_seq");
    if (left < last) { // a hole: which sequences, in the form that clients expect
        const std::string details =
            ask(client, "$JS.API.STREAM.INFO.S", R"({"deleted_details":true})");
        QVERIFY2(contains(details, "\"lost\":{\"msgs\":["), details.c_str());
    }
    QVERIFY2(last >= messages - 1, info.c_str());
    const std::string next = ask(client, "s.1", "x");
    QVERIFY2(contains(next, "\"seq\":" + std::to_string(last + 1) + '}'), next.c_str());
}

/// Killed, and then its messages are gone: what a consumer has seen is not given to others.
void TestBadInput::messagesGone()
{
    ServerRun server;
    QVERIFY(makeStream(server, 50));
    QVERIFY(server.start({}, storeArguments(server)));
    {
        TestClient client(server.port());
        QVERIFY(client.handshake());
        ask(client,
            "$JS.API.CONSUMER.CREATE.S.C",
            R"({"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit"}})");
        for (int i = 0; i < 10; ++i) // behind what was remembered at the orderly end
            QVERIFY(contains(ask(client, "s.1", "x"), "\"seq\":"));
        client.send("SUB got 9\r\nPUB $JS.API.CONSUMER.MSG.NEXT.S.C got 28\r\n"
                    "{\"batch\":55, \"no_wait\":true}\r\n");
        int delivered = 0;
        for (std::string line = client.line(); !line.empty() && delivered < 55;) {
            delivered += static_cast<int>(line.starts_with("MSG s.1 9 "));
            if (delivered < 55)
                line = client.line();
        }
        QCOMPARE(delivered, 55);
    }
    server.kill();
    const QString block = filesOf(server, QStringLiteral("1.blk")).value(0);
    QVERIFY(QFile::remove(block));
    QVERIFY(server.start({}, storeArguments(server)));
    QVERIFY2(server.log().contains("[WRN] " + block.toUtf8() + ": the newest block is missing"),
        server.log().constData());
    QVERIFY2(server.log().contains(
                 "[WRN] stream 'S': consumers have had sequence 55, but the newest that is stored "
                 "is 50; those between are lost, and it goes on behind them\n"),
        server.log().constData());
    TestClient client(server.port());
    QVERIFY(client.handshake());
    QVERIFY(contains(ask(client, "$JS.API.STREAM.INFO.S"), "\"last_seq\":55,"));
    QVERIFY(contains(ask(client, "s.1", "x"), "\"seq\":56}"));
    const std::string info = ask(client, "$JS.API.CONSUMER.INFO.S.C");
    QVERIFY2(contains(info, "\"num_pending\":1,"), info.c_str());
    QVERIFY2(contains(info, "\"num_ack_pending\":0,"), info.c_str());
}

void TestBadInput::damagedCatalog_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("text") << QByteArray("this is no database, and it is long enough to show that");
    QTest::newRow("zeros") << QByteArray(8192, '\0');
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("missing") << QByteArray();
}

/// It is set aside and made anew from the copies that streams keep beside their messages.
void TestBadInput::damagedCatalog()
{
    QFETCH(QByteArray, content);
    ServerRun server;
    QVERIFY(makeStream(server, 3));
    QVERIFY(server.start({}, storeArguments(server)));
    {
        TestClient client(server.port());
        QVERIFY(client.handshake());
        const std::string made = ask(client,
            "$JS.API.CONSUMER.CREATE.S.C",
            R"({"stream_name":"S","config":{"name":"C","durable_name":"C","ack_policy":"explicit"}})");
        QVERIFY2(contains(made, "\"name\":\"C\""), made.c_str());
    }
    QCOMPARE(server.stop(), 0);
    const QString catalog = filesOf(server, QStringLiteral("catalog.sqlite")).value(0);
    QVERIFY(!catalog.isEmpty());
    QFile file(catalog);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(content);
    file.close();
    QVERIFY(!content.isNull() || file.remove());
    QVERIFY(server.start({}, storeArguments(server)));
    QVERIFY2(server.log().contains("[WRN] " + catalog.toUtf8() + ": "), server.log().constData());
    QVERIFY2(server.log().contains("made anew with 1 streams and 1 consumers"),
        server.log().constData());
    TestClient client(server.port());
    QVERIFY(client.handshake());
    QVERIFY(contains(ask(client, "$JS.API.STREAM.INFO.S"), "\"messages\":3,"));
    QVERIFY(contains(ask(client, "$JS.API.CONSUMER.INFO.S.C"), "\"num_pending\":3"));
    QFile aside(catalog + QStringLiteral(".damaged"));
    QCOMPARE(aside.open(QIODevice::ReadOnly), !content.isEmpty());
    QCOMPARE(
        aside.isOpen() ? aside.readAll() : QByteArray(), content); // nobody's data is thrown away
}

/// A stream without its copy: nobody knows what it was, so nothing of it may be touched.
void TestBadInput::damagedCatalogWithoutCopies()
{
    ServerRun server;
    QVERIFY(makeStream(server, 3));
    const QString copy = filesOf(server, QStringLiteral("config.json")).value(0);
    QVERIFY(!copy.isEmpty());
    QVERIFY(QFile::remove(copy));
    const QString catalog = filesOf(server, QStringLiteral("catalog.sqlite")).value(0);
    QFile file(catalog);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray good = file.readAll();
    file.close();
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("this is no database, and it is long enough to show that");
    file.close();
    QCOMPARE(server.runToEnd({}, storeArguments(server)), 1);
    QVERIFY2(server.log().contains("[FTL] ") && server.log().contains(catalog.toUtf8())
            && server.log().contains("'S'"),
        server.log().constData());
    // Whoever has a copy of the file has everything again.
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(good);
    file.close();
    QVERIFY(server.start({}, storeArguments(server)));
    TestClient client(server.port());
    QVERIFY(client.handshake());
    QVERIFY(contains(ask(client, "$JS.API.STREAM.INFO.S"), "\"messages\":3,"));
}

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
