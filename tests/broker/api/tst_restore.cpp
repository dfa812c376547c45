// SPDX-License-Identifier: GPL-3.0-or-later
// What may come in as a backup: refused, damaged, interrupted, or limited anew.
#include "archive/entry_codec.h"
#include "archive/s2_stream.h"
#include "backup_fixture.h"

#include <QDir>
#include <QFile>

using namespace jetglass;
using jetglass::tests::BackupFixture;
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

class TestRestore final : public BackupFixture
{
    Q_OBJECT

private slots:
    void refusesBackups_data();
    void refusesBackups();
    void leavesNothingBehind();
    void leavesNothingBehindAfterACrash();
    void survivesDamage();
    void keepsTheNameWhileItRestores();
    void dropsWhatHasExpired();
    void enforcesTheNewLimits();
    void needsAReply();
};

void TestRestore::refusesBackups_data()
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
        "error in state.json: unexpected EOF");
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

void TestRestore::refusesBackups()
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

void TestRestore::leavesNothingBehind()
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

void TestRestore::leavesNothingBehindAfterACrash()
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
void TestRestore::survivesDamage()
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

void TestRestore::keepsTheNameWhileItRestores()
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

void TestRestore::dropsWhatHasExpired()
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

void TestRestore::enforcesTheNewLimits()
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

void TestRestore::needsAReply()
{
    m_bench->bus->addClient("$JS.EVENT.ADVISORY.>");
    const std::string subject = beginRestore();
    m_bench->bus->inject(subject, "abc");
    turn();
    QCOMPARE(m_bench->bus->countPublished("$JS.EVENT.ADVISORY.STREAM.RESTORE_COMPLETE.S"), 1U);
    QCOMPARE(send(subject, "abc"), std::string("no answer"));
}

QTEST_GUILESS_MAIN(TestRestore)
#include "tst_restore.moc"
