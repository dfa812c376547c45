// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/posix_file_system.h"
#include "store/store_factory.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>

using namespace jetglass;
using namespace jetglass::store;

/// Messages of 1 KiB: appended and committed in batches, read in a row, opened again. The figures
/// are per million.
class BenchStore : public QObject
{
    Q_OBJECT

private slots:
    void append_data();
    void append();
    void readInARow_data();
    void readInARow();
    void open();

private:
    static constexpr int kMessages = 1'000'000;
    void fill(MessageStore& store, int batch, int count);
    const std::string m_payload = std::string(1024, 'p');
    InlineWorker m_worker;
    PosixFileSystem m_files;
};

void BenchStore::fill(MessageStore& store, int batch, int count)
{
    const std::array<std::string, 4> subjects{"orders.a", "orders.b", "orders.c", "orders.d"};
    for (int i = 0; i < count; ++i) {
        store.append({subjects[static_cast<std::size_t>(i) % 4U],
            "",
            m_payload,
            1'700'000'000'000'000'000 + i});
        if ((i + 1) % batch == 0 && !store.commit())
            qFatal("cannot write");
    }
    if (!store.commit())
        qFatal("cannot write");
}

void BenchStore::append_data()
{
    QTest::addColumn<bool>("memory");
    QTest::addColumn<int>("batch");
    for (const int batch : {1, 64, 1024}) {
        QTest::addRow("memory, batches of %d", batch) << true << batch;
        QTest::addRow("file, batches of %d", batch) << false << batch;
    }
}

void BenchStore::append()
{
    QFETCH(bool, memory);
    QFETCH(int, batch);
    const QTemporaryDir folder;
    StoreSettings settings;
    settings.directory = folder.path().toStdString();
    auto factory = openStoreFactory(m_files, m_worker, settings, "$G");
    QVERIFY(factory.ok());
    StreamConfig config;
    config.name = "B";
    config.storage = memory ? Storage::Memory : Storage::File;
    auto store = (*factory)->openStream(config);
    QVERIFY(store.ok());
    QBENCHMARK_ONCE
    {
        fill(**store, batch, kMessages);
    }
    QCOMPARE((*store)->state().messages, static_cast<std::uint64_t>(kMessages));
}

void BenchStore::readInARow_data()
{
    QTest::addColumn<bool>("memory");
    QTest::newRow("memory") << true;
    QTest::newRow("file") << false;
}

void BenchStore::readInARow()
{
    QFETCH(bool, memory);
    const QTemporaryDir folder;
    StoreSettings settings;
    settings.directory = folder.path().toStdString();
    auto factory = openStoreFactory(m_files, m_worker, settings, "$G");
    QVERIFY(factory.ok());
    StreamConfig config;
    config.name = "B";
    config.storage = memory ? Storage::Memory : Storage::File;
    auto store = (*factory)->openStream(config);
    QVERIFY(store.ok());
    fill(**store, 1024, kMessages);
    std::uint64_t bytes = 0;
    QBENCHMARK_ONCE
    {
        MessageView m;
        StreamSeq at;
        while ((*store)->loadNext({}, at, m)) {
            bytes += m.payload.size();
            at = m.seq + 1U;
        }
    }
    QCOMPARE(bytes, std::uint64_t{kMessages} * 1024U);
}

void BenchStore::open()
{
    const QTemporaryDir folder;
    StoreSettings settings;
    settings.directory = folder.path().toStdString();
    StreamConfig config;
    config.name = "B";
    {
        auto factory = openStoreFactory(m_files, m_worker, settings, "$G");
        QVERIFY(factory.ok());
        auto store = (*factory)->openStream(config);
        QVERIFY(store.ok());
        fill(**store, 1024, kMessages);
    }
    auto factory = openStoreFactory(m_files, m_worker, settings, "$G");
    QVERIFY(factory.ok());
    std::uint64_t messages = 0;
    QBENCHMARK
    {
        auto store = (*factory)->openStream(config);
        QVERIFY(store.ok());
        messages = (*store)->state().messages;
    }
    QCOMPARE(messages, static_cast<std::uint64_t>(kMessages));
}

QTEST_GUILESS_MAIN(BenchStore)
#include "bench_store.moc"
