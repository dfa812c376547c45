// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/broker.h"
#include "sources/embedded_source.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <thread>

using namespace jetglass;
using sources::EmbeddedSource;

namespace {

/// A broker without a broker: keeps observers and answers questions on a thread of its own.
class FakeBroker final : public Broker
{
public:
    ~FakeBroker() override { wait(); }
    void stop() override { }
    void abandon() override { }
    Result<void> reload(BrokerConfig) override { return {}; }
    void lameDuck() override { }
    [[nodiscard]] bool stopped() const override { return false; }
    void wait() override
    {
        for (std::thread& thread : m_threads)
            thread.join();
        m_threads.clear();
    }
    [[nodiscard]] std::string host() const override { return "127.0.0.1"; }
    [[nodiscard]] std::uint16_t port() const override { return 4299; }
    [[nodiscard]] std::uint16_t httpPort() const override { return 0; }
    [[nodiscard]] std::string serverId() const override { return {}; }
    [[nodiscard]] std::string storeDirectory() const override { return {}; }
    [[nodiscard]] RecoveryReport recoveryReport() const override { return {}; }
    void addObserver(FlowObserver& observer) override { m_observers.push_back(&observer); }
    void removeObserver(FlowObserver& observer) override { std::erase(m_observers, &observer); }
    void askOverview(Reply<BrokerOverview> reply) override
    {
        ++overviews;
        later([reply] { reply(BrokerOverview{}); });
    }
    void ask(RangeQuestion, Reply<RangeAnswer> reply) override
    {
        later([reply] {
            RangeAnswer answer;
            answer.lastEvent = 77;
            reply(answer);
        });
    }
    void ask(DensityQuestion, Reply<DensityAnswer>) override { }
    void ask(MessageQuestion, Reply<MessageAnswer>) override { }
    void ask(ExplainQuestion, Reply<ExplainAnswer>) override { }
    void ask(PreviewQuestion, Reply<PreviewAnswer>) override { }
    void ask(RemovalsQuestion, Reply<RemovalsAnswer>) override { }
    void askDedup(StreamId, Reply<DedupAnswer>) override { }
    void askPulls(StreamId, ConsumerId, Reply<PullsAnswer>) override { }
    void askClients(Reply<ClientsAnswer>) override { }

    void emitStored(int count)
    {
        for (int i = 0; i < count; ++i) {
            FlowEvent event;
            event.number = ++m_number;
            event.kind = FlowKind::Stored;
            event.seq = StreamSeq(m_number);
            for (FlowObserver* observer : m_observers)
                observer->onFlow(event, {});
        }
        for (FlowObserver* observer : m_observers)
            observer->onTurnEnd();
    }
    [[nodiscard]] std::size_t observerCount() const { return m_observers.size(); }
    int overviews = 0;

private:
    void later(std::function<void()> task) { m_threads.emplace_back(std::move(task)); }
    std::vector<FlowObserver*> m_observers;
    std::vector<std::thread> m_threads;
    std::uint64_t m_number = 0;
};

} // namespace

class TestEmbeddedSource : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { qRegisterMetaType<std::vector<FlowEvent>>(); }
    void aFrameBringsEverything();
    void aFullRingIsCountedAndAskedForAgain();
    void manyEventsAreSummarized();
    void answersComeOnThisThread();
    void nobodyIsCalledAfterTheContextHasGone();
    void observerIsRemoved();
};

void TestEmbeddedSource::aFrameBringsEverything()
{
    FakeBroker broker;
    EmbeddedSource source(broker);
    std::size_t seen = 0;
    int signals_ = 0;
    connect(&source,
        &sources::FlowSource::eventsReady,
        this,
        [&](const std::vector<FlowEvent>& events) {
            seen += events.size();
            ++signals_;
        });
    broker.emitStored(3000);
    QTRY_COMPARE(seen, std::size_t(3000));
    QCOMPARE(signals_, 1);
    QCOMPARE(source.lostEvents(), 0U);
}

void TestEmbeddedSource::aFullRingIsCountedAndAskedForAgain()
{
    FakeBroker broker;
    EmbeddedSource source(broker, 1024, nullptr);
    QSignalSpy skipped(&source, &sources::FlowSource::eventsSkipped);
    QSignalSpy lost(&source, &sources::FlowSource::lostEventsChanged);
    broker.emitStored(1500);
    QTRY_COMPARE(lost.count(), 1);
    QVERIFY(source.lostEvents() >= 1500 - 1024);
    QCOMPARE(skipped.count(), 1);
    QTRY_VERIFY(broker.overviews >= 2);
}

void TestEmbeddedSource::manyEventsAreSummarized()
{
    FakeBroker broker;
    EmbeddedSource source(broker);
    QSignalSpy summarizing(&source, &sources::FlowSource::summarizingChanged);
    QSignalSpy ticks(&source, &sources::FlowSource::summaryTick);
    bool folded = false;
    connect(&source, &sources::FlowSource::eventsReady, this, [&] { folded = true; });
    std::vector<FlowEvent> newest;
    connect(&source,
        &sources::FlowSource::newestEvents,
        this,
        [&newest](const std::vector<FlowEvent>& events) { newest = events; });
    broker.emitStored(static_cast<int>(EmbeddedSource::kFoldLimit) + 1);
    QTRY_COMPARE(summarizing.count(), 1);
    QVERIFY(source.isSummarizing());
    QTRY_VERIFY(ticks.count() >= 1);
    QVERIFY(!folded);
    // Who lists what happened last gets the last of them.
    QVERIFY(!newest.empty());
    QCOMPARE(newest.back().number, quint64(EmbeddedSource::kFoldLimit) + 1);
    QVERIFY(newest.size() < EmbeddedSource::kFoldLimit);
    QTRY_VERIFY(!source.isSummarizing()); // calm again
    broker.emitStored(1);
    QTRY_VERIFY(folded);
}

void TestEmbeddedSource::answersComeOnThisThread()
{
    FakeBroker broker;
    EmbeddedSource source(broker);
    QThread* where = nullptr;
    quint64 last = 0;
    source.ask(RangeQuestion{}, this, [&](const RangeAnswer& answer) {
        where = QThread::currentThread();
        last = answer.lastEvent;
    });
    QCOMPARE(last, 0U); // later, never at once
    QTRY_COMPARE(last, 77U);
    QCOMPARE(where, thread());
}

void TestEmbeddedSource::nobodyIsCalledAfterTheContextHasGone()
{
    FakeBroker broker;
    auto source = std::make_unique<EmbeddedSource>(broker);
    bool called = false;
    auto context = std::make_unique<QObject>();
    source->ask(RangeQuestion{}, context.get(), [&](const RangeAnswer&) { called = true; });
    context.reset();
    broker.wait();
    QCoreApplication::processEvents();
    QVERIFY(!called);
    source->ask(RangeQuestion{}, this, [&](const RangeAnswer&) { called = true; });
    source.reset();
    broker.wait();
    QCoreApplication::processEvents();
    QVERIFY(!called);
}

void TestEmbeddedSource::observerIsRemoved()
{
    FakeBroker broker;
    {
        EmbeddedSource source(broker);
        QCOMPARE(broker.observerCount(), std::size_t(1));
    }
    QCOMPARE(broker.observerCount(), std::size_t(0));
}

QTEST_GUILESS_MAIN(TestEmbeddedSource)
#include "tst_embedded_source.moc"
