// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream_bench.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::tests::StreamBench;

/// sync_always from the publish to the pub ack, with a worker that syncs when the test says so.
class TestStreamSync : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
        m_bench->settings.syncAlways = true;
        m_bench->create(R"("subjects":["s"])");
        m_bench->create(R"("subjects":["t"],"storage":"memory")", "T");
        m_bench->files.syncs = 0;
        m_bench->worker.held = true;
    }
    void cleanup()
    {
        m_bench->worker.held = false;
        m_bench->worker.drain();
        m_bench.reset();
        m_folder.reset();
    }

    void acksOfATurnWaitForOneSync();
    void turnsDuringASyncShareTheNext();
    void theLoopGoesOn();
    void requestsWaitToo();
    void aFailedSyncClosesTheStream();

private:
    [[nodiscard]] std::string answer(const std::string& reply) const
    {
        return m_bench->bus->lastPayload(reply);
    }
    void syncOnce()
    {
        while (m_bench->files.syncs == m_synced && m_bench->worker.runOne()) { }
        m_synced = m_bench->files.syncs;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
    int m_synced = 0;
};

void TestStreamSync::acksOfATurnWaitForOneSync()
{
    m_synced = 0;
    const std::string one = m_bench->stage("s");
    const std::string two = m_bench->stage("s");
    m_bench->run();
    QVERIFY(answer(one).empty());
    QVERIFY(answer(two).empty());
    syncOnce();
    QCOMPARE(m_bench->files.syncs, 1);
    QCOMPARE(answer(one), std::string(R"({"stream":"S","seq":1})"));
    QCOMPARE(answer(two), std::string(R"({"stream":"S","seq":2})"));
}

void TestStreamSync::turnsDuringASyncShareTheNext()
{
    m_synced = 0;
    const std::string first = m_bench->stage("s");
    m_bench->turn.run();
    std::vector<std::string> later;
    for (int i = 0; i < 20; ++i) {
        later.push_back(m_bench->stage("s"));
        m_bench->turn.run();
    }
    syncOnce();
    QVERIFY(!answer(first).empty());
    for (const std::string& reply : later)
        QVERIFY2(answer(reply).empty(), "its write came after that sync began");
    syncOnce();
    QCOMPARE(m_bench->files.syncs, 2);
    for (const std::string& reply : later)
        QVERIFY(!answer(reply).empty());
}

void TestStreamSync::theLoopGoesOn()
{
    const std::string held = m_bench->stage("s");
    m_bench->run();
    QCOMPARE(m_bench->publish("t"), std::string(R"({"stream":"T","seq":1})"));
    CHECK_JSON(m_bench->state()["messages"], 1);
    QVERIFY(answer(held).empty());
}

void TestStreamSync::requestsWaitToo()
{
    m_bench->stage("s");
    m_bench->run();
    m_bench->bus->inject("$JS.API.STREAM.PURGE.S", "", "purged");
    m_bench->run();
    QVERIFY(answer("purged").empty());
    m_bench->worker.held = false;
    m_bench->worker.drain();
    CHECK_JSON(StreamBench::Json::parse(answer("purged"))["purged"], 1);
}

void TestStreamSync::aFailedSyncClosesTheStream()
{
    const std::string lost = m_bench->stage("s");
    m_bench->run();
    const std::string next = m_bench->stage("s");
    m_bench->run();
    m_bench->files.failingSyncs = true;
    m_bench->worker.held = false;
    m_bench->worker.drain();
    m_bench->files.failingSyncs = false;
    for (const std::string& reply : {lost, next}) {
        QCOMPARE(m_bench->errorOf(answer(reply)), 10077);
        QVERIFY(answer(reply).find("until it is opened again") != std::string::npos);
    }
    // It says so to whoever comes later, also when syncs would work again.
    const std::string refused = m_bench->publish("s");
    QCOMPARE(m_bench->errorOf(refused), 10077);
    QVERIFY(refused.find("until it is opened again") != std::string::npos);
    QCOMPARE(m_bench->request("STREAM.PURGE.S")["error"]["err_code"].get<int>(), 10077);
    QVERIFY(std::any_of(m_bench->log.lines.begin(), m_bench->log.lines.end(), [](const auto& line) {
        return line.find("until it is opened again") != std::string::npos;
    }));
    m_bench->restart();
    QVERIFY(m_bench->publish("s").find("\"seq\":") != std::string::npos);
    QCOMPARE(m_bench->errorOf(m_bench->publish("s")), 0);
}

QTEST_GUILESS_MAIN(TestStreamSync)
#include "tst_stream_sync.moc"
