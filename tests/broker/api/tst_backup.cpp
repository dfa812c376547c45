// SPDX-License-Identifier: GPL-3.0-or-later
// A stream as it goes out in chunks, and all of it back again.
#include "backup_fixture.h"

#include <QFile>

#include <random>

using namespace jetglass;
using jetglass::tests::BackupFixture;

class TestBackup final : public BackupFixture
{
    Q_OBJECT

private slots:
    void bringsEverythingBack_data();
    void bringsEverythingBack();
    void keepsWhatWasRestored();
    void leavesOutConsumers();
    void leavesOutWhatComesLater();
    void keepsWhatAFailedPurgeLeaves();
    void waitsForAcks();
    void givesUpWithoutAcks();
    void givesUpWithoutReceiver();
    void waitsForAReceiver();
    void tellsWhenTheStreamGoes();
    void endsWithoutHeadersIfSmall();

private:
    Json contents();
};

/// Every message and consumer, without what depends on the time of the question.
TestBackup::Json TestBackup::contents()
{
    Json all = {{"state", m_bench->state()}};
    all["state"].erase("last_ts"); // a deleted last message takes its time along
    for (int seq = 1; seq <= 51; ++seq)
        all["messages"].push_back(m_bench->request(
            "STREAM.MSG.GET.S", R"({"seq":)" + std::to_string(seq) + "}")["message"]);
    for (const char* name : {"C", "D"}) {
        const Json info = m_bench->request(std::string("CONSUMER.INFO.S.") + name);
        for (const char* member : {"config",
                 "delivered",
                 "ack_floor",
                 "num_ack_pending",
                 "num_pending",
                 "num_redelivered"})
            all[name][member] = info.value(member, Json());
        all[name]["delivered"].erase("last_active");
        all[name]["ack_floor"].erase("last_active");
    }
    return all;
}

void TestBackup::bringsEverythingBack_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<int>("chunk");
    QTest::addRow("file to file") << QByteArray("file") << QByteArray("file") << 128 * 1024;
    QTest::addRow("memory to file") << QByteArray("memory") << QByteArray("file") << 1024;
    QTest::addRow("file to memory") << QByteArray("file") << QByteArray("memory") << 1;
}

void TestBackup::bringsEverythingBack()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(int, chunk);
    fill(from.constData());
    Json before = contents();
    CHECK_JSON(before["state"]["messages"], 45);
    CHECK_JSON(before["C"]["num_ack_pending"], 3);
    const std::string backup = snapshot();
    QVERIFY(!backup.empty());
    m_bench->request("STREAM.DELETE.S");
    Json made = restore(backup,
        R"({"name":"S","subjects":["s.>"],"storage":")" + to.toStdString() + "\"}",
        static_cast<std::size_t>(chunk));
    CHECK_JSON(made["type"], "io.nats.jetstream.api.v1.stream_create_response");
    QVERIFY(!made.contains("error"));
    QVERIFY(!made.contains("did_create"));
    Json after = contents();
    if (from != to)
        for (Json* state : {&before["state"], &after["state"]})
            state->erase("bytes");
    CHECK_JSON(Json::diff(before, after), Json::array());
    CHECK_JSON(Json::parse(m_bench->publish("s.x", "next"))["seq"], 51);
}

void TestBackup::keepsWhatWasRestored()
{
    fill("file");
    const Json before = contents();
    const std::string backup = snapshot();
    m_bench->request("STREAM.DELETE.S");
    restore(backup);
    m_bench->restart();
    CHECK_JSON(Json::diff(before, contents()), Json::array());
    QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("$G/streams/S/unfinished"))));
}

void TestBackup::leavesOutConsumers()
{
    fill("file");
    const std::string backup = snapshot(R"(,"no_consumers":true)");
    m_bench->request("STREAM.DELETE.S");
    CHECK_JSON(restore(backup)["state"]["consumer_count"], 0);
    CHECK_JSON(m_bench->state()["messages"], 45);
}

void TestBackup::leavesOutWhatComesLater()
{
    m_bench->create(R"("subjects":["s.>"])");
    for (int i = 0; i < 20; ++i)
        m_bench->publish("s.a", std::string(200, static_cast<char>('a' + i)));
    watchSnapshot();
    m_chunks = m_bench->bus->published().size();
    m_bench->bus->inject("$JS.API.STREAM.SNAPSHOT.S",
        R"({"deliver_subject":"snap.1","chunk_size":1024,"window_size":1024})",
        "r");
    m_bench->publish("s.a", "too late");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":20})");
    std::string backup;
    while (m_end.empty()) {
        turn();
        takeChunks(backup, true);
    }
    m_bench->request("STREAM.DELETE.S");
    Json made = restore(backup);
    CHECK_JSON(made["state"]["last_seq"], 20);
}

/// A filtered purge begins in the middle of a backup, and the disk is full: nothing of the stream
/// is lost, and nothing of the backup.
void TestBackup::keepsWhatAFailedPurgeLeaves()
{
    m_bench->create(R"("subjects":["s.>"])");
    std::minstd_rand random; // the same in every run
    for (int i = 0; i < 40; ++i) {
        // Noise does not compress: so the window is full long before the end.
        std::string noise(400, '\0');
        for (char& c : noise)
            c = static_cast<char>(random());
        m_bench->publish(i % 2 != 0 ? "s.a" : "s.b", noise);
    }
    watchSnapshot();
    m_chunks = m_bench->bus->published().size();
    m_bench->bus->inject("$JS.API.STREAM.SNAPSHOT.S",
        R"({"deliver_subject":"snap.1","chunk_size":1024,"window_size":1024})",
        "r");
    turn();
    QVERIFY(m_end.empty());
    m_bench->files.failing = true;
    m_bench->bus->inject("$JS.API.STREAM.PURGE.S", R"({"filter":"s.a"})", "p");
    std::string backup;
    takeChunks(backup, true);
    m_bench->run();
    m_bench->files.failing = false;
    while (m_end.empty()) {
        turn();
        takeChunks(backup, true);
    }
    const Json purged = Json::parse(m_bench->bus->lastPayload("p"));
    QVERIFY(purged.contains("error"));
    CHECK_JSON(m_bench->state()["messages"], 40);
    m_bench->request("STREAM.DELETE.S");
    Json made = restore(backup);
    CHECK_JSON(made["state"]["messages"], 40);
}

void TestBackup::waitsForAcks()
{
    m_bench->create(R"("subjects":["s.>"])");
    std::string noise(9000, '\0');
    std::uint32_t random = 1;
    for (char& c : noise)
        c = static_cast<char>((random = random * 1664525U + 1013904223U) >> 24U);
    m_bench->publish("s.a", noise);
    watchSnapshot();
    m_chunks = m_bench->bus->published().size();
    m_bench->request("STREAM.SNAPSHOT.S",
        R"({"deliver_subject":"snap.1","chunk_size":1024,"window_size":2048})");
    turn();
    std::string backup;
    QCOMPARE(takeChunks(backup, true), 2U);
    QCOMPARE(backup.size(), 2048U);
    turn();
    QCOMPARE(takeChunks(backup, true), 2U);
    for (int i = 0; i < 10 && m_end.empty(); ++i) {
        turn();
        takeChunks(backup, true);
    }
    QCOMPARE(m_end, std::string("NATS/1.0 204\r\n\r\n"));
}

void TestBackup::givesUpWithoutAcks()
{
    fill("memory");
    watchSnapshot();
    m_bench->bus->addClient("$JS.EVENT.ADVISORY.>");
    m_chunks = m_bench->bus->published().size();
    m_bench->request("STREAM.SNAPSHOT.S",
        R"({"deliver_subject":"snap.1","chunk_size":1024,"window_size":1024})");
    turn();
    m_bench->advance(4900);
    std::string backup;
    takeChunks(backup, false);
    QVERIFY(m_end.empty());
    m_bench->advance(200);
    takeChunks(backup, false);
    QCOMPARE(m_end, std::string("NATS/1.0 408 No Flow Response\r\n\r\n"));
    Json advisory =
        Json::parse(m_bench->bus->lastPayload("$JS.EVENT.ADVISORY.STREAM.SNAPSHOT_COMPLETE.S"));
    CHECK_JSON(advisory["error"], "no flow response");
}

void TestBackup::givesUpWithoutReceiver()
{
    fill("memory");
    watchSnapshot();
    m_chunks = m_bench->bus->published().size();
    m_bench->request("STREAM.SNAPSHOT.S",
        R"({"deliver_subject":"snap.1","chunk_size":1024,"window_size":1024})");
    turn();
    m_bench->bus->removeClient("snap.1");
    turn();
    std::string backup;
    takeChunks(backup, false);
    QCOMPARE(m_end, std::string("NATS/1.0 408 No Interest\r\n\r\n"));
}

void TestBackup::waitsForAReceiver()
{
    fill("memory");
    std::string backup;
    m_chunks = m_bench->bus->published().size();
    m_bench->bus->addClient("snap.>"); // does not count
    m_bench->request("STREAM.SNAPSHOT.S", R"({"deliver_subject":"snap.1"})");
    turn();
    m_bench->advance(1900);
    QCOMPARE(takeChunks(backup, true), 0U);
    m_bench->advance(200);
    QVERIFY(takeChunks(backup, true) > 0);
    QCOMPARE(m_end, std::string("none"));

    m_end.clear();
    m_bench->request("STREAM.SNAPSHOT.S", R"({"deliver_subject":"snap.1"})");
    turn();
    QCOMPARE(takeChunks(backup, true), 0U);
    watchSnapshot();
    turn();
    takeChunks(backup, true);
    QCOMPARE(m_end, std::string("none"));
}

void TestBackup::tellsWhenTheStreamGoes()
{
    fill("memory");
    watchSnapshot();
    m_chunks = m_bench->bus->published().size();
    m_bench->request("STREAM.SNAPSHOT.S",
        R"({"deliver_subject":"snap.1","chunk_size":1024,"window_size":1024})");
    // Enough that it can not all be read ahead.
    m_bench->request("STREAM.DELETE.S");
    std::string backup;
    for (int i = 0; i < 1000 && m_end.empty(); ++i) {
        turn();
        takeChunks(backup, true);
    }
    QVERIFY(!m_end.empty());
}

void TestBackup::endsWithoutHeadersIfSmall()
{
    m_bench->create(R"("subjects":["s.>"])");
    const std::string backup = snapshot();
    QCOMPARE(m_end, std::string("none"));
    m_bench->request("STREAM.DELETE.S");
    Json made = restore(backup);
    CHECK_JSON(made["state"]["last_seq"], 0);
    CHECK_JSON(made["state"]["first_seq"], 0);
}

QTEST_GUILESS_MAIN(TestBackup)
#include "tst_backup.moc"
