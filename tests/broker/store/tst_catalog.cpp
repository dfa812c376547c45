// SPDX-License-Identifier: GPL-3.0-or-later
#include "late_worker.h"
#include "store/posix_file_system.h"
#include "store/sqlite_catalog.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

class TestCatalog : public QObject
{
    Q_OBJECT

private slots:
    void keepsStreamsAndConsumers();
    void writesThatWaitShareATransaction();
    void keepsSettings();
    void readsAWalWithoutSharedMemory();
    void refusesWhatIsNoCatalog_data();
    void refusesWhatIsNoCatalog();

private:
    PosixFileSystem m_files;
};

void TestCatalog::keepsStreamsAndConsumers()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("catalog.sqlite").toStdString();
    InlineWorker worker;
    int done = 0;
    const auto count = [&](Result<void> r) { done += r.ok() ? 1 : 100; };
    {
        auto catalog = openSqliteCatalog(m_files, worker, path, false);
        QVERIFY(catalog.ok());
        (*catalog)->saveStream({"B", "{\"b\":1}", 2}, count);
        (*catalog)->saveStream({"A", "{}", 1}, count);
        (*catalog)->saveStream({"B", "{\"b\":2}", 2}, count);
        (*catalog)->saveConsumer("A", {1, "c1", "{}", 5, ""}, count);
        (*catalog)->saveConsumer("A", {2, "c2", "{}", 6, ""}, count);
        (*catalog)->saveConsumer("B", {1, "c1", "{}", 7, ""}, count);
        (*catalog)->saveSnapshots("A", {{"c1", std::string("\0x\1", 3)}, {"c2", "two"}}, count);
        (*catalog)->removeConsumer("A", "c2", count);
        (*catalog)->removeStream("nobody", count);
        QCOMPARE(done, 9);
    }
    auto catalog = openSqliteCatalog(m_files, worker, path, true);
    QVERIFY(catalog.ok());
    const auto streams = (*catalog)->loadStreams();
    QVERIFY(streams.ok());
    QCOMPARE(streams->size(), 2U);
    QCOMPARE((*streams)[1].config, std::string("{\"b\":2}"));
    QCOMPARE((*streams)[1].created, 2);
    const auto consumers = (*catalog)->loadConsumers("A");
    QVERIFY(consumers.ok());
    QCOMPARE(consumers->size(), 1U);
    QCOMPARE((*consumers)[0].snapshot, std::string("\0x\1", 3));
    (*catalog)->removeStream("A", count);
    QCOMPARE((*catalog)->loadStreams()->size(), 1U);
    QCOMPARE((*catalog)->loadConsumers("A")->size(), 0U);
    QCOMPARE((*catalog)->loadConsumers("B")->size(), 1U);
}

void TestCatalog::writesThatWaitShareATransaction()
{
    const QTemporaryDir folder;
    LateWorker worker;
    auto catalog = openSqliteCatalog(m_files, worker, folder.filePath("c").toStdString(), false);
    QVERIFY(catalog.ok());
    worker.drain();
    std::vector<int> order;
    for (int i = 0; i < 50; ++i)
        (*catalog)->saveStream({"S" + std::to_string(i), "{}", i}, [&order, i](Result<void> r) {
            if (r)
                order.push_back(i);
        });
    QCOMPARE(worker.waiting(), 1U);
    QCOMPARE(order.size(), 0U);
    (*catalog)->flush();
    QCOMPARE(order.size(), 50U);
    QVERIFY(std::is_sorted(order.begin(), order.end()));
}

void TestCatalog::keepsSettings()
{
    const QTemporaryDir folder;
    InlineWorker worker;
    auto catalog = openSqliteCatalog(m_files, worker, folder.filePath("c").toStdString(), false);
    QVERIFY(catalog.ok());
    QVERIFY(!(*catalog)->value("clock")->has_value());
    (*catalog)->setValue("clock", "1", {});
    (*catalog)->setValue("clock", "2", {});
    QCOMPARE((*catalog)->value("clock")->value(), std::string("2"));
}

/// What a killed program leaves: everything is in the WAL, and a full disk has no room for more
/// files.
void TestCatalog::readsAWalWithoutSharedMemory()
{
    const QTemporaryDir folder;
    InlineWorker worker;
    const QString path = folder.filePath("catalog.sqlite");
    const QString left = folder.filePath("left.sqlite");
    {
        auto catalog = openSqliteCatalog(m_files, worker, path.toStdString(), false);
        QVERIFY(catalog.ok());
        (*catalog)->saveStream({"A", "{}", 1}, {});
        QVERIFY(QFile::copy(path, left));
        QVERIFY(QFile::copy(path + "-wal", left + "-wal"));
    }
    // Where the file would be stands something that can never be one.
    QVERIFY(QDir().mkdir(left + "-shm"));
    auto catalog = openSqliteCatalog(m_files, worker, left.toStdString(), false);
    QVERIFY2(catalog.ok(), catalog.ok() ? "" : catalog.error().text.c_str());
    const auto streams = (*catalog)->loadStreams();
    QVERIFY(streams.ok());
    QCOMPARE(streams->size(), 1U);
}

void TestCatalog::refusesWhatIsNoCatalog_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("text") << QByteArray(5000, 'z');
    QByteArray cut("SQLite format 3");
    cut.append('\0');
    QTest::newRow("damaged database") << cut + QByteArray(5000, 'z');
}

void TestCatalog::refusesWhatIsNoCatalog()
{
    QFETCH(QByteArray, bytes);
    const QTemporaryDir folder;
    QFile file(folder.filePath("catalog.sqlite"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    InlineWorker worker;
    auto catalog = openSqliteCatalog(m_files, worker, file.fileName().toStdString(), false);
    QVERIFY(!catalog.ok());
    QCOMPARE(catalog.error().code, Errc::Corrupt);
    QVERIFY(catalog.error().text.find("catalog.sqlite") != std::string::npos);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes);
}

QTEST_GUILESS_MAIN(TestCatalog)
#include "tst_catalog.moc"
