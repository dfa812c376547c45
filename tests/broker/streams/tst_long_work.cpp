// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream_bench.h"
#include "streams/removal_ledger.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace jetglass;
using jetglass::tests::StreamBench;

namespace {

constexpr int kMessages = 5000;
/// Of the 1 ms that long work has in a turn: some ten steps.
constexpr std::int64_t kStep = 100'000;

class Removals final : public FlowObserver
{
public:
    void onFlow(const FlowEvent& event, const FlowText&) noexcept override
    {
        if (event.kind == FlowKind::Removed || event.kind == FlowKind::RemovedByFilter)
            events.push_back(event);
    }
    std::vector<FlowEvent> events;
};

} // namespace

/// Work that takes more than a slice of the loop: what others see meanwhile, what waits, what a
/// failure or a crash in the middle leaves. The time of a slice goes by steps that the test sets.
class TestLongWork : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void partsAddUpToTheWhole_data();
    void partsAddUpToTheWhole();
    void othersGoOnAndLaterOnesWaitInOrder();
    void isOneEvent();
    void consumersHearAtTheEnd();
    void waitingPublishesAreBounded();
    void aFailedWriteEndsIt();
    void aCrashInTheMiddleIsTakenUpAgain();
    void deletionWaitsItsTurn();
    void subjectsComeInPages();
    void deletedComeInParts();
    void turnsAreShared();

private:
    /// kMessages of ten subjects, a second apart.
    void fill(const std::string& members)
    {
        m_bench->create(R"("subjects":["s.*"])" + members);
        for (int i = 0; i < kMessages; ++i) {
            m_bench->stage("s." + std::to_string(i % 10), "payload");
            m_bench->turn.run();
            m_bench->clock.advance(1'000'000'000);
        }
        m_bench->bus->clear();
    }
    std::string ask(const std::string& call, const std::string& body)
    {
        const std::string reply = "answer." + std::to_string(++m_asked);
        m_bench->bus->inject("$JS.API." + call, body, reply);
        return reply;
    }
    /// Turns until the answer is there.
    int turnsUntil(const std::string& reply)
    {
        for (int turns = 1; turns < 10000; ++turns) {
            m_bench->turn.run();
            if (!m_bench->bus->lastPayload(reply).empty())
                return turns;
        }
        return 0;
    }
    /// Where the message published to \a subject stands among all that went out.
    std::ptrdiff_t place(const std::string& subject) const
    {
        const auto& all = m_bench->bus->published();
        const auto at = std::find_if(
            all.begin(), all.end(), [&](const auto& sent) { return sent.subject == subject; });
        return at == all.end() ? -1 : at - all.begin();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
    int m_asked = 0;
};

void TestLongWork::partsAddUpToTheWhole_data()
{
    QTest::addColumn<QString>("storage");
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("left");
    QTest::addColumn<int>("first");
    const QString update = QStringLiteral(R"({"name":"S","subjects":["s.*"],"storage":"%1",)");
    for (const char* storage : {"memory", "file"}) {
        const auto row = [storage](const char* name) -> QTestData& {
            return QTest::addRow("%s: %s", storage, name) << QString::fromLatin1(storage);
        };
        const QString purge = QStringLiteral("STREAM.PURGE.S");
        const QString change = QStringLiteral("STREAM.UPDATE.S");
        const QString head = update.arg(QLatin1String(storage));
        row("purge") << purge << QString() << 0 << 5001;
        row("purge below") << purge << QStringLiteral(R"({"seq":3001})") << 2000 << 3001;
        row("purge beyond the end") << purge << QStringLiteral(R"({"seq":9000})") << 0 << 9000;
        row("purge but the newest") << purge << QStringLiteral(R"({"keep":7})") << 7 << 4994;
        row("purge a subject") << purge << QStringLiteral(R"({"filter":"s.0"})") << 4500 << 2;
        row("purge by pattern") << purge << QStringLiteral(R"({"filter":"s.*","keep":3})") << 3
                                << 4998;
        row("purge a subject but the newest")
            << purge << QStringLiteral(R"({"filter":"s.0","keep":100})") << 4600 << 2;
        row("purge a subject below")
            << purge << QStringLiteral(R"({"filter":"s.1","seq":2501})") << 4750 << 1;
        row("fewer messages") << change << head + QStringLiteral(R"("max_msgs":100})") << 100
                              << 4901;
        row("fewer bytes") << change << head + QStringLiteral(R"("max_bytes":4000})") << -1 << -1;
        row("fewer of a subject") << change << head + QStringLiteral(R"("max_msgs_per_subject":2})")
                                  << 20 << 4981;
        // The next second has begun when the last message was stored.
        row("younger ones only") << change << head + QStringLiteral(R"("max_age":60500000000})")
                                 << 60 << 4941;
    }
}

void TestLongWork::partsAddUpToTheWhole()
{
    QFETCH(QString, storage);
    QFETCH(QString, call);
    QFETCH(QString, body);
    QFETCH(int, left);
    QFETCH(int, first);
    fill(R"(,"storage":")" + storage.toStdString() + '"');
    m_bench->steady.step = kStep;
    const std::string reply = ask(call.toStdString(), body.toStdString());
    const int turns = turnsUntil(reply);
    QVERIFY2(turns > 0, "no answer");
    const auto answer = StreamBench::Json::parse(m_bench->bus->lastPayload(reply));
    QVERIFY2(!answer.contains("error"), answer.dump().c_str());
    m_bench->steady.step = 0;
    const auto state = m_bench->state();
    if (left < 0) {
        QVERIFY(state["bytes"].get<int>() <= 4000);
        QVERIFY(state["bytes"].get<int>() > 3900);
        return;
    }
    CHECK_JSON(state["messages"], left);
    CHECK_JSON(state["first_seq"], first);
    if (call == QLatin1String("STREAM.PURGE.S"))
        CHECK_JSON(answer["purged"], kMessages - left);
}

void TestLongWork::othersGoOnAndLaterOnesWaitInOrder()
{
    fill(R"(,"storage":"memory","allow_direct":true)");
    m_bench->create(R"("subjects":["t"])", "T");
    m_bench->steady.step = kStep;
    const std::string purged = ask("STREAM.PURGE.S", R"({"filter":"s.1"})");
    const std::string before = m_bench->stage("s.1", "behind the purge");
    const std::string info = ask("STREAM.INFO.S", "");
    const std::string got = "got";
    m_bench->bus->inject("$JS.API.DIRECT.GET.S.s.1", "", got);
    const std::string second = ask("STREAM.PURGE.S", R"({"filter":"s.1"})");
    const std::string after = m_bench->stage("s.2");
    const std::string missed = ask("STREAM.MSG.GET.S", R"({"last_by_subj":"s.1"})");
    int turns = 0;
    while (m_bench->bus->lastPayload(missed).empty()) {
        QVERIFY(++turns < 1000);
        const std::string other = m_bench->stage("t");
        m_bench->turn.run();
        QVERIFY2(!m_bench->bus->lastPayload(other).empty(), "another stream had to wait");
    }
    QVERIFY2(turns > 3, "the work was not cut");
    CHECK_JSON(
        StreamBench::Json::parse(m_bench->bus->lastPayload(purged))["purged"], kMessages / 10);
    QCOMPARE(m_bench->bus->lastPayload(before), std::string(R"({"stream":"S","seq":5001})"));
    CHECK_JSON(
        StreamBench::Json::parse(m_bench->bus->lastPayload(info))["state"]["messages"], 4501);
    QCOMPARE(m_bench->bus->lastPayload(got), std::string("behind the purge"));
    CHECK_JSON(StreamBench::Json::parse(m_bench->bus->lastPayload(second))["purged"], 1);
    QCOMPARE(m_bench->bus->lastPayload(after), std::string(R"({"stream":"S","seq":5002})"));
    QCOMPARE(m_bench->errorOf(m_bench->bus->lastPayload(missed)), 10037);
    // The answers of one turn leave together, acks first.
    QVERIFY(place(after) < place(missed));
    const std::vector<std::ptrdiff_t> order{
        place(purged), place(before), place(info), place(got), place(second), place(missed)};
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QVERIFY(!m_bench->stream().busy());
}

void TestLongWork::isOneEvent()
{
    fill(R"(,"storage":"file")");
    Removals removals;
    m_bench->hub.add(removals);
    m_bench->steady.step = kStep;
    QVERIFY(turnsUntil(ask("STREAM.PURGE.S", R"({"keep":10})")) > 1);
    QVERIFY(
        turnsUntil(ask("STREAM.UPDATE.S", R"({"name":"S","subjects":["s.*"],"max_msgs":4})")) > 0);
    m_bench->hub.remove(removals);
    QCOMPARE(removals.events.size(), std::size_t{2});
    QCOMPARE(removals.events[0].seq, StreamSeq(1));
    QCOMPARE(removals.events[0].second, std::uint64_t{4990});
    QCOMPARE(removals.events[1].seq, StreamSeq(4991));
    QCOMPARE(removals.events[1].second, std::uint64_t{4996});
    QCOMPARE(removals.events[1].cause, Removal::MaxMsgs);
    const auto rows = m_bench->stream().removals().find(StreamSeq(1), StreamSeq{}, 10);
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[1].count, std::uint64_t{4990});
}

void TestLongWork::consumersHearAtTheEnd()
{
    fill(R"(,"storage":"memory")");
    m_bench->request("CONSUMER.CREATE.S.C",
        R"({"stream_name":"S","config":{"name":"C","ack_policy":"explicit"}})");
    m_bench->steady.step = kStep;
    const std::string purged = ask("STREAM.PURGE.S", R"({"seq":3001})");
    m_bench->turn.run();
    // A request in the middle is not served with what is about to go.
    m_bench->bus->addClient("inbox");
    m_bench->bus->inject("$JS.API.CONSUMER.MSG.NEXT.S.C", R"({"batch":1})", "inbox");
    m_bench->turn.run();
    QVERIFY(m_bench->stream().busy());
    QVERIFY(m_bench->bus->delivered().empty());
    QVERIFY(turnsUntil(purged) > 0);
    m_bench->steady.step = 0;
    m_bench->run();
    QCOMPARE(m_bench->bus->delivered().size(), std::size_t{1});
    QVERIFY(m_bench->bus->delivered().front().reply.starts_with("$JS.ACK.S.C.1.3001.1."));
    CHECK_JSON(m_bench->request("CONSUMER.INFO.S.C")["num_pending"], 1999);
}

void TestLongWork::waitingPublishesAreBounded()
{
    fill(R"(,"storage":"memory")");
    m_bench->steady.step = kStep;
    const std::string purged = ask("STREAM.PURGE.S", R"({"filter":"s.*","keep":1})");
    QVERIFY(m_bench->stream().busy());
    const std::string large(std::size_t{1} << 20U, 'p');
    std::vector<std::string> replies;
    for (int i = 0; i < 70; ++i)
        replies.push_back(m_bench->stage("s.1", large));
    QCOMPARE(m_bench->bus->lastPayload(replies.back()),
        std::string(
            R"({"error":{"code":429,"err_code":10167,"description":"too many requests"},"stream":"S","seq":0})"));
    QVERIFY(turnsUntil(purged) > 0);
    m_bench->steady.step = 0;
    m_bench->run();
    QCOMPARE(
        m_bench->bus->lastPayload(replies.front()), std::string(R"({"stream":"S","seq":5001})"));
    const auto refused =
        std::count_if(replies.begin(), replies.end(), [this](const std::string& reply) {
            return m_bench->errorOf(m_bench->bus->lastPayload(reply)) == 10167;
        });
    QCOMPARE(refused, std::ptrdiff_t{6});
    CHECK_JSON(m_bench->state()["messages"], 65);
}

void TestLongWork::aFailedWriteEndsIt()
{
    fill(R"(,"storage":"file")");
    Removals removals;
    m_bench->hub.add(removals);
    m_bench->steady.step = kStep;
    const std::string purged = ask("STREAM.PURGE.S", R"({"filter":"s.*","keep":1})");
    m_bench->turn.run();
    m_bench->turn.run();
    const auto removed = kMessages - m_bench->stream().store().state().messages;
    QVERIFY(removed > 0);
    m_bench->files.failing = true;
    QVERIFY(turnsUntil(purged) > 0);
    m_bench->files.failing = false;
    m_bench->steady.step = 0;
    m_bench->run();
    m_bench->hub.remove(removals);
    QCOMPARE(m_bench->errorOf(m_bench->bus->lastPayload(purged)), 10077);
    // What was written before stays gone, and everybody knows how much that is.
    const auto left = m_bench->stream().store().state().messages;
    QCOMPARE(kMessages - left, removed);
    QCOMPARE(removals.events.size(), std::size_t{1});
    QCOMPARE(removals.events.front().second, removed);
    CHECK_JSON(m_bench->request("STREAM.PURGE.S")["purged"], left);
}

void TestLongWork::aCrashInTheMiddleIsTakenUpAgain()
{
    fill(R"(,"storage":"file")");
    m_bench->steady.step = kStep;
    ask("STREAM.UPDATE.S", R"({"name":"S","subjects":["s.*"],"max_msgs_per_subject":1})");
    for (int i = 0; i < 5; ++i)
        m_bench->turn.run();
    const auto left = m_bench->stream().store().state().messages;
    QVERIFY(left < kMessages && left > 10);
    m_bench->steady.step = 0;
    m_bench = nullptr; // without a word to the stream, as kill -9 does
    m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    CHECK_JSON(m_bench->state()["messages"], 10);
    CHECK_JSON(m_bench->state()["first_seq"], 4991);
}

void TestLongWork::deletionWaitsItsTurn()
{
    fill(R"(,"storage":"file")");
    m_bench->steady.step = kStep;
    const std::string purged = ask("STREAM.PURGE.S", R"({"filter":"s.*","keep":1})");
    const std::string deleted = ask("STREAM.DELETE.S", "");
    QVERIFY(turnsUntil(deleted) > 0);
    CHECK_JSON(
        StreamBench::Json::parse(m_bench->bus->lastPayload(purged))["purged"], kMessages - 1);
    QVERIFY(place(purged) < place(deleted));
    QVERIFY(!m_bench->jetstream->registry().find("S"));
}

void TestLongWork::subjectsComeInPages()
{
    m_bench->create(R"("subjects":["s.*"],"storage":"memory")");
    for (int i = 0; i < 3000; ++i)
        m_bench->stage("s." + std::to_string(i));
    m_bench->turn.run();
    m_bench->steady.step = kStep;
    const std::string reply = ask("STREAM.INFO.S", R"({"subjects_filter":"s.1*","offset":0})");
    QVERIFY(turnsUntil(reply) > 0);
    const std::string all = ask("STREAM.INFO.S", R"({"subjects_filter":">","offset":2998})");
    QVERIFY(turnsUntil(all) > 1);
    const auto answer = StreamBench::Json::parse(m_bench->bus->lastPayload(all));
    CHECK_JSON(answer["total"], 3000);
    CHECK_JSON(answer["offset"], 2998);
    CHECK_JSON(answer["state"]["subjects"], {{"s.998", 1}, {"s.999", 1}});
    m_bench->stage("s.\"<\\\xC3\xA4");
    m_bench->turn.run();
    const std::string odd = ask("STREAM.INFO.S", R"({"subjects_filter":">"})");
    QVERIFY(turnsUntil(odd) > 1);
    const std::string text = m_bench->bus->lastPayload(odd);
    QVERIFY2(text.find(R"("s.\"\u003c\\ä":1)") != std::string::npos, text.substr(0, 600).c_str());
    QCOMPARE_EQ(StreamBench::Json::parse(text)["state"]["subjects"].size(), 3001U);
}

void TestLongWork::deletedComeInParts()
{
    m_bench->create(R"("subjects":["s"],"storage":"memory")");
    for (int i = 0; i < 3000; ++i)
        m_bench->stage("s");
    m_bench->turn.run();
    StreamBench::Json expected = StreamBench::Json::array();
    for (int seq = 2; seq < 3000; seq += 2) {
        m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":)" + std::to_string(seq) + "}");
        expected.push_back(seq);
    }
    m_bench->steady.step = kStep;
    const std::string reply = ask("STREAM.INFO.S", R"({"deleted_details":true})");
    QVERIFY(turnsUntil(reply) > 1);
    const auto state = StreamBench::Json::parse(m_bench->bus->lastPayload(reply))["state"];
    CHECK_JSON(state["num_deleted"], 1499);
    CHECK_JSON(state["deleted"], expected);
}

void TestLongWork::turnsAreShared()
{
    fill(R"(,"storage":"memory")");
    m_bench->create(R"("subjects":["t.*"],"storage":"memory")", "T");
    for (int i = 0; i < kMessages / 5; ++i)
        m_bench->stage("t." + std::to_string(i % 10));
    m_bench->turn.run();
    m_bench->steady.step = kStep;
    const std::string one = ask("STREAM.PURGE.S", R"({"filter":"s.*","keep":1})");
    const std::string other = ask("STREAM.PURGE.T", R"({"filter":"t.1"})");
    QVERIFY(turnsUntil(other) > 0);
    QVERIFY2(m_bench->bus->lastPayload(one).empty(), "the shorter work waited for the longer one");
    QVERIFY(turnsUntil(one) > 0);
}

QTEST_GUILESS_MAIN(TestLongWork)
#include "tst_long_work.moc"
