// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/manual_clock.h"
#include "base/timer_queue.h"

#include <QTest>

#include <memory>
#include <vector>

using jetglass::base::ManualClock;
using jetglass::base::Timer;
using jetglass::base::TimerQueue;

class TestTimerQueue : public QObject
{
    Q_OBJECT
private slots:
    void firesInOrderOfDeadlineThenOfArming();
    void movingAndDisarming();
    void timerArmedByACallbackWaitsForTheNextCall();
    void destructionDisarms();
    void manyRandomDeadlines();
};

void TestTimerQueue::firesInOrderOfDeadlineThenOfArming()
{
    ManualClock clock;
    TimerQueue queue(clock);
    std::vector<int> fired;
    Timer a(queue, [&] { fired.push_back(1); });
    Timer b(queue, [&] { fired.push_back(2); });
    Timer c(queue, [&] { fired.push_back(3); });
    a.arm(clock.now() + 20);
    b.arm(clock.now() + 10);
    c.arm(clock.now() + 10);
    QCOMPARE(queue.nextDeadline(), clock.now() + 10);
    QCOMPARE(queue.fireDue(), std::size_t(0));
    clock.advance(20);
    QCOMPARE(queue.fireDue(), std::size_t(3));
    QCOMPARE(fired, (std::vector<int>{2, 3, 1}));
    QCOMPARE(queue.nextDeadline(), TimerQueue::kNever);
}

void TestTimerQueue::movingAndDisarming()
{
    ManualClock clock;
    TimerQueue queue(clock);
    int fired = 0;
    Timer timer(queue, [&] { ++fired; });
    timer.arm(clock.now() + 10);
    timer.armNoLaterThan(clock.now() + 50);
    QCOMPARE(timer.deadline(), clock.now() + 10);
    timer.arm(clock.now() + 50);
    clock.advance(20);
    QCOMPARE(queue.fireDue(), std::size_t(0));
    timer.disarm();
    QVERIFY(!timer.armed());
    clock.advance(100);
    QCOMPARE(queue.fireDue(), std::size_t(0));
    QCOMPARE(fired, 0);
}

void TestTimerQueue::timerArmedByACallbackWaitsForTheNextCall()
{
    ManualClock clock;
    TimerQueue queue(clock);
    int fired = 0;
    std::unique_ptr<Timer> timer;
    timer = std::make_unique<Timer>(queue, [&] {
        ++fired;
        timer->arm(clock.now());
    });
    timer->arm(clock.now());
    QCOMPARE(queue.fireDue(), std::size_t(1));
    QCOMPARE(queue.fireDue(), std::size_t(1));
    QCOMPARE(fired, 2);
}

void TestTimerQueue::destructionDisarms()
{
    ManualClock clock;
    TimerQueue queue(clock);
    int fired = 0;
    {
        Timer timer(queue, [&] { ++fired; });
        timer.arm(clock.now());
    }
    QCOMPARE(queue.fireDue(), std::size_t(0));
    QCOMPARE(fired, 0);
}

void TestTimerQueue::manyRandomDeadlines()
{
    ManualClock clock;
    TimerQueue queue(clock);
    std::vector<std::int64_t> fired;
    std::vector<std::unique_ptr<Timer>> timers;
    std::uint64_t random = 12345;
    for (int i = 0; i < 2000; ++i) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto deadline = clock.now() + static_cast<std::int64_t>(random >> 50);
        timers.push_back(
            std::make_unique<Timer>(queue, [&fired, deadline] { fired.push_back(deadline); }));
        timers.back()->arm(deadline);
    }
    for (std::size_t i = 0; i < timers.size(); i += 3)
        timers[i].reset();
    clock.advance(1 << 20);
    const std::size_t expected = 2000 - 667;
    QCOMPARE(queue.fireDue(), expected);
    QVERIFY(std::is_sorted(fired.begin(), fired.end()));
}

QTEST_GUILESS_MAIN(TestTimerQueue)
#include "tst_timer_queue.moc"
