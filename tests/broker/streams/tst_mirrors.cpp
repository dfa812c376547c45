// SPDX-License-Identifier: GPL-3.0-or-later
// A stream that copies another one, sequences and all.
#include "upstream_fixture.h"

using namespace jetglass;
using jetglass::tests::kLinked;
using jetglass::tests::UpstreamFixture;

namespace {

class Progresses final : public FlowObserver
{
public:
    void onFlow(const FlowEvent& event, const FlowText&) noexcept override
    {
        if (event.kind == FlowKind::MirrorProgress)
            events.push_back(event);
    }
    std::vector<FlowEvent> events;
};

} // namespace

class TestMirrors final : public UpstreamFixture
{
    Q_OBJECT

private slots:
    void mirrorsWithSequencesAndTimes();
    void mirrorsWhatAFilterSelects();
    void followsAnOriginThatStartsHigh();
    void waitsForItsOrigin();
    void goesOnAfterARestart();
    void mirrorsNothingTwice();
    void takesOverDirectReads();
    void standsInForItsOrigin();
    void becomesAStreamOfItsOwn();
    void noticesThatTheOriginHasGone();
    void announcesProgress();
    void endsItsConsumer_data();
    void endsItsConsumer();
};

void TestMirrors::mirrorsWithSequencesAndTimes()
{
    m_bench->create(R"("subjects":["o.>"])", "O");
    publish("o.a", 3, "Nats-Expected-Stream: O\r\nK: v");
    m_bench->request("STREAM.MSG.DELETE.O", R"({"seq":2})");
    m_bench->clock.advance(5'000'000'000);
    const auto made = m_bench->create(R"("mirror":{"name":"O"})", "M");
    CHECK_JSON(made["mirror"], {{"name", "O"}, {"lag", 0}, {"active", -1}});
    QVERIFY(!made["config"].contains("subjects"));
    m_bench->advance(kLinked);
    const auto state = m_bench->state("M");
    CHECK_JSON(state["messages"], 2);
    CHECK_JSON(state["first_seq"], 1);
    CHECK_JSON(state["last_seq"], 3);
    CHECK_JSON(state["num_deleted"], 1);
    CHECK_JSON(state["last_ts"], m_bench->state("O")["last_ts"]);
    QCOMPARE(message("M", 3), std::string("o.a m3"));
    QCOMPARE(message("M", 3, true), std::string("NATS/1.0\r\nK: v\r\n\r\n"));
    // And goes on as messages come, but what goes at the origin stays.
    publish("o.b", 1);
    m_bench->request("STREAM.PURGE.O");
    QCOMPARE(message("M", 4), std::string("o.b m1"));
    CHECK_JSON(m_bench->state("M")["messages"], 3);
    CHECK_JSON(info("M")["mirror"]["lag"], 0);
    QVERIFY(info("M")["mirror"]["active"].get<std::int64_t>() >= 0);
}

void TestMirrors::mirrorsWhatAFilterSelects()
{
    m_bench->create(R"("subjects":["o.*"])", "O");
    publish("o.b", 3);
    publish("o.a", 1);
    publish("o.b", 2);
    publish("o.a", 1);
    m_bench->create(R"("mirror":{"name":"O","filter_subject":"o.a"})", "M");
    m_bench->create(
        R"("mirror":{"name":"O","subject_transforms":[{"src":"o.a","dest":"x.a"},{"src":"o.c","dest":""}]})",
        "N");
    publish("o.c", 1);
    m_bench->advance(kLinked);
    const auto state = m_bench->state("M");
    CHECK_JSON(state["messages"], 2);
    CHECK_JSON(state["first_seq"], 4);
    CHECK_JSON(state["last_seq"], 7);
    CHECK_JSON(info("M")["mirror"]["filter_subject"], "o.a");
    QCOMPARE(message("N", 4), std::string("x.a m1"));
    QCOMPARE(message("N", 8), std::string("o.c m1"));
    CHECK_JSON(info("N")["mirror"]["subject_transforms"],
        {{{"src", "o.a"}, {"dest", "x.a"}}, {{"src", "o.c"}, {"dest", ""}}});
}

void TestMirrors::followsAnOriginThatStartsHigh()
{
    m_bench->create(R"("subjects":["o"],"first_seq":1000)", "O");
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state("M")["first_seq"], 1000);
    CHECK_JSON(m_bench->state("M")["last_seq"], 999);
    publish("o", 1);
    QCOMPARE(message("M", 1000), std::string("o m1"));
}

void TestMirrors::waitsForItsOrigin()
{
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    QVERIFY(!info("M")["mirror"].contains("error"));
    m_bench->advance(kLinked);
    CHECK_JSON(info("M")["mirror"]["error"]["err_code"], 10059);
    CHECK_JSON(info("M")["mirror"]["active"], -1);
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 1);
    m_bench->advance(11'000);
    CHECK_JSON(m_bench->state("M")["messages"], 0);
    m_bench->advance(1'300);
    CHECK_JSON(m_bench->state("M")["messages"], 1);
    QVERIFY(!info("M")["mirror"].contains("error"));
}

void TestMirrors::goesOnAfterARestart()
{
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 2);
    m_bench->create(R"("mirror":{"name":"O","opt_start_seq":2})", "M");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state("M")["messages"], 1);
    m_bench->request("STREAM.PURGE.M");
    m_bench->restart();
    publish("o", 1);
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state("M")["messages"], 1);
    QCOMPARE(message("M", 3), std::string("o m1"));
}

void TestMirrors::mirrorsNothingTwice()
{
    // The same id twice at the origin, after its window: a mirror does not judge.
    m_bench->create(R"("subjects":["o"],"duplicate_window":100000000)", "O");
    publish("o", 1, "Nats-Msg-Id: a");
    m_bench->advance(500);
    publish("o", 1, "Nats-Msg-Id: a");
    m_bench->create(R"("mirror":{"name":"O"},"duplicate_window":60000000000)", "M");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state("M")["messages"], 2);
}

void TestMirrors::takesOverDirectReads()
{
    m_bench->create(R"("subjects":["o"],"allow_direct":true)", "O");
    const auto made = m_bench->create(R"("mirror":{"name":"O"})", "M");
    CHECK_JSON(made["config"]["mirror_direct"], true);
    const auto pedantic = m_bench->create(R"("pedantic":true,"mirror":{"name":"O"})", "N");
    CHECK_JSON(pedantic["error"]["err_code"], 10157);
    const auto none = m_bench->create(R"("mirror_direct":true,"mirror":{"name":"X"})", "P");
    CHECK_JSON(none["config"]["mirror_direct"], true);
}

void TestMirrors::standsInForItsOrigin()
{
    m_bench->create(R"("subjects":["o"],"allow_direct":true)", "O");
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    m_bench->request("STREAM.UPDATE.O", R"({"name":"O","subjects":["o"]})");
    m_bench->advance(kLinked);
    // Nothing has been copied yet, so nobody knows whether it lags.
    QVERIFY(!m_bench->bus->inject("$JS.API.DIRECT.GET.O", R"({"seq":1})", "early"));
    publish("o", 1);
    QVERIFY(m_bench->bus->inject("$JS.API.DIRECT.GET.O", R"({"seq":1})", "late"));
    QCOMPARE(m_bench->bus->lastPayload("late"), std::string("m1"));
    QVERIFY(
        m_bench->bus->published().back().headers.find("Nats-Stream: M\r\n") != std::string::npos);
    m_bench->request("STREAM.UPDATE.M", R"({"name":"M"})");
    QVERIFY(!m_bench->bus->inject("$JS.API.DIRECT.GET.O", R"({"seq":1})", "after"));
}

void TestMirrors::becomesAStreamOfItsOwn()
{
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 3);
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    m_bench->advance(kLinked);
    const auto other = m_bench->request("STREAM.UPDATE.M", R"({"name":"M","mirror":{"name":"P"}})");
    CHECK_JSON(other["error"]["err_code"], 10055);
    const auto overlap = m_bench->request("STREAM.UPDATE.M", R"({"name":"M","subjects":["o"]})");
    CHECK_JSON(overlap["error"]["err_code"], 10065);
    const auto promoted = m_bench->request("STREAM.UPDATE.M", R"({"name":"M","subjects":["m"]})");
    QVERIFY(!promoted.contains("mirror"));
    QCOMPARE(m_bench->publish("m"), std::string(R"({"stream":"M","seq":4})"));
    publish("o", 1);
    CHECK_JSON(m_bench->state("M")["last_seq"], 4);
}

void TestMirrors::noticesThatTheOriginHasGone()
{
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 1);
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    m_bench->advance(kLinked);
    m_bench->request("STREAM.DELETE.O");
    m_bench->advance(1000);
    QVERIFY(!info("M")["mirror"].contains("error"));
    m_bench->advance(10'000);
    CHECK_JSON(info("M")["mirror"]["error"]["err_code"], 10059);
    QVERIFY(info("M")["mirror"]["active"].get<std::int64_t>() > 10'000'000'000);
}

void TestMirrors::announcesProgress()
{
    m_bench->create(R"("subjects":["o.*"])", "O");
    publish("o.a", 3);
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    Progresses progresses;
    m_bench->hub.add(progresses);
    m_bench->advance(kLinked);
    m_bench->hub.remove(progresses);
    QCOMPARE(progresses.events.size(), std::size_t{1});
    QCOMPARE(progresses.events[0].seq, StreamSeq(3));
    QCOMPARE(progresses.events[0].second, 0ULL);
    QCOMPARE(progresses.events[0].stream, m_bench->stream("M").id());
}

void TestMirrors::endsItsConsumer_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("body");
    QTest::newRow("promoted") << "STREAM.UPDATE.M"
                              << R"({"name":"M"})";
    QTest::newRow("deleted") << "STREAM.DELETE.M"
                             << "";
}

void TestMirrors::endsItsConsumer()
{
    QFETCH(QString, call);
    QFETCH(QString, body);
    m_bench->create(R"("subjects":["o"],"retention":"interest")", "O");
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    m_bench->advance(kLinked);
    publish("o", 1);
    CHECK_JSON(m_bench->state("M")["messages"], 1);
    CHECK_JSON(m_bench->state("O")["messages"], 0);
    m_bench->request(call.toStdString(), body.toStdString());
    CHECK_JSON(m_bench->state("O")["consumer_count"], 0);
}

QTEST_GUILESS_MAIN(TestMirrors)
#include "tst_mirrors.moc"
