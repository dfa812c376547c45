// SPDX-License-Identifier: GPL-3.0-or-later
// A stream that gathers from others, in sequences of its own.
#include "upstream_fixture.h"

using namespace jetglass;
using jetglass::tests::kLinked;
using jetglass::tests::UpstreamFixture;

class TestSources final : public UpstreamFixture
{
    Q_OBJECT

private slots:
    void sourcesInNewSequences();
    void sourcesThroughTransforms();
    void rememberSourcesBeyondPurges();
    void rememberSourcesBeyondCrashes();
    void noticesANewOriginOfTheSameName();
    void retriesWhatDidNotFit();
    void skipsDuplicatesSilently();
    void changesSources();
    void sourcesItself();
    void findsItsOwnDomain();
    void emptiesAWorkQueue();
};

void TestSources::sourcesInNewSequences()
{
    m_bench->create(R"("subjects":["o.>"])", "O");
    publish("o.a", 2, "K: v\r\nNats-Expected-Stream: O");
    m_bench->create(R"("subjects":["s"],"sources":[{"name":"O"}])");
    m_bench->publish("s", "own");
    m_bench->advance(kLinked);
    QCOMPARE(message("S", 1), std::string("s own"));
    QCOMPARE(message("S", 2), std::string("o.a m1"));
    const QString headers = QString::fromStdString(message("S", 3, true));
    QVERIFY2(
        QRegularExpression(
            QStringLiteral(
                "^NATS/1.0\r\nK: v\r\nNats-Stream-Source: O 2 > > o.a [0-9A-Za-z]{8}\r\n\r\n$"))
            .match(headers)
            .hasMatch(),
        qPrintable(headers));
    CHECK_JSON(info("S")["sources"][0]["seq"], 2);
    CHECK_JSON(info("S")["sources"][0]["lag"], 0);
    QVERIFY(!info("S")["config"].contains("duplicate_window"));
}

void TestSources::sourcesThroughTransforms()
{
    m_bench->create(R"("subjects":["o.>"])", "O");
    publish("o.a.1", 1);
    publish("o.b.1", 1);
    publish("o.c.1", 1);
    m_bench->create(R"("sources":[{"name":"O","subject_transforms":[
        {"src":"o.a.*","dest":"x.$1"},{"src":"o.b.*","dest":""}]}],
        "subject_transform":{"src":"x.*","dest":"y.$1"})");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state()["messages"], 2);
    QCOMPARE(message("S", 1), std::string("y.1 m1"));
    QCOMPARE(message("S", 2), std::string("o.b.1 m1"));
}

void TestSources::rememberSourcesBeyondPurges()
{
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 2);
    m_bench->create(R"("sources":[{"name":"O"}])");
    m_bench->advance(kLinked);
    m_bench->request("STREAM.PURGE.S");
    m_bench->restart();
    publish("o", 1);
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state()["messages"], 1);
    CHECK_JSON(m_bench->state()["last_seq"], 3);
    CHECK_JSON(info("S")["sources"][0]["seq"], 3);
}

void TestSources::rememberSourcesBeyondCrashes()
{
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 2);
    m_bench->create(R"("sources":[{"name":"O"}])");
    m_bench->advance(kLinked);
    // The headers of what is stored say it all.
    m_bench->crash();
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state()["messages"], 2);
    // After a purge they do not; then it has been written down soon.
    m_bench->request("STREAM.PURGE.S");
    m_bench->advance(200);
    m_bench->crash();
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state()["messages"], 0);
    CHECK_JSON(info("S")["sources"][0]["seq"], 2);
}

void TestSources::noticesANewOriginOfTheSameName()
{
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 2);
    m_bench->create(R"("sources":[{"name":"O"}])");
    m_bench->advance(kLinked);
    m_bench->request("STREAM.DELETE.O");
    m_bench->advance(10);
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 1);
    m_bench->advance(11'000);
    CHECK_JSON(m_bench->state()["messages"], 3);
    CHECK_JSON(info("S")["sources"][0]["seq"], 1);
}

void TestSources::retriesWhatDidNotFit()
{
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 4);
    m_bench->create(R"("sources":[{"name":"O"}],"max_msgs":2,"discard":"new")");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state()["messages"], 2);
    CHECK_JSON(info("S")["sources"][0]["seq"], 2);
    m_bench->request("STREAM.PURGE.S");
    m_bench->advance(500);
    CHECK_JSON(m_bench->state()["messages"], 0);
    m_bench->advance(2'000);
    CHECK_JSON(m_bench->state()["messages"], 2);
    CHECK_JSON(m_bench->state()["last_seq"], 4);
}

void TestSources::skipsDuplicatesSilently()
{
    m_bench->create(R"("subjects":["o"],"duplicate_window":100000000)", "O");
    publish("o", 1, "Nats-Msg-Id: a");
    m_bench->advance(500);
    publish("o", 1, "Nats-Msg-Id: a");
    publish("o", 1, "Nats-Msg-Id: b");
    m_bench->create(R"("sources":[{"name":"O"}],"duplicate_window":60000000000)");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state()["messages"], 2);
    CHECK_JSON(info("S")["sources"][0]["seq"], 3);
}

void TestSources::changesSources()
{
    m_bench->create(R"("subjects":["a"])", "A");
    m_bench->create(R"("subjects":["b"])", "B");
    publish("a", 1);
    publish("b", 1);
    m_bench->create(R"("sources":[{"name":"A"}])");
    m_bench->advance(kLinked);
    m_bench->request("STREAM.UPDATE.S", R"({"name":"S","sources":[{"name":"A"},{"name":"B"}]})");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state()["messages"], 2);
    m_bench->request("STREAM.UPDATE.S", R"({"name":"S","sources":[{"name":"B"}]})");
    publish("a", 1);
    publish("b", 1);
    CHECK_JSON(m_bench->state()["messages"], 3);
    // A source that comes back goes on where it was.
    m_bench->request("STREAM.UPDATE.S", R"({"name":"S","sources":[{"name":"A"}]})");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state()["messages"], 4);
    const auto without = m_bench->request("STREAM.UPDATE.S", R"({"name":"S"})");
    QVERIFY(!without.contains("sources"));
    CHECK_JSON(without["config"]["subjects"], {"S"});
}

void TestSources::sourcesItself()
{
    const auto made = m_bench->create(R"("subjects":["s"],"sources":[
        {"name":"S","filter_subject":"other"}],"subject_transform":{"src":"s","dest":"other"})");
    QVERIFY(!made.contains("error"));
    m_bench->advance(kLinked);
    m_bench->settings.maxStore = 4096; // it copies its copies until there is no more room
    m_bench->publish("s", "round and round");
    m_bench->run();
    QVERIFY(m_bench->state()["messages"].get<int>() > 3);
    QCOMPARE(message("S", 3), std::string("other round and round"));
}

void TestSources::findsItsOwnDomain()
{
    m_bench->settings.domain = "hub";
    m_bench->create(R"("subjects":["o"])", "O");
    publish("o", 1);
    m_bench->create(R"("sources":[{"name":"O","external":{"api":"$JS.hub.API","deliver":"d"}}])");
    m_bench->create(R"("sources":[{"name":"O","external":{"api":"$JS.leaf.API"}}])", "T");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state("S")["messages"], 1);
    CHECK_JSON(info("S")["sources"][0]["external"], {{"api", "$JS.hub.API"}, {"deliver", "d"}});
    CHECK_JSON(m_bench->state("T")["messages"], 0);
    CHECK_JSON(info("T")["sources"][0]["active"], -1);
    QVERIFY(!info("T")["sources"][0].contains("error"));
}

void TestSources::emptiesAWorkQueue()
{
    m_bench->create(R"("subjects":["o.*"],"retention":"workqueue")", "O");
    publish("o.a", 2);
    publish("o.b", 1);
    m_bench->create(R"("sources":[{"name":"O","filter_subject":"o.a"}])");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state("S")["messages"], 2);
    CHECK_JSON(m_bench->state("O")["messages"], 1);
    CHECK_JSON(m_bench->state("O")["consumer_count"], 1);
    CHECK_JSON(m_bench->request("INFO")["consumers"], 1);
    const auto names = m_bench->request("CONSUMER.NAMES.O")["consumers"];
    QCOMPARE(names.size(), std::size_t{1});
    const std::string name = names[0];
    QVERIFY(name.starts_with("JS_SRC_"));
    const auto consumer = m_bench->request("CONSUMER.INFO.O." + name);
    CHECK_JSON(consumer["config"]["ack_policy"], "flow_control");
    CHECK_JSON(consumer["delivered"]["consumer_seq"], 2);
    CHECK_JSON(consumer["ack_floor"]["stream_seq"], 2);
    // The same one serves after a restart, and one that somebody deletes is made again.
    m_bench->restart();
    m_bench->advance(kLinked);
    publish("o.a", 1);
    CHECK_JSON(m_bench->state("S")["messages"], 3);
    CHECK_JSON(m_bench->state("O")["messages"], 1);
    CHECK_JSON(m_bench->request("CONSUMER.NAMES.O")["consumers"], {name});
    m_bench->request("CONSUMER.DELETE.O." + name);
    publish("o.a", 1);
    m_bench->advance(3000);
    CHECK_JSON(m_bench->request("CONSUMER.NAMES.O")["consumers"], {name});
    CHECK_JSON(m_bench->state("S")["messages"], 4);
    CHECK_JSON(m_bench->state("O")["messages"], 1);
}

QTEST_GUILESS_MAIN(TestSources)
#include "tst_sources.moc"
