// SPDX-License-Identifier: GPL-3.0-or-later
// What streams say of themselves beside their messages, when the catalog does not say it any more.
#include "store/catalog_copy.h"
#include "store/sqlite_catalog.h"
#include "store_fixture.h"

#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

namespace {

/// Answers when it is told to.
class SlowCatalog final : public Catalog
{
public:
    explicit SlowCatalog(std::vector<Done>& waiting)
        : m_waiting(waiting)
    {
    }
    Result<std::vector<CatalogStream>> loadStreams() override
    {
        return std::vector<CatalogStream>();
    }
    Result<std::vector<CatalogConsumer>> loadConsumers(std::string_view) override
    {
        return std::vector<CatalogConsumer>();
    }
    void saveStream(const CatalogStream&, Done done) override { wait(std::move(done)); }
    void saveRestored(const CatalogStream&, std::vector<CatalogConsumer>, Done done) override
    {
        wait(std::move(done));
    }
    void removeStream(std::string_view, Done done) override { wait(std::move(done)); }
    void saveConsumer(std::string_view, const CatalogConsumer&, Done done) override
    {
        wait(std::move(done));
    }
    void removeConsumer(std::string_view, std::string_view, Done done) override
    {
        wait(std::move(done));
    }
    void saveSnapshots(
        std::string_view, std::vector<std::pair<std::string, std::string>>, Done done) override
    {
        wait(std::move(done));
    }
    Result<std::optional<std::string>> value(std::string_view) override
    {
        return std::optional<std::string>();
    }
    void setValue(std::string_view, std::string_view, Done done) override { wait(std::move(done)); }
    void flush() override { }

private:
    void wait(Done done) { m_waiting.push_back(std::move(done)); }
    std::vector<Done>& m_waiting;
};

const Result<void> kRefused = Error{Errc::NoSpace, "no space", 0, 0};

/// The log of the consumers stays where it is.
class StuckFileSystem final : public PosixFileSystem
{
public:
    Result<void> rename(const std::string& from, const std::string& to) override
    {
        if (from.ends_with("/consumers.log"))
            return Error{Errc::Io, from + ": cannot rename", 0, 0};
        return PosixFileSystem::rename(from, to);
    }
};

} // namespace

class TestCatalogCopies : public QObject
{
    Q_OBJECT

private slots:
    void bringBackStreams_data();
    void bringBackStreams();
    void copiesThatCannotComeBack();
    void aLostConsumerIsReported();
    void aWalWithoutItsFileIsKept();
    void aRemovalUnderWayIsFinished();
    void aRefusedChangeLeavesNoCopy();
    void aLateAnswerBringsNothingBack();

private:
    static bool write(const StoreFixture& fixture, const char* name, const QByteArray& bytes);
};

bool TestCatalogCopies::write(
    const StoreFixture& fixture, const char* name, const QByteArray& bytes)
{
    QFile file(fixture.folder.filePath("$G/") + name);
    return QDir().mkpath(QFileInfo(file).path()) && file.open(QIODevice::WriteOnly)
        && file.write(bytes) == bytes.size();
}

void TestCatalogCopies::bringBackStreams_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("said");
    const QString back = "1 streams and 1 consumers, which begin at their deliver policy again";
    QTest::newRow("missing") << "missing"
                             << "FILE: is missing; made anew with " + back;
    QTest::newRow("empty") << "empty"
                           << "FILE: is empty; made anew with " + back;
    QTest::newRow("damaged") << "damaged"
                             << "FILE: file is not a database; set aside as FILE.damaged and made "
                                "anew with "
            + back;
    QTest::newRow("row lost") << "row"
                              << "FILE: had lost 'ORDERS'; their copies brought back " + back;
}

void TestCatalogCopies::bringBackStreams()
{
    QFETCH(QString, how);
    QFETCH(QString, said);
    StoreFixture fixture;
    fixture.open();
    fixture.store->append({"a", "", "1", 1});
    QVERIFY(fixture.store->commit().ok());
    Catalog& catalog = fixture.factory->catalog();
    catalog.saveStream({"ORDERS", R"({"storage":"file"})", 5}, {});
    catalog.saveStream({"M", R"({"storage":"memory"})", 6}, {});
    catalog.saveConsumer("ORDERS", {3, "C", R"({"c":1})", 7, "snapshot"}, {});
    fixture.close();
    // Others that are not streams: one that was being restored, one that nobody knows.
    const QByteArray copy = R"({"name":"U","created":1,"config":"{}"})";
    QVERIFY(write(fixture, "streams/U/config.json", copy)
        && write(fixture, "streams/U/unfinished", {}));
    // Where every stream has to come from its copy, one without stops all.
    const bool stranger = how != "damaged";
    QVERIFY(!stranger || write(fixture, "streams/X/msgs/1.blk", "some"));
    QVERIFY(write(fixture, "streams/ORDERS/consumers.log", "of snapshots that are lost"));

    const QString path = fixture.folder.filePath("$G/catalog.sqlite");
    if (how == "row") {
        auto raw = openSqliteCatalog(fixture.real, fixture.worker, path.toStdString(), false);
        QVERIFY(raw.ok());
        (*raw)->removeStream("ORDERS", {});
    } else {
        QVERIFY(QFile::remove(path));
        const QByteArray content(how == "damaged" ? 5000 : 0, 'z');
        QVERIFY(how == "missing" || write(fixture, "catalog.sqlite", content));
    }
    fixture.open();
    const QString report = QString::fromStdString(fixture.report());
    QVERIFY2(report.contains(said.replace("FILE", path) + "\n"), qPrintable(report));
    const QString unknown =
        "/$G/streams/X: holds messages, but neither the catalog nor a config.json says of which"
        " stream; left as it is\n";
    QVERIFY2(report.contains(fixture.folder.path() + unknown) == stranger, qPrintable(report));
    const auto streams = fixture.factory->catalog().loadStreams();
    QVERIFY(streams.ok());
    QStringList names;
    for (const CatalogStream& stream : *streams)
        names << QString::fromStdString(stream.name);
    QCOMPARE(names, how == "row" ? QStringList({"M", "ORDERS"}) : QStringList({"ORDERS"}));
    QCOMPARE(streams->back().config, std::string(R"({"storage":"file"})"));
    QCOMPARE(streams->back().created, 5);
    const auto consumers = fixture.factory->catalog().loadConsumers("ORDERS");
    QCOMPARE(consumers->size(), 1U);
    QCOMPARE(consumers->front().number, 3U);
    QCOMPARE(consumers->front().snapshot, std::string());
    QCOMPARE(fixture.store->state().messages, 1U);
    QVERIFY(!QFile::exists(fixture.folder.filePath("$G/streams/ORDERS/consumers.log")));
    QVERIFY(!QFile::exists(fixture.folder.filePath("$G/streams/U")));
    QCOMPARE(QFile::exists(fixture.folder.filePath("$G/streams/X/msgs/1.blk")), stranger);
    // Said once.
    fixture.open();
    QVERIFY(fixture.report().find("catalog.sqlite") == std::string::npos);
    QCOMPARE(fixture.factory->catalog().loadStreams()->size(), streams->size());
}

void TestCatalogCopies::copiesThatCannotComeBack()
{
    StoreFixture fixture;
    fixture.open();
    fixture.factory->catalog().saveStream({"ORDERS", "{}", 5}, {});
    fixture.close();
    QVERIFY(QFile::remove(fixture.folder.filePath("$G/catalog.sqlite")));
    QVERIFY(write(fixture, "streams/ORDERS/consumers.log", "in the way"));
    StuckFileSystem stuck;
    fixture.files = &stuck;
    fixture.open();
    QCOMPARE(fixture.factory->report().size(), 1U);
    const RecoveryFinding& found = fixture.factory->report().front();
    QCOMPARE(found.kind, RecoveryFinding::Kind::CatalogNotRestored);
    QCOMPARE(recoveryLine(found), found.detail);
    QCOMPARE(QString::fromStdString(found.detail),
        fixture.folder.filePath("$G/streams/ORDERS/consumers.log") + ": cannot rename");
    fixture.close();
}

/// As when the catalog was put back from an older copy of the file.
void TestCatalogCopies::aLostConsumerIsReported()
{
    StoreFixture fixture;
    fixture.open();
    fixture.factory->catalog().saveStream({"ORDERS", "{}", 5}, {});
    for (const std::uint32_t number : {1U, 2U, 3U})
        fixture.factory->catalog().saveConsumer(
            "ORDERS", {number, "C" + std::to_string(number), "{}", 7, "snapshot"}, {});
    fixture.factory->catalog().removeConsumer("ORDERS", "C3", {});
    fixture.close();
    const QString path = fixture.folder.filePath("$G/catalog.sqlite");
    {
        auto raw = openSqliteCatalog(fixture.real, fixture.worker, path.toStdString(), false);
        QVERIFY(raw.ok());
        (*raw)->removeConsumer("ORDERS", "C2", {});
    }
    fixture.open();
    QCOMPARE(fixture.factory->catalog().loadConsumers("ORDERS")->size(), 1U);
    const QString copy = fixture.folder.filePath("$G/streams/ORDERS/consumers/2.json");
    QCOMPARE(QString::fromStdString(fixture.report()),
        copy
            + ": the catalog has lost consumer 'C2' of stream 'ORDERS'; its copy is set aside as "
              ".damaged\n");
    QVERIFY(!QFile::exists(copy) && QFile::exists(copy + ".damaged"));
    fixture.open(); // said once
    QCOMPARE(fixture.factory->catalog().loadConsumers("ORDERS")->size(), 1U);
    QCOMPARE(fixture.report(), std::string());
}

/// SQLite deletes a log whose file is new, but it may be all that is left of the catalog.
void TestCatalogCopies::aWalWithoutItsFileIsKept()
{
    StoreFixture fixture;
    QVERIFY(write(fixture, "catalog.sqlite-wal", "the last changes"));
    fixture.open();
    QFile kept(fixture.folder.filePath("$G/catalog.sqlite.damaged-wal"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("the last changes"));
}

void TestCatalogCopies::aRemovalUnderWayIsFinished()
{
    StoreFixture fixture;
    fixture.open();
    fixture.factory->catalog().saveStream({"ORDERS", "{}", 5}, {});
    fixture.factory->catalog().saveStream({"KEPT", "{}", 6}, {});
    fixture.close();
    QDir account(fixture.folder.filePath("$G"));
    // The first step of a removal; and a folder of an earlier stream of that name.
    QVERIFY(account.mkpath("trash") && account.rename("streams/ORDERS", "trash/1"));
    QVERIFY(write(fixture, "trash/2/config.json", R"({"name":"KEPT","created":2,"config":"{}"})"));
    QVERIFY(QDir(account.filePath("streams/KEPT")).removeRecursively());
    fixture.open();
    QCOMPARE(fixture.report(), std::string());
    const auto streams = fixture.factory->catalog().loadStreams();
    QVERIFY(streams.ok());
    QCOMPARE(streams->size(), 1U);
    QCOMPARE(streams->front().name, std::string("KEPT"));
    QVERIFY(!account.exists("trash"));
}

void TestCatalogCopies::aRefusedChangeLeavesNoCopy()
{
    const QTemporaryDir folder;
    PosixFileSystem files;
    InlineWorker worker;
    std::vector<Catalog::Done> waiting;
    RecoveryReport report;
    auto catalog = keepCopies(
        std::make_unique<SlowCatalog>(waiting), files, worker, folder.path().toStdString(), report);
    int answers = 0;
    const auto count = [&answers](const Result<void>& done) { answers += done.ok() ? 100 : 1; };
    catalog->saveStream({"S", "{}", 1}, count);
    catalog->saveConsumer("S", {1, "C", "{}", 1, ""}, count);
    catalog->saveRestored({"R", "{}", 1}, {{1, "C", "{}", 1, ""}}, count);
    for (const Catalog::Done& done : waiting)
        done(kRefused);
    QCOMPARE(answers, 3);
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
    waiting.clear();
    catalog->saveStream({"S", "{}", 1}, count);
    QVERIFY(!QFile::exists(folder.filePath("S/config.json")));
    waiting.front()({});
    QVERIFY(QFile::exists(folder.filePath("S/config.json")));
}

/// A stream that is removed before the answer to its making has come.
void TestCatalogCopies::aLateAnswerBringsNothingBack()
{
    const QTemporaryDir folder;
    PosixFileSystem files;
    InlineWorker worker;
    std::vector<Catalog::Done> waiting;
    RecoveryReport report;
    auto catalog = keepCopies(
        std::make_unique<SlowCatalog>(waiting), files, worker, folder.path().toStdString(), report);
    catalog->saveStream({"S", "{}", 1}, {});
    catalog->saveConsumer("T", {1, "C", "{}", 1, ""}, {});
    catalog->removeStream("S", {});
    catalog->removeConsumer("T", "C", {});
    for (const Catalog::Done& done : waiting)
        if (done)
            done({});
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
}

QTEST_GUILESS_MAIN(TestCatalogCopies)
#include "tst_catalog_copies.moc"
