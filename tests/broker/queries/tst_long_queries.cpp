// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about so much that they are answered in parts: the parts together say what one would
// have.
#include "consumer_bench.h"
#include "queries/answers.h"
#include "queries/inquiry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <random>

using namespace jetglass;
using jetglass::tests::ConsumerBench;

class TestLongQueries : public QObject
{
    Q_OBJECT

private slots:
    void longRangesAreExactInParts_data();
    void longRangesAreExactInParts();
    void largeAnswersComeInParts();
    void previewsAreExactInParts_data();
    void previewsAreExactInParts();

private:
    static void fillLong(ConsumerBench& bench, bool memory);
    static void isExact(ConsumerBench& b, const DensityQuestion& question);
};

/// 30,000 messages in several blocks, a filter that selects unevenly, holes, a consumer in the
/// middle.
void TestLongQueries::fillLong(ConsumerBench& b, bool memory)
{
    b.request("STREAM.CREATE.S",
        std::string(R"({"name":"S","subjects":["s.*"],"storage":")") + (memory ? "memory" : "file")
            + R"("})");
    store::MessageStore& store = b.stream().store();
    std::mt19937 random(7);
    for (int i = 0; i < 30'000; ++i) {
        const bool rare = random() % (i < 15'000 ? 100U : 3U) == 0;
        store.append({rare ? "s.rare" : "s." + std::to_string(random() % 20U),
            {},
            std::string(random() % 50U, 'p'),
            b.clock.wallTime()});
    }
    for (int i = 0; i < 3000; ++i)
        store.remove(StreamSeq(1 + random() % 30'000U), Removal::Delete);
    QVERIFY(store.commit().ok());
    b.addConsumer(R"("ack_policy":"explicit","filter_subject":"s.rare")", "RARE");
    b.pull("100", "rare", "RARE");
}

void TestLongQueries::longRangesAreExactInParts_data()
{
    QTest::addColumn<bool>("memory");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    QTest::addColumn<int>("columns");
    for (const bool memory : {true, false}) {
        const char* kind = memory ? "memory" : "file";
        QTest::addRow("%s: all", kind) << memory << 1 << 30'000 << 10;
        QTest::addRow("%s: many columns", kind) << memory << 1 << 30'000 << 4000;
        QTest::addRow("%s: a part", kind) << memory << 9'000 << 21'001 << 7;
    }
}

void TestLongQueries::longRangesAreExactInParts()
{
    QFETCH(bool, memory);
    QFETCH(int, first);
    QFETCH(int, last);
    QFETCH(int, columns);
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fillLong(b, memory);
    const DensityQuestion question{b.stream().id(),
        StreamSeq(static_cast<std::uint64_t>(first)),
        StreamSeq(static_cast<std::uint64_t>(last)),
        static_cast<std::uint32_t>(columns),
        {}};
    isExact(b, question);
    // What is remembered of the blocks must not outlive their messages.
    store::MessageStore& store = b.stream().store();
    for (std::uint64_t seq = 15'001; seq <= 30'000; seq += 7)
        store.remove(StreamSeq(seq), Removal::Delete);
    QVERIFY(store.commit().ok());
    isExact(b, question);
}

/// Compares each column with what the messages say one by one.
void TestLongQueries::isExact(ConsumerBench& b, const DensityQuestion& question)
{
    queries::DensityInquiry inquiry(question, b.jetstream->registry(), b.hub);
    base::SteppedTime time(1000);
    int parts = 1;
    while (!inquiry.advance({time, time.nanoseconds() + 1500}))
        ++parts;
    QVERIFY(parts <= queries::DensityInquiry::kMostParts + 1);
    const DensityAnswer density = inquiry.take();
    const auto& consumer = static_cast<consumers::Consumer&>(*b.stream().consumers().front());
    for (std::size_t i = 0; i < density.columns.size(); ++i) {
        const DensityColumn& column = density.columns[i];
        std::uint64_t stored = 0;
        std::array<std::uint64_t, kDeliveryStateCount> states{};
        b.stream().store().visit({}, column.first, [&](const store::IndexedMessage& message) {
            if (message.seq > column.last)
                return false;
            ++stored;
            ++states[static_cast<std::size_t>(consumer.cell(message.seq, message.subject).state)];
            return true;
        });
        QCOMPARE(column.stored, stored);
        QVERIFY(!column.estimated);
        for (const DeliveryState state :
            {DeliveryState::NotMatched, DeliveryState::Waiting, DeliveryState::Delivered})
            QCOMPARE(density.count(i, 0, state), states[static_cast<std::size_t>(state)]);
    }
}

/// The parts of a density have the columns that one answer would have had, and no answer is larger
/// than 256 KiB.
void TestLongQueries::largeAnswersComeInParts()
{
    constexpr std::size_t kMost = 256 * 1024;
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fillLong(b, true);
    DensityQuestion question{b.stream().id(), StreamSeq(1), StreamSeq(30'000), 4000, {}};
    std::vector<DensityColumn> columns;
    int parts = 0;
    for (;;) {
        const DensityAnswer part = queries::answer(question, b.jetstream->registry(), b.hub);
        ++parts;
        QVERIFY(part.found && !part.columns.empty());
        QVERIFY(
            part.columns.size() * sizeof(DensityColumn) + part.counts.size() * sizeof(std::uint64_t)
            <= kMost);
        columns.insert(columns.end(), part.columns.begin(), part.columns.end());
        if (part.next.isZero())
            break;
        question.first = part.next;
        question.columns -= static_cast<std::uint32_t>(part.columns.size());
    }
    QVERIFY(parts > 1);
    QCOMPARE(columns.size(), std::size_t{4000});
    StreamSeq at(1);
    std::uint64_t stored = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        QCOMPARE(columns[i].first, at);
        // 30,000 in 4,000 columns: the first 2,000 are one wider.
        QCOMPARE(columns[i].last - columns[i].first + 1, std::uint64_t{i < 2000 ? 8U : 7U});
        at = columns[i].last + 1;
        stored += columns[i].stored;
    }
    QCOMPARE(at, StreamSeq(30'001));
    QCOMPARE(stored, b.stream().store().state().messages);

    const RangeAnswer range =
        queries::answer(RangeQuestion{b.stream().id(), StreamSeq(1), StreamSeq(30'000), {}},
            b.jetstream->registry(),
            b.hub);
    std::size_t bytes = 0;
    for (const RangeRow& row : range.rows)
        bytes += sizeof row + row.subject.size() + row.cells.size() * sizeof(DeliveryCell);
    QVERIFY(bytes <= kMost);
    QVERIFY(range.last < StreamSeq(30'000));
    QCOMPARE(range.rows.back().seq, range.last);
}

void TestLongQueries::previewsAreExactInParts_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<int>("seq");
    QTest::addColumn<int>("keep");
    QTest::addColumn<QString>("config");
    QTest::newRow("all") << QString() << 0 << 0 << QString();
    QTest::newRow("below") << QString() << 20'000 << 0 << QString();
    QTest::newRow("but the newest") << QString() << 0 << 77 << QString();
    QTest::newRow("a subject") << QStringLiteral("s.rare") << 0 << 0 << QString();
    QTest::newRow("a subject below") << QStringLiteral("s.rare") << 17'000 << 0 << QString();
    QTest::newRow("a pattern but the newest") << QStringLiteral("s.*") << 0 << 5000 << QString();
    QTest::newRow("fewer messages") << QString() << 0 << 0 << QStringLiteral(R"("max_msgs":12345)");
    QTest::newRow("fewer bytes") << QString() << 0 << 0 << QStringLiteral(R"("max_bytes":99999)");
    QTest::newRow("fewer of a subject")
        << QString() << 0 << 0 << QStringLiteral(R"("max_msgs_per_subject":100)");
    QTest::newRow("fewer of a subject and fewer messages")
        << QString() << 0 << 0
        << QStringLiteral(R"("max_msgs_per_subject":100,"max_msgs":1000,"max_bytes":60000)");
}

void TestLongQueries::previewsAreExactInParts()
{
    QFETCH(QString, filter);
    QFETCH(int, seq);
    QFETCH(int, keep);
    QFETCH(QString, config);
    QTemporaryDir dir;
    ConsumerBench b(dir.path().toStdString());
    fillLong(b, false);
    PreviewQuestion question;
    question.stream = b.stream().id();
    if (config.isEmpty()) {
        question.purge = PreviewQuestion::Purge{static_cast<std::uint64_t>(seq),
            static_cast<std::uint64_t>(keep),
            filter.toStdString()};
    } else {
        StreamConfig changed = b.stream().config();
        const auto json = nlohmann::json::parse("{" + config.toStdString() + "}");
        changed.maxMsgs = json.value("max_msgs", changed.maxMsgs);
        changed.maxBytes = json.value("max_bytes", changed.maxBytes);
        changed.maxMsgsPerSubject = json.value("max_msgs_per_subject", changed.maxMsgsPerSubject);
        question.config = changed;
    }
    queries::PreviewInquiry inquiry(question, b.jetstream->registry());
    base::SteppedTime time(1000);
    while (!inquiry.advance({time, time.nanoseconds() + 5000})) { }
    const PreviewAnswer preview = inquiry.take();
    QVERIFY2(preview.error.empty(), preview.error.c_str());
    const store::StoreState before = b.stream().store().state();
    const auto asked = b.stream().consumers().front()->id();
    QCOMPARE(preview.consumers.front().consumer, asked);
    const auto& consumer = static_cast<consumers::Consumer&>(*b.stream().consumers().front());
    const auto pending = b.request("CONSUMER.INFO.S.RARE")["num_pending"].get<std::uint64_t>();
    const auto ackPending = static_cast<std::uint64_t>(consumer.tracker().size());
    if (question.purge)
        b.stream().purge(
            question.purge->seq, question.purge->keep, question.purge->filter, {}, [](auto) {});
    else
        b.stream().applyConfig(*question.config);
    b.run();
    const store::StoreState after = b.stream().store().state();
    QCOMPARE(preview.count, before.messages - after.messages);
    QCOMPARE(preview.bytes, before.bytes - after.bytes);
    QCOMPARE(preview.stays, after.messages);
    QCOMPARE(preview.consumers.front().losesPending,
        pending - b.request("CONSUMER.INFO.S.RARE")["num_pending"].get<std::uint64_t>());
    QCOMPARE(preview.consumers.front().losesAckPending, ackPending - consumer.tracker().size());
    for (const PreviewRange& range : preview.ranges)
        for (StreamSeq at = range.first; at <= range.last; ++at)
            QVERIFY(!b.stream().store().contains(at));
}

QTEST_GUILESS_MAIN(TestLongQueries)
#include "tst_long_queries.moc"
