// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_source.h"
#include "lanes/lane_words.h"
#include "models/lane_feed.h"
#include "models/message_feed.h"
#include "text/quantity.h"

#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace jetglass;
using namespace jetglass::tests;
using items::CellState;

namespace {

struct Fixture
{
    FakeSource source;
    models::LiveView live{source};
    models::ClientDirectory clients{source};
    models::SubjectHues hues;
    models::LaneFeed feed{live, clients, hues};
    models::MessageFeed messages{live, hues};

    explicit Fixture(std::uint64_t last, int consumers = 2)
    {
        source.show(oneStream(1, last, consumers));
        feed.setStream(StreamId{1});
        messages.setStream(StreamId{1});
    }
};

/// Answers a range question with messages that consumer 11 has acked and the others wait for.
RangeAnswer answerTo(const RangeQuestion& question, std::uint64_t lastEvent)
{
    RangeAnswer answer;
    answer.found = true;
    answer.lastEvent = lastEvent;
    answer.first = question.first;
    answer.last = question.last;
    answer.consumers = {ConsumerId{11}, ConsumerId{12}};
    for (std::uint64_t seq = question.first.value(); seq <= question.last.value(); ++seq) {
        RangeRow row;
        row.seq = StreamSeq(seq);
        row.stored = true;
        row.subject = seq % 2 ? "s.odd" : "s.even";
        row.subjectHash = static_cast<std::uint32_t>(seq % 2 + 1);
        DeliveryCell acked;
        acked.state = DeliveryState::Acked;
        DeliveryCell waiting;
        waiting.state = DeliveryState::Waiting;
        row.cells = {acked, waiting};
        answer.rows.push_back(row);
    }
    return answer;
}

} // namespace

class TestLaneFeed : public QObject
{
    Q_OBJECT
private slots:
    void lanesAreTheConsumers();
    void tellsOfCopyingSchedulesAndPins();
    void asksForWhatIsMissingAndOnlyThat();
    void asksForWhatStandsBeforeTheFirst();
    void aNewMessageIsThereWithoutAQuestion();
    void ackedAboveTheFloorDiffers();
    void aRemovedMessageIsAGap();
    void whatWasPurgedWhilePendingIsRemoved();
    void whatWasPurgedUndeliveredIsRemoved();
    void aLostMessageIsToldAsLost();
    void densityIsAskedOncePerRange();
    void whatLooksTheSameWaits();
    void densityTakesAllItsParts();
    void aMillionMessagesCostNothing();
    void messageRowsAreSequences();
    void gapsBetweenMessagesAreRows();
    void aFilterCollectsMatches();
    void matchesThatLeftAreNone();
    void aSubjectKeepsItsHue();
};

void TestLaneFeed::lanesAreTheConsumers()
{
    Fixture f(10);
    QCOMPARE(f.feed.lanes().size(), std::size_t(2));
    QCOMPARE(f.feed.lanes()[0].name, QStringLiteral("C1"));
    QCOMPARE(f.feed.stream().name, QStringLiteral("S"));
    QCOMPARE(f.feed.firstSeq(), 1U);
    QCOMPARE(f.feed.lastSeq(), 10U);
    QCOMPARE(f.feed.consumerAt(1), ConsumerId{12});
    QVERIFY(f.feed.lanes()[0].stall.contains(QStringLiteral("nobody asks")));
}

void TestLaneFeed::tellsOfCopyingSchedulesAndPins()
{
    Fixture f(10);
    BrokerOverview overview = oneStream(1, 10, 2);
    StreamOverview& stream = overview.streams[0];
    stream.upstreams = {{"ORDERS", 12, 0, {}}};
    stream.schedules = {2, f.source.clock + 90'000'000'000};
    stream.consumers[0].pinned = PinnedClient{"jobs", ClientId{7}, 0};
    f.source.show(overview);
    QVERIFY2(f.feed.stream().status.startsWith(QStringLiteral("12 behind ORDERS (lag)")),
        qPrintable(f.feed.stream().status));
    QVERIFY2(f.feed.stream().status.contains(
                 QStringLiteral("2 schedule(s), next in ") + text::duration(90'000'000'000)),
        qPrintable(f.feed.stream().status));
    QCOMPARE(f.feed.stream().statusTone, items::Tone::Waiting);
    QVERIFY2(f.feed.lanes()[0].status.contains(QStringLiteral("pinned to client 7 (jobs)")),
        qPrintable(f.feed.lanes()[0].status));
    QVERIFY(!f.feed.lanes()[1].status.contains(QStringLiteral("pinned")));

    stream.upstreams = {{"ORDERS", 0, 0, {}}, {"RETURNS", 0, 0, {}}};
    f.source.show(overview);
    QVERIFY(f.feed.stream().status.contains(QStringLiteral("in step with 2 source(s)")));
    QCOMPARE(f.feed.stream().statusTone, items::Tone::Muted);
    stream.upstreams[1].error = "stream not found";
    f.source.show(overview);
    QVERIFY(f.feed.stream().status.contains(QStringLiteral("RETURNS: stream not found")));
    QCOMPARE(f.feed.stream().statusTone, items::Tone::Blocked);
}

void TestLaneFeed::asksForWhatIsMissingAndOnlyThat()
{
    Fixture f(10);
    f.feed.request(3, 6);
    QTRY_COMPARE(f.source.ranges.size(), std::size_t(1));
    QCOMPARE(f.source.ranges[0].question.first, StreamSeq(3));
    QCOMPARE(f.source.ranges[0].question.last, StreamSeq(6));
    QVERIFY(f.feed.laneCell(0, 3) == nullptr);
    QSignalSpy changed(&f.feed, &items::LaneSource::changed);
    f.source.ranges[0].answer(answerTo(f.source.ranges[0].question, 0));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(f.feed.laneCell(1, 3)->state, CellState::Waiting);
    QCOMPARE(f.feed.streamCell(4)->subject, QStringLiteral("s.even"));
    QCOMPARE(f.feed.streamCell(4)->tag, QStringLiteral("even"));
    QVERIFY(f.feed.streamCell(3)->hue != f.feed.streamCell(4)->hue);
    f.feed.request(4, 8);
    QTRY_COMPARE(f.source.ranges.size(), std::size_t(2));
    QCOMPARE(f.source.ranges[1].question.first, StreamSeq(7));
}

/// The lanes show some of what has left, or never was: it must not look as if it were on its way.
void TestLaneFeed::asksForWhatStandsBeforeTheFirst()
{
    Fixture f(1000);
    QCOMPARE(f.feed.firstSeq(), 1U);
    f.source.show([] {
        auto overview = oneStream(1, 1000, 2);
        overview.streams[0].config.firstSeq = 900;
        return overview;
    }());
    QTRY_COMPARE(f.feed.firstSeq(), 900U);
    f.feed.request(876, 910);
    QTRY_COMPARE(f.source.ranges.size(), std::size_t(1));
    QCOMPARE(f.source.ranges[0].question.first, StreamSeq(876));
}

void TestLaneFeed::aNewMessageIsThereWithoutAQuestion()
{
    Fixture f(10);
    QSignalSpy bounds(&f.feed, &items::LaneSource::boundsChanged);
    f.source.send({flow(1, FlowKind::Stored, 11, 100)});
    QCOMPARE(bounds.count(), 1);
    QCOMPARE(f.feed.lastSeq(), 11U);
    QVERIFY(f.feed.streamCell(11)->stored);
    QCOMPARE(f.feed.laneCell(0, 11)->state, CellState::Waiting);
    f.source.send({flow(2, FlowKind::Delivered, 11, 1)});
    QCOMPARE(f.feed.laneCell(0, 11)->state, CellState::Delivered);
    QCOMPARE(f.feed.laneCell(0, 11)->deliveries, 1U);
}

void TestLaneFeed::ackedAboveTheFloorDiffers()
{
    Fixture f(2);
    f.source.send({flow(1, FlowKind::Stored, 3),
        flow(2, FlowKind::Stored, 4),
        flow(3, FlowKind::Acked, 3, 1),
        flow(4, FlowKind::Acked, 4, 2)});
    QCOMPARE(f.feed.laneCell(0, 4)->state, CellState::AckedAbove);
    f.source.send({flow(5, FlowKind::FloorMoved, 3, 3)});
    QCOMPARE(f.feed.laneCell(0, 3)->state, CellState::Acked);
    QCOMPARE(f.feed.laneCell(0, 4)->state, CellState::AckedAbove);
    QCOMPARE(f.feed.lanes()[0].ackFloor, 3U);
}

void TestLaneFeed::aRemovedMessageIsAGap()
{
    Fixture f(2);
    FlowEvent gone = flow(2, FlowKind::Removed, 3, 3);
    gone.cause = Removal::MaxAge;
    f.source.send({flow(1, FlowKind::Stored, 3), gone});
    QVERIFY(!f.feed.streamCell(3)->stored);
    QCOMPARE(f.feed.streamCell(3)->removal, items::RemovalCause::MaxAge);
}

namespace {

/// Message 1 is gone, with \a cell as what the first consumer has of it.
void goneWith(Fixture& f, Removal cause, const DeliveryCell& cell)
{
    f.feed.request(1, 1);
    QTRY_COMPARE(f.source.ranges.size(), std::size_t(1));
    RangeAnswer answer = answerTo(f.source.ranges[0].question, 0);
    answer.rows[0].stored = false;
    answer.rows[0].subject.clear();
    answer.rows[0].removal = cause;
    answer.rows[0].cells[0] = cell;
    f.source.ranges[0].answer(answer);
}

} // namespace

/// The broker settles a purged delivery as it does a +TERM; only the client is missing.
void TestLaneFeed::whatWasPurgedWhilePendingIsRemoved()
{
    DeliveryCell cell;
    cell.state = DeliveryState::Terminated;
    cell.deliveries = 2;
    {
        Fixture f(10);
        goneWith(f, Removal::Purge, cell);
        QVERIFY(items::neverDelivered(f.feed.laneCell(0, 1)->state)); // drawn as removed
        const QString words = lanes::cellWords(f.feed, 0, 1, false);
        QVERIFY2(words.contains(QStringLiteral("purged")), qPrintable(words));
        QVERIFY2(!words.contains(QStringLiteral("terminated")), qPrintable(words));
    }
    Fixture f(10);
    cell.client = ClientId{7}; // somebody refused it, and it was purged later
    goneWith(f, Removal::Purge, cell);
    QCOMPARE(f.feed.laneCell(0, 1)->state, CellState::Terminated);
}

/// Below the floor that a purge has moved and with no end known it may never have been delivered.
void TestLaneFeed::whatWasPurgedUndeliveredIsRemoved()
{
    DeliveryCell cell;
    cell.state = DeliveryState::Settled;
    {
        Fixture f(10);
        goneWith(f, Removal::Purge, cell);
        QVERIFY(items::neverDelivered(f.feed.laneCell(0, 1)->state));
    }
    Fixture f(10);
    goneWith(f, Removal::WorkQueueAck, cell); // an ack has removed it
    QCOMPARE(f.feed.laneCell(0, 1)->state, CellState::Settled);
}

void TestLaneFeed::aLostMessageIsToldAsLost()
{
    Fixture f(10);
    goneWith(f, Removal::Lost, DeliveryCell{});
    const QString words = lanes::cellWords(f.feed, 0, 1, false);
    QVERIFY2(words.contains(QStringLiteral("lost")), qPrintable(words));
    QVERIFY2(!words.contains(QStringLiteral("filter")), qPrintable(words));
}

void TestLaneFeed::densityIsAskedOncePerRange()
{
    Fixture f(100'000);
    QVERIFY(f.feed.density(1, 100'000, 400) == nullptr);
    QVERIFY(f.feed.density(1, 100'000, 400) == nullptr);
    QCOMPARE(f.source.densities.size(), std::size_t(1));
    DensityAnswer answer;
    answer.found = true;
    answer.consumers = f.source.densities[0].question.consumers;
    answer.columns.resize(400);
    answer.columns[7].stored = 250;
    answer.clearCounts();
    answer.count(7, 1, DeliveryState::Acked) = 250;
    QSignalSpy changed(&f.feed, &items::LaneSource::densityChanged);
    f.source.densities[0].answer(answer);
    QCOMPARE(changed.count(), 1);
    const auto strip = f.feed.density(1, 100'000, 400);
    QVERIFY(strip != nullptr);
    QCOMPARE(strip->columns[7].stored, 250U);
    QCOMPARE(strip->count(7, 1, CellState::Acked), 250U);
    QCOMPARE(strip->count(7, 0, CellState::Acked), 0U);
}

/// A stream that grows shifts its picture a little with every frame.
void TestLaneFeed::whatLooksTheSameWaits()
{
    Fixture f(100'000);
    QVERIFY(f.feed.density(1, 100'000, 400) == nullptr);
    DensityAnswer answer;
    answer.found = true;
    f.source.densities[0].answer(answer);
    QVERIFY(f.feed.density(21, 100'020, 400) != nullptr);
    QCOMPARE(f.source.densities.size(), std::size_t(1));
    // Another part, or as much at another scale, is wanted at once.
    QVERIFY(f.feed.density(1, 50'000, 400) != nullptr);
    QCOMPARE(f.source.densities.size(), std::size_t(2));
    f.source.densities[1].answer(answer);
    QVERIFY(f.feed.density(1, 100'000, 200) != nullptr);
    QCOMPARE(f.source.densities.size(), std::size_t(3));
    f.source.densities[2].answer(answer);
    // What waited is asked for in the end.
    QTRY_COMPARE(f.source.densities.size(), std::size_t(4));
    QCOMPARE(f.source.densities[3].question.first, StreamSeq(21));
}

void TestLaneFeed::densityTakesAllItsParts()
{
    Fixture f(100'000);
    QVERIFY(f.feed.density(1, 100'000, 400) == nullptr);
    QSignalSpy changed(&f.feed, &items::LaneSource::densityChanged);
    DensityAnswer part;
    part.found = true;
    part.consumers = f.source.densities[0].question.consumers;
    part.columns.resize(300);
    part.columns[299].stored = 3;
    part.clearCounts();
    part.count(299, 0, DeliveryState::Waiting) = 3;
    part.next = StreamSeq(75'001);
    f.source.densities[0].answer(part);
    QCOMPARE(changed.count(), 0); // half a picture is none
    QCOMPARE(f.source.densities.size(), std::size_t(2));
    QCOMPARE(f.source.densities[1].question.first, StreamSeq(75'001));
    QCOMPARE(f.source.densities[1].question.last, StreamSeq(100'000));
    QCOMPARE(f.source.densities[1].question.columns, 100U);
    part.columns.assign(100, {});
    part.columns[99].stored = 4;
    part.clearCounts();
    part.count(99, 1, DeliveryState::Acked) = 4;
    part.next = StreamSeq(0);
    f.source.densities[1].answer(part);
    QCOMPARE(changed.count(), 1);
    const auto strip = f.feed.density(1, 100'000, 400);
    QVERIFY(strip != nullptr);
    QCOMPARE(strip->columns.size(), std::size_t(400));
    QCOMPARE(strip->columns[299].stored, 3U);
    QCOMPARE(strip->columns[399].stored, 4U);
    QCOMPARE(strip->count(299, 0, CellState::Waiting), 3U);
    QCOMPARE(strip->count(399, 1, CellState::Acked), 4U);
}

void TestLaneFeed::aMillionMessagesCostNothing()
{
    Fixture f(1'000'000);
    QCOMPARE(f.feed.lastSeq(), 1'000'000U);
    f.feed.request(999'900, 1'000'000);
    QTRY_COMPARE(f.source.ranges.size(), std::size_t(1));
    QCOMPARE(f.source.ranges[0].question.first, StreamSeq(999'900));
}

void TestLaneFeed::messageRowsAreSequences()
{
    Fixture f(10);
    QCOMPARE(f.messages.firstPosition(), 1U);
    QCOMPARE(f.messages.lastPosition(), 10U);
    QCOMPARE(f.messages.positionOf(4).value(), 4U);
    QVERIFY(!f.messages.positionOf(11).has_value());
}

void TestLaneFeed::gapsBetweenMessagesAreRows()
{
    Fixture f(4);
    f.messages.request(1, 4);
    QTRY_COMPARE(f.source.messages.size(), std::size_t(1));
    MessageAnswer answer;
    answer.found = true;
    for (const std::uint64_t seq : {std::uint64_t(1), std::uint64_t(4)}) {
        MessageRow row;
        row.seq = StreamSeq(seq);
        row.subject = "s.x";
        row.payload = "line one\nline two";
        row.payloadSize = 17;
        answer.rows.push_back(row);
    }
    f.source.messages[0].answer(answer);
    QVERIFY(f.messages.row(1)->stored);
    QCOMPARE(f.messages.row(1)->preview, QStringLiteral("line one line two"));
    QVERIFY(!f.messages.row(2)->stored);
    QVERIFY(!f.messages.row(3)->stored);
    QVERIFY(f.messages.row(4)->stored);
    QCOMPARE(f.source.ranges.size(), std::size_t(1)); // why they went
    QCOMPARE(f.source.ranges[0].question.first, StreamSeq(2));
}

void TestLaneFeed::aFilterCollectsMatches()
{
    Fixture f(1000);
    f.messages.setFilter(QStringLiteral("s.odd"));
    QTRY_COMPARE(f.source.messages.size(), std::size_t(1));
    QCOMPARE(f.source.messages[0].question.filter, std::string("s.odd"));
    MessageAnswer answer;
    answer.found = true;
    for (const std::uint64_t seq : {std::uint64_t(7), std::uint64_t(90)}) {
        MessageRow row;
        row.seq = StreamSeq(seq);
        answer.rows.push_back(row);
    }
    f.source.messages[0].answer(answer);
    QVERIFY(f.messages.isComplete());
    QCOMPARE(f.messages.lastPosition(), 2U);
    QCOMPARE(f.messages.seqAt(2).value(), 90U);
    QCOMPARE(f.messages.positionOf(90).value(), 2U);
    QVERIFY(!f.messages.positionOf(8).has_value());
}

void TestLaneFeed::matchesThatLeftAreNone()
{
    Fixture f(1000);
    f.messages.setFilter(QStringLiteral("s.odd"));
    QTRY_COMPARE(f.source.messages.size(), std::size_t(1));
    f.source.send({flow(5, FlowKind::Removed, 8, 9)}); // while the answer is on its way
    MessageAnswer answer;
    answer.found = true;
    answer.lastEvent = 4;
    for (const std::uint64_t seq : {7U, 9U, 90U, 91U}) {
        MessageRow row;
        row.seq = StreamSeq(seq);
        answer.rows.push_back(row);
    }
    f.source.messages[0].answer(answer);
    QCOMPARE(f.messages.lastPosition(), 3U);
    QSignalSpy bounds(&f.messages, &items::PageSource::boundsChanged);
    f.source.send({flow(6, FlowKind::Removed, 90, 90)});
    QCOMPARE(f.messages.lastPosition(), 2U);
    QCOMPARE(f.messages.seqAt(2).value(), 91U);
    QVERIFY(!f.messages.positionOf(90).has_value());
    QCOMPARE(bounds.count(), 1);
    f.source.send({flow(7, FlowKind::Removed, 1, 1000)});
    QCOMPARE(f.messages.lastPosition(), 0U);
    QVERIFY(f.messages.isComplete());
}

void TestLaneFeed::aSubjectKeepsItsHue()
{
    models::SubjectHues hues;
    const std::vector<std::string> subjects{"orders.created", "orders.paid", "a", "b", "c", "d"};
    std::vector<quint8> first;
    for (const std::string& subject : subjects)
        first.push_back(hues.hue(subjectHash(subject)));
    // Four subjects differ, whatever their hashes are.
    QCOMPARE(std::set<quint8>(first.begin(), first.begin() + 4).size(), std::size_t{4});
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        QCOMPARE(hues.hue(subjects[i]), first[i]); // from the name as from the hash
        QVERIFY(first[i] < 4);
    }
    // Another stream counts for itself, and leaves the first one as it was.
    hues.setStream(StreamId{2});
    std::set<quint8> others;
    for (const char* subject : {"w", "x", "y", "z"})
        others.insert(hues.hue(std::string(subject)));
    QCOMPARE(others.size(), std::size_t{4});
    hues.setStream(StreamId{});
    QCOMPARE(hues.hue(subjects[3]), first[3]);
    // The first one gets what its hash prefers, so it comes back the same after a restart.
    models::SubjectHues again;
    QCOMPARE(again.hue(subjects[0]), first[0]);
}

QTEST_GUILESS_MAIN(TestLaneFeed)
#include "tst_lane_feed.moc"
