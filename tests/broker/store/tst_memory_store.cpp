// SPDX-License-Identifier: GPL-3.0-or-later
#include "random_operations.h"
#include "store/memory_store.h"

#include <QtTest>

using namespace jetglass;
using namespace jetglass::store;

class TestMemoryStore : public QObject
{
    Q_OBJECT

private slots:
    void startsEmpty();
    void countsBytesAsTheProtocolSays();
    void behavesLikeTheModel_data();
    void behavesLikeTheModel();
    void movesForwardAtNoCost();
    void droppedSubjectsComeAgain();
    void giantMessage();

private:
    std::shared_ptr<BufferPool> m_pool = std::make_shared<BufferPool>(64U << 20U);
};

void TestMemoryStore::startsEmpty()
{
    MemoryStore store(m_pool);
    QCOMPARE(store.state().first.value(), 0U);
    QCOMPARE(store.state().last.value(), 0U);
    MessageView m;
    QVERIFY(!store.load(StreamSeq(1), m));
    QVERIFY(!store.loadNext({}, StreamSeq(0), m));
    QVERIFY(!store.loadLast({}, StreamSeq(0), m));
    QCOMPARE(store.seqAtTime(5).value(), 1U);
    store.setFirstSeq(StreamSeq(100));
    QCOMPARE(store.state().first.value(), 100U);
    QCOMPARE(store.state().last.value(), 99U);
    QCOMPARE(store.append({"a", "", "x", 1}).value(), 100U);
}

void TestMemoryStore::countsBytesAsTheProtocolSays()
{
    MemoryStore store(m_pool);
    store.append({"abc", "", "12345", 1});
    QCOMPARE(store.state().bytes, 16U + 3U + 5U);
    store.append({"abc", "HH", "12345", 1});
    QCOMPARE(store.state().bytes, 2U * (16U + 3U + 5U) + 2U);
}

void TestMemoryStore::behavesLikeTheModel_data()
{
    QTest::addColumn<int>("subjects");
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 4; ++seed) {
        QTest::addRow("few subjects, seed %u", seed) << 5 << seed;
        QTest::addRow("some subjects, seed %u", seed) << 60 << seed;
        QTest::addRow("many subjects, seed %u", seed) << 3000 << seed;
    }
}

void TestMemoryStore::behavesLikeTheModel()
{
    QFETCH(int, subjects);
    QFETCH(unsigned, seed);
    MemoryStore store(m_pool);
    NaiveStore model;
    RandomOperations random(seed, subjects);
    for (int step = 0; step < 6000; ++step) {
        std::string wrong = random.change(store, model);
        if (wrong.empty() && step % 5 == 0)
            wrong = random.ask(store, model);
        if (random.below(10) == 0)
            QVERIFY(store.commit().ok());
        if (wrong.empty() && step % 300 == 0)
            wrong = difference(store, model);
        QVERIFY2(wrong.empty(), (std::to_string(step) + ": " + wrong).c_str());
    }
    QCOMPARE(difference(store, model), std::string());
}

void TestMemoryStore::movesForwardAtNoCost()
{
    MemoryStore store(m_pool);
    store.append({"a", "", "x", 1});
    const std::uint64_t far = 1'000'000'000'000'000ULL;
    QCOMPARE(store.removeBelow(StreamSeq(far), Removal::Purge).count, 1U);
    QCOMPARE(store.state().first.value(), far);
    QCOMPARE(store.state().last.value(), far - 1U);
    QCOMPARE(store.append({"a", "", "y", 2}).value(), far);
    store.skip(far, 3, Removal::NoInterest);
    QCOMPARE(store.append({"a", "", "z", 4}).value(), 2U * far + 1U);
    QCOMPARE(store.deletedCount(), far);
    QCOMPARE(store.count({}, StreamSeq(far + 1U)), 1U);
}

/// Numbers of a dropped block's subjects become free over several turns: whatever is stored in
/// between counts right, of old and of new subjects.
void TestMemoryStore::droppedSubjectsComeAgain()
{
    constexpr int kSubjects = 40'000;
    MemoryStore store(m_pool);
    const auto add = [&store](const char* kind, int from, int below) {
        for (int i = from; i < below; ++i)
            store.append({kind + std::to_string(i), "", "x", 1});
    };
    add("s.", 0, kSubjects);
    QVERIFY(store.commit().ok());
    store.removeBelow(store.state().last, Removal::Purge);
    QVERIFY(store.commit().ok());
    QVERIFY(!store.subject("s.5"));
    add("s.", 0, 100);
    add("new.", 0, 100);
    for (int turn = 0; turn < 10; ++turn) {
        store.append({"turn." + std::to_string(turn), "", "x", 1});
        QVERIFY(store.commit().ok());
    }
    add("s.", 50, 150);
    add("more.", 0, kSubjects);
    QVERIFY(store.commit().ok());
    for (int i = 0; i < 150; ++i)
        QCOMPARE(
            store.subject("s." + std::to_string(i)).value().count, i < 50 || i >= 100 ? 1U : 2U);
    QCOMPARE(store.count({}, StreamSeq(1)), store.state().messages);
    QCOMPARE(store.state().messages, 1U + 100U + 100U + 10U + 100U + kSubjects);
    QCOMPARE(store.state().subjects, 1U + 150U + 100U + 10U + kSubjects);
}

void TestMemoryStore::giantMessage()
{
    MemoryStore store(m_pool);
    const std::string big(20U << 20U, 'x');
    store.append({"a", "", "small", 1});
    store.append({"a", "", big, 2});
    store.append({"a", "", "small", 3});
    QVERIFY(store.commit().ok());
    MessageView m;
    QVERIFY(store.load(StreamSeq(2), m));
    QCOMPARE(m.payload, std::string_view(big));
}

QTEST_GUILESS_MAIN(TestMemoryStore)
#include "tst_memory_store.moc"
