// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream_bench.h"
#include "streams/dedup_window.h"
#include "streams/removal_ledger.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::tests::StreamBench;

namespace {

/// Keeps the kinds of all events of streams, in order.
class Kinds final : public FlowObserver
{
public:
    void onFlow(const FlowEvent& event, const FlowText& text) noexcept override
    {
        events.push_back(event);
        details.emplace_back(text.detail);
    }
    [[nodiscard]] QString list() const
    {
        QStringList out;
        for (const FlowEvent& event : events)
            out << QString::number(static_cast<int>(event.kind));
        return out.join(QLatin1Char(' '));
    }
    std::vector<FlowEvent> events;
    std::vector<std::string> details;
};

} // namespace

class tst_Stream : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void answersOnlyAfterTheTurn();
    void sendsTheExactAck();
    void refusesInOrder_data();
    void refusesInOrder();
    void skipsDuplicatesInsideTheWindow();
    void rebuildsTheWindowAfterARestart();
    void keepsLimits_data();
    void keepsLimits();
    void refusesWhenFull_data();
    void refusesWhenFull();
    void purges_data();
    void purges();
    void removesByAge();
    void expiresWhileMessagesKeepComing();
    void removesBySingleTtlAndLeavesAMarker();
    void rollsUp();
    void keepsInterestOnlyWithConsumers();
    void removesAcknowledgedWork();
    void takesBackAFailedTurn();
    void remembersWhatLeft();
    void emitsTheLifeOfAMessage();
    void republishesWithThePreviousSequence();
    void comesBackAfterARestart();
    void answersNothingWithNoAck();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

void tst_Stream::answersOnlyAfterTheTurn()
{
    m_bench->create(R"("subjects":["s.>"])");
    const std::string first = m_bench->stage("s.a");
    const std::string second = m_bench->stage("s.b");
    QVERIFY(m_bench->bus->lastPayload(first).empty());
    m_bench->turn.run();
    QCOMPARE(m_bench->bus->lastPayload(first), std::string(R"({"stream":"S","seq":1})"));
    QCOMPARE(m_bench->bus->lastPayload(second), std::string(R"({"stream":"S","seq":2})"));
}

void tst_Stream::sendsTheExactAck()
{
    m_bench->create(R"("subjects":["s"])");
    QCOMPARE(
        m_bench->publish("s", "x", "Nats-Msg-Id: a"), std::string(R"({"stream":"S","seq":1})"));
    QCOMPARE(m_bench->publish("s", "x", "Nats-Msg-Id: a"),
        std::string(R"({"stream":"S","seq":1,"duplicate": true})"));
    QCOMPARE(m_bench->publish("s", "x", "Nats-Expected-Stream: T"),
        std::string(
            R"({"error":{"code":400,"err_code":10060,"description":"expected stream does not match"},"stream":"S","seq":0})"));
}

void tst_Stream::refusesInOrder_data()
{
    QTest::addColumn<QString>("headers");
    QTest::addColumn<int>("code");
    QTest::newRow("other stream before wrong sequence")
        << "Nats-Expected-Stream: T\r\nNats-Expected-Last-Sequence: 9" << 10060;
    QTest::newRow("ttl off before wrong sequence")
        << "Nats-TTL: 5s\r\nNats-Expected-Last-Sequence: 9" << 10166;
    QTest::newRow("wrong sequence before duplicate")
        << "Nats-Msg-Id: a\r\nNats-Expected-Last-Sequence: 9" << 10071;
    QTest::newRow("duplicate before wrong id")
        << "Nats-Msg-Id: a\r\nNats-Expected-Last-Msg-Id: b" << 0;
    QTest::newRow("wrong id before rollup")
        << "Nats-Expected-Last-Msg-Id: b\r\nNats-Rollup: sub" << 10070;
    QTest::newRow("rollup before invalid ttl") << "Nats-Rollup: sub\r\nNats-TTL: bogus" << 10111;
    QTest::newRow("invalid ttl is not 'disabled'") << "Nats-TTL: 0" << 10165;
    QTest::newRow("wrong subject sequence") << "Nats-Expected-Last-Subject-Sequence: 7" << 10071;
    QTest::newRow("not a number") << "Nats-Expected-Last-Sequence: one" << 10071;
    QTest::newRow("subject without its sequence")
        << "Nats-Expected-Last-Subject-Sequence-Subject: s" << 10193;
    QTest::newRow("counter on a plain stream") << "Nats-Incr: 1" << 10168;
    QTest::newRow("counter that is no number") << "Nats-Incr: x" << 10171;
    QTest::newRow("schedule on a plain stream") << "Nats-Schedule: @hourly" << 10188;
    QTest::newRow("source header of a client") << "Nats-Stream-Source: O 1 > > o" << 10227;
    QTest::newRow("batch on a plain stream") << "Nats-Batch-Id: b" << 10174;
    QTest::newRow("right sequence") << "Nats-Expected-Last-Sequence: 1" << 0;
    QTest::newRow("right subject sequence") << "Nats-Expected-Last-Subject-Sequence: 1" << 0;
}

void tst_Stream::refusesInOrder()
{
    QFETCH(QString, headers);
    QFETCH(int, code);
    m_bench->create(R"("subjects":["s"])");
    m_bench->publish("s", "x", "Nats-Msg-Id: a");
    const std::string ack = m_bench->publish("s", "x", headers.toStdString());
    QCOMPARE(m_bench->errorOf(ack), code);
    if (code != 0)
        CHECK_JSON(m_bench->state()["last_seq"], 1);
}

void tst_Stream::skipsDuplicatesInsideTheWindow()
{
    m_bench->create(R"("subjects":["s.>"],"duplicate_window":1000000000)");
    m_bench->publish("s.a", "x", "Nats-Msg-Id: a");
    m_bench->request("STREAM.PURGE.S");
    QVERIFY(m_bench->publish("s.b", "x", "Nats-Msg-Id: a").ends_with(R"("duplicate": true})"));
    m_bench->advance(1100);
    QCOMPARE(
        m_bench->publish("s.a", "x", "Nats-Msg-Id: a"), std::string(R"({"stream":"S","seq":2})"));
}

void tst_Stream::rebuildsTheWindowAfterARestart()
{
    m_bench->create(R"("subjects":["s"])");
    m_bench->publish("s", "x", "Nats-Msg-Id: gone");
    m_bench->publish("s", "x", "Nats-Msg-Id: kept");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":1})");
    m_bench->restart();
    QVERIFY(m_bench->publish("s", "x", "Nats-Msg-Id: kept").ends_with(R"("duplicate": true})"));
    QCOMPARE(
        m_bench->publish("s", "x", "Nats-Msg-Id: gone"), std::string(R"({"stream":"S","seq":3})"));
}

void tst_Stream::keepsLimits_data()
{
    QTest::addColumn<QString>("limits");
    QTest::addColumn<int>("messages");
    QTest::addColumn<int>("first");
    QTest::newRow("by count") << R"("max_msgs":3)" << 3 << 8;
    QTest::newRow("by bytes: 34 each") << R"("max_bytes":70)" << 2 << 9;
    QTest::newRow("by bytes, not one fits") << R"("max_bytes":10)" << 0 << 11;
    QTest::newRow("per subject") << R"("max_msgs_per_subject":1)" << 2 << 9;
    QTest::newRow("per subject and by count")
        << R"("max_msgs_per_subject":3,"max_msgs":4)" << 4 << 7;
    QTest::newRow("per subject, discard new replaces")
        << R"("max_msgs_per_subject":1,"discard":"new")" << 2 << 9;
}

void tst_Stream::keepsLimits()
{
    QFETCH(QString, limits);
    QFETCH(int, messages);
    QFETCH(int, first);
    m_bench->create(R"("subjects":["s.*"],)" + limits.toStdString());
    // Twice in one turn and then turn by turn: it must not matter.
    for (int i = 0; i < 5; ++i)
        m_bench->stage(i % 2 == 0 ? "s.a" : "s.b");
    m_bench->run();
    for (int i = 5; i < 10; ++i)
        QCOMPARE(m_bench->errorOf(m_bench->publish(i % 2 == 0 ? "s.a" : "s.b")), 0);
    const auto state = m_bench->state();
    CHECK_JSON(state["messages"], messages);
    CHECK_JSON(state["first_seq"], first);
    CHECK_JSON(state["last_seq"], 10);
}

void tst_Stream::refusesWhenFull_data()
{
    QTest::addColumn<QString>("limits");
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("text");
    QTest::newRow("count") << R"("max_msgs":2)"
                           << "s.c"
                           << "maximum messages exceeded";
    QTest::newRow("bytes") << R"("max_bytes":80)"
                           << "s.c"
                           << "maximum bytes exceeded";
    QTest::newRow("per subject") << R"("max_msgs_per_subject":1,"discard_new_per_subject":true)"
                                 << "s.a"
                                 << "maximum messages per subject exceeded";
    QTest::newRow("replaces at the count") << R"("max_msgs":2,"max_msgs_per_subject":1)"
                                           << "s.a"
                                           << "";
    QTest::newRow("replaces at the bytes") << R"("max_bytes":80,"max_msgs_per_subject":1)"
                                           << "s.a"
                                           << "";
}

void tst_Stream::refusesWhenFull()
{
    QFETCH(QString, limits);
    QFETCH(QString, subject);
    QFETCH(QString, text);
    m_bench->create(R"("subjects":["s.*"],"discard":"new",)" + limits.toStdString());
    m_bench->publish("s.a");
    m_bench->publish("s.b");
    const auto ack = StreamBench::Json::parse(m_bench->publish(subject.toStdString()));
    QCOMPARE(ack.value("/error/description"_json_pointer, std::string()), text.toStdString());
    QCOMPARE(ack.value("/error/err_code"_json_pointer, 0), text.isEmpty() ? 0 : 10077);
    CHECK_JSON(m_bench->state()["messages"], 2);
}

void tst_Stream::purges_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("purged");
    QTest::addColumn<int>("messages");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    QTest::newRow("all") << "" << 10 << 0 << 11 << 10;
    QTest::newRow("empty object") << "{}" << 10 << 0 << 11 << 10;
    QTest::newRow("sequence 1 is nothing") << R"({"seq":1})" << 0 << 10 << 1 << 10;
    QTest::newRow("below 5") << R"({"seq":5})" << 4 << 6 << 5 << 10;
    QTest::newRow("beyond the end moves on") << R"({"seq":100})" << 10 << 0 << 100 << 99;
    QTest::newRow("keep 3") << R"({"keep":3})" << 7 << 3 << 8 << 10;
    QTest::newRow("keep more than there are") << R"({"keep":30})" << 0 << 10 << 1 << 10;
    QTest::newRow("one subject") << R"({"filter":"s.a"})" << 5 << 5 << 2 << 10;
    QTest::newRow("one subject below 6") << R"({"filter":"s.a","seq":6})" << 3 << 7 << 2 << 10;
    QTest::newRow("keep one of all that match")
        << R"({"filter":"s.*","keep":1})" << 9 << 1 << 10 << 10;
    QTest::newRow("matches nothing") << R"({"filter":"t"})" << 0 << 10 << 1 << 10;
    QTest::newRow("full wildcard") << R"({"filter":">"})" << 10 << 0 << 11 << 10;
}

void tst_Stream::purges()
{
    QFETCH(QString, body);
    m_bench->create(R"("subjects":["s.*"])");
    for (int i = 0; i < 10; ++i)
        m_bench->publish(i % 2 == 0 ? "s.a" : "s.b");
    const auto answer = m_bench->request("STREAM.PURGE.S", body.toStdString());
    CHECK_JSON(answer["success"], true);
    QTEST(answer["purged"].get<int>(), "purged");
    const auto state = m_bench->state();
    QTEST(state["messages"].get<int>(), "messages");
    QTEST(state["first_seq"].get<int>(), "first");
    QTEST(state["last_seq"].get<int>(), "last");
}

void tst_Stream::removesByAge()
{
    m_bench->create(R"("subjects":["s"],"max_age":1000000000)");
    m_bench->publish("s");
    m_bench->advance(600);
    m_bench->publish("s");
    m_bench->advance(500);
    CHECK_JSON(m_bench->state()["first_seq"], 2);
    m_bench->advance(600);
    CHECK_JSON(m_bench->state()["messages"], 0);
    CHECK_JSON(m_bench->state()["first_seq"], 3);
}

void tst_Stream::expiresWhileMessagesKeepComing()
{
    m_bench->create(R"("subjects":["s"],"max_age":1000000000,"duplicate_window":1000000000)");
    QVERIFY(m_bench->publish("s", "x", "Nats-Msg-Id: a").ends_with(R"("seq":1})"));
    for (int ms = 10; ms < 1000; ms += 10) {
        m_bench->advance(10);
        QVERIFY(m_bench->publish("s", "x", "Nats-Msg-Id: a").ends_with(R"("duplicate": true})"));
        m_bench->publish("s");
    }
    const auto goOn = [this](int ms) {
        for (; ms > 0; ms -= 10) {
            m_bench->advance(10);
            m_bench->publish("s");
        }
    };
    goOn(60);
    QVERIFY(m_bench->publish("s", "x", "Nats-Msg-Id: a").ends_with(R"("seq":107})"));
    goOn(200);
    const auto state = m_bench->state();
    CHECK_JSON(state["last_seq"], 127);
    QVERIFY2(state["first_seq"].get<int>() > 15, state.dump().c_str());
}

void tst_Stream::removesBySingleTtlAndLeavesAMarker()
{
    m_bench->create(
        R"("subjects":["s.*"],"subject_delete_marker_ttl":1000000000,"max_msgs_per_subject":1)");
    m_bench->publish("s.a", "x", "Nats-TTL: 1s");
    m_bench->publish("s.b");
    m_bench->advance(1100);
    CHECK_JSON(m_bench->state()["last_seq"], 3);
    const auto message = m_bench->request("STREAM.MSG.GET.S", R"({"seq":3})")["message"];
    CHECK_JSON(message["subject"], "s.a");
    QVERIFY(!message.contains("data"));
    // The marker itself goes without another one.
    m_bench->advance(1300);
    CHECK_JSON(m_bench->state()["messages"], 1);
    CHECK_JSON(m_bench->state()["last_seq"], 3);
}

void tst_Stream::rollsUp()
{
    m_bench->create(R"("subjects":["s.*"],"allow_rollup_hdrs":true)");
    for (int i = 0; i < 4; ++i)
        m_bench->stage(i % 2 == 0 ? "s.a" : "s.b");
    m_bench->stage("s.a", "y", "Nats-Rollup: sub");
    m_bench->run();
    CHECK_JSON(m_bench->state()["messages"], 3);
    m_bench->publish("s.c", "z", "Nats-Rollup: all");
    CHECK_JSON(m_bench->state()["messages"], 1);
    CHECK_JSON(m_bench->state()["first_seq"], 6);
}

void tst_Stream::keepsInterestOnlyWithConsumers()
{
    m_bench->create(R"("subjects":["s.*"],"retention":"interest")");
    QCOMPARE(m_bench->publish("s.a"), std::string(R"({"stream":"S","seq":1})"));
    CHECK_JSON(m_bench->state()["messages"], 0);
    CHECK_JSON(m_bench->state()["last_seq"], 1);
    m_bench->request("CONSUMER.CREATE.S.c.s.a",
        R"({"stream_name":"S","config":{"durable_name":"c","filter_subject":"s.a","ack_policy":"explicit"}})");
    m_bench->publish("s.a");
    m_bench->publish("s.b");
    CHECK_JSON(m_bench->state()["messages"], 1);
    m_bench->request("CONSUMER.DELETE.S.c");
    CHECK_JSON(m_bench->state()["messages"], 0);
    CHECK_JSON(m_bench->state()["last_seq"], 3);
}

void tst_Stream::removesAcknowledgedWork()
{
    m_bench->create(R"("subjects":["s"],"retention":"workqueue")");
    for (int i = 0; i < 3; ++i)
        m_bench->stage("s");
    m_bench->run();
    m_bench->stream().onSettled(StreamSeq(2));
    m_bench->stream().onSettled(StreamSeq(2));
    m_bench->run();
    CHECK_JSON(m_bench->state()["messages"], 2);
    CHECK_JSON(m_bench->state()["num_deleted"], 1);
}

void tst_Stream::takesBackAFailedTurn()
{
    m_bench->create(R"("subjects":["s.*"])");
    m_bench->publish("s.a", "x", "Nats-Msg-Id: first");
    m_bench->files.failing = true;
    const std::string one = m_bench->stage("s.a", "x", "Nats-Msg-Id: second");
    const std::string two = m_bench->stage("s.b");
    m_bench->run();
    m_bench->files.failing = false;
    QCOMPARE(m_bench->errorOf(m_bench->bus->lastPayload(one)), 10077);
    QCOMPARE(m_bench->errorOf(m_bench->bus->lastPayload(two)), 10077);
    CHECK_JSON(m_bench->state()["messages"], 1);
    CHECK_JSON(m_bench->state()["last_seq"], 1);
    // Neither the id nor the last id of the failed turn is remembered, and the sequence is free
    // again.
    QCOMPARE(
        m_bench->publish("s.a", "x", "Nats-Msg-Id: second\r\nNats-Expected-Last-Msg-Id: first"),
        std::string(R"({"stream":"S","seq":2})"));
}

void tst_Stream::remembersWhatLeft()
{
    m_bench->create(R"("subjects":["s"],"max_msgs":2)");
    for (int i = 0; i < 4; ++i)
        m_bench->publish("s");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":4})");
    const auto rows = m_bench->stream().removals().find(StreamSeq(1), StreamSeq{}, 10);
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].cause, Removal::Delete);
    QCOMPARE(rows[0].client, ClientId{7});
    QCOMPARE(rows[1].cause, Removal::MaxMsgs);
    QCOMPARE(rows[1].first.value(), std::uint64_t{1});
    QCOMPARE(rows[1].last.value(), std::uint64_t{2});
    QCOMPARE(rows[1].bytes, std::uint64_t{64});
}

void tst_Stream::emitsTheLifeOfAMessage()
{
    m_bench->create(R"("subjects":["s"])");
    Kinds kinds;
    m_bench->hub.add(kinds);
    const auto is = [&kinds](
                        std::size_t i, FlowKind kind) { return kinds.events.at(i).kind == kind; };
    m_bench->stage("s", "x", "Nats-Msg-Id: a");
    QVERIFY2(kinds.events.empty(), "told before the write");
    m_bench->run();
    QCOMPARE(kinds.events.size(), std::size_t{3});
    QVERIFY2(is(0, FlowKind::Published) && is(1, FlowKind::Stored) && is(2, FlowKind::PubAckSent),
        qPrintable(kinds.list()));
    QCOMPARE(kinds.events[1].seq.value(), std::uint64_t{1});
    QCOMPARE(kinds.events[1].client, ClientId{7});
    m_bench->publish("s", "x", "Nats-Msg-Id: a");
    QVERIFY2(is(4, FlowKind::Duplicate), qPrintable(kinds.list()));
    m_bench->publish("s", "x", "Nats-Expected-Stream: T");
    QVERIFY2(is(7, FlowKind::Refused), qPrintable(kinds.list()));
    QCOMPARE(kinds.events[7].second, std::uint64_t{10060});
    QCOMPARE(kinds.details[7], std::string("expected stream does not match"));
    m_bench->publish("s");
    const std::size_t before = kinds.events.size();
    m_bench->request("STREAM.PURGE.S");
    QCOMPARE(kinds.events.size(), before + 1);
    QVERIFY2(is(before, FlowKind::Removed), qPrintable(kinds.list()));
    QCOMPARE(kinds.events[before].seq.value(), std::uint64_t{1});
    QCOMPARE(kinds.events[before].second, std::uint64_t{2});
    QCOMPARE(kinds.events[before].cause, Removal::Purge);
    m_bench->hub.remove(kinds);
}

void tst_Stream::republishesWithThePreviousSequence()
{
    m_bench->create(R"("subjects":["s.*"],"republish":{"src":"s.*","dest":"r.$1"})");
    m_bench->stage("s.a", "one");
    m_bench->stage("s.a", "two");
    m_bench->run();
    std::vector<std::string> headers;
    for (const tests::Sent& sent : m_bench->bus->published())
        if (sent.subject == "r.a")
            headers.push_back(sent.headers);
    QCOMPARE(headers.size(), std::size_t{2});
    QVERIFY(headers[0].find("Nats-Last-Sequence: 0\r\n") != std::string::npos);
    QVERIFY(headers[1].find("Nats-Last-Sequence: 1\r\n") != std::string::npos);
    QVERIFY(headers[1].find("Nats-Subject: s.a\r\nNats-Sequence: 2\r\n") != std::string::npos);
}

void tst_Stream::comesBackAfterARestart()
{
    m_bench->create(R"("subjects":["s.*"],"max_msgs":5,"description":"d")");
    m_bench->create(R"("subjects":["m"],"storage":"memory")", "M");
    for (int i = 0; i < 7; ++i)
        m_bench->publish("s.a", "x", "K: v");
    m_bench->publish("m");
    const auto before = m_bench->state();
    m_bench->restart();
    CHECK_JSON(m_bench->state(), before);
    CHECK_JSON(m_bench->request("STREAM.INFO.M")["error"]["err_code"], 10059);
    QVERIFY(m_bench->publish("m").empty());
    CHECK_JSON(m_bench->request("STREAM.INFO.S")["config"]["description"], "d");
    QCOMPARE(m_bench->publish("s.b"), std::string(R"({"stream":"S","seq":8})"));
}

void tst_Stream::answersNothingWithNoAck()
{
    m_bench->create(R"("subjects":["s"],"no_ack":true)");
    QVERIFY(m_bench->publish("s").empty());
    QVERIFY(m_bench->publish("s", "x", "Nats-Expected-Stream: T").empty());
    CHECK_JSON(m_bench->state()["messages"], 1);
}

QTEST_GUILESS_MAIN(tst_Stream)
#include "tst_stream.moc"
