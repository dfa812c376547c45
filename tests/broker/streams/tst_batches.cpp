// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream_bench.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

using namespace jetglass;
using jetglass::tests::StreamBench;

namespace {

constexpr const char* kAdvisory = "$JS.EVENT.ADVISORY.STREAM.BATCH_ABANDONED.S";

class Events final : public FlowObserver
{
public:
    void onFlow(const FlowEvent& event, const FlowText&) noexcept override
    {
        events.push_back(event);
    }
    [[nodiscard]] QList<int> kinds() const
    {
        QList<int> out;
        for (const FlowEvent& event : events)
            out.push_back(static_cast<int>(event.kind));
        return out;
    }
    std::vector<FlowEvent> events;
};

QList<int> list(std::initializer_list<FlowKind> kinds)
{
    QList<int> out;
    for (const FlowKind kind : kinds)
        out.push_back(static_cast<int>(kind));
    return out;
}

} // namespace

class tst_Batches : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        open();
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void storesAllAtTheCommit();
    void answersInOneTurn();
    void dropsWhatIsIdle();
    void endsWithTheFeature();
    void countsOpenOnes();
    void storesNothingOfWhatIsRefused();
    void addsCountersUp();
    void rollsUpBehindItself();
    void skipsWithoutInterest();
    void failsAsOne();
    void tellsObservers();
    void isWholeAfterACrash_data();
    void isWholeAfterACrash();
    void fastStoresAtOnce();
    void fastEndsWhenAWriteFails();
    void fastSharesItsInterval();
    void fastForgetsTheIdle();
    void fastTellsObservers();

private:
    void open() { m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString()); }
    void forgetEnd() const;
    static std::string headers(const std::string& id,
        int seq,
        const std::string& commit = {},
        const std::string& more = {})
    {
        std::string out =
            "Nats-Batch-Id: " + id + "\r\nNats-Batch-Sequence: " + std::to_string(seq);
        if (!commit.empty())
            out += "\r\nNats-Batch-Commit: " + commit;
        return more.empty() ? out : out + "\r\n" + more;
    }
    std::string send(const std::string& id,
        int seq,
        const std::string& commit = {},
        const std::string& more = {},
        const std::string& subject = "s.1",
        const std::string& payload = "x")
    {
        return m_bench->publish(subject, payload, headers(id, seq, commit, more));
    }
    /// What came to the reply subject of a fast batch's message.
    QStringList fast(const std::string& step, const std::string& more = {})
    {
        const std::string reply = "in." + step + ".$FI";
        m_bench->bus->clear();
        m_bench->bus->inject(
            "s.1", "x", reply, more.empty() ? more : "NATS/1.0\r\n" + more + "\r\n\r\n");
        m_bench->run();
        QStringList out;
        for (const auto& sent : m_bench->bus->published())
            if (sent.subject == reply)
                out << QString::fromStdString(sent.payload);
        return out;
    }
    int messages() { return m_bench->state()["messages"].get<int>(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

void tst_Batches::storesAllAtTheCommit()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true)");
    const std::string reply = m_bench->stage("s.1", "1", headers("b", 1));
    m_bench->run();
    QCOMPARE(m_bench->bus->countPublished(reply), std::size_t{1});
    QVERIFY(m_bench->bus->lastPayload(reply).empty());
    m_bench->publish("s.9", "between");
    QVERIFY(send("b", 2).empty());
    QCOMPARE(messages(), 1);
    QCOMPARE(send("b", 3, "1"), std::string(R"({"stream":"S","seq":4,"batch":"b","count":3})"));
    QCOMPARE(messages(), 4);
    // The name is free again, and a commit without a message ends the one before it.
    send("b", 1, {}, {}, "s.2");
    QCOMPARE(send("b", 2, "eob"), std::string(R"({"stream":"S","seq":5,"batch":"b","count":1})"));
    store::MessageView message;
    QVERIFY(m_bench->stream().store().load(StreamSeq(5), message));
    QVERIFY(message.headers.ends_with("Nats-Batch-Commit: 1\r\n\r\n"));
}

void tst_Batches::answersInOneTurn()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true)");
    m_bench->stage("s.1", "1", headers("b", 1));
    m_bench->stage("s.2", "2", headers("b", 2));
    const std::string last = m_bench->stage("s.3", "3", headers("b", 3, "1"));
    const std::string after = m_bench->stage("s.4");
    m_bench->run();
    QCOMPARE(m_bench->bus->lastPayload(last),
        std::string(R"({"stream":"S","seq":3,"batch":"b","count":3})"));
    QCOMPARE(m_bench->bus->lastPayload(after), std::string(R"({"stream":"S","seq":4})"));
}

void tst_Batches::dropsWhatIsIdle()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true)");
    m_bench->bus->addClient(kAdvisory);
    send("b", 1);
    m_bench->advance(9'000);
    send("b", 2);
    m_bench->advance(9'000);
    QCOMPARE(m_bench->bus->countPublished(kAdvisory), std::size_t{0});
    m_bench->advance(1'000);
    QCOMPARE(m_bench->bus->countPublished(kAdvisory), std::size_t{1});
    const auto advisory = StreamBench::Json::parse(m_bench->bus->lastPayload(kAdvisory));
    QCOMPARE(advisory["reason"].get<std::string>(), std::string("timeout"));
    QCOMPARE(m_bench->errorOf(send("b", 3, "1")), 10176);
}

void tst_Batches::endsWithTheFeature()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true)");
    send("b", 1);
    m_bench->request("STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"]})");
    QCOMPARE(m_bench->errorOf(send("b", 2, "1")), 10174);
    m_bench->request("STREAM.UPDATE.S", R"({"name":"S","subjects":["s.>"],"allow_atomic":true})");
    QCOMPARE(m_bench->errorOf(send("b", 2, "1")), 10176);
}

void tst_Batches::countsOpenOnes()
{
    m_bench->settings.maxBatchInflightPerStream = 2;
    m_bench->settings.maxBatchSize = 2;
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true)");
    send("a", 1);
    send("b", 1);
    QCOMPARE(m_bench->errorOf(send("c", 1)), 10210);
    send("a", 2);
    QCOMPARE(m_bench->errorOf(send("a", 3)), 10199);
    QVERIFY(send("c", 1).empty());
}

void tst_Batches::storesNothingOfWhatIsRefused()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true,"max_msgs":2,"discard":"new")");
    send("b", 1);
    send("b", 2);
    QCOMPARE(m_bench->errorOf(send("b", 3, "1")), 10077);
    QCOMPARE(messages(), 0);
    send("c", 1, {}, "Nats-Msg-Id: i");
    QCOMPARE(m_bench->errorOf(send("c", 2, "1", "Nats-Msg-Id: i")), 10201);
    QCOMPARE(messages(), 0);
    // Ids of a refused batch are not known.
    QCOMPARE(
        m_bench->publish("s.1", "x", "Nats-Msg-Id: i"), std::string(R"({"stream":"S","seq":1})"));
}

void tst_Batches::addsCountersUp()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true,"allow_msg_counter":true)");
    m_bench->publish("s.1", {}, "Nats-Incr: 5");
    send("b", 1, {}, "Nats-Incr: 2", "s.1", {});
    QCOMPARE(send("b", 2, "1", "Nats-Incr: -1", "s.1", {}),
        std::string(R"({"stream":"S","seq":3,"batch":"b","count":2})"));
    store::MessageView message;
    QVERIFY(m_bench->stream().store().load(StreamSeq(3), message));
    QCOMPARE(std::string(message.payload), std::string(R"({"val":"6"})"));
}

void tst_Batches::rollsUpBehindItself()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true,"allow_rollup_hdrs":true)");
    m_bench->publish("s.1");
    m_bench->publish("s.2");
    send("b", 1, {}, "Nats-Rollup: all", "s.3");
    send("b", 2, {}, {}, "s.1");
    send("b", 3, "1", {}, "s.3");
    CHECK_JSON(m_bench->state()["messages"], 3);
    CHECK_JSON(m_bench->state()["first_seq"], 3);
}

void tst_Batches::skipsWithoutInterest()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true,"retention":"interest")");
    send("b", 1);
    QCOMPARE(send("b", 2, "1"), std::string(R"({"stream":"S","seq":2,"batch":"b","count":2})"));
    m_bench->crash();
    CHECK_JSON(m_bench->state()["last_seq"], 2);
    CHECK_JSON(m_bench->state()["messages"], 0);
}

void tst_Batches::failsAsOne()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true)");
    send("b", 1, {}, "Nats-Msg-Id: i");
    m_bench->files.failing = true;
    QCOMPARE(m_bench->errorOf(send("b", 2, "1")), 10077);
    m_bench->files.failing = false;
    QCOMPARE(messages(), 0);
    QCOMPARE(
        m_bench->publish("s.1", "x", "Nats-Msg-Id: i"), std::string(R"({"stream":"S","seq":1})"));
    m_bench->crash();
    QCOMPARE(messages(), 1);
}

void tst_Batches::tellsObservers()
{
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true)");
    Events events;
    m_bench->hub.add(events);
    send("b", 1);
    send("b", 2, "1");
    send("c", 1);
    send("c", 3);
    m_bench->hub.remove(events);
    QCOMPARE(events.kinds(),
        list({FlowKind::BatchOpened,
            FlowKind::Published,
            FlowKind::BatchHeld,
            FlowKind::PubAckSent,
            FlowKind::Stored,
            FlowKind::Published,
            FlowKind::Stored,
            FlowKind::BatchCommitted,
            FlowKind::PubAckSent,
            FlowKind::BatchOpened,
            FlowKind::Published,
            FlowKind::BatchHeld,
            FlowKind::PubAckSent,
            FlowKind::BatchAbandoned,
            FlowKind::Published,
            FlowKind::Refused,
            FlowKind::PubAckSent}));
    QCOMPARE(events.events[7].second, std::uint64_t{2});
    QCOMPARE(events.events[7].seq.value(), std::uint64_t{2});
    QCOMPARE(events.events[13].second, std::uint64_t{1});
}

void tst_Batches::isWholeAfterACrash_data()
{
    QTest::addColumn<int>("payload");
    QTest::addColumn<int>("step");
    QTest::newRow("in one block") << 20 << 4;
    QTest::newRow("over several blocks") << 3'000'000 << 1'499'996;
}

/// A process that is killed while it commits has not yet written down how far that goes.
void tst_Batches::forgetEnd() const
{
    const QByteArray path = (m_folder->path() + QStringLiteral("/$G/catalog.sqlite")).toUtf8();
    sqlite3* catalog = nullptr;
    QCOMPARE(sqlite3_open(path.constData(), &catalog), SQLITE_OK);
    QCOMPARE(sqlite3_exec(catalog, "DELETE FROM ends", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(catalog);
}

/// The files are cut at many places of what the commit has written, as a killed process leaves
/// them.
void tst_Batches::isWholeAfterACrash()
{
    QFETCH(int, payload);
    QFETCH(int, step);
    const QString folder = m_folder->path() + QStringLiteral("/$G/streams/S/msgs/");
    const auto blocks = [&folder] {
        QList<QPair<QString, qint64>> out;
        for (int n = 1; QFile::exists(folder + QString::number(n) + QStringLiteral(".blk")); ++n) {
            const QString name = folder + QString::number(n) + QStringLiteral(".blk");
            out.append({name, QFileInfo(name).size()});
        }
        return out;
    };
    const std::string body(static_cast<std::size_t>(payload), 'p');
    m_bench->create(R"("subjects":["s.>"],"allow_atomic":true)");
    m_bench->publish("s.0");
    m_bench->publish("s.0");
    const auto before = blocks();
    QCOMPARE(before.size(), qsizetype{1});
    for (int i = 1; i < 7; ++i)
        send("b", i, {}, {}, "s.1", body);
    send("b", 7, "1", {}, "s.1", body);
    QCOMPARE(messages(), 9);
    m_bench.reset();
    const auto after = blocks();
    QCOMPARE(after.size() > 1, payload > 1'000'000);
    QList<QByteArray> kept;
    for (const auto& [name, size] : after) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        kept << file.readAll();
    }
    for (int n = 0; n < after.size(); ++n) {
        for (qint64 cut = n == 0 ? before[0].second : 0; cut < after[n].second; cut += step) {
            for (int i = 0; i < after.size(); ++i) {
                QFile::remove(after[i].first);
                QFile::remove(QString(after[i].first)
                                  .replace(QStringLiteral(".blk"), QStringLiteral(".idx")));
                if (i > n || (i == n && cut == 0 && n > 0))
                    continue;
                QFile file(after[i].first);
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(i == n ? kept[i].left(cut) : kept[i]);
            }
            forgetEnd();
            open();
            CHECK_JSON(m_bench->state()["messages"], 2);
            CHECK_JSON(m_bench->state()["last_seq"], 2);
            QCOMPARE(m_bench->publish("s.2"), std::string(R"({"stream":"S","seq":3})"));
            m_bench->crash();
            CHECK_JSON(m_bench->state()["messages"], 3);
            m_bench.reset();
        }
    }
}

void tst_Batches::fastStoresAtOnce()
{
    m_bench->create(R"("subjects":["s.>"],"allow_batched":true)");
    QCOMPARE(fast("b.2.ok.1.0"), QStringList{QStringLiteral(R"({"type":"ack","seq":0,"msgs":2})")});
    QCOMPARE(messages(), 1);
    QCOMPARE(fast("b.2.ok.2.1"), QStringList{QStringLiteral(R"({"type":"ack","seq":2,"msgs":2})")});
    QCOMPARE(fast("b.2.ok.5.1"),
        (QStringList{QStringLiteral(R"({"type":"gap","last_seq":3,"seq":5})"),
            QStringLiteral(R"({"type":"ack","seq":4,"msgs":2})")}));
    QCOMPARE(fast("b.2.ok.5.4"), QStringList{QStringLiteral(R"({"type":"ack","seq":4,"msgs":2})")});
    QCOMPARE(fast("b.2.ok.6.3"),
        QStringList{QStringLiteral(R"({"stream":"S","seq":3,"batch":"b","count":5})")});
    QCOMPARE(messages(), 3);
    // A place that came before ends the batch in this mode too.
    fast("c.10.ok.1.0");
    QCOMPARE(
        fast("c.10.ok.1.4"), QStringList{QStringLiteral(R"({"type":"ack","seq":0,"msgs":10})")});
    fast("c.10.ok.2.1");
    QCOMPARE(fast("c.10.ok.2.1"),
        (QStringList{QStringLiteral(R"({"type":"gap","last_seq":3,"seq":2})"),
            QStringLiteral(R"({"stream":"S","seq":5,"batch":"c","count":2})")}));
}

void tst_Batches::fastEndsWhenAWriteFails()
{
    m_bench->create(R"("subjects":["s.>"],"allow_batched":true)");
    fast("b.10.fail.1.0");
    m_bench->files.failing = true;
    fast("b.10.fail.2.1");
    m_bench->files.failing = false;
    const QStringList answer = fast("b.10.fail.3.1");
    QCOMPARE(answer.size(), qsizetype{1});
    QCOMPARE(m_bench->errorOf(answer[0].toStdString()), 10208);
    QCOMPARE(messages(), 1);
}

void tst_Batches::fastSharesItsInterval()
{
    m_bench->create(R"("subjects":["s.>"],"allow_batched":true)");
    fast("a.100.ok.1.0");
    QCOMPARE(fast("b.8.ok.1.0"),
        (QStringList{QStringLiteral(R"({"type":"ack","seq":0,"msgs":1})"),
            QStringLiteral(R"({"type":"ack","seq":1,"msgs":2})")}));
    fast("b.8.ok.2.1");
    QCOMPARE(fast("b.8.ok.3.1"), QStringList{QStringLiteral(R"({"type":"ack","seq":3,"msgs":4})")});
}

void tst_Batches::fastForgetsTheIdle()
{
    m_bench->create(R"("subjects":["s.>"],"allow_batched":true)");
    fast("b.10.fail.1.0");
    m_bench->advance(10'000);
    QCOMPARE(m_bench->errorOf(fast("b.10.fail.2.1").value(0).toStdString()), 10208);
}

void tst_Batches::fastTellsObservers()
{
    m_bench->create(R"("subjects":["s.>"],"allow_batched":true)");
    Events events;
    m_bench->hub.add(events);
    fast("b.10.ok.1.0");
    fast("b.10.ok.4.2");
    m_bench->hub.remove(events);
    QCOMPARE(events.kinds(),
        list({FlowKind::BatchOpened,
            FlowKind::Published,
            FlowKind::Stored,
            FlowKind::BatchFlowSent,
            FlowKind::BatchGap,
            FlowKind::Published,
            FlowKind::Stored,
            FlowKind::BatchCommitted,
            FlowKind::PubAckSent,
            FlowKind::PubAckSent}));
    QCOMPARE(events.events[4].deliveries, std::uint32_t{2});
}

QTEST_GUILESS_MAIN(tst_Batches)
#include "tst_batches.moc"
