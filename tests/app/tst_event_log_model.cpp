// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_source.h"
#include "models/event_log_model.h"
#include "models/plain_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace jetglass;
using namespace jetglass::tests;
using models::EventLogModel;
using models::PlainTableModel;

namespace {
struct Fixture
{
    FakeSource source;
    models::LiveView live{source};
    models::ClientDirectory clients{source};
    EventLogModel model{live, clients};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
    Fixture() { source.show(oneStream(1, 0, 1)); }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return model.index(row, column).data().toString();
    }
};
} // namespace

class TestEventLogModel : public QObject
{
    Q_OBJECT
private slots:
    void newestComesFirst();
    void aFrameIsOneInsert();
    void isBounded();
    void busyFramesAreGathered();
    void groupsCanBeHidden();
    void scopeAndSequenceNarrowIt();
    void holdingStillKeepsWhatComes();
    void everyKindHasAName_data();
    void everyKindHasAName();
    void theEndOfANakDelayIsNoTimeout();
    void plainTableKeepsRowsByKey();
};

void TestEventLogModel::newestComesFirst()
{
    Fixture f;
    f.source.send({flow(1, FlowKind::Stored, 1, 184), flow(2, FlowKind::Delivered, 1, 1)});
    QCOMPARE(f.model.rowCount(), 2);
    QCOMPARE(f.cell(0, EventLogModel::EventColumn), QStringLiteral("delivered"));
    QCOMPARE(f.cell(0, EventLogModel::WhereColumn), QStringLiteral("C1"));
    QCOMPARE(f.cell(1, EventLogModel::EventColumn), QStringLiteral("stored"));
    QCOMPARE(f.cell(1, EventLogModel::WhereColumn), QStringLiteral("S"));
    QVERIFY(f.cell(1, EventLogModel::DetailColumn).startsWith(QStringLiteral("184")));
}

void TestEventLogModel::aFrameIsOneInsert()
{
    Fixture f;
    QSignalSpy inserts(&f.model, &QAbstractItemModel::rowsInserted);
    std::vector<FlowEvent> events;
    for (std::uint64_t i = 1; i <= 500; ++i)
        events.push_back(flow(i, FlowKind::Stored, i));
    f.source.send(events);
    QCOMPARE(inserts.count(), 1);
    QCOMPARE(f.model.rowCount(), 500);
}

void TestEventLogModel::isBounded()
{
    Fixture f;
    std::uint64_t number = 1;
    for (int frame = 0; frame < 4; ++frame) {
        std::vector<FlowEvent> events;
        for (int i = 0; i < 3000; ++i, ++number)
            events.push_back(flow(number, FlowKind::Stored, number));
        f.source.send(events);
    }
    // Busy frames in a row come as one block, a tenth of a second later.
    QTRY_COMPARE(f.model.rowCount(), EventLogModel::kMaxRows);
    QCOMPARE(f.model.index(0, 0).data(EventLogModel::SeqRole).toULongLong(), 12'000U);
}

/// The first busy frame is shown at once; what follows within a tenth of a second is one insert, in
/// order, quiet frames among it.
void TestEventLogModel::busyFramesAreGathered()
{
    Fixture f;
    QSignalSpy inserts(&f.model, &QAbstractItemModel::rowsInserted);
    std::uint64_t number = 1;
    for (const int size : {300, 300, 2, 300}) {
        std::vector<FlowEvent> events;
        for (int i = 0; i < size; ++i, ++number)
            events.push_back(flow(number, FlowKind::Stored, number));
        f.source.send(events);
    }
    QCOMPARE(inserts.count(), 1);
    QCOMPARE(f.model.rowCount(), 300);
    QTRY_COMPARE(f.model.rowCount(), 902);
    QCOMPARE(inserts.count(), 2);
    for (int row = 0; row < 902; ++row)
        QCOMPARE(f.model.index(row, 0).data(EventLogModel::SeqRole).toULongLong(),
            902U - static_cast<quint64>(row));
}

void TestEventLogModel::groupsCanBeHidden()
{
    Fixture f;
    f.source.send({flow(1, FlowKind::Stored, 1),
        flow(2, FlowKind::Delivered, 1),
        flow(3, FlowKind::FloorMoved, 1)});
    QCOMPARE(f.model.rowCount(), 2); // details are hidden at first
    f.model.setGroups(EventLogModel::Deliveries);
    QCOMPARE(f.model.rowCount(), 1);
    f.model.setGroups(EventLogModel::Groups(EventLogModel::Deliveries | EventLogModel::Details));
    QCOMPARE(f.model.rowCount(), 2);
}

void TestEventLogModel::scopeAndSequenceNarrowIt()
{
    Fixture f;
    FlowEvent other = flow(3, FlowKind::Stored, 9);
    other.stream = StreamId{2};
    f.source.send({flow(1, FlowKind::Stored, 1), flow(2, FlowKind::Stored, 2), other});
    f.model.setScope(StreamId{1});
    QCOMPARE(f.model.rowCount(), 2);
    f.model.setSequence(StreamSeq(2));
    QCOMPARE(f.model.rowCount(), 1);
    f.model.setSequence({});
    f.model.setScope({});
    QCOMPARE(f.model.rowCount(), 3);
}

void TestEventLogModel::holdingStillKeepsWhatComes()
{
    Fixture f;
    f.model.setPaused(true);
    f.source.send({flow(1, FlowKind::Stored, 1)});
    QCOMPARE(f.model.rowCount(), 0);
    f.model.setPaused(false);
    QCOMPARE(f.model.rowCount(), 1);
}

void TestEventLogModel::everyKindHasAName_data()
{
    QTest::addColumn<int>("kind");
    for (int i = 0; i <= static_cast<int>(kLastFlowKind); ++i)
        QTest::addRow("kind %d", i) << i;
}

void TestEventLogModel::everyKindHasAName()
{
    QFETCH(int, kind);
    Fixture f;
    f.model.setGroups(EventLogModel::Groups(31));
    f.source.send({flow(1, static_cast<FlowKind>(kind), 1, 1)});
    QCOMPARE(f.model.rowCount(), 1);
    QVERIFY(!f.cell(0, EventLogModel::EventColumn).isEmpty());
}

void TestEventLogModel::theEndOfANakDelayIsNoTimeout()
{
    Fixture f;
    FlowEvent nak = flow(2, FlowKind::Naked, 1);
    nak.deadline = nak.time + 5;
    f.source.send({flow(1, FlowKind::Delivered, 1, 1), nak});
    f.source.send({flow(3, FlowKind::TimedOut, 1)});
    QCOMPARE(f.cell(0, EventLogModel::EventColumn), QStringLiteral("redelivered after delay"));
    QVERIFY(!f.cell(0, EventLogModel::DetailColumn).contains(QStringLiteral("not acked")));
    f.source.send({flow(4, FlowKind::Delivered, 1, 2), flow(5, FlowKind::TimedOut, 1)});
    QCOMPARE(f.cell(0, EventLogModel::EventColumn), QStringLiteral("timed out"));
}

void TestEventLogModel::plainTableKeepsRowsByKey()
{
    PlainTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setHeaders({QStringLiteral("A")});
    const auto row = [](quint64 key) {
        return PlainTableModel::Row{key, {{QString::number(key), {}}}};
    };
    model.setRows({row(1), row(2), row(3)});
    const QPersistentModelIndex third = model.index(2, 0);
    model.setRows({row(5), row(2), row(4), row(3)});
    QCOMPARE(model.rowCount(), 4);
    QVERIFY(third.isValid());
    QCOMPARE(third.row(), 3);
    model.setRows({row(3), row(2)});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("3"));
    model.setRows({});
    QCOMPARE(model.rowCount(), 0);
}

QTEST_GUILESS_MAIN(TestEventLogModel)
#include "tst_event_log_model.moc"
