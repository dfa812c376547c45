// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_source.h"
#include "models/chart_feed.h"

#include <QTest>

using namespace jetglass;
using namespace jetglass::tests;

namespace {

struct Fixture
{
    FakeSource source;
    models::LiveView live{source};
    models::ChartFeed feed{live};

    Fixture()
    {
        source.show(oneStream(1, 10, 1));
        feed.sample(1000);
    }
    /// Messages per second that were acked in the second that ends at \a ms.
    double ackedAt(qint64 ms)
    {
        feed.sample(ms);
        return feed.rates(StreamId{1}).back().acked;
    }
};

} // namespace

class TestChartFeed : public QObject
{
    Q_OBJECT
private slots:
    void redeliveriesAreNoAcks();
    void anOverviewBetweenCountsNothingTwice();
    void aNewStreamBeginsWithItsFirstMessages();
    void sequencesThatAreSkippedAreNoMessages();
};

void TestChartFeed::redeliveriesAreNoAcks()
{
    Fixture f;
    f.source.send({flow(1, FlowKind::Delivered, 1, 1), flow(2, FlowKind::Delivered, 2, 2)});
    QCOMPARE(f.ackedAt(2000), 0.0);
    std::vector<FlowEvent> again{flow(3, FlowKind::TimedOut, 1),
        flow(4, FlowKind::TimedOut, 2),
        flow(5, FlowKind::Delivered, 1, 3),
        flow(6, FlowKind::Delivered, 2, 4)};
    for (FlowEvent& event : again) {
        event.deliveries = 2;
        event.redelivery = event.kind == FlowKind::Delivered;
    }
    f.source.send(again);
    QCOMPARE(f.ackedAt(3000), 0.0);
    f.source.send({flow(7, FlowKind::Acked, 1, 3)});
    QCOMPARE(f.ackedAt(4000), 1.0);
    f.source.send({flow(8, FlowKind::AckedUpTo, 2, 2)});
    QCOMPARE(f.ackedAt(5000), 2.0);
    QCOMPARE(f.ackedAt(6000), 0.0);
}

/// An overview may be older or younger than the events that the window has seen.
void TestChartFeed::anOverviewBetweenCountsNothingTwice()
{
    Fixture f;
    f.source.send({flow(1, FlowKind::Delivered, 1, 1), flow(2, FlowKind::Acked, 1, 1)});
    f.source.show(oneStream(1, 10, 1)); // knows of no event
    QCOMPARE(f.ackedAt(2000), 1.0);
    BrokerOverview ahead = oneStream(1, 10, 1);
    ahead.lastEvent = 4;
    f.source.show(ahead);
    f.source.send({flow(3, FlowKind::Delivered, 2, 2), flow(4, FlowKind::Acked, 2, 2)});
    QCOMPARE(f.ackedAt(3000), 1.0);
}

/// What came before the first sample of a stream is not lost; what an older stream brings along has
/// no rate.
void TestChartFeed::aNewStreamBeginsWithItsFirstMessages()
{
    for (const bool isNew : {true, false}) {
        FakeSource source;
        models::LiveView live{source};
        models::ChartFeed feed{live};
        feed.sample(1000);
        BrokerOverview overview = oneStream(1, 6, 1);
        overview.streams.front().created = source.clock + (isNew ? 1 : -1);
        source.show(overview);
        feed.sample(2000);
        const auto& rates = feed.rates(StreamId{1});
        QCOMPARE(rates.size(), isNew ? std::size_t{1} : std::size_t{0});
        if (isNew)
            QCOMPARE(rates.back().stored, 6.0);
    }
}

/// A purge up to a later sequence moves the stream on; nobody published.
void TestChartFeed::sequencesThatAreSkippedAreNoMessages()
{
    Fixture f;
    const auto storedAt = [&f](qint64 ms) {
        f.feed.sample(ms);
        return f.feed.rates(StreamId{1}).back().stored;
    };
    f.source.send({flow(1, FlowKind::Removed, 1, 10)});
    BrokerOverview purged = oneStream(99, 98, 1);
    purged.lastEvent = 1;
    f.source.show(purged);
    QCOMPARE(storedAt(2000), 0.0);
    f.source.send({flow(2, FlowKind::Stored, 99), flow(3, FlowKind::Stored, 100)});
    QCOMPARE(storedAt(3000), 2.0);
    BrokerOverview ahead = oneStream(99, 101, 1);
    ahead.lastEvent = 4;
    f.source.show(ahead);
    f.source.send({flow(4, FlowKind::Stored, 101)});
    QCOMPARE(storedAt(4000), 1.0);
}

QTEST_GUILESS_MAIN(TestChartFeed)
#include "tst_chart_feed.moc"
