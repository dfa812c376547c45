// SPDX-License-Identifier: GPL-3.0-or-later
// The ring between the broker and the window: order, groups, what a full ring does, and two
// threads.
#include "broker/flow_ring.h"

#include <QTest>

#include <thread>

using namespace jetglass;

namespace {

FlowEvent numbered(std::uint64_t number)
{
    FlowEvent event;
    event.number = number;
    event.seq = StreamSeq{number * 3};
    event.second = ~number;
    event.kind = FlowKind::Stored;
    return event;
}

bool intact(const FlowEvent& event)
{
    return event.seq.value() == event.number * 3 && event.second == ~event.number
        && event.kind == FlowKind::Stored;
}

void put(FlowRing& ring, std::uint64_t first, std::uint64_t last)
{
    for (std::uint64_t i = first; i <= last; ++i)
        ring.onFlow(numbered(i), {});
}

} // namespace

class TestFlowRing : public QObject
{
    Q_OBJECT

private slots:
    void turnEndShowsItsEvents();
    void largeTurnShowsInGroups();
    void fullRingDropsAndCounts();
    void readerMakesRoom();
    void limitLeavesTheRest();
    void twoThreads();
};

void TestFlowRing::turnEndShowsItsEvents()
{
    FlowRing ring(64);
    std::vector<FlowEvent> seen;
    put(ring, 1, 10);
    QCOMPARE(ring.drain(seen), std::size_t{0}); // the turn is not over
    ring.onTurnEnd();
    QCOMPARE(ring.drain(seen), std::size_t{10});
    for (std::size_t i = 0; i < seen.size(); ++i) {
        QCOMPARE(seen[i].number, i + 1);
        QVERIFY(intact(seen[i]));
    }
    ring.onTurnEnd();
    QCOMPARE(ring.drain(seen), std::size_t{0});
}

void TestFlowRing::largeTurnShowsInGroups()
{
    FlowRing ring(1024);
    put(ring, 1, 700);
    std::vector<FlowEvent> seen;
    const std::size_t early = ring.drain(seen);
    QVERIFY(early > 0 && early < 700);
    ring.onTurnEnd();
    QCOMPARE(early + ring.drain(seen), std::size_t{700});
    QCOMPARE(seen.back().number, std::uint64_t{700});
}

void TestFlowRing::fullRingDropsAndCounts()
{
    FlowRing ring(16);
    put(ring, 1, 20);
    ring.onTurnEnd();
    QCOMPARE(ring.dropped(), std::uint64_t{4});
    std::vector<FlowEvent> seen;
    QCOMPARE(ring.drain(seen), std::size_t{16});
    QCOMPARE(seen.front().number, std::uint64_t{1});
    QCOMPARE(seen.back().number, std::uint64_t{16}); // new ones are dropped, what is there stays
    put(ring, 21, 21);
    ring.onTurnEnd();
    QCOMPARE(ring.drain(seen), std::size_t{1});
    QCOMPARE(seen.back().number, std::uint64_t{21});
    QCOMPARE(ring.dropped(), std::uint64_t{4});
}

/// Within one turn the reader can take what a full ring shows, and the rest finds its place.
void TestFlowRing::readerMakesRoom()
{
    FlowRing ring(16);
    put(ring, 1, 16);
    put(ring, 17, 17); // full: dropped, but shows the sixteen
    std::vector<FlowEvent> seen;
    QCOMPARE(ring.drain(seen), std::size_t{16});
    put(ring, 18, 20);
    ring.onTurnEnd();
    QCOMPARE(ring.drain(seen), std::size_t{3});
    QCOMPARE(seen.back().number, std::uint64_t{20});
    QCOMPARE(ring.dropped(), std::uint64_t{1});
}

void TestFlowRing::limitLeavesTheRest()
{
    FlowRing ring(64);
    put(ring, 1, 30);
    ring.onTurnEnd();
    std::vector<FlowEvent> seen;
    QCOMPARE(ring.drain(seen, 12), std::size_t{12});
    QCOMPARE(ring.drain(seen, 100), std::size_t{18});
    QCOMPARE(seen.size(), std::size_t{30});
    QCOMPARE(seen.back().number, std::uint64_t{30});
}

void TestFlowRing::twoThreads()
{
    constexpr std::uint64_t kEvents = 2'000'000;
    FlowRing ring(4096);
    std::thread writer([&ring] {
        for (std::uint64_t i = 1; i <= kEvents; ++i) {
            ring.onFlow(numbered(i), {});
            if (i % 7 == 0)
                ring.onTurnEnd();
        }
        ring.onTurnEnd();
    });
    std::uint64_t last = 0;
    std::uint64_t got = 0;
    bool whole = true;
    std::vector<FlowEvent> seen;
    while (last < kEvents && got + ring.dropped() < kEvents) {
        seen.clear();
        got += ring.drain(seen);
        for (const FlowEvent& event : seen) {
            whole = whole && intact(event) && event.number > last;
            last = event.number;
        }
    }
    writer.join();
    seen.clear();
    got += ring.drain(seen);
    QVERIFY(whole);
    QCOMPARE(got + ring.dropped(), kEvents); // every event was seen or counted
}

QTEST_GUILESS_MAIN(TestFlowRing)
#include "tst_flow_ring.moc"
