// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/ack_subject.h"
#include "consumers/ack_tracker.h"
#include "consumers/pull_request.h"
#include "consumers/redelivery_queue.h"

#include <QtTest>

#include <map>
#include <random>

using namespace jetglass;
using namespace jetglass::consumers;

class TestAckTracker : public QObject
{
    Q_OBJECT

private slots:
    void floorFollowsExplicitAcks_data();
    void floorFollowsExplicitAcks();
    void redeliveriesKeepTheFirstConsumerSequence();
    void dueMessagesComeInStreamOrder();
    void agreesWithANaiveModel();
    void redeliveryIsFirstInFirstOut();
    void readsBothAckSubjectForms_data();
    void readsBothAckSubjectForms();
    void buildsAckSubject();
    void hashesTheAccount();
    void readsPullRequests_data();
    void readsPullRequests();
};

void TestAckTracker::floorFollowsExplicitAcks_data()
{
    QTest::addColumn<QList<int>>("acks");
    QTest::addColumn<int>("floor");
    QTest::newRow("nothing acked") << QList<int>{} << 0;
    QTest::newRow("in the middle") << QList<int>{2, 3} << 0;
    QTest::newRow("the first fills up") << QList<int>{2, 3, 1} << 3;
    QTest::newRow("one by one") << QList<int>{1, 2} << 2;
    QTest::newRow("all, the last first") << QList<int>{4, 3, 2, 1} << 4;
    QTest::newRow("twice counts once") << QList<int>{1, 1} << 1;
}

void TestAckTracker::floorFollowsExplicitAcks()
{
    QFETCH(QList<int>, acks);
    QFETCH(int, floor);
    AckTracker tracker;
    for (std::uint64_t i = 1; i <= 4; ++i) {
        tracker.add(StreamSeq(i), ConsumerSeq(i));
        tracker.delivered = {ConsumerSeq(i), StreamSeq(i)};
    }
    for (const int seq : acks)
        tracker.settle(StreamSeq(static_cast<std::uint64_t>(seq)));
    QCOMPARE(tracker.floor.stream.value(), static_cast<std::uint64_t>(floor));
    QCOMPARE(tracker.floor.consumer.value(), static_cast<std::uint64_t>(floor));
}

void TestAckTracker::redeliveriesKeepTheFirstConsumerSequence()
{
    AckTracker tracker;
    for (std::uint64_t i = 1; i <= 11; ++i)
        tracker.add(StreamSeq(i), ConsumerSeq(i));
    tracker.delivered = {ConsumerSeq(12), StreamSeq(11)}; // 1 was delivered once more, as 12
    tracker.settle(StreamSeq(2));
    tracker.settle(StreamSeq(3));
    QCOMPARE(tracker.floor, (Position{}));
    tracker.settle(StreamSeq(1));
    QCOMPARE(tracker.floor, (Position{ConsumerSeq(3), StreamSeq(3)}));
    for (std::uint64_t i = 4; i <= 11; ++i)
        tracker.settle(StreamSeq(i));
    QCOMPARE(tracker.floor, (Position{ConsumerSeq(12), StreamSeq(11)}));
}

void TestAckTracker::dueMessagesComeInStreamOrder()
{
    AckTracker tracker;
    for (std::uint64_t i = 1; i <= 3; ++i)
        tracker.setDeadline(
            tracker.add(StreamSeq(i * 10), ConsumerSeq(i)), 100 - static_cast<std::int64_t>(i));
    QCOMPARE(tracker.nextDeadline(), 97);
    tracker.setDeadline(*tracker.find(StreamSeq(30)), 200);
    QCOMPARE(tracker.nextDeadline(), 98);
    const auto due = tracker.takeDue(150);
    QCOMPARE(due, (std::vector<StreamSeq>{StreamSeq(10), StreamSeq(20)}));
    QCOMPARE(tracker.nextDeadline(), 200);
    tracker.settle(StreamSeq(30));
    QCOMPARE(tracker.nextDeadline(), base::TimerQueue::kNever);
}

void TestAckTracker::agreesWithANaiveModel()
{
    std::mt19937 random(7);
    AckTracker tracker;
    std::map<std::uint64_t, std::int64_t> model; // sequence to deadline
    std::uint64_t seq = 0;
    for (int step = 0; step < 20000; ++step) {
        const auto now = static_cast<std::int64_t>(step);
        if (random() % 3 != 0) {
            seq += 1 + random() % 4;
            const std::int64_t deadline = now + static_cast<std::int64_t>(50 + random() % 500);
            tracker.setDeadline(tracker.add(StreamSeq(seq), ConsumerSeq(seq)), deadline);
            model[seq] = deadline;
        } else if (!model.empty()) {
            auto victim = model.begin();
            std::advance(victim,
                static_cast<std::ptrdiff_t>(random() % std::min<std::size_t>(model.size(), 20)));
            tracker.remove(StreamSeq(victim->first));
            model.erase(victim);
        }
        if (step % 50 == 0) {
            std::vector<StreamSeq> expected;
            for (auto& [number, deadline] : model)
                if (deadline <= now) {
                    expected.emplace_back(number);
                    deadline = base::TimerQueue::kNever;
                }
            QCOMPARE(tracker.takeDue(now), expected);
        }
        QCOMPARE(tracker.size(), model.size());
    }
    std::vector<std::uint64_t> left;
    tracker.forEach([&](const PendingMessage& m) { left.push_back(m.seq.value()); });
    QCOMPARE(left.size(), model.size());
    for (std::uint64_t i = 1; i <= seq; ++i)
        QCOMPARE(tracker.find(StreamSeq(i)) != nullptr, model.contains(i));
}

void TestAckTracker::redeliveryIsFirstInFirstOut()
{
    AckTracker tracker;
    RedeliveryQueue queue;
    for (std::uint64_t i = 1; i <= 3; ++i)
        tracker.add(StreamSeq(i), ConsumerSeq(i));
    for (const std::uint64_t i : {2U, 3U, 1U, 2U})
        queue.push(*tracker.find(StreamSeq(i)));
    QCOMPARE(queue.size(), std::size_t{3});
    QCOMPARE(queue.front(tracker), StreamSeq(2));
    QCOMPARE(queue.ahead(tracker, StreamSeq(1)), std::size_t{2});
    queue.drop(*tracker.find(StreamSeq(2)), PendingMessage::State::Delivered);
    queue.push(*tracker.find(StreamSeq(2))); // goes to the end now
    QCOMPARE(queue.front(tracker), StreamSeq(3));
    queue.drop(*tracker.find(StreamSeq(3)), PendingMessage::State::Naked);
    QCOMPARE(queue.front(tracker), StreamSeq(1));
}

void TestAckTracker::readsBothAckSubjectForms_data()
{
    QTest::addColumn<QString>("subject");
    QTest::addColumn<bool>("good");
    QTest::newRow("nine tokens") << "$JS.ACK.S.C.2.7.9.1795966626474816237.0" << true;
    QTest::newRow("eleven tokens") << "$JS.ACK._.szMpdrwD.S.C.2.7.9.1.0" << true;
    QTest::newRow("twelve tokens") << "$JS.ACK._.szMpdrwD.S.C.2.7.9.1.0.x" << true;
    QTest::newRow("ten tokens") << "$JS.ACK.S.C.2.7.9.1.0.x" << false;
    QTest::newRow("no number") << "$JS.ACK.S.C.2.x.9.1.0" << false;
    QTest::newRow("negative") << "$JS.ACK.S.C.2.-7.9.1.0" << false;
    QTest::newRow("short") << "$JS.ACK.S.C" << false;
    QTest::newRow("empty") << "" << false;
}

void TestAckTracker::readsBothAckSubjectForms()
{
    QFETCH(QString, subject);
    QFETCH(bool, good);
    AckReference reference;
    QCOMPARE(parseAckSubject(subject.toStdString(), reference), good);
    if (good) {
        QCOMPARE(reference.deliveries, 2U);
        QCOMPARE(reference.seq, StreamSeq(7));
        QCOMPARE(reference.consumerSeq, ConsumerSeq(9));
    }
}

void TestAckTracker::buildsAckSubject()
{
    AckSubject subject("S", "wor%ker");
    QCOMPARE(std::string(subject.build(1, StreamSeq(4), ConsumerSeq(1), 1795966626474816237, 2)),
        std::string("$JS.ACK.S.wor%ker.1.4.1.1795966626474816237.2"));
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    AckReference reference;
    QVERIFY(parseAckSubject(
        subject.build(kMost, StreamSeq(kMost), ConsumerSeq(kMost), 1, kMost), reference));
    QCOMPARE(reference.seq.value(), kMost);
}

void TestAckTracker::hashesTheAccount()
{
    QCOMPARE(accountHash("$G"), std::string("szMpdrwD"));
}

void TestAckTracker::readsPullRequests_data()
{
    QTest::addColumn<QString>("payload");
    QTest::addColumn<qlonglong>("left"); // 0 = refused
    QTest::addColumn<bool>("json");
    QTest::newRow("empty") << "" << 1LL << false;
    QTest::newRow("number") << " 25 " << 25LL << false;
    QTest::newRow("number with sign") << "+2" << 2LL << false;
    QTest::newRow("negative") << "-1" << 1LL << false;
    QTest::newRow("text") << "hello" << 1LL << false;
    QTest::newRow("list") << "[2]" << 1LL << false;
    QTest::newRow("object") << R"({"batch":3,"no_wait":true})" << 3LL << true;
    QTest::newRow("empty object") << "{ }" << 1LL << true;
    QTest::newRow("null batch") << R"({"batch":null})" << 1LL << true;
    QTest::newRow("unknown member") << R"({"batch":2,"what":{"a":[1]}})" << 2LL << true;
    QTest::newRow("exponent is no integer") << R"({"batch":1e1})" << 0LL << true;
    QTest::newRow("text as number") << R"({"batch":"1"})" << 0LL << true;
    QTest::newRow("too large") << R"({"batch":99999999999999999999})" << 0LL << true;
    QTest::newRow("torn") << R"({"batch":)" << 0LL << true;
    QTest::newRow("heartbeat without expires") << R"({"idle_heartbeat":100})" << 0LL << true;
    QTest::newRow("heartbeat too long") << R"({"expires":199,"idle_heartbeat":100})" << 0LL << true;
    QTest::newRow("heartbeat just right")
        << R"({"expires":200,"idle_heartbeat":100})" << 1LL << true;
}

void TestAckTracker::readsPullRequests()
{
    QFETCH(QString, payload);
    QFETCH(qlonglong, left);
    QFETCH(bool, json);
    const auto request = parsePullRequest(payload.toStdString());
    QCOMPARE(request.ok(), left != 0);
    if (!request)
        return;
    QCOMPARE(request->left, left);
    QCOMPARE(request->json, json);
}

QTEST_GUILESS_MAIN(TestAckTracker)
#include "tst_ack_tracker.moc"
