// SPDX-License-Identifier: GPL-3.0-or-later
// What time alone does to a message: when its TTL or max_age takes it, when a schedule fires.
#include "base/time_text.h"
#include "consumer_bench.h"
#include "queries/answers.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace jetglass;
using jetglass::tests::ConsumerBench;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

MessageRow rowOf(ConsumerBench& b, std::uint64_t seq)
{
    MessageQuestion question;
    question.stream = b.stream().id();
    question.first = StreamSeq(seq);
    question.count = 1;
    const MessageAnswer answer = queries::answer(question, b.jetstream->registry(), b.hub);
    return answer.rows.empty() ? MessageRow{} : answer.rows.front();
}

StreamOverview overviewOf(ConsumerBench& b)
{
    return queries::overview(b.jetstream->registry()).front();
}

void publish(ConsumerBench& b, const std::string& subject, const std::string& header)
{
    b.bus->inject(subject, "x", "ack", header.empty() ? "" : "NATS/1.0\r\n" + header + "\r\n\r\n");
    b.run();
}

} // namespace

class TestMessageEnd : public QObject
{
    Q_OBJECT

private slots:
    void whichRuleTakesIt_data();
    void whichRuleTakesIt();
    void ageLooksBehindWhatStays();
    void theSoonestIsNamed();
    void oneThatWentOtherwiseIsNotNamed();
    void scheduleSaysWhenItFires();
};

void TestMessageEnd::whichRuleTakesIt_data()
{
    QTest::addColumn<QString>("limits");
    QTest::addColumn<QString>("header");
    QTest::addColumn<Removal>("cause");
    QTest::addColumn<int>("seconds"); // from when it was stored, 0 = never
    const QString ttl = R"(,"allow_msg_ttl":true)";
    const QString age = R"(,"max_age":60000000000)";
    QTest::newRow("nothing") << ""
                             << "" << Removal::None << 0;
    QTest::newRow("max_age") << age << "" << Removal::MaxAge << 60;
    QTest::newRow("TTL in seconds") << ttl << "Nats-TTL: 5" << Removal::Ttl << 5;
    QTest::newRow("TTL as a duration") << ttl << "Nats-TTL: 1m30s" << Removal::Ttl << 90;
    QTest::newRow("TTL before max_age") << ttl + age << "Nats-TTL: 30" << Removal::Ttl << 30;
    QTest::newRow("max_age before TTL") << ttl + age << "Nats-TTL: 90" << Removal::MaxAge << 60;
    QTest::newRow("never") << ttl + age << "Nats-TTL: never" << Removal::None << 0;
    QTest::newRow("never, without max_age") << ttl << "Nats-TTL: never" << Removal::None << 0;
}

/// What the answer foretells is what happens.
void TestMessageEnd::whichRuleTakesIt()
{
    QFETCH(QString, limits);
    QFETCH(QString, header);
    QFETCH(Removal, cause);
    QFETCH(int, seconds);
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    b.addStream((R"("subjects":["s.>"])" + limits).toStdString());
    publish(b, "s.a", header.toStdString());
    const MessageRow row = rowOf(b, 1);
    QCOMPARE(row.seq, StreamSeq(1));
    QCOMPARE(row.endsBy, cause);
    QCOMPARE(row.endsAt, seconds == 0 ? 0 : row.time + seconds * kSecond);
    QCOMPARE(row.firesAt, std::int64_t{0});
    const std::int64_t wait = seconds == 0 ? 1000 * kSecond : seconds * kSecond;
    b.advance(wait / 1'000'000 - 100);
    QCOMPARE(b.stream().store().state().messages, std::uint64_t{1});
    b.advance(200);
    QCOMPARE(
        b.stream().store().state().messages, seconds == 0 ? std::uint64_t{1} : std::uint64_t{0});
}

/// max_age passes over what never expires, and waits for what comes behind it.
void TestMessageEnd::ageLooksBehindWhatStays()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    b.addStream(R"("subjects":["s.>"],"allow_msg_ttl":true,"max_age":60000000000)");
    publish(b, "s.a", "Nats-TTL: never");
    publish(b, "s.b", "Nats-TTL: never");
    QCOMPARE(overviewOf(b).nextRemoval, Removal::None);
    b.advance(70'000);
    QVERIFY(b.timers.nextDeadline() > b.clock.now() + kSecond); // nothing to look at
    publish(b, "s.c", {});
    publish(b, "s.d", "Nats-TTL: never");
    const StreamOverview row = overviewOf(b);
    QCOMPARE(row.nextRemoval, Removal::MaxAge);
    QCOMPARE(row.nextRemovalSeq, StreamSeq(3));
    QCOMPARE(row.nextRemovalAt, rowOf(b, 3).endsAt);
    b.advance(59'900);
    QCOMPARE(b.stream().store().state().messages, std::uint64_t{4});
    b.advance(200);
    QCOMPARE(b.stream().store().state().messages, std::uint64_t{3});
    QVERIFY(!b.stream().store().contains(StreamSeq(3)));
    QCOMPARE(overviewOf(b).nextRemoval, Removal::None);
    QVERIFY(b.timers.nextDeadline() > b.clock.now() + kSecond);
}

void TestMessageEnd::theSoonestIsNamed()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    b.addStream(R"("subjects":["s.>"],"allow_msg_ttl":true,"max_age":60000000000)");
    publish(b, "s.a", {});
    StreamOverview row = overviewOf(b);
    QCOMPARE(row.nextRemoval, Removal::MaxAge);
    QCOMPARE(row.nextRemovalSeq, StreamSeq(1));
    b.advance(1000);
    publish(b, "s.b", "Nats-TTL: 50");
    publish(b, "s.c", "Nats-TTL: 20");
    row = overviewOf(b);
    QCOMPARE(row.nextRemoval, Removal::Ttl);
    QCOMPARE(row.nextRemovalSeq, StreamSeq(3));
    QCOMPARE(row.nextRemovalAt, rowOf(b, 3).endsAt);
    b.advance(21'000);
    QCOMPARE(overviewOf(b).nextRemovalSeq, StreamSeq(2));
    b.advance(31'000);
    row = overviewOf(b);
    QCOMPARE(row.nextRemoval, Removal::MaxAge);
    QCOMPARE(row.nextRemovalSeq, StreamSeq(1));
}

void TestMessageEnd::oneThatWentOtherwiseIsNotNamed()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    b.addStream(R"("subjects":["s.>"],"allow_msg_ttl":true)");
    publish(b, "s.a", {});
    publish(b, "s.b", "Nats-TTL: 20");
    publish(b, "s.c", "Nats-TTL: 50");
    b.request("STREAM.MSG.DELETE.S", R"({"seq":2})");
    QCOMPARE(overviewOf(b).nextRemovalSeq, StreamSeq(3));
    b.request("STREAM.MSG.DELETE.S", R"({"seq":3})");
    QCOMPARE(overviewOf(b).nextRemoval, Removal::None);
}

void TestMessageEnd::scheduleSaysWhenItFires()
{
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    b.addStream(R"("subjects":["s.>"],"allow_msg_schedules":true)");
    const std::int64_t at = b.clock.wallTime() + 5 * kSecond;
    publish(b,
        "s.first",
        "Nats-Schedule: @at " + base::rfc3339(at) + "\r\nNats-Schedule-Target: s.now");
    publish(b, "s.every", "Nats-Schedule: @every 10s\r\nNats-Schedule-Target: s.now");
    QCOMPARE(rowOf(b, 1).firesAt, at);
    const std::int64_t every = rowOf(b, 2).firesAt;
    QVERIFY(every > b.clock.wallTime() && every <= b.clock.wallTime() + 10 * kSecond);
    b.advance(11'000);
    QVERIFY(rowOf(b, 2).firesAt > b.clock.wallTime());
    QCOMPARE(rowOf(b, 3).firesAt, std::int64_t{0}); // what was stored is no schedule
    // A new schedule of the subject: the old message is one no more.
    publish(b, "s.every", "Nats-Schedule: @every 20s\r\nNats-Schedule-Target: s.now");
    const std::uint64_t last = b.stream().store().state().last.value();
    QVERIFY(rowOf(b, last).firesAt > b.clock.wallTime() + 10 * kSecond);
}

QTEST_GUILESS_MAIN(TestMessageEnd)
#include "tst_message_end.moc"
