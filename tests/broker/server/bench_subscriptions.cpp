// SPDX-License-Identifier: GPL-3.0-or-later
// A million subscriptions: what they weigh, how fast messages find theirs among them, and how long
// the others wait when a client with all of them goes. Time is the thread's own processor time, so
// that a busy machine does not count.
#include "support/fake_broker.h"

#include <QTest>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <unistd.h>

using namespace jetglass;
using namespace jetglass::server::test;

namespace {

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kMessages = 200'000;
/// What the broker allows itself for long work in one turn, four times over for slow machines.
constexpr double kLongestTurnMs = 8;

double cpuSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::uint64_t residentBytes()
{
    std::ifstream file("/proc/self/statm");
    std::uint64_t whole = 0;
    std::uint64_t resident = 0;
    file >> whole >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string subjectOf(std::uint64_t i)
{
    return "dev." + std::to_string(i % 1'000) + '.' + std::to_string(i);
}

void subscribe(FakeBroker& broker, FakeBroker::Peer& peer, std::uint64_t from, std::uint64_t to)
{
    std::string text;
    for (std::uint64_t i = from; i < to; ++i) {
        text += "SUB " + subjectOf(i) + ' ' + std::to_string(i) + "\r\n";
        if (text.size() > 60'000 || i + 1 == to) {
            broker.say(peer, text);
            text.clear();
        }
    }
}

} // namespace

class BenchSubscriptions : public QObject
{
    Q_OBJECT

private slots:
    void publishAmongAMillion_data();
    void publishAmongAMillion();
    void aClientWithAMillionGoes();
};

void BenchSubscriptions::publishAmongAMillion_data()
{
    QTest::addColumn<quint64>("subjects");
    QTest::newRow("a thousand subjects, found in the cache") << quint64{1'000};
    QTest::newRow("all subjects at random, walked") << quint64{kMillion};
}

void BenchSubscriptions::publishAmongAMillion()
{
    QFETCH(quint64, subjects);
    FakeBroker broker;
    const std::uint64_t before = residentBytes();
    std::vector<FakeBroker::Peer> holders;
    const double start = cpuSeconds();
    for (std::uint64_t i = 0; i < 4; ++i) {
        holders.push_back(broker.connect());
        subscribe(broker, holders.back(), i * kMillion / 4, (i + 1) * kMillion / 4);
    }
    const double made = cpuSeconds() - start;
    QCOMPARE(broker.engine.counts().subscriptions, kMillion);
    const std::uint64_t each = (residentBytes() - before) / kMillion;
    auto writer = broker.connect();
    std::uint64_t random = 88172645463325252ULL;
    std::string text;
    const double published = cpuSeconds();
    for (std::uint64_t i = 0; i < kMessages; ++i) {
        random ^= random << 13U;
        random ^= random >> 7U;
        random ^= random << 17U;
        text += "PUB " + subjectOf(random % subjects) + " 2\r\nhi\r\n";
        if (i % 500 == 499) {
            broker.say(writer, text);
            text.clear();
        }
    }
    const double took = cpuSeconds() - published;
    std::uint64_t got = 0;
    for (const FakeBroker::Peer& holder : holders)
        got += holder.client->record().out.messages;
    QCOMPARE(got, kMessages);
    const double rate = static_cast<double>(kMessages) / took;
    std::printf("%.0f messages/s, %llu bytes per subscription, %.1f us to subscribe\n",
        rate,
        static_cast<unsigned long long>(each),
        made * 1e6 / static_cast<double>(kMillion));
    QVERIFY(rate > 20'000);
    QVERIFY(each == 0 || each < 1'000); // 0 where memory of the row before is used again
}

void BenchSubscriptions::aClientWithAMillionGoes()
{
    FakeBroker broker;
    auto holder = broker.connect();
    auto other = broker.connect();
    subscribe(broker, holder, 0, kMillion);
    broker.say(other, "SUB mine 1\r\n");
    double start = cpuSeconds();
    holder.client->peerGone(server::CloseReason::ClientClosed);
    double longest = cpuSeconds() - start;
    double whole = longest;
    std::uint64_t turns = 0;
    do {
        start = cpuSeconds();
        other.client->receive("PUB mine 0\r\n\r\nPUB " + subjectOf(turns * 7) + " 0\r\n\r\n");
        broker.engine.endTurn();
        const double took = cpuSeconds() - start;
        longest = std::max(longest, took);
        whole += took;
        ++turns;
    } while (broker.engine.pending());
    std::printf("%llu turns, the longest %.2f ms, together %.0f ms\n",
        static_cast<unsigned long long>(turns),
        longest * 1e3,
        whole * 1e3);
    QCOMPARE(other.client->record().out.messages, turns);
    QVERIFY(holder.link->sent.empty());
    QCOMPARE(broker.engine.counts().subscriptions, std::uint64_t{1});
    QVERIFY(longest * 1e3 < kLongestTurnMs);
}

QTEST_GUILESS_MAIN(BenchSubscriptions)
#include "bench_subscriptions.moc"
