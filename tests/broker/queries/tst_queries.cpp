// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks a broker and is answered at once.
#include "base/time_text.h"
#include "consumer_bench.h"
#include "queries/answers.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace jetglass;
using jetglass::tests::ConsumerBench;

class TestQueries : public QObject
{
    Q_OBJECT

private slots:
    void densityAgreesWithTheRange_data();
    void densityAgreesWithTheRange();
    void rangeTellsHowAMessageLeft();
    void messagesPageBothWays();
    void previewSaysWhatPurgeTakes_data();
    void previewSaysWhatPurgeTakes();
    void previewOfAConfiguration();
    void pullsAndOverview();
    void overviewTellsOfCopiesSchedulesAndPins();
    void dedupTellsIdsWithTheirTime();
    void unknownStreamIsNotFound();

private:
    /// 60 messages on three subjects, some deleted; one consumer of all with acks, one of a third.
    static void fill(ConsumerBench& bench)
    {
        bench.addStream();
        bench.addConsumer(R"("ack_policy":"explicit")", "ALL");
        bench.addConsumer(R"("ack_policy":"explicit","filter_subject":"s.1")", "ONE");
        for (int i = 1; i <= 60; ++i)
            bench.publish("s." + std::to_string(i % 3), "payload " + std::to_string(i));
        for (const auto& message : bench.pull("30", "all", "ALL"))
            if (message.payload.size() % 2 == 0 || bench.clock.now() == 0)
                bench.bus->inject(message.reply, "");
        bench.pull("5", "one", "ONE");
        for (const int seq : {3, 4, 5, 40, 58})
            bench.request("STREAM.MSG.DELETE.S", R"({"seq":)" + std::to_string(seq) + "}");
    }
};

void TestQueries::densityAgreesWithTheRange_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    QTest::addColumn<int>("columns");
    QTest::newRow("one column each") << 1 << 60 << 60;
    QTest::newRow("uneven columns") << 1 << 60 << 7;
    QTest::newRow("a part") << 20 << 45 << 5;
    QTest::newRow("more columns than sequences") << 10 << 14 << 100;
    QTest::newRow("beyond the end") << 50 << 90 << 8;
}

void TestQueries::densityAgreesWithTheRange()
{
    QFETCH(int, first);
    QFETCH(int, last);
    QFETCH(int, columns);
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fill(b);
    const StreamSeq from(static_cast<std::uint64_t>(first));
    const StreamSeq to(static_cast<std::uint64_t>(last));
    const auto range = queries::answer(
        RangeQuestion{b.stream().id(), from, to, {}}, b.jetstream->registry(), b.hub);
    const auto density = queries::answer(
        DensityQuestion{b.stream().id(), from, to, static_cast<std::uint32_t>(columns), {}},
        b.jetstream->registry(),
        b.hub);
    QVERIFY(range.found && density.found);
    QCOMPARE(density.consumers.size(), std::size_t{2});
    StreamSeq at = from;
    for (std::size_t i = 0; i < density.columns.size(); ++i) {
        const DensityColumn& column = density.columns[i];
        QCOMPARE(column.first, at);
        at = column.last + 1;
        std::uint64_t stored = 0;
        std::uint64_t waiting = 0;
        std::uint64_t notMatched = 0;
        std::uint64_t delivered = 0;
        for (const RangeRow& row : range.rows) {
            if (row.seq < column.first || row.seq > column.last || !row.stored)
                continue;
            ++stored;
            waiting += row.cells[1].state == DeliveryState::Waiting ? 1U : 0U;
            notMatched += row.cells[1].state == DeliveryState::NotMatched ? 1U : 0U;
            delivered += row.cells[0].state == DeliveryState::Delivered ? 1U : 0U;
        }
        QCOMPARE(column.stored, stored);
        const auto count = [&](std::size_t consumer, DeliveryState state) {
            return density.count(i, consumer, state);
        };
        QCOMPARE(count(1, DeliveryState::NotMatched), notMatched);
        QCOMPARE(count(0, DeliveryState::Delivered), delivered);
        if (!column.estimated)
            QCOMPARE(count(1, DeliveryState::Waiting), waiting);
    }
    QCOMPARE(at, to + 1);
}

void TestQueries::rangeTellsHowAMessageLeft()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fill(b);
    const auto range =
        queries::answer(RangeQuestion{b.stream().id(), StreamSeq(4), StreamSeq(6), {}},
            b.jetstream->registry(),
            b.hub);
    QCOMPARE(range.rows.size(), std::size_t{3});
    QVERIFY(!range.rows[0].stored);
    QCOMPARE(range.rows[0].removal, Removal::Delete);
    QVERIFY(range.rows[2].stored);
    QCOMPARE(range.rows[2].subject, std::string("s.0"));
    QCOMPARE(range.rows[2].size, 9U);
    const auto removals =
        queries::answer(RemovalsQuestion{b.stream().id(), StreamSeq(), StreamSeq(), 10},
            b.jetstream->registry(),
            b.hub);
    QCOMPARE(removals.rows.size(), std::size_t{3}); // 3 to 5 are one range
    QCOMPARE(removals.rows.back().count, std::uint64_t{3});
    QCOMPARE(removals.rows.front().first, StreamSeq(58));
}

void TestQueries::messagesPageBothWays()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fill(b);
    for (const bool backwards : {false, true}) {
        MessageQuestion question{
            b.stream().id(), StreamSeq(backwards ? 0 : 1), 7, "s.1", 3, backwards};
        std::vector<std::uint64_t> seen;
        for (int page = 0; page < 20; ++page) {
            const auto answer = queries::answer(question, b.jetstream->registry(), b.hub);
            for (const MessageRow& row : answer.rows) {
                seen.push_back(row.seq.value());
                QCOMPARE(row.payload, std::string("pay"));
            }
            if (answer.next.isZero())
                break;
            question.first = answer.next;
        }
        if (backwards)
            std::reverse(seen.begin(), seen.end());
        std::vector<std::uint64_t> expected;
        for (std::uint64_t i = 1; i <= 60; i += 3)
            if (i != 4 && i != 40 && i != 58)
                expected.push_back(i);
        QCOMPARE(seen, expected);
    }
}

void TestQueries::previewSaysWhatPurgeTakes_data()
{
    QTest::addColumn<QString>("purge");
    QTest::newRow("all") << "{}";
    QTest::newRow("below a sequence") << R"({"seq":20})";
    QTest::newRow("keep") << R"({"keep":7})";
    QTest::newRow("filter") << R"({"filter":"s.1"})";
    QTest::newRow("filter and keep") << R"({"filter":"s.1","keep":2})";
    QTest::newRow("filter and sequence") << R"({"filter":"s.2","seq":33})";
}

void TestQueries::previewSaysWhatPurgeTakes()
{
    QFETCH(QString, purge);
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fill(b);
    const auto json = nlohmann::json::parse(purge.toStdString());
    PreviewQuestion question{b.stream().id(), {}, {}, false};
    question.purge = PreviewQuestion::Purge{json.value("seq", std::uint64_t{0}),
        json.value("keep", std::uint64_t{0}),
        json.value("filter", "")};
    const auto preview = queries::answer(question, b.jetstream->registry(), b.hub);
    const auto before = b.request("STREAM.INFO.S")["state"];
    const auto pendingBefore = b.info("ALL");
    const auto done = b.request("STREAM.PURGE.S", purge.toStdString());
    const auto after = b.request("STREAM.INFO.S")["state"];
    const auto pendingAfter = b.info("ALL");
    QCOMPARE(done["purged"], preview.count);
    QCOMPARE(
        before["bytes"].get<std::uint64_t>() - after["bytes"].get<std::uint64_t>(), preview.bytes);
    QCOMPARE(after["messages"], preview.stays);
    QCOMPARE(preview.consumers.size(), std::size_t{2});
    QCOMPARE(pendingBefore["num_pending"].get<std::uint64_t>()
            - pendingAfter["num_pending"].get<std::uint64_t>(),
        preview.consumers[0].losesPending);
    QCOMPARE(pendingBefore["num_ack_pending"].get<std::uint64_t>()
            - pendingAfter["num_ack_pending"].get<std::uint64_t>(),
        preview.consumers[0].losesAckPending);
}

void TestQueries::previewOfAConfiguration()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fill(b);
    PreviewQuestion question{b.stream().id(), {}, b.stream().config(), false};
    question.config->maxMsgs = 10;
    const auto preview = queries::answer(question, b.jetstream->registry(), b.hub);
    QCOMPARE(preview.error, std::string());
    QCOMPARE(preview.count, std::uint64_t{45});
    QCOMPARE(preview.stays, std::uint64_t{10});
    QCOMPARE(preview.first, StreamSeq(1));
    question.config->storage = Storage::File;
    QVERIFY(!queries::answer(question, b.jetstream->registry(), b.hub).error.empty());
}

void TestQueries::pullsAndOverview()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fill(b);
    b.pull(R"({"batch":99,"expires":5000000000})", "more", "ONE");
    const auto pulls =
        queries::answerPulls(b.stream().id(), b.consumer("ONE").id(), b.jetstream->registry());
    QVERIFY(pulls.found);
    QCOMPARE(pulls.rows.size(), std::size_t{1});
    QCOMPARE(pulls.rows[0].reply, std::string("more"));
    QCOMPARE(pulls.rows[0].expires, b.clock.wallTime() + 5'000'000'000);
    const auto overview = queries::overview(b.jetstream->registry());
    QCOMPARE(overview.size(), std::size_t{1});
    QCOMPARE(overview[0].counts.messages, std::uint64_t{55});
    QCOMPARE(overview[0].consumers[0].name, std::string("ALL"));
    QCOMPARE(overview[0].consumers[1].counts.waitingPulls, std::uint64_t{1});
}

void TestQueries::overviewTellsOfCopiesSchedulesAndPins()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    b.addStream(R"("subjects":["s.>"],"allow_msg_schedules":true)");
    b.addConsumer(
        R"("ack_policy":"explicit","priority_groups":["g"],"priority_policy":"pinned_client")");
    b.request("STREAM.CREATE.M", R"({"name":"M","storage":"memory","mirror":{"name":"S"}})");
    b.request("STREAM.CREATE.X",
        R"({"name":"X","storage":"memory","sources":[{"name":"NONE"},{"name":"S"}]})");
    auto rows = queries::overview(b.jetstream->registry());
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(rows[1].schedules.schedules, std::uint64_t{0});
    QVERIFY(!rows[1].consumers[0].pinned);

    b.pull(R"({"batch":9,"group":"g"})", "a");
    b.publishMany(2);
    const std::int64_t at = b.clock.wallTime() + 5'000'000'000;
    b.bus->inject("s.later",
        "body",
        "ack",
        "NATS/1.0\r\nNats-Schedule: @at " + base::rfc3339(at)
            + "\r\nNats-Schedule-Target: s.now\r\n\r\n");
    b.run();
    b.advance(1000);
    rows = queries::overview(b.jetstream->registry());
    QCOMPARE(rows[0].name, std::string("M"));
    QCOMPARE(rows[0].upstreams.size(), std::size_t{1});
    QCOMPARE(rows[0].upstreams[0].name, std::string("S"));
    QCOMPARE(rows[0].upstreams[0].lag, std::uint64_t{0});
    QVERIFY(rows[0].upstreams[0].heardAt > 0);
    QCOMPARE(rows[1].schedules.schedules, std::uint64_t{1});
    QCOMPARE(rows[1].schedules.nextAt, at);
    QVERIFY(rows[1].consumers[0].pinned);
    QCOMPARE(rows[1].consumers[0].pinned->group, std::string("g"));
    QCOMPARE(rows[2].upstreams.size(), std::size_t{2});
    QCOMPARE(rows[2].upstreams[0].name, std::string("NONE"));
}

void TestQueries::dedupTellsIdsWithTheirTime()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    b.addStream(R"("subjects":["s.>"],"duplicate_window":10000000000)");
    const std::int64_t start = b.clock.wallTime();
    const auto publish = [&b](const std::string& id) {
        b.bus->inject("s.a", "m", {}, "NATS/1.0\r\nNats-Msg-Id: " + id + "\r\n\r\n");
        b.run();
    };
    publish("first");
    b.publish("s.a"); // one without an id
    b.advance(4'000);
    publish("second");
    publish("first"); // a duplicate does not renew it
    const auto ask = [&b] {
        return queries::answerDedup(b.stream().id(), b.jetstream->registry());
    };
    DedupAnswer answer = ask();
    QVERIFY(answer.found);
    QCOMPARE(answer.window, std::int64_t{10'000'000'000});
    QCOMPARE(answer.total, std::uint64_t{2});
    QCOMPARE(answer.rows.size(), std::size_t{2});
    QCOMPARE(answer.rows[0].id, std::string("second"));
    QCOMPARE(answer.rows[0].seq, StreamSeq(3));
    QCOMPARE(answer.rows[0].expires, start + 14'000'000'000);
    QCOMPARE(answer.rows[1].id, std::string("first"));
    QCOMPARE(answer.rows[1].seq, StreamSeq(1));
    QCOMPARE(answer.rows[1].expires, start + 10'000'000'000);
    b.advance(6'000);
    answer = ask();
    QCOMPARE(answer.total, std::uint64_t{1});
    QCOMPARE(answer.rows[0].id, std::string("second"));
}

void TestQueries::unknownStreamIsNotFound()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    const StreamId none{99};
    auto& registry = b.jetstream->registry();
    QVERIFY(!queries::answer(RangeQuestion{none, StreamSeq(1), StreamSeq(2), {}}, registry, b.hub)
                 .found);
    QVERIFY(
        !queries::answer(DensityQuestion{none, StreamSeq(1), StreamSeq(2), 2, {}}, registry, b.hub)
             .found);
    QVERIFY(!queries::answer(ExplainQuestion{none, {}, {}}, registry, b.hub).found);
    QVERIFY(!queries::answerDedup(none, registry).found);
    QVERIFY(!queries::answerPulls(none, {}, registry).found);
}

QTEST_GUILESS_MAIN(TestQueries)
#include "tst_queries.moc"
