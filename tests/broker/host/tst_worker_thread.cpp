// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/worker_thread.h"

#include <QTest>

#include <algorithm>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using namespace jetglass;

class TestWorkerThread : public QObject
{
    Q_OBJECT
private slots:
    void jobsRunInOrderAndAreReported();
    void stopRunsWhatIsQueued();
    void abandonForgetsWhatIsQueued();
    void jobsAfterStopRunHere();
};

void TestWorkerThread::jobsRunInOrderAndAreReported()
{
    std::mutex mutex;
    std::vector<std::function<void()>> posted;
    std::vector<int> order;
    host::WorkerThread worker([&](std::function<void()> done) {
        const std::lock_guard lock(mutex);
        posted.push_back(std::move(done));
    });
    int answered = 0;
    for (int i = 0; i < 100; ++i)
        worker.run([&order, i] { order.push_back(i); }, [&answered] { ++answered; });
    worker.drain();
    QCOMPARE(order.size(), std::size_t{100});
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QCOMPARE(answered, 0); // only the loop may run the answers
    const std::lock_guard lock(mutex);
    for (const auto& done : posted)
        done();
    QCOMPARE(answered, 100);
}

void TestWorkerThread::stopRunsWhatIsQueued()
{
    int ran = 0;
    host::WorkerThread worker([](const std::function<void()>&) {});
    for (int i = 0; i < 10; ++i)
        worker.run([&ran] { ++ran; }, {});
    worker.stop();
    QCOMPARE(ran, 10);
}

void TestWorkerThread::abandonForgetsWhatIsQueued()
{
    std::promise<void> started;
    std::promise<void> goOn;
    int ran = 0;
    host::WorkerThread worker([](const std::function<void()>&) {});
    worker.run(
        [&] {
            started.set_value();
            goOn.get_future().wait();
            ++ran;
        },
        {});
    started.get_future().wait();
    auto token = std::make_shared<int>(0);
    const std::weak_ptr<int> queued = token;
    worker.run([&ran, token] { ran += 100; }, {});
    token.reset();
    std::thread crash([&] { worker.abandon(); });
    while (!queued.expired())
        std::this_thread::yield();
    goOn.set_value();
    crash.join();
    QCOMPARE(ran, 1);
    worker.run([&ran] { ran = -1; }, {});
    QCOMPARE(ran, 1);
}

void TestWorkerThread::jobsAfterStopRunHere()
{
    bool posted = false;
    host::WorkerThread worker([&posted](const std::function<void()>&) { posted = true; });
    worker.stop();
    bool ran = false;
    worker.run([&ran] { ran = true; }, [] {});
    QVERIFY(ran && posted);
    worker.drain();
}

QTEST_GUILESS_MAIN(TestWorkerThread)
#include "tst_worker_thread.moc"
