// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream_bench.h"
#include "streams/source_name.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::tests::StreamBench;

namespace {

/// Longer than a new link waits.
constexpr std::int64_t kLinked = 200;

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

class tst_Upstreams : public QObject
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

    void namesSources_data();
    void namesSources();
    void readsSourceHeaders_data();
    void readsSourceHeaders();
    void mirrorsWithSequencesAndTimes();
    void mirrorsWhatAFilterSelects();
    void beginsWhereToldTo_data();
    void beginsWhereToldTo();
    void followsAnOriginThatStartsHigh();
    void waitsForItsOrigin();
    void goesOnAfterARestart();
    void mirrorsNothingTwice();
    void takesOverDirectReads();
    void standsInForItsOrigin();
    void becomesAStreamOfItsOwn();
    void noticesThatTheOriginHasGone();
    void sourcesInNewSequences();
    void sourcesThroughTransforms();
    void rememberSourcesBeyondPurges();
    void rememberSourcesBeyondCrashes();
    void noticesANewOriginOfTheSameName();
    void retriesWhatDidNotFit();
    void retriesAfterAFailedWrite();
    void skipsDuplicatesSilently();
    void changesSources();
    void sourcesItself();
    void copiesThroughAChain();
    void detectsCycles_data();
    void detectsCycles();
    void refusesOrigins_data();
    void refusesOrigins();
    void copiesManyInSlices();
    void announcesProgress();
    void findsItsOwnDomain();
    void emptiesAWorkQueue();
    void endsItsConsumer_data();
    void endsItsConsumer();

private:
    StreamBench::Json info(const std::string& name)
    {
        return m_bench->request("STREAM.INFO." + name);
    }
    void publish(const std::string& subject, int count, const std::string& headers = {})
    {
        for (int n = 1; n <= count; ++n)
            m_bench->publish(subject, "m" + std::to_string(n), headers);
    }
    std::string message(const std::string& stream, std::uint64_t seq, bool headers = false)
    {
        store::MessageView view;
        if (!m_bench->stream(stream).store().load(StreamSeq(seq), view))
            return {};
        return headers ? std::string(view.headers)
                       : std::string(view.subject) + " " + std::string(view.payload);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

void tst_Upstreams::namesSources_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<int>("transforms");
    QTest::addColumn<bool>("external");
    QTest::addColumn<QString>("index");
    QTest::newRow("plain") << "" << 0 << false << "O > >";
    QTest::newRow("filter") << "a.*" << 0 << false << "O a.* >";
    QTest::newRow("transforms") << "" << 2 << false << "O a.*\fb.> x.$1\f>";
    QTest::newRow("external") << "" << 0 << true << "O:YcsmEQpm > >";
}

void tst_Upstreams::namesSources()
{
    QFETCH(QString, filter);
    QFETCH(int, transforms);
    QFETCH(bool, external);
    StreamSource source;
    source.name = "O";
    source.filterSubject = filter.toStdString();
    if (transforms > 0)
        source.subjectTransforms = {{"a.*", "x.$1"}, {"b.>", ""}};
    if (external)
        source.external = StreamSource::External{"$JS.hub.API", ""};
    const QString index = QString::fromStdString(streams::sourceIndex(source));
    if (!external) {
        QTEST(index, "index");
        return;
    }
    // The hash stands between a colon and the filter.
    QVERIFY2(QRegularExpression(QStringLiteral("^O:[0-9A-Za-z]{8} > >$")).match(index).hasMatch(),
        qPrintable(index));
}

void tst_Upstreams::readsSourceHeaders_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("index");
    QTest::addColumn<qulonglong>("seq"); // 0 = not understood
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("identity");
    QTest::newRow("six words") << "O 7 a.* > a.b ABC"
                               << "O a.* >" << 7ULL << "a.b"
                               << "ABC";
    QTest::newRow("five words") << "O 7 > > a.b"
                                << "O > >" << 7ULL << "a.b"
                                << "";
    QTest::newRow("two words") << "O 7"
                               << "" << 7ULL << ""
                               << "";
    QTest::newRow("three words") << "O 7 x"
                                 << "" << 0ULL << ""
                                 << "";
    QTest::newRow("no number") << "O x > > a"
                               << "" << 0ULL << ""
                               << "";
    QTest::newRow("empty") << ""
                           << "" << 0ULL << ""
                           << "";
}

void tst_Upstreams::readsSourceHeaders()
{
    QFETCH(QString, value);
    QFETCH(qulonglong, seq);
    const auto mark = streams::parseSourceHeader(value.toStdString());
    QCOMPARE(mark.has_value(), seq > 0);
    if (!mark)
        return;
    QCOMPARE(mark->seq, seq);
    QTEST(QString::fromStdString(mark->index), "index");
    QTEST(QString::fromStdString(mark->subject), "subject");
    QTEST(QString::fromStdString(mark->identity), "identity");
}

void tst_Upstreams::mirrorsWithSequencesAndTimes()
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

void tst_Upstreams::mirrorsWhatAFilterSelects()
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

void tst_Upstreams::beginsWhereToldTo_data()
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

void tst_Upstreams::beginsWhereToldTo()
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

void tst_Upstreams::followsAnOriginThatStartsHigh()
{
    m_bench->create(R"("subjects":["o"],"first_seq":1000)", "O");
    m_bench->create(R"("mirror":{"name":"O"})", "M");
    m_bench->advance(kLinked);
    CHECK_JSON(m_bench->state("M")["first_seq"], 1000);
    CHECK_JSON(m_bench->state("M")["last_seq"], 999);
    publish("o", 1);
    QCOMPARE(message("M", 1000), std::string("o m1"));
}

void tst_Upstreams::waitsForItsOrigin()
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

void tst_Upstreams::goesOnAfterARestart()
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

void tst_Upstreams::mirrorsNothingTwice()
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

void tst_Upstreams::takesOverDirectReads()
{
    m_bench->create(R"("subjects":["o"],"allow_direct":true)", "O");
    const auto made = m_bench->create(R"("mirror":{"name":"O"})", "M");
    CHECK_JSON(made["config"]["mirror_direct"], true);
    const auto pedantic = m_bench->create(R"("pedantic":true,"mirror":{"name":"O"})", "N");
    CHECK_JSON(pedantic["error"]["err_code"], 10157);
    const auto none = m_bench->create(R"("mirror_direct":true,"mirror":{"name":"X"})", "P");
    CHECK_JSON(none["config"]["mirror_direct"], true);
}

void tst_Upstreams::standsInForItsOrigin()
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

void tst_Upstreams::becomesAStreamOfItsOwn()
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

void tst_Upstreams::noticesThatTheOriginHasGone()
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

void tst_Upstreams::sourcesInNewSequences()
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

void tst_Upstreams::sourcesThroughTransforms()
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

void tst_Upstreams::rememberSourcesBeyondPurges()
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

void tst_Upstreams::rememberSourcesBeyondCrashes()
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

void tst_Upstreams::noticesANewOriginOfTheSameName()
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

void tst_Upstreams::retriesWhatDidNotFit()
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

void tst_Upstreams::retriesAfterAFailedWrite()
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

void tst_Upstreams::skipsDuplicatesSilently()
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

void tst_Upstreams::changesSources()
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

void tst_Upstreams::sourcesItself()
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

void tst_Upstreams::copiesThroughAChain()
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

void tst_Upstreams::detectsCycles_data()
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

void tst_Upstreams::detectsCycles()
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

void tst_Upstreams::refusesOrigins_data()
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

void tst_Upstreams::refusesOrigins()
{
    QFETCH(QString, members);
    m_bench->create(R"("subjects":["*.>"],"max_msg_size":100,"no_ack":true)", "O");
    const auto answer = m_bench->create(members.toStdString(), "N");
    QTEST(answer.value("/error/err_code"_json_pointer, 0), "code");
}

void tst_Upstreams::copiesManyInSlices()
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

void tst_Upstreams::announcesProgress()
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

void tst_Upstreams::findsItsOwnDomain()
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

void tst_Upstreams::emptiesAWorkQueue()
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

void tst_Upstreams::endsItsConsumer_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("body");
    QTest::newRow("promoted") << "STREAM.UPDATE.M"
                              << R"({"name":"M"})";
    QTest::newRow("deleted") << "STREAM.DELETE.M"
                             << "";
}

void tst_Upstreams::endsItsConsumer()
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

QTEST_GUILESS_MAIN(tst_Upstreams)
#include "tst_upstreams.moc"
