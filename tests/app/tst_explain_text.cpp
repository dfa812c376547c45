// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/explain_text.h"

#include <QLocale>
#include <QTest>

using namespace jetglass;

namespace {

constexpr qint64 kNow = 1'764'448'402'000'000'000;

ConditionReport blocks(
    Condition condition, std::int64_t value = 0, std::int64_t limit = 0, const char* setting = "")
{
    ConditionReport report;
    report.condition = condition;
    report.verdict = Verdict::Blocks;
    report.value = value;
    report.limit = limit;
    report.setting = setting;
    return report;
}

text::Explanation explain(
    DeliveryState state, const std::vector<ConditionReport>& conditions, quint64 seq = 42)
{
    ExplainAnswer answer;
    answer.found = true;
    answer.state = state;
    answer.deliveries = 2;
    answer.conditions = conditions;
    text::ExplainContext context;
    context.consumer = QStringLiteral("payments");
    context.seq = seq;
    context.now = kNow;
    context.clientName = [](ClientId) { return QStringLiteral("worker-2"); };
    return text::explain(answer, context);
}

} // namespace

class TestExplainText : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void everyConditionHasASentence_data();
    void everyConditionHasASentence();
    void aDeliveryNamesClientDeadlineAndSetting();
    void theFirstBlockerDecidesTheTone();
    void theFloorIsExplained();
    void nothingBlocks();
    void goneIsSaid();
    void aLostMessageIsNotAMatterOfFilters();
    void aSkippedSequenceIsNotGone();
    void fullSlotsComeBeforeAMissingRequest();
};

void TestExplainText::everyConditionHasASentence_data()
{
    QTest::addColumn<int>("condition");
    for (int i = 0; i <= static_cast<int>(Condition::GateOpen); ++i)
        QTest::addRow("condition %d", i) << i;
}

void TestExplainText::everyConditionHasASentence()
{
    QFETCH(int, condition);
    ConditionReport report = blocks(static_cast<Condition>(condition), 3, 5);
    report.freesAt = kNow + 7'600'000'000;
    report.blocker = StreamSeq(7);
    const text::Explanation told = explain(DeliveryState::Waiting, {report});
    QVERIFY(!told.sentences.isEmpty());
    for (const QString& sentence : told.sentences) {
        QVERIFY2(sentence.endsWith(QLatin1Char('.')), qPrintable(sentence));
        QVERIFY2(!sentence.contains(QLatin1Char('%')), qPrintable(sentence));
    }
}

void TestExplainText::aDeliveryNamesClientDeadlineAndSetting()
{
    ConditionReport report = blocks(Condition::AckNotDue, 0, 0, "ack_wait");
    report.freesAt = kNow + 7'600'000'000;
    report.client = ClientId{5};
    ConditionReport slot;
    slot.condition = Condition::SlotFree;
    slot.verdict = Verdict::Passes;
    slot.value = 4;
    slot.limit = 5;
    const text::Explanation told = explain(DeliveryState::Delivered, {report, slot});
    QCOMPARE(told.title, QStringLiteral("Why is 42 not done for payments?"));
    const QString all = told.sentences.join(QLatin1Char(' '));
    QVERIFY(all.contains(QStringLiteral("worker-2")));
    QVERIFY(all.contains(QStringLiteral("Delivery 2")));
    QVERIFY(
        QString(all).replace(QChar(0xA0), QLatin1Char(' ')).contains(QStringLiteral("in 7.6 s")));
    QVERIFY(all.contains(QStringLiteral("one of the 5 slots (4 are held now)")));
    QCOMPARE(told.settings, QStringList{QStringLiteral("ack_wait")});
    QCOMPARE(told.tone, items::Tone::Waiting);
    QVERIFY(told.changesWithTime);
}

void TestExplainText::theFirstBlockerDecidesTheTone()
{
    QCOMPARE(explain(DeliveryState::Waiting, {blocks(Condition::HasRequest)}).tone,
        items::Tone::Blocked);
    QCOMPARE(explain(DeliveryState::NotMatched, {blocks(Condition::MatchesFilter)}).tone,
        items::Tone::Muted);
    QCOMPARE(
        explain(DeliveryState::Acked, {blocks(Condition::NotSettled)}).tone, items::Tone::Done);
    QCOMPARE(explain(DeliveryState::Exhausted, {blocks(Condition::NotSettled)}).tone,
        items::Tone::Blocked);
}

void TestExplainText::theFloorIsExplained()
{
    ExplainAnswer answer;
    answer.found = true;
    answer.state = DeliveryState::Delivered;
    answer.ackFloor = StreamSeq(41);
    answer.floorWaitsFor = StreamSeq(42);
    text::ExplainContext context;
    context.consumer = QStringLiteral("payments");
    context.seq = 42;
    QVERIFY(text::explain(answer, context).sentences.last().contains(QStringLiteral("41")));
}

void TestExplainText::nothingBlocks()
{
    const text::Explanation told = explain(DeliveryState::Waiting, {}, 0);
    QCOMPARE(told.title, QStringLiteral("Why does payments not move?"));
    QCOMPARE(told.sentences.size(), 1);
    QCOMPARE(told.tone, items::Tone::Done);
}

void TestExplainText::goneIsSaid()
{
    text::ExplainContext context;
    context.consumer = QStringLiteral("payments");
    QVERIFY(!text::explain(ExplainAnswer{}, context).sentences.isEmpty());
}

void TestExplainText::aSkippedSequenceIsNotGone()
{
    ExplainAnswer answer;
    answer.found = true;
    answer.state = DeliveryState::Settled;
    answer.removal = Removal::Skipped;
    answer.conditions = {blocks(Condition::Stored), blocks(Condition::NotSettled)};
    text::ExplainContext context;
    context.consumer = QStringLiteral("payments");
    context.seq = 42;
    const text::Explanation told = text::explain(answer, context);
    QCOMPARE(told.title, QStringLiteral("42 never existed"));
    QVERIFY(told.sentences.first().startsWith(QStringLiteral("No message ever had")));
    QCOMPARE(told.tone, items::Tone::Muted);
}

void TestExplainText::aLostMessageIsNotAMatterOfFilters()
{
    ExplainAnswer answer;
    answer.found = true;
    answer.state = DeliveryState::NotMatched;
    answer.removal = Removal::Lost;
    answer.conditions = {blocks(Condition::Stored), blocks(Condition::MatchesFilter)};
    text::ExplainContext context;
    context.consumer = QStringLiteral("payments");
    context.seq = 42;
    const text::Explanation told = text::explain(answer, context);
    QCOMPARE(told.title, QStringLiteral("42 was lost"));
    QCOMPARE(told.sentences.size(), 1);
    QVERIFY(told.sentences.first().contains(QStringLiteral("damage in the store")));
    QVERIFY(told.settings.isEmpty());
    QCOMPARE(told.tone, items::Tone::Blocked);
}

void TestExplainText::fullSlotsComeBeforeAMissingRequest()
{
    const text::Explanation told = explain(DeliveryState::Waiting,
        {blocks(Condition::HasRequest), blocks(Condition::SlotFree, 5, 5, "max_ack_pending")});
    QVERIFY2(told.sentences.first().contains(QStringLiteral("All 5 slots")),
        qPrintable(told.sentences.first()));
    const QString all = told.sentences.join(QLatin1Char(' '));
    QVERIFY2(!all.contains(QStringLiteral("as soon as a client fetches")), qPrintable(all));
    QVERIFY(all.contains(QStringLiteral("Nobody is asking")));
    QVERIFY(explain(DeliveryState::Waiting, {blocks(Condition::HasRequest)})
                .sentences.last()
                .contains(QStringLiteral("as soon as a client fetches")));
}

QTEST_GUILESS_MAIN(TestExplainText)
#include "tst_explain_text.moc"
