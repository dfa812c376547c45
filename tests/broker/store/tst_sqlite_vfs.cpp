// SPDX-License-Identifier: GPL-3.0-or-later
// The catalog through the seam under the store: on a file system in memory that fails, crashes and
// runs full.
#include "faulty_file_system.h"
#include "store/overlay_file_system.h"
#include "store/posix_file_system.h"
#include "store/sqlite_catalog.h"
#include "store/sqlite_database.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

namespace {

const std::string kPath = "/store/catalog.sqlite";

CatalogStream streamNamed(int n)
{
    return {"S" + std::to_string(n), "{\"n\":" + std::to_string(n) + "}", n};
}

std::set<std::string> namesIn(FileSystem& files, const std::string& path)
{
    InlineWorker worker;
    std::set<std::string> names;
    auto catalog = openSqliteCatalog(files, worker, path, false);
    if (!catalog)
        return {"cannot be opened: " + catalog.error().text};
    const auto streams = (*catalog)->loadStreams();
    if (!streams)
        return {"cannot be read: " + streams.error().text};
    for (const CatalogStream& stream : *streams)
        names.insert(stream.name);
    return names;
}

} // namespace

class TestSqliteVfs : public QObject
{
    Q_OBJECT

private slots:
    void everyByteGoesThroughTheSeam();
    void everyCallFailsOnce_data();
    void everyCallFailsOnce();
    void fullDiskKeepsWhatWasSaved();
    void crashKeepsWhatWasSynced();
    void nameOfAFoundLogIsMadeSure();
    void otherProgramsAreKeptOut();
    void overlayLeavesTheFileAlone();
};

void TestSqliteVfs::everyByteGoesThroughTheSeam()
{
    FaultyFileSystem files;
    InlineWorker worker;
    auto catalog = openSqliteCatalog(files, worker, kPath, false);
    QVERIFY(catalog.ok());
    for (int i = 0; i < 300; ++i) // more than a statement keeps in memory
        (*catalog)->saveStream(streamNamed(i), {});
    QVERIFY(files.contents.contains(kPath));
    QVERIFY(files.contents.contains(kPath + "-wal"));
    QVERIFY(!QFile::exists(QString::fromStdString(kPath)));
    catalog->reset();
    QVERIFY(!files.contents.contains(kPath + "-wal")); // taken up and deleted
    QVERIFY(files.contents[kPath]->bytes.starts_with("SQLite format 3"));
    QCOMPARE(namesIn(files, kPath).size(), std::size_t{300});
}

void TestSqliteVfs::everyCallFailsOnce_data()
{
    QTest::addColumn<bool>("shortWrites");
    QTest::addColumn<bool>("syncAlways");
    QTest::newRow("fails as a whole") << false << false;
    QTest::newRow("writes a half") << true << false;
    QTest::newRow("writes a half, synced") << true << true;
}

/// What was said to be saved is there afterwards; what was refused may be there or not.
void TestSqliteVfs::everyCallFailsOnce()
{
    QFETCH(bool, shortWrites);
    QFETCH(bool, syncAlways);
    int refused = 0;
    for (int call = 0;; ++call) {
        FaultyFileSystem files;
        InlineWorker worker;
        std::set<std::string> saved;
        bool tripped = false;
        files.shortWrites = shortWrites;
        files.failAfter = call;
        {
            auto catalog = openSqliteCatalog(files, worker, kPath, syncAlways);
            if (!catalog) {
                ++refused;
            } else {
                for (int i = 0; i < 12; ++i)
                    (*catalog)->saveStream(streamNamed(i), [&saved, i](Result<void> done) {
                        if (done)
                            saved.insert(streamNamed(i).name);
                    });
                refused += saved.size() < 12 ? 1 : 0;
            }
        }
        tripped = files.failAfter < 0;
        files.failAfter = -1;
        const auto found = namesIn(files, kPath);
        for (const std::string& name : saved)
            QVERIFY2(found.contains(name),
                qPrintable(QString("call %1: %2 is not there: %3")
                               .arg(call)
                               .arg(QString::fromStdString(name),
                                   QString::fromStdString(found.empty() ? "" : *found.begin()))));
        if (!tripped)
            break;
        QVERIFY2(call < 2000, "the number of calls has no end");
    }
    QVERIFY2(refused > 3, "no fault has been noticed");
}

void TestSqliteVfs::fullDiskKeepsWhatWasSaved()
{
    FaultyFileSystem files;
    InlineWorker worker;
    std::set<std::string> saved;
    Error last;
    {
        auto catalog = openSqliteCatalog(files, worker, kPath, false);
        QVERIFY(catalog.ok());
        files.space = 100'000;
        for (int i = 0; i < 200; ++i)
            (*catalog)->saveStream({"S" + std::to_string(i), std::string(2000, 'x'), i},
                [&saved, &last, i](Result<void> done) {
                    if (done)
                        saved.insert("S" + std::to_string(i));
                    else
                        last = done.error();
                });
        QVERIFY(!saved.empty() && saved.size() < 200);
        QCOMPARE(last.code, Errc::NoSpace);
    }
    files.space = ~std::uint64_t{0};
    QCOMPARE(namesIn(files, kPath), saved);
}

/// With sync always each commit is on the disk when it is answered.
void TestSqliteVfs::crashKeepsWhatWasSynced()
{
    FaultyFileSystem files;
    InlineWorker worker;
    FaultyFileSystem after;
    int saved = 0;
    {
        auto catalog = openSqliteCatalog(files, worker, kPath, true);
        QVERIFY(catalog.ok());
        for (int i = 0; i < 5; ++i)
            (*catalog)->saveStream(
                streamNamed(i), [&saved](Result<void> done) { saved += done ? 1 : 0; });
        for (const auto& [path, content] : files.contents)
            after.contents[path] = std::make_shared<FaultyFileSystem::Content>(*content);
    }
    QCOMPARE(saved, 5);
    after.crash();
    QCOMPARE(namesIn(after, kPath).size(), std::size_t{5});
}

/// The log of a program that was killed before its first commit is in no directory for sure.
void TestSqliteVfs::nameOfAFoundLogIsMadeSure()
{
    FaultyFileSystem files;
    InlineWorker worker;
    FaultyFileSystem after;
    {
        auto catalog = openSqliteCatalog(files, worker, kPath, true);
        QVERIFY(catalog.ok());
        (*catalog)->saveStream(streamNamed(1), {});
        for (const auto& [path, content] : files.contents)
            after.contents[path] = std::make_shared<FaultyFileSystem::Content>(*content);
    }
    QVERIFY(after.contents.contains(kPath + "-wal"));
    auto catalog = openSqliteCatalog(after, worker, kPath, true);
    QVERIFY(catalog.ok());
    after.syncedDirectories.clear();
    bool saved = false;
    (*catalog)->saveStream(streamNamed(2), [&](Result<void> done) { saved = done.ok(); });
    QVERIFY(saved);
    QVERIFY(after.syncedDirectories.contains("/store"));
}

/// A person with the sqlite3 program must not disturb a running broker.
void TestSqliteVfs::otherProgramsAreKeptOut()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("catalog.sqlite").toStdString();
    PosixFileSystem files;
    InlineWorker worker;
    auto catalog = openSqliteCatalog(files, worker, path, false);
    QVERIFY(catalog.ok());
    (*catalog)->saveStream(streamNamed(1), {});
    {
        auto other = SqliteDatabase::open(path, nullptr);
        QVERIFY(other.ok());
        const auto read = (*other)->execute("SELECT * FROM streams");
        QVERIFY(!read.ok());
        QVERIFY2(read.error().text.find("locked") != std::string::npos, read.error().text.c_str());
    }
    catalog->reset();
    auto other = SqliteDatabase::open(path, nullptr);
    QVERIFY(other.ok());
    QVERIFY((*other)->execute("SELECT * FROM streams").ok());
}

void TestSqliteVfs::overlayLeavesTheFileAlone()
{
    FaultyFileSystem files;
    InlineWorker worker;
    {
        auto catalog = openSqliteCatalog(files, worker, kPath, false);
        QVERIFY(catalog.ok());
        (*catalog)->saveStream(streamNamed(1), {});
    }
    const std::string before = files.contents[kPath]->bytes;
    const std::uint64_t changes = files.changes;
    OverlayFileSystem overlay(files);
    {
        auto catalog = openSqliteCatalog(overlay, worker, kPath, false);
        QVERIFY(catalog.ok());
        (*catalog)->saveStream(streamNamed(2), {});
    }
    QCOMPARE(namesIn(overlay, kPath), (std::set<std::string>{"S1", "S2"}));
    QCOMPARE(files.contents[kPath]->bytes, before);
    QCOMPARE(files.changes, changes);
    QCOMPARE(files.contents.size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(TestSqliteVfs)
#include "tst_sqlite_vfs.moc"
