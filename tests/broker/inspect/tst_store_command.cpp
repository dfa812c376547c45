// SPDX-License-Identifier: GPL-3.0-or-later
// "store check" and "store dump" on stores that are whole, torn and damaged.
#include "inspect/store_command.h"
#include "store_fixture.h"

#include <QDirIterator>
#include <QMap>
#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

namespace {

constexpr int kMessages = 40;

struct Run
{
    int code = 0;
    QString out;
    QString error;
};

Run run(const std::vector<std::string>& arguments)
{
    Run result;
    result.code = inspect::runStoreCommand(arguments,
        {[&](std::string_view text) {
             result.out += QString::fromUtf8(text.data(), qsizetype(text.size()));
         },
            [&](std::string_view text) {
                result.error += QString::fromUtf8(text.data(), qsizetype(text.size()));
            }});
    return result;
}

/// Every file below a folder with its bytes.
QMap<QString, QByteArray> filesIn(const QString& folder)
{
    QMap<QString, QByteArray> all;
    QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        QFile file(it.next());
        if (file.open(QIODevice::ReadOnly))
            all[it.filePath()] = file.readAll();
    }
    return all;
}

} // namespace

class TestStoreCommand : public QObject
{
    Q_OBJECT

private slots:
    void wholeStoreIsWhole();
    void everyPlaceIsUnderstood();
    void checkChangesNothing_data();
    void checkChangesNothing();
    void repairMakesItWhole_data();
    void repairMakesItWhole();
    void damageBehindAGoodIndexIsFound();
    void whatWasRemovedIsNotMissed();
    void runningBrokerIsLeftAlone();
    void dumpSaysWhatIsThere();
    void wrongArgumentsAreExplained_data();
    void wrongArgumentsAreExplained();

private:
    static void fill(StoreFixture& f)
    {
        f.open();
        for (int i = 1; i <= kMessages; ++i) {
            const std::string payload = "payload " + std::to_string(i) + std::string(300, '.');
            f.store->append(
                {i % 2 ? "orders.new" : "orders.old", {}, payload, 1'700'000'000'000'000'000 + i});
            QVERIFY(f.store->commit().ok());
        }
        f.close();
    }
    /// Flips a bit in the middle of a block's records.
    static void damage(StoreFixture& f, const QString& block)
    {
        QByteArray bytes = f.bytes(block);
        bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 0x10);
        f.setBytes(block, bytes);
    }
    static void addDamages();
    static void apply(StoreFixture& f, const QString& damage);
};

void TestStoreCommand::wholeStoreIsWhole()
{
    StoreFixture f;
    fill(f);
    const auto before = filesIn(f.folder.path());
    const Run check = run({"check", f.folder.path().toStdString()});
    QCOMPARE(check.code, 0);
    QCOMPARE(check.error, QString());
    QVERIFY2(check.out.contains("stream ORDERS: 40 messages"), qPrintable(check.out));
    QVERIFY2(check.out.contains("sequences 1 to 40"), qPrintable(check.out));
    QVERIFY2(check.out.endsWith("All is whole.\n"), qPrintable(check.out));
    QCOMPARE(filesIn(f.folder.path()), before);
}

/// -sd, its jetstream folder, an account's folder, with and without a slash at the end.
void TestStoreCommand::everyPlaceIsUnderstood()
{
    StoreFixture f;
    f.settings.directory = f.folder.filePath("jetstream").toStdString();
    QVERIFY(QDir(f.folder.path()).mkdir("jetstream"));
    f.open();
    f.store->append({"orders.new", {}, "x", 1});
    QVERIFY(f.store->commit().ok());
    f.close();
    for (const char* place :
        {"", "/", "/jetstream", "/jetstream/", "/jetstream/$G", "/jetstream/$G/"}) {
        const Run check = run({"check", f.folder.path().toStdString() + place});
        QVERIFY2(check.code == 0, place);
        QVERIFY2(check.out.contains("account $G  ") && check.out.contains("1 message,"),
            qPrintable(check.out));
    }
}

void TestStoreCommand::addDamages()
{
    QTest::addColumn<QString>("damage");
    QTest::addColumn<QString>("said");
    QTest::newRow("torn end") << "torn"
                              << "at the end are torn and were cut";
    QTest::newRow("bit in a sealed block") << "sealed"
                                           << "2.blk: ";
    QTest::newRow("bit in the newest block") << "newest"
                                             << "bytes are damaged";
    QTest::newRow("head of a sealed block") << "head"
                                            << "2.blk: its head is damaged";
    QTest::newRow("index") << "index"
                           << "2.blk: its index is damaged";
    QTest::newRow("a block is missing") << "missing"
                                        << "are lost";
    QTest::newRow("catalog") << "catalog"
                             << "catalog.sqlite";
}

void TestStoreCommand::apply(StoreFixture& f, const QString& what)
{
    const QStringList blocks = f.names("*.blk");
    QVERIFY(blocks.size() > 3);
    const QString newest = blocks.back();
    if (what == "torn") {
        f.setBytes(newest, f.bytes(newest).chopped(20));
    } else if (what == "sealed") {
        damage(f, "2.blk");
    } else if (what == "newest") {
        QByteArray bytes = f.bytes(newest);
        bytes[100] = char(bytes[100] ^ 1);
        f.setBytes(newest, bytes);
    } else if (what == "head") {
        QByteArray bytes = f.bytes("2.blk");
        bytes[20] = char(bytes[20] ^ 1);
        f.setBytes("2.blk", bytes);
    } else if (what == "index") {
        QByteArray bytes = f.bytes("2.idx");
        bytes[bytes.size() - 3] = char(bytes[bytes.size() - 3] ^ 1);
        f.setBytes("2.idx", bytes);
    } else if (what == "missing") {
        for (const char* ending : {".blk", ".idx", ".fss"})
            QVERIFY(QFile::remove(f.messages().filePath(QString("2") + ending)));
    } else {
        QFile file(f.folder.path() + "/$G/catalog.sqlite");
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray(8192, 'x'));
    }
}

void TestStoreCommand::checkChangesNothing_data()
{
    addDamages();
}

void TestStoreCommand::checkChangesNothing()
{
    QFETCH(QString, damage);
    QFETCH(QString, said);
    StoreFixture f;
    fill(f);
    apply(f, damage);
    const auto before = filesIn(f.folder.path());
    const Run check = run({"check", f.folder.path().toStdString()});
    QVERIFY2(check.code == 2, qPrintable(check.out + check.error));
    QVERIFY2(check.out.contains(said), qPrintable(check.out));
    QVERIFY2(check.out.contains("Nothing was changed"), qPrintable(check.out));
    QCOMPARE(filesIn(f.folder.path()), before);
}

void TestStoreCommand::repairMakesItWhole_data()
{
    addDamages();
}

void TestStoreCommand::repairMakesItWhole()
{
    QFETCH(QString, damage);
    StoreFixture f;
    fill(f);
    apply(f, damage);
    const Run repair = run({"check", f.folder.path().toStdString(), "--repair"});
    QVERIFY2(repair.code == 0, qPrintable(repair.out + repair.error));
    QVERIFY2(repair.out.contains("found and mended") || damage == "index" || damage == "head",
        qPrintable(repair.out));
    const Run check = run({"check", f.folder.path().toStdString()});
    QVERIFY2(check.code == 0, qPrintable(check.out));
    // The broker has nothing to say of it either, and what was whole is there.
    f.open();
    QCOMPARE(f.report(), std::string());
    const std::uint64_t messages = f.store->state().messages;
    const bool nothingLost = damage == "head" || damage == "index" || damage == "catalog";
    QVERIFY(nothingLost ? messages == kMessages : messages < kMessages);
    QVERIFY(messages >= kMessages - 15);
    QCOMPARE(f.store->state().last.value(), damage == "torn" ? 39U : 40U);
    const bool keepsOld = damage == "sealed" || damage == "newest" || damage == "head";
    QCOMPARE(f.names("*.damaged").size(), keepsOld ? 1 : 0);
}

/// A start trusts the index and reads the message only when somebody asks for it.
void TestStoreCommand::damageBehindAGoodIndexIsFound()
{
    StoreFixture f;
    fill(f);
    damage(f, "2.blk");
    f.open();
    QCOMPARE(f.report(), std::string());
    f.close();
    const Run check = run({"check", f.folder.path().toStdString()});
    QCOMPARE(check.code, 2);
    QVERIFY2(check.out.contains("cannot be read"), qPrintable(check.out));
    run({"check", f.folder.path().toStdString(), "--repair"});
    f.open();
    QCOMPARE(f.store->state().messages, std::uint64_t(kMessages - 1));
    QCOMPARE(f.store->lost().count, std::uint64_t{1});
}

void TestStoreCommand::whatWasRemovedIsNotMissed()
{
    StoreFixture f;
    fill(f);
    f.open();
    MessageView view;
    const std::uint64_t first = [&] { // of the second block
        for (std::uint64_t seq = 1; seq <= kMessages; ++seq)
            if (f.bytes("2.blk").contains(("payload " + std::to_string(seq) + ".").c_str()))
                return seq;
        return std::uint64_t{0};
    }();
    QVERIFY(first > 1);
    QVERIFY(f.store->remove(StreamSeq(first), Removal::Delete));
    QVERIFY(f.store->commit().ok());
    f.close();
    QByteArray bytes = f.bytes("2.blk");
    bytes[100] = char(bytes[100] ^ 1); // in its first record
    f.setBytes("2.blk", bytes);
    const Run check = run({"check", f.folder.path().toStdString()});
    QVERIFY2(!check.out.contains("cannot be read"), qPrintable(check.out));
}

void TestStoreCommand::runningBrokerIsLeftAlone()
{
    StoreFixture f;
    fill(f);
    f.open(); // holds the lock as a broker does
    const Run repair = run({"check", f.folder.path().toStdString(), "--repair"});
    QCOMPARE(repair.code, 1);
    QVERIFY2(repair.error.contains("a broker runs on this store"), qPrintable(repair.error));
    const Run check = run({"check", f.folder.path().toStdString()});
    QVERIFY2(check.out.contains("a broker runs on it"), qPrintable(check.out));
    QVERIFY2(check.out.contains("40 messages"), qPrintable(check.out));
}

void TestStoreCommand::dumpSaysWhatIsThere()
{
    StoreFixture f;
    fill(f);
    const std::string place = f.folder.path().toStdString();
    const auto before = filesIn(f.folder.path());
    const Run all = run({"dump", place});
    QCOMPARE(all.code, 0);
    QVERIFY2(all.out.contains("catalog.sqlite  1 streams"), qPrintable(all.out));
    QVERIFY2(all.out.contains("  1.blk  "), qPrintable(all.out));
    QVERIFY2(!all.out.contains("message   1 "), qPrintable(all.out));
    const Run records = run({"dump", place, "--records"});
    QCOMPARE(records.out.count("  message   "), kMessages);
    QVERIFY2(
        records.out.contains(
            "message   7  2023-11-14T22:13:20.000000007Z  orders.new  0 B headers, 309 B payload"),
        qPrintable(records.out));
    const Run one = run({"dump", place, "--stream", "ORDERS", "--block", "1", "--payloads"});
    QVERIFY2(one.out.contains("payload 1..."), qPrintable(one.out));
    QVERIFY2(!one.out.contains("2.blk"), qPrintable(one.out));
    const Run none = run({"dump", place, "--block", "99"});
    QCOMPARE(none.code, 1);
    QVERIFY2(none.error.contains("99.blk: there is no such block"), qPrintable(none.error));
    QCOMPARE(filesIn(f.folder.path()), before);
}

void TestStoreCommand::wrongArgumentsAreExplained_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("error");
    QTest::newRow("nothing") << QStringList{} << "there are check and dump";
    QTest::newRow("unknown") << QStringList{"mend"} << "unknown command 'mend'";
    QTest::newRow("no directory") << QStringList{"check"} << "which store?";
    QTest::newRow("two") << QStringList{"check", "a", "b"} << "one directory at a time";
    QTest::newRow("option of the other")
        << QStringList{"check", "a", "--records"} << "unknown option --records of check";
    QTest::newRow("no value") << QStringList{"dump", "a", "--block"} << "--block needs a value";
    QTest::newRow("no number") << QStringList{"dump", "a", "--block", "two"}
                               << "--block needs the number";
    QTest::newRow("not there") << QStringList{"check", "/nowhere/at/all"}
                               << "there is no such directory";
    QTest::newRow("no store") << QStringList{"check", QDir::rootPath() + "proc"}
                              << "holds no store";
    QTest::newRow("no account") << QStringList{"check", "?", "--account", "B"}
                                << "has no account 'B'";
    QTest::newRow("no stream") << QStringList{"dump", "?", "--stream", "B"}
                               << "has no folder of a stream 'B'";
}

void TestStoreCommand::wrongArgumentsAreExplained()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, error);
    StoreFixture f;
    fill(f);
    std::vector<std::string> words;
    for (const QString& argument : arguments)
        words.push_back(argument == "?" ? f.folder.path().toStdString() : argument.toStdString());
    const Run result = run(words);
    QCOMPARE(result.code, 1);
    QVERIFY2(result.error.contains(error), qPrintable(result.error));
}

QTEST_GUILESS_MAIN(TestStoreCommand)
#include "tst_store_command.moc"
