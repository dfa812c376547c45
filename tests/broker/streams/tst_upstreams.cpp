// SPDX-License-Identifier: GPL-3.0-or-later
// What mirrors and sources have in common: where they begin, what is refused, chains of copies.
#include "upstream_fixture.h"

using namespace jetglass;
using jetglass::tests::kLinked;
using jetglass::tests::UpstreamFixture;

class TestUpstreams final : public UpstreamFixture
{
    Q_OBJECT

private slots:
    void beginsWhereToldTo_data();
    void beginsWhereToldTo();
    void retriesAfterAFailedWrite();
    void copiesThroughAChain();
    void detectsCycles_data();
    void detectsCycles();
    void refusesOrigins_data();
    void refusesOrigins();
    void copiesManyInSlices();
};

void TestUpstreams::beginsWhereToldTo_data()
{
    QTest::addColumn<QString>("start");
    QTest::addColumn<bool>("mirror");
    QTest::addColumn<int>("messages");
    QTest::addColumn<int>("firstSeq");
    QTest::newRow("mirror by sequence") << R"("opt_start_seq":3)" << true << 3 << 3;
    QTest::newRow("mirror by time") << R"("opt_start_time":"%1")" << true << 2 << 4;
    QTest::newRow("mirror, sequence wins")
        << R"("opt_start_seq":5,"opt_start_time":"%1")" << true << 1 << 5;
    QTest::newRow("mirror, sequence to come") << R"("opt_start_seq":9)" << true << 0 << 9;
    QTest::newRow("source by sequence") << R"("opt_start_seq":3)" << false << 3 << 1;
    QTest::newRow("source by time") << R"("opt_start_time":"%1")" << false << 2 << 1;
    QTest::newRow("source from the beginning") << R"("filter_subject":"o")" << false << 5 << 1;
}

void TestUpstreams::beginsWhereToldTo()
{
    QFETCH(QString, start);
    QFETCH(bool, mirror);
    QFETCH(int, messages);
    QFETCH(int, firstSeq);
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 3);
    m_bench->clock.advance(2'000'000'000);
    const std::string middle = m_bench->request("STREAM.LIST")["streams"][0]["ts"];
    m_bench->clock.advance(2'000'000'000);
    publish("o", 2);
    const std::string origin = R"({"name":"O",)"
        + (start.contains(QLatin1String("%1")) ? start.arg(QString::fromStdString(middle)) : start)
              .toStdString()
        + "}";
    m_bench->create(mirror ? R"("mirror":)" + origin : R"("sources":[)" + origin + "]", "M");
    m_bench->advance(kLinked);
    const auto state = m_bench->state("M");
    CHECK_JSON(state["messages"], messages);
    CHECK_JSON(state["first_seq"], firstSeq);
}

void TestUpstreams::retriesAfterAFailedWrite()
{
    m_bench->create(R"("subjects":["o"],"storage":"memory")", "O");
    m_bench->create(R"("sources":[{"name":"O"}])");
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    m_bench->advance(kLinked);
    m_bench->files.failing = true;
    publish("o", 2);
    m_bench->files.failing = false;
    CHECK_JSON(m_bench->state("S")["messages"], 0);
    CHECK_JSON(m_bench->state("M")["messages"], 0);
    m_bench->advance(2'500);
    CHECK_JSON(m_bench->state("S")["messages"], 2);
    CHECK_JSON(m_bench->state("M")["messages"], 2);
    CHECK_JSON(m_bench->state("M")["last_seq"], 2);
}

void TestUpstreams::copiesThroughAChain()
{
    m_bench->create(R"("subjects":["a"])", "A");
    m_bench->create(R"("sources":[{"name":"A"}])", "B");
    m_bench->create(R"("mirror":{"name":"B"})", "C");
    m_bench->create(R"("sources":[{"name":"C"}])", "D");
    m_bench->advance(kLinked);
    publish("a", 1);
    QCOMPARE(message("D", 1), std::string("a m1"));
    const std::string headers = message("D", 1, true);
    QVERIFY(headers.find("Nats-Stream-Source: C 1 > > a ") != std::string::npos);
    QVERIFY(headers.find("Nats-Stream-Source: A ") == std::string::npos);
}

void TestUpstreams::detectsCycles_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("refused");
    QTest::newRow("mutual") << R"("sources":[{"name":"B"}])" << true;
    QTest::newRow("with transforms")
        << R"("sources":[{"name":"B","subject_transforms":[{"src":"b","dest":"z"}]}])" << true;
    QTest::newRow("through a mirror") << R"("sources":[{"name":"M"}])" << true;
    QTest::newRow("filter apart") << R"("sources":[{"name":"C","filter_subject":"zz"}])" << false;
    QTest::newRow("external") << R"("sources":[{"name":"B","external":{"api":"$JS.x.API"}}])"
                              << false;
}

void TestUpstreams::detectsCycles()
{
    QFETCH(QString, change);
    QFETCH(bool, refused);
    m_bench->create(R"("subjects":["a"])", "A");
    m_bench->create(R"("subjects":["b"],"sources":[{"name":"A"}])", "B");
    m_bench->create(R"("subjects":["c"],"sources":[{"name":"A","filter_subject":"yy"}])", "C");
    m_bench->create(R"("mirror":{"name":"A"})", "M");
    const auto answer = m_bench->request(
        "STREAM.UPDATE.A", R"({"name":"A","subjects":["a"],)" + change.toStdString() + "}");
    QCOMPARE(answer.contains("error"), refused);
    if (refused)
        CHECK_JSON(answer["error"]["description"], "detected cycle");
}

void TestUpstreams::refusesOrigins_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<int>("code");
    QTest::newRow("mirror takes less") << R"("max_msg_size":50,"mirror":{"name":"O"})" << 10030;
    QTest::newRow("source takes less") << R"("max_msg_size":50,"sources":[{"name":"O"}])" << 10046;
    QTest::newRow("enough") << R"("max_msg_size":100,"mirror":{"name":"O"})" << 0;
    QTest::newRow("size before prefix") << R"("max_msg_size":50,"sources":[{"name":"O"},
              {"name":"P","external":{"api":"$JS.API.x"}}])"
                                        << 10046;
    QTest::newRow("prefix") << R"("sources":[{"name":"P","external":{"api":"$JS.API"}}])" << 10021;
    QTest::newRow("deliver before api")
        << R"("sources":[{"name":"P","external":{"api":"$JS.API","deliver":"x.*"}}])" << 10024;
    QTest::newRow("deliver overlaps")
        << R"("sources":[{"name":"O"},{"name":"P","external":{"api":"x","deliver":"d"}}])" << 10022;
    QTest::newRow("same twice") << R"("sources":[{"name":"O"},{"name":"O","filter_subject":">"}])"
                                << 10140;
}

void TestUpstreams::refusesOrigins()
{
    QFETCH(QString, members);
    m_bench->create(R"("subjects":["*.>"],"max_msg_size":100,"no_ack":true)", "O");
    const auto answer = m_bench->create(members.toStdString(), "N");
    QTEST(answer.value("/error/err_code"_json_pointer, 0), "code");
}

void TestUpstreams::copiesManyInSlices()
{
    m_bench->create(R"("subjects":["o"],"storage":"memory")", "O");
    for (int n = 0; n < 5000; ++n)
        m_bench->stage("o");
    m_bench->run();
    m_bench->create(R"("mirror":{"name":"O"},"storage":"memory")", "M");
    m_bench->create(R"("sources":[{"name":"O"}],"max_msgs":100,"storage":"memory")");
    m_bench->advance(kLinked);
    while (m_bench->turn.pending())
        m_bench->run();
    CHECK_JSON(m_bench->state("M")["messages"], 5000);
    CHECK_JSON(m_bench->state("S")["last_seq"], 5000);
    CHECK_JSON(m_bench->state("S")["messages"], 100);
    CHECK_JSON(m_bench->request("INFO")["consumers"], 2);
    CHECK_JSON(m_bench->state("O")["consumer_count"], 0);
}

QTEST_GUILESS_MAIN(TestUpstreams)
#include "tst_upstreams.moc"
