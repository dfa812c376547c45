// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_source.h"
#include "fold/flow_fold.h"

#include <QStringList>
#include <QTest>

using namespace jetglass;
using namespace jetglass::tests;

namespace {

/// "s1 d1 a1": stored, delivered, acked, nak'd, late nak, in progress, terminated, timed out,
/// exhausted, removed.
std::vector<FlowEvent> parse(const QString& script, std::uint64_t number = 1)
{
    std::vector<FlowEvent> events;
    std::uint64_t consumerSeq = 0;
    for (const QString& word : script.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const std::uint64_t seq = word.mid(1).toULongLong();
        FlowEvent e;
        switch (word.front().toLatin1()) {
        case 's':
            e = flow(number, FlowKind::Stored, seq, 100);
            break;
        case 'd':
            e = flow(number, FlowKind::Delivered, seq, ++consumerSeq);
            e.deadline = e.time + 30;
            break;
        case 'D':
            e = flow(number, FlowKind::Delivered, seq, ++consumerSeq);
            e.deliveries = 2;
            e.redelivery = true;
            break;
        case 'a':
            e = flow(number, FlowKind::Acked, seq, 1);
            break;
        case 'u':
            e = flow(number, FlowKind::AckedUpTo, seq, 2);
            break;
        case 'n':
            e = flow(number, FlowKind::Naked, seq);
            break;
        case 'N':
            e = flow(number, FlowKind::Naked, seq);
            e.deadline = e.time + 5;
            break;
        case 'p':
            e = flow(number, FlowKind::InProgress, seq);
            break;
        case 't':
            e = flow(number, FlowKind::Terminated, seq);
            break;
        case 'o':
            e = flow(number, FlowKind::TimedOut, seq);
            break;
        case 'x':
            e = flow(number, FlowKind::Exhausted, seq);
            break;
        case 'f':
            e = flow(number, FlowKind::FloorMoved, seq, seq);
            break;
        default:
            e = flow(number, FlowKind::Removed, seq, seq);
            e.cause = Removal::Purge;
        }
        e.number = number++;
        events.push_back(e);
    }
    return events;
}

/// One letter per sequence, as the cell of consumer 11 stands.
QString cells(const fold::FlowFold& fold, std::uint64_t last)
{
    const fold::StreamView* stream = fold.stream(StreamId{1});
    const QString letters = QStringLiteral("-<.dpNrATXs");
    QString text;
    for (std::uint64_t seq = 1; seq <= last; ++seq) {
        const fold::Row* row = stream->cells.row(seq);
        const fold::Cell* cell = stream->cells.cell(stream->cells.column(ConsumerId{11}), seq);
        if (row && row->known && !row->stored)
            text += QLatin1Char('_');
        else
            text += cell && cell->known ? letters[static_cast<int>(cell->state)] : QLatin1Char('?');
    }
    return text;
}

RangeAnswer answer(std::uint64_t lastEvent, std::uint64_t first, const QString& states)
{
    const QString letters = QStringLiteral("-<.dpNrATXs");
    RangeAnswer a;
    a.found = true;
    a.lastEvent = lastEvent;
    a.first = StreamSeq(first);
    a.consumers = {ConsumerId{11}};
    for (qsizetype i = 0; i < states.size(); ++i) {
        RangeRow row;
        row.seq = StreamSeq(first + static_cast<std::uint64_t>(i));
        row.stored = true;
        row.subject = "s.x";
        DeliveryCell cell;
        cell.state = static_cast<DeliveryState>(letters.indexOf(states[i]));
        row.cells = {cell};
        a.rows.push_back(row);
        a.last = row.seq;
    }
    return a;
}

fold::FlowFold watched(std::uint64_t last = 0)
{
    fold::FlowFold fold;
    fold.applyOverview(oneStream(1, last, 1));
    fold.watch(StreamId{1}, true);
    return fold;
}

} // namespace

class TestFlowFold : public QObject
{
    Q_OBJECT
private slots:
    void statesFollowEvents_data();
    void statesFollowEvents();
    void countsFollowEvents_data();
    void countsFollowEvents();
    void anOldAnswerIsMadeRightByYoungerEvents();
    void eventsThatAnAnswerIncludesDoNotTouchIt();
    void aGapInNumbersForgetsCells();
    void aFilteredConsumersNewMessageIsUnknown();
    void anOverviewDropsWhatItIncludes();
    void theCacheIsBounded();
    void columnsComeAndGo();
};

void TestFlowFold::statesFollowEvents_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    QTest::newRow("stored waits") << "s1 s2"
                                  << "..";
    QTest::newRow("delivered, then acked") << "s1 s2 d1 a1"
                                           << "A.";
    QTest::newRow("delivered holds") << "s1 d1"
                                     << "d";
    QTest::newRow("plain nak is due at once") << "s1 d1 n1"
                                              << "r";
    QTest::newRow("nak with delay is parked") << "s1 d1 N1"
                                              << "N";
    QTest::newRow("in progress") << "s1 d1 p1"
                                 << "p";
    QTest::newRow("terminated") << "s1 d1 t1"
                                << "T";
    QTest::newRow("timed out is due") << "s1 d1 o1"
                                      << "r";
    QTest::newRow("delivered again") << "s1 d1 o1 D1"
                                     << "d";
    QTest::newRow("exhausted") << "s1 d1 x1"
                               << "X";
    QTest::newRow("ack all settles what is below") << "s1 s2 s3 d1 d2 d3 u2"
                                                   << "AAd";
    QTest::newRow("removed") << "s1 s2 r1"
                             << "_.";
}

void TestFlowFold::statesFollowEvents()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    fold::FlowFold fold = watched();
    fold.apply(parse(script));
    QCOMPARE(cells(fold, static_cast<std::uint64_t>(expected.size())), expected);
}

void TestFlowFold::countsFollowEvents_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<quint64>("messages");
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<quint64>("ackPending");
    QTest::addColumn<quint64>("redeliveryQueue");
    QTest::addColumn<quint64>("floor");
    QTest::newRow("two stored") << "s1 s2" << quint64(2) << quint64(200) << quint64(0) << quint64(0)
                                << quint64(0);
    QTest::newRow("one on its way")
        << "s1 s2 d1" << quint64(2) << quint64(200) << quint64(1) << quint64(0) << quint64(0);
    QTest::newRow("acked") << "s1 d1 a1 f1" << quint64(1) << quint64(100) << quint64(0)
                           << quint64(0) << quint64(1);
    QTest::newRow("a nak keeps its slot")
        << "s1 d1 N1" << quint64(1) << quint64(100) << quint64(1) << quint64(0) << quint64(0);
    QTest::newRow("timed out waits for a request")
        << "s1 d1 o1" << quint64(1) << quint64(100) << quint64(1) << quint64(1) << quint64(0);
    QTest::newRow("a redelivery takes no second slot")
        << "s1 d1 o1 D1" << quint64(1) << quint64(100) << quint64(1) << quint64(0) << quint64(0);
    QTest::newRow("exhausted frees its slot")
        << "s1 d1 x1" << quint64(1) << quint64(100) << quint64(0) << quint64(0) << quint64(0);
    QTest::newRow("ack all frees two") << "s1 s2 s3 d1 d2 d3 u2" << quint64(3) << quint64(300)
                                       << quint64(1) << quint64(0) << quint64(0);
    QTest::newRow("removed") << "s1 s2 r1" << quint64(1) << quint64(200) << quint64(0) << quint64(0)
                             << quint64(0);
}

void TestFlowFold::countsFollowEvents()
{
    QFETCH(QString, script);
    fold::FlowFold fold = watched();
    fold.apply(parse(script));
    const fold::StreamView* stream = fold.stream(StreamId{1});
    const fold::ConsumerView* consumer = fold.consumer(ConsumerId{11});
    QTEST(quint64(stream->counts.messages), "messages");
    QTEST(quint64(stream->counts.bytes), "bytes");
    QTEST(quint64(consumer->counts.ackPending), "ackPending");
    QTEST(quint64(consumer->counts.redeliveryQueue), "redeliveryQueue");
    QTEST(quint64(consumer->counts.floorStreamSeq.value()), "floor");
}

void TestFlowFold::anOldAnswerIsMadeRightByYoungerEvents()
{
    fold::FlowFold fold = watched();
    fold.apply(parse(QStringLiteral("s1 s2 d1 a1")));
    fold.applyRange(StreamId{1}, answer(2, 1, QStringLiteral("..")));
    QCOMPARE(cells(fold, 2), QStringLiteral("A."));
}

void TestFlowFold::eventsThatAnAnswerIncludesDoNotTouchIt()
{
    fold::FlowFold fold = watched();
    const std::vector<FlowEvent> events = parse(QStringLiteral("s1 d1 o1 D1 a1"));
    fold.apply({events[0]});
    fold.applyRange(StreamId{1}, answer(5, 1, QStringLiteral("A")));
    fold.apply({events.begin() + 1, events.begin() + 4});
    QCOMPARE(cells(fold, 1), QStringLiteral("A"));
}

void TestFlowFold::aGapInNumbersForgetsCells()
{
    fold::FlowFold fold = watched();
    fold.apply(parse(QStringLiteral("s1 d1")));
    const fold::Changes changes = fold.apply(parse(QStringLiteral("s3"), 10));
    QVERIFY(changes.at(StreamId{1}).hasCells);
    QCOMPARE(cells(fold, 3), QStringLiteral("??."));
}

void TestFlowFold::aFilteredConsumersNewMessageIsUnknown()
{
    BrokerOverview overview = oneStream(1, 0, 1);
    overview.streams[0].consumers[0].config.filterSubject = "s.only";
    fold::FlowFold fold;
    fold.applyOverview(overview);
    fold.watch(StreamId{1}, true);
    fold.apply(parse(QStringLiteral("s1")));
    QCOMPARE(cells(fold, 1), QStringLiteral("?"));
    fold.apply(parse(QStringLiteral("d1"), 2));
    QCOMPARE(cells(fold, 1), QStringLiteral("d"));
}

void TestFlowFold::anOverviewDropsWhatItIncludes()
{
    fold::FlowFold fold = watched();
    BrokerOverview overview = oneStream(1, 2, 1);
    overview.lastEvent = 2;
    fold.applyOverview(overview);
    fold.apply(parse(QStringLiteral("s1 s2 s3")));
    QCOMPARE(fold.stream(StreamId{1})->counts.messages, 3U);
    // And once more, now with an overview that is older than what was seen.
    fold.applyOverview(overview);
    QCOMPARE(fold.stream(StreamId{1})->counts.messages, 3U);
}

void TestFlowFold::theCacheIsBounded()
{
    fold::CellCache cache;
    cache.addColumn(ConsumerId{11});
    for (std::uint64_t seq = 0; seq < 1'000'000; seq += fold::CellCache::kPageRows)
        cache.ensureRow(seq);
    QVERIFY(cache.pageCount() <= fold::CellCache::kMaxPages);
    QVERIFY(cache.row(1'000'000 - fold::CellCache::kPageRows) != nullptr);
    QVERIFY(cache.row(0) == nullptr);
}

void TestFlowFold::columnsComeAndGo()
{
    fold::CellCache cache;
    const int first = cache.addColumn(ConsumerId{11});
    cache.ensureRow(5);
    cache.cell(first, 5)->known = true;
    const int second = cache.addColumn(ConsumerId{12});
    QVERIFY(cache.cell(first, 5)->known);
    QVERIFY(!cache.cell(second, 5)->known);
    cache.removeColumn(ConsumerId{11});
    QCOMPARE(cache.column(ConsumerId{11}), -1);
    QCOMPARE(cache.addColumn(ConsumerId{13}), first);
    QVERIFY(!cache.cell(first, 5)->known);
}

QTEST_GUILESS_MAIN(TestFlowFold)
#include "tst_flow_fold.moc"
