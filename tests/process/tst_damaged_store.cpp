// SPDX-License-Identifier: GPL-3.0-or-later
// A store whose files are damaged or gone when the program starts: what is left, and what it says.
#include "stored_stream.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

using jetglass::test::answerTo;
using jetglass::test::contains;
using jetglass::test::kStreamS;
using jetglass::test::ServerRun;
using jetglass::test::storeArguments;
using jetglass::test::TestClient;

namespace {

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

} // namespace

class TestDamagedStore : public QObject
{
    Q_OBJECT
private slots:
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
bool TestDamagedStore::makeStream(ServerRun& server, int messages)
{
    if (!server.start({}, storeArguments(server)))
        return false;
    TestClient client(server.port());
    if (!client.handshake()
        || !contains(answerTo(client, "$JS.API.STREAM.CREATE.S", kStreamS), "did_create"))
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
    if (!contains(answerTo(client, "$JS.API.STREAM.INFO.S"),
            "\"messages\":" + std::to_string(messages) + ','))
        return false;
    return server.stop() == 0;
}

void TestDamagedStore::damagedFiles_data()
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

void TestDamagedStore::damagedFiles()
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
    const std::string info = answerTo(client, "$JS.API.STREAM.INFO.S");
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
            answerTo(client, "$JS.API.STREAM.INFO.S", R"({"deleted_details":true})");
        QVERIFY2(contains(details, "\"lost\":{\"msgs\":["), details.c_str());
    }
    QVERIFY2(last >= messages - 1, info.c_str());
    const std::string next = answerTo(client, "s.1", "x");
    QVERIFY2(contains(next, "\"seq\":" + std::to_string(last + 1) + '}'), next.c_str());
}

/// Killed, and then its messages are gone: what a consumer has seen is not given to others.
void TestDamagedStore::messagesGone()
{
    ServerRun server;
    QVERIFY(makeStream(server, 50));
    QVERIFY(server.start({}, storeArguments(server)));
    {
        TestClient client(server.port());
        QVERIFY(client.handshake());
        answerTo(client,
            "$JS.API.CONSUMER.CREATE.S.C",
            R"({"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit"}})");
        for (int i = 0; i < 10; ++i) // behind what was remembered at the orderly end
            QVERIFY(contains(answerTo(client, "s.1", "x"), "\"seq\":"));
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
    QVERIFY(contains(answerTo(client, "$JS.API.STREAM.INFO.S"), "\"last_seq\":55,"));
    QVERIFY(contains(answerTo(client, "s.1", "x"), "\"seq\":56}"));
    const std::string info = answerTo(client, "$JS.API.CONSUMER.INFO.S.C");
    QVERIFY2(contains(info, "\"num_pending\":1,"), info.c_str());
    QVERIFY2(contains(info, "\"num_ack_pending\":0,"), info.c_str());
}

void TestDamagedStore::damagedCatalog_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("text") << QByteArray("this is no database, and it is long enough to show that");
    QTest::newRow("zeros") << QByteArray(8192, '\0');
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("missing") << QByteArray();
}

/// It is set aside and made anew from the copies that streams keep beside their messages.
void TestDamagedStore::damagedCatalog()
{
    QFETCH(QByteArray, content);
    ServerRun server;
    QVERIFY(makeStream(server, 3));
    QVERIFY(server.start({}, storeArguments(server)));
    {
        TestClient client(server.port());
        QVERIFY(client.handshake());
        const std::string made = answerTo(client,
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
    QVERIFY(contains(answerTo(client, "$JS.API.STREAM.INFO.S"), "\"messages\":3,"));
    QVERIFY(contains(answerTo(client, "$JS.API.CONSUMER.INFO.S.C"), "\"num_pending\":3"));
    QFile aside(catalog + QStringLiteral(".damaged"));
    QCOMPARE(aside.open(QIODevice::ReadOnly), !content.isEmpty());
    QCOMPARE(
        aside.isOpen() ? aside.readAll() : QByteArray(), content); // nobody's data is thrown away
}

/// A stream without its copy: nobody knows what it was, so nothing of it may be touched.
void TestDamagedStore::damagedCatalogWithoutCopies()
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
    QVERIFY(contains(answerTo(client, "$JS.API.STREAM.INFO.S"), "\"messages\":3,"));
}

QTEST_GUILESS_MAIN(TestDamagedStore)
#include "tst_damaged_store.moc"
