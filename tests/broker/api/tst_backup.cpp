// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/block_reader.h"
#include "archive/entry_codec.h"
#include "archive/s2_stream.h"
#include "stream_bench.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::tests::StreamBench;

namespace {

struct Part
{
    std::string name;
    std::int64_t time = 0;
    std::uint64_t seq = 0;
    std::string headers;
    std::string payload;
};

constexpr const char* kState =
    R"({"messages":2,"bytes":60,"first_seq":1,"last_seq":3,"consumer_count":0})";

std::string packed(const std::string& bytes)
{
    archive::S2Writer writer;
    writer.add(bytes);
    writer.finish();
    return writer.out();
}

std::string archiveOf(const std::vector<Part>& parts)
{
    std::string bytes(archive::kEntryMagic);
    for (const Part& part : parts) {
        archive::putEntryHead(
            bytes, part.name, part.time, part.seq, part.headers.size(), part.payload.size());
        bytes += part.headers + part.payload;
    }
    return packed(bytes);
}

} // namespace

class tst_Backup : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
        m_chunks = 0;
        m_end.clear();
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void bringsEverythingBack_data();
    void bringsEverythingBack();
    void keepsWhatWasRestored();
    void leavesOutConsumers();
    void leavesOutWhatComesLater();
    void waitsForAcks();
    void givesUpWithoutAcks();
    void givesUpWithoutReceiver();
    void waitsForAReceiver();
    void tellsWhenTheStreamGoes();
    void endsWithoutHeadersIfSmall();
    void refusesBackups_data();
    void refusesBackups();
    void leavesNothingBehind();
    void leavesNothingBehindAfterACrash();
    void survivesDamage();
    void keepsTheNameWhileItRestores();
    void dropsWhatHasExpired();
    void enforcesTheNewLimits();
    void needsAReply();
    void restoresTheOldFormat();

private:
    using Json = StreamBench::Json;
    void turn();
    void watchSnapshot() { m_bench->bus->addClient("snap.1"); }
    std::size_t takeChunks(std::string& into, bool ack);
    std::string snapshot(const std::string& members = {});
    Json restore(const std::string& backup,
        const std::string& config = R"({"name":"S","subjects":["s.>"]})",
        std::size_t chunk = 1000);
    std::string beginRestore(const std::string& config = R"({"name":"S","subjects":["s.>"]})");
    std::string send(const std::string& subject, const std::string& chunk);
    Json contents();
    void fill(const char* storage);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
    std::size_t m_chunks = 0; ///< of the bus's messages, looked at
    std::string m_end; ///< headers of the end message
    int m_replies = 0;
};

void tst_Backup::turn()
{
    do
        m_bench->run();
    while (m_bench->turn.pending());
    m_bench->bus->callWatches();
    m_bench->run();
}

/// The chunks since the last call; acks go back if wanted. Sets m_end if the end has come.
std::size_t tst_Backup::takeChunks(std::string& into, bool ack)
{
    std::size_t taken = 0;
    for (; m_chunks < m_bench->bus->published().size(); ++m_chunks) {
        const tests::Sent sent = m_bench->bus->published()[m_chunks];
        if (sent.subject != "snap.1")
            continue;
        ++taken;
        into += sent.payload;
        if (sent.payload.empty())
            m_end = sent.headers.empty() ? "none" : sent.headers;
        if (ack && !sent.reply.empty())
            m_bench->bus->inject(sent.reply, "");
    }
    return taken;
}

std::string tst_Backup::snapshot(const std::string& members)
{
    m_end.clear();
    m_bench->bus->removeClient("snap.1");
    watchSnapshot();
    m_chunks = m_bench->bus->published().size();
    m_bench->request("STREAM.SNAPSHOT.S", R"({"deliver_subject":"snap.1")" + members + "}");
    std::string backup;
    for (int i = 0; i < 10000 && m_end.empty(); ++i) {
        turn();
        takeChunks(backup, true);
    }
    return backup;
}

std::string tst_Backup::beginRestore(const std::string& config)
{
    Json answer = m_bench->request(
        "STREAM.RESTORE.S", R"({"config":)" + config + R"(,"state":{"messages":1}})");
    return answer.value("deliver_subject", "");
}

std::string tst_Backup::send(const std::string& subject, const std::string& chunk)
{
    const std::string reply = "chunk." + std::to_string(++m_replies);
    m_bench->bus->inject(subject, chunk, reply);
    turn();
    if (m_bench->bus->countPublished(reply) == 0)
        return "no answer";
    return m_bench->bus->lastPayload(reply);
}

tst_Backup::Json tst_Backup::restore(
    const std::string& backup, const std::string& config, std::size_t chunk)
{
    const std::string subject = beginRestore(config);
    for (std::size_t at = 0; at < backup.size(); at += chunk)
        if (const std::string answer = send(subject, backup.substr(at, chunk)); !answer.empty())
            return {{"chunk", answer}};
    return Json::parse(send(subject, ""));
}

void tst_Backup::fill(const char* storage)
{
    m_bench->create(R"("subjects":["s.>"],"storage":")" + std::string(storage) + "\"");
    for (int i = 1; i <= 50; ++i) {
        m_bench->clock.advance(1'000'000);
        m_bench->publish("s." + std::to_string(i % 7),
            std::string(static_cast<std::size_t>(i * 40), static_cast<char>('a' + i % 26)),
            i % 2 ? "K: v" + std::to_string(i) : "");
    }
    m_bench->request("STREAM.PURGE.S", R"({"seq":4})");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":10})");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":50})");
    m_bench->request("CONSUMER.CREATE.S.C",
        R"({"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit","filter_subject":"s.1"}})");
    m_bench->request("CONSUMER.CREATE.S.D",
        R"({"stream_name":"S","config":{"durable_name":"D","ack_policy":"explicit","deliver_policy":"new"}})");
    m_bench->bus->addClient("pull");
    m_bench->bus->inject("$JS.API.CONSUMER.MSG.NEXT.S.C", R"({"batch":3,"no_wait":true})", "pull");
    turn();
    for (const tests::Sent& sent : m_bench->bus->delivered())
        if (sent.route == "pull" && sent.payload.size() == 400)
            m_bench->bus->inject(sent.reply, "+ACK");
    turn();
}

/// Every message and consumer, without what depends on the time of the question.
tst_Backup::Json tst_Backup::contents()
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

void tst_Backup::bringsEverythingBack_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<int>("chunk");
    QTest::addRow("file to file") << QByteArray("file") << QByteArray("file") << 128 * 1024;
    QTest::addRow("memory to file") << QByteArray("memory") << QByteArray("file") << 1024;
    QTest::addRow("file to memory") << QByteArray("file") << QByteArray("memory") << 1;
}

void tst_Backup::bringsEverythingBack()
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

void tst_Backup::keepsWhatWasRestored()
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

void tst_Backup::leavesOutConsumers()
{
    fill("file");
    const std::string backup = snapshot(R"(,"no_consumers":true)");
    m_bench->request("STREAM.DELETE.S");
    CHECK_JSON(restore(backup)["state"]["consumer_count"], 0);
    CHECK_JSON(m_bench->state()["messages"], 45);
}

void tst_Backup::leavesOutWhatComesLater()
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

void tst_Backup::waitsForAcks()
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

void tst_Backup::givesUpWithoutAcks()
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

void tst_Backup::givesUpWithoutReceiver()
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

void tst_Backup::waitsForAReceiver()
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

void tst_Backup::tellsWhenTheStreamGoes()
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

void tst_Backup::endsWithoutHeadersIfSmall()
{
    m_bench->create(R"("subjects":["s.>"])");
    const std::string backup = snapshot();
    QCOMPARE(m_end, std::string("none"));
    m_bench->request("STREAM.DELETE.S");
    Json made = restore(backup);
    CHECK_JSON(made["state"]["last_seq"], 0);
    CHECK_JSON(made["state"]["first_seq"], 0);
}

void tst_Backup::refusesBackups_data()
{
    QTest::addColumn<QByteArray>("backup");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* name, const std::string& backup, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(backup) << QByteArray(error);
    };
    const Part state{"state.json", 1, 0, {}, kState};
    const Part one{"s.a", 1000, 1, {}, "one"};
    const Part end{};
    const auto with = [](const char* json) { return Part{"state.json", 1, 0, {}, json}; };
    const auto consumer = [](const char* json) {
        return std::vector<Part>{
            {"state.json",
                1,
                0,
                {},
                R"({"messages":0,"first_seq":1,"last_seq":3,"consumer_count":1})"},
            {"consumers/c", 1, 0, {}, json},
            {}};
    };
    row("nothing", "", "EOF");
    row("noise", "garbage garbage", "s2: corrupt input");
    row("less than a magic", packed("abc"), "unexpected EOF");
    row("neither format", packed(std::string(600, 'x')), "archive/tar: invalid tar header");
    row("no state", archiveOf({one, end}), "expected state.json first");
    row("a state that is no JSON",
        archiveOf({with("{"), end}),
        "error in state.json: invalid character or unexpected end at offset 0");
    row("a state that contradicts itself",
        archiveOf({with(R"({"messages":9,"first_seq":1,"last_seq":3})"), end}),
        "invalid stream state: message count exceeds sequence range");
    row("a state beyond its end",
        archiveOf({with(R"({"messages":1,"first_seq":9,"last_seq":3})"), end}),
        "invalid stream state: inconsistent message count or sequence range");
    row("consumers below zero",
        archiveOf({with(R"({"consumer_count":-1})"), end}),
        "invalid stream state: negative consumer count");
    row("no end", archiveOf({state, one}), "EOF");
    row("a message without sequence",
        archiveOf({state, {"s.a", 1, 0, {}, "x"}, end}),
        "expected message sequence");
    row("a message twice", archiveOf({state, one, one, end}), "message sequence 1 out of order");
    row("a message that is too large",
        archiveOf({state, {"s.a", 1, 1, {}, std::string(1048577, 'x')}, end}),
        "message sequence 1 exceeds maximum payload size");
    row("a message without subject",
        archiveOf({state, {"", 1, 1, {}, "x"}, end}),
        "failed to store message sequence 1: invalid subject");
    row("a missing consumer",
        archiveOf({with(R"({"first_seq":1,"last_seq":3,"consumer_count":1})"), one, end}),
        "expected consumer, found \"s.a\"");
    row("a consumer without config",
        archiveOf(consumer(R"({"state":{}})")),
        "consumer \"c\" is missing config");
    row("a consumer without state",
        archiveOf(consumer(R"({"config":{}})")),
        "consumer \"c\" is missing state");
    row("a consumer ahead of itself",
        archiveOf(consumer(
            R"({"config":{"ack_policy":"explicit"},"state":{"delivered":{"consumer_seq":1,"stream_seq":1},"ack_floor":{"consumer_seq":2,"stream_seq":1}}})")),
        "failed to add consumer \"c\": bad ack floor for consumer");
    row("a consumer with a bad configuration",
        archiveOf(consumer(
            R"({"config":{"ack_policy":"explicit","max_deliver":2,"backoff":[1,2,3]},"state":{}})")),
        "");
}

void tst_Backup::refusesBackups()
{
    QFETCH(QByteArray, backup);
    QFETCH(QByteArray, error);
    Json answer = restore(backup.toStdString());
    QVERIFY2(answer.contains("error"), answer.dump().c_str());
    CHECK_JSON(answer["type"], "io.nats.jetstream.api.v1.stream_create_response");
    CHECK_JSON(answer["error"]["err_code"], 10062);
    if (!error.isEmpty())
        CHECK_JSON(answer["error"]["description"], "restore failed: " + error.toStdString());
    CHECK_JSON(m_bench->request("STREAM.INFO.S")["error"]["err_code"], 10059);
    QVERIFY(QDir(m_folder->filePath(QStringLiteral("$G/streams")))
                .entryList(QDir::AllEntries | QDir::NoDotAndDotDot)
                .isEmpty());
    CHECK_JSON(m_bench->create(R"("subjects":["s.>"])")["state"]["messages"], 0);
}

void tst_Backup::leavesNothingBehind()
{
    fill("file");
    const std::string backup = snapshot();
    m_bench->request("STREAM.DELETE.S");
    const std::string subject = beginRestore();
    QCOMPARE(send(subject, backup.substr(0, backup.size() - 10)), std::string());
    QCOMPARE(send(subject, backup.substr(backup.size() - 10, 5)), std::string());
    m_bench->advance(5100);
    turn();
    QCOMPARE(send(subject, backup.substr(backup.size() - 5)), std::string("no answer"));
    CHECK_JSON(m_bench->request("STREAM.INFO.S")["error"]["err_code"], 10059);
    CHECK_JSON(m_bench->create(R"("subjects":["s.>"])")["state"]["messages"], 0);
}

void tst_Backup::leavesNothingBehindAfterACrash()
{
    // The mark and the files as they are while a stream is in the making.
    fill("file");
    const std::string backup = snapshot();
    m_bench->request("STREAM.DELETE.S");
    const Part state{"state.json", 1, 0, {}, kState};
    const std::string subject = beginRestore();
    send(subject, archiveOf({state, {"s.a", 1000, 1, {}, "one"}}));
    const QString folder = m_folder->filePath(QStringLiteral("$G/streams/S"));
    QVERIFY(QFile::exists(folder + QStringLiteral("/unfinished")));
    // A crash would leave this folder; an orderly end does not.
    const QString aside = m_folder->filePath(QStringLiteral("aside"));
    QVERIFY(QDir().rename(folder, aside));
    m_bench->restart();
    m_bench.reset();
    QVERIFY(QDir().rename(aside, folder));
    m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    CHECK_JSON(m_bench->request("STREAM.INFO.S")["error"]["err_code"], 10059);
    QVERIFY(!QFile::exists(folder));
    CHECK_JSON(m_bench->create(R"("subjects":["s.>"])")["state"]["messages"], 0);
}

/// Every tenth byte turned, every tenth length cut: an error and nothing left, or all of it.
void tst_Backup::survivesDamage()
{
    fill("memory");
    const std::string backup = snapshot();
    m_bench->request("STREAM.DELETE.S");
    const std::string config = R"({"name":"S","subjects":["s.>"],"storage":"memory"})";
    int refused = 0;
    for (std::size_t at = 0; at < backup.size(); at += 1 + backup.size() / 97) {
        std::string turned = backup;
        turned[at] = static_cast<char>(turned[at] ^ 0x55);
        for (const std::string& bad : {turned, backup.substr(0, at)}) {
            Json answer = restore(bad, config, 700);
            // A copy from another place may give the same bytes.
            if (answer.contains("error")) {
                CHECK_JSON(answer["error"]["err_code"], 10062);
                ++refused;
            } else {
                CHECK_JSON(answer["state"]["messages"], 45);
                m_bench->request("STREAM.DELETE.S");
            }
            CHECK_JSON(m_bench->request("STREAM.INFO.S")["error"]["err_code"], 10059);
        }
    }
    QVERIFY(refused > 150);
    CHECK_JSON(restore(backup, config)["state"]["messages"], 45);
}

void tst_Backup::keepsTheNameWhileItRestores()
{
    const std::string first = beginRestore();
    const std::string second = beginRestore();
    const std::string backup = archiveOf({{"state.json", 1, 0, {}, kState},
        {"s.a", 1000, 1, {}, "one"},
        {"s.a", 1000, 3, {}, "three"},
        {}});
    QCOMPARE(send(first, backup), std::string());
    CHECK_JSON(m_bench->create(R"("subjects":["s.>"])")["error"]["err_code"], 10058);
    QCOMPARE(send(second, backup), std::string());
    CHECK_JSON(Json::parse(send(second, ""))["error"]["err_code"], 10130);
    CHECK_JSON(Json::parse(send(first, ""))["state"]["num_deleted"], 1);
    CHECK_JSON(m_bench->request("STREAM.RESTORE.S",
                   R"({"config":{"name":"S"},"state":{}})")["error"]["err_code"],
        10130);
    m_bench->create(R"("subjects":["t.>"])", "T");
    m_bench->request("STREAM.DELETE.S");
    Json overlapping = restore(backup, R"({"name":"S","subjects":["t.>"]})");
    CHECK_JSON(overlapping["error"]["description"],
        "restore failed: error adding stream: subjects overlap with an existing stream (10065)");
}

void tst_Backup::dropsWhatHasExpired()
{
    const std::int64_t now = m_bench->clock.wallTime();
    const std::string ttl = "NATS/1.0\r\nNats-TTL: 1s\r\n\r\n";
    const std::string backup = archiveOf({{"state.json", 1, 0, {}, kState},
        {"s.a", now - 2'000'000'000, 1, ttl, "gone"},
        {"s.b", now, 2, ttl, "there"},
        {}});
    Json made = restore(backup, R"({"name":"S","subjects":["s.>"],"allow_msg_ttl":true})");
    CHECK_JSON(made["state"]["messages"], 1);
    CHECK_JSON(made["state"]["first_seq"], 2);
    CHECK_JSON(made["state"]["last_seq"], 3);
    m_bench->advance(1500);
    CHECK_JSON(m_bench->state()["messages"], 0);
}

void tst_Backup::enforcesTheNewLimits()
{
    fill("file");
    const std::string backup = snapshot();
    m_bench->request("STREAM.DELETE.S");
    CHECK_JSON(
        restore(backup, R"({"name":"S","subjects":["s.>"],"max_msgs":10})")["state"]["messages"],
        10);
    m_bench->request("STREAM.DELETE.S");
    CHECK_JSON(
        restore(backup,
            R"({"name":"S","subjects":["s.>"],"max_msgs_per_subject":1})")["state"]["messages"],
        7);
}

void tst_Backup::needsAReply()
{
    m_bench->bus->addClient("$JS.EVENT.ADVISORY.>");
    const std::string subject = beginRestore();
    m_bench->bus->inject(subject, "abc");
    turn();
    QCOMPARE(m_bench->bus->countPublished("$JS.EVENT.ADVISORY.STREAM.RESTORE_COMPLETE.S"), 1U);
    QCOMPARE(send(subject, "abc"), std::string("no answer"));
}

/// Written by the reference server's file store: 12 messages in small blocks, of which 1, 5 and 12
/// were deleted and 6 erased, and a consumer that has 3 and 4 pending.
void tst_Backup::restoresTheOldFormat()
{
    const QByteArray recorded = QByteArray::fromBase64(
        "/wYAAFMyc1R3TwD1BgB6imQogIwBVFBheEhlYWRlcnMuMC9tZXRhLmluZgARARUAPgAwCQAAAAkHBDAACQAV"
        "CBAwMDM2AAUACQQkADAxMTY0NAAgeBGHFQA+Vk0AHHVzdGFyADAwFQA9EUMVAKJ0MzAgbXRpbWU9MTc5NTk5"
        "Njc5MC40Njc5OTM2NDUKFQAdESUZALEAcfMVAEcyEwIQMDAwMDZ58D4IAGAwNzMzADE1MzAzMTM2MTY2ADAx"
        "MjQ0MwAgcZQVAFWRAAxuYXRzFQAUfiAAibwZ5WZKABEaFQB98Hd7IkNyZWF0ZWQiOiIyMDI2LTExLTI5VDIz"
        "OjU5OjUwLjQ0MTY5MDM2M1oiLCJuYW1lIjoiT0xEIiwic3ViamVjdHMiOlsiby5cdTAwM2UiXSwicmV0ZW50"
        "aW9uIjoibGltaXRzIiwibWF4X2NvbnN1bWVycyI6LTEJEwhtc2cdDgxieXRlHR0UYWdlIjowGSkQX3Blcl8N"
        "dhkm8FRtc2dfc2l6ZSI6LTEsImRpc2NhcmQiOiJvbGQiLCJzdG9yYWdlIjoiZmlsZSIsIm51bV9yZXBsaWNh"
        "cyI6MSwiZHVwbGljYXRlX3dpbmRvdyI6MTIwLc3MMDAsImNvbXByZXNzaW9uIjoibm9uZSIsImFsbG93X2Rp"
        "cmVjdCI6ZmFsc2UsIm1pcnJvcj4WABRzZWFsZWQVJShkZW55X2RlbGV0ZTYUAAxwdXJnGRMJYShyb2xsdXBf"
        "aGRycxUaMUYAXy1cCDp7fREvGG1zZ190dGwNKwB9kmgCRgAICHN1bY45AKokAC1NPvgDERBSAAgANxkAaAJx"
        "8xUAQjIeBH4ACAgwMjAVAAkENjDuAAgZACYAPDkwYzJhZTFkYmMxZjE2NWE2ugERDBkA1gAQbXNncy8yBQgQ"
        "MS5ibGsx+RUAPcYACAwyMDIzGQBjAghzZ3Nx8xUAQzI/BH4ACAg2MDY+AAgINjIx7gAIGQAmABAkAAAAAS2u"
        "cNHAD7iQqewYAwBvLmFtMDHR7ITOhYzvliQAAAACCSMMABQQHxUkQGJtMDIKV03hNFpxjToAAIADDQAEjDgZ"
        "JJhhEgAAAE5BVFMvMS4wDQpLOiB2DQoNCm0wM9RoKR35pKq3JAAAAAQJOQgAKEoZOkBibTA0z/s0yPAxLJsk"
        "AAAABQ0kBKBVGSRAYW0wNa52ultzrGBpOgAAAAYJAACACQewAAAAAEEqXQ7WvBjEjtsfHlRs0vu6iJuM0Hv4"
        "ndDxvkFViS6TakOXKCQAAAAHCS8IAAFuMl4ANDdjIJN7N+ZSgSQAAAAICQAMANl4HzUoQGJtMDiom9WluNm5"
        "ZjoAAIAJDQAEKIQdSF4EASA57D2IhGH8FK8JNBEFFQBkRgAIADIVAH4ANBkAZwIAMhUAdggzNzIVAAoAMhkA"
        "ZgAACg0ABHuS2bRAYm0xMMmwHbLpzwAdJAAAAAsNJAgbviDV/EBhbTExabHS1jN0itU6AACADA0ABHfOGSQA"
        "Ylr8BigxMsSROEwWSR2HHiaCCABAEQAoAAD8vFMt9388Wx75+gBAEQAoAACFrsWJOIEcfB759AhAWGIJvjgA"
        "AE9XOg5TUQhUHgAAAAwJkwBAEZQkAAB91oJ0RbcgtAkZEQUVAPBGAAgcaW5kZXguZGIVAHUINjA3GQBnAnHz"
        "FQBCMjsEegAQCDExNz4AIAwzNDA1GQBiANwLBAjMAgKowPiBl+TU7DEM7rmGgpfk1OwxAgNvLmIEAQIDby5h"
        "BAECAgGEAgIACajQAwIAABYCASoTEBAAAAAAYAkHEQUVAOkwAQACSArOiQQMxvkNATEhAAE9IQQAEB0MEQsV"
        "AOMIAQACHnkJHPgZvo4QzyP3FQD2EfwVAHcYb2JzL2R1cjYDGu4VJhUAC8YAGgwzMjIxGQBiApEAcfMVAD8y"
        "3QR6AAoMMDMzNRUABww0MDE2GQBiAEIAKkgwMS0wMlQwMzowNDowNVoiLCJOFvYpNGR1ciIsImR1cmFibGVf"
        "GgsqDRVgZWxpdmVyX3BvbGljeSI6ImFsbCIsImFjaxkTVGV4cGxpY2l0IiwiYWNrX3dhaXQiOjPNGwQwMBro"
        "KQ1KFt8pFHJlcGxheRlDGGluc3RhbnQaTypAYWNrX3BlbmRpbmciOjEwMDA+3SkEMH0yhgIRDBkACgCRADID"
        "Iu4IKhUACy3kHvApPggASgAqCDMyNe4ACBkANALuCCoVABN+AAhGACoINDAz7gASGQAnADw1ZGJiOTMyMzcz"
        "YzE1MmMz8ScZAAsAMRUVAMlSAAgQby5kYXQR8xUAOsYACAwyNTI1GQBqAnHzFQA/MjwEhgAIPgAQBDMzGQBk"
        "AEwWAgECBAQC7PHlsA0BAQACAgABATK4GBEMGQDTBA==");
    const std::string backup = recorded.toStdString();
    CHECK_JSON(
        restore(backup)["error"]["description"], "restore failed: stream names do not match");
    const auto ask = [this](const std::string& call, const std::string& body = {}) {
        return m_bench->request(call, body);
    };
    const auto again = [&](const std::string& bytes) {
        const Json begun =
            ask("STREAM.RESTORE.OLD", R"({"config":{"name":"OLD","subjects":["o.>"]},"state":{}})");
        const std::string subject = begun["deliver_subject"];
        for (std::size_t at = 0; at < bytes.size(); at += 99)
            send(subject, bytes.substr(at, 99));
        return Json::parse(send(subject, ""));
    };
    Json made = again(backup);
    QVERIFY2(!made.contains("error"), made.dump().c_str());
    CHECK_JSON(made["state"]["messages"], 8);
    CHECK_JSON(made["state"]["first_seq"], 2);
    CHECK_JSON(made["state"]["last_seq"], 12);
    CHECK_JSON(
        ask("STREAM.INFO.OLD", R"({"deleted_details":true})")["state"]["deleted"], {5, 6, 12});
    Json message = ask("STREAM.MSG.GET.OLD", R"({"seq":9})")["message"];
    CHECK_JSON(message["subject"], "o.a");
    CHECK_JSON(message["data"], "bTA5");
    QVERIFY(message.contains("hdrs"));
    Json consumer = ask("CONSUMER.INFO.OLD.dur");
    CHECK_JSON(consumer["created"], "2026-01-02T03:04:05Z");
    CHECK_JSON(consumer["delivered"]["consumer_seq"], 4);
    CHECK_JSON(consumer["delivered"]["stream_seq"], 4);
    CHECK_JSON(consumer["ack_floor"]["stream_seq"], 2);
    CHECK_JSON(consumer["num_ack_pending"], 2);
    CHECK_JSON(consumer["num_redelivered"], 1);
    CHECK_JSON(consumer["num_pending"], 5);

    ask("STREAM.DELETE.OLD");
    for (std::size_t at = 0; at < backup.size(); at += 61) {
        std::string bad = backup;
        bad[at] = static_cast<char>(bad[at] ^ 0x55);
        QVERIFY(again(bad).contains("error"));
        QVERIFY(again(backup.substr(0, at)).contains("error"));
        CHECK_JSON(ask("STREAM.INFO.OLD")["error"]["err_code"], 10059);
    }
}

QTEST_GUILESS_MAIN(tst_Backup)
#include "tst_backup.moc"
