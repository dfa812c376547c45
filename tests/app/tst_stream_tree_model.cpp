// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_source.h"
#include "models/stream_tree_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace jetglass;
using namespace jetglass::tests;
using models::StreamTreeModel;

namespace {

/// The model as lines: "Streams", " A 3", "  c1 pull".
QStringList lines(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex at = model.index(row, 0, parent);
        QString line = QString(depth, QLatin1Char(' ')) + at.data().toString();
        const QString fact = at.data(StreamTreeModel::FactRole).toString();
        if (!fact.isEmpty())
            line += QLatin1Char(' ') + fact;
        all << line << lines(model, at, depth + 1);
    }
    return all;
}

BrokerOverview named(const QStringList& names)
{
    BrokerOverview overview;
    for (const QString& name : names) {
        StreamOverview stream = oneStream(1, 3, 1).streams[0];
        stream.id = StreamId{static_cast<std::uint32_t>(qHash(name) | 1U)};
        stream.name = name.toStdString();
        stream.consumers[0].id = ConsumerId{static_cast<std::uint32_t>(qHash(name) | 1U)};
        overview.streams.push_back(stream);
    }
    return overview;
}

} // namespace

class TestStreamTreeModel : public QObject
{
    Q_OBJECT
private slots:
    void groupsBucketsAndStores();
    void followsWhatComesAndGoes();
    void numbersFollowEvents();
    void showsClients();
    void findsItsRows();
};

void TestStreamTreeModel::groupsBucketsAndStores()
{
    FakeSource source;
    models::LiveView live(source);
    StreamTreeModel model(live);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    source.show(
        named({QStringLiteral("KV_cfg"), QStringLiteral("OBJ_files"), QStringLiteral("ORDERS")}));
    QCOMPARE(lines(model),
        (QStringList{QStringLiteral("Streams"),
            QStringLiteral(" ORDERS 3"),
            QStringLiteral("  C1 3"),
            QStringLiteral("Key-value buckets"),
            QStringLiteral(" cfg 3"),
            QStringLiteral("  C1 3"),
            QStringLiteral("Object stores"),
            QStringLiteral(" files 3"),
            QStringLiteral("  C1 3"),
            QStringLiteral("Clients")}));
}

void TestStreamTreeModel::followsWhatComesAndGoes()
{
    FakeSource source;
    models::LiveView live(source);
    StreamTreeModel model(live);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QModelIndex streams = model.index(0, 0);
    const QList<QStringList> steps{{QStringLiteral("B"), QStringLiteral("D")},
        {QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C"), QStringLiteral("D")},
        {QStringLiteral("C")},
        {},
        {QStringLiteral("D"), QStringLiteral("C"), QStringLiteral("A")},
        {QStringLiteral("A"), QStringLiteral("C"), QStringLiteral("D")}};
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    for (const QStringList& step : steps) {
        source.show(named(step));
        QStringList seen;
        for (int row = 0; row < model.rowCount(streams); ++row)
            seen << model.index(row, 0, streams).data().toString();
        QCOMPARE(seen, step);
    }
    QCOMPARE(resets.count(), 0);
}

void TestStreamTreeModel::numbersFollowEvents()
{
    FakeSource source;
    models::LiveView live(source);
    StreamTreeModel model(live);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    source.show(oneStream(1, 3, 1));
    const QModelIndex stream = model.indexOf(StreamId{1});
    const QModelIndex consumer = model.indexOf(StreamId{1}, ConsumerId{11});
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    source.send({flow(1, FlowKind::Stored, 4, 10), flow(2, FlowKind::Delivered, 1, 1)});
    QVERIFY(changes.count() > 0);
    QCOMPARE(stream.data(StreamTreeModel::FactRole).toString(), QStringLiteral("4"));
    QCOMPARE(consumer.data(StreamTreeModel::FactRole).toString(), QStringLiteral("2 · 1"));
    FlowEvent stalled = flow(3, FlowKind::Stalled, 0, 1);
    source.send({stalled});
    QCOMPARE(consumer.data(StreamTreeModel::BadgeRole).toString(), QStringLiteral("stalled"));
    QCOMPARE(stream.data(StreamTreeModel::BadgeRole).toString(), QString());
    BrokerOverview copying = oneStream(1, 4, 1);
    copying.streams[0].upstreams = {{"A", 3, 0, {}}, {"B", 4, 0, {}}};
    changes.clear();
    source.show(copying);
    QVERIFY(changes.count() > 0);
    QCOMPARE(stream.data(StreamTreeModel::BadgeRole).toString(), QStringLiteral("7 behind"));
    copying.streams[0].upstreams[0].error = "stream not found";
    source.show(copying);
    QCOMPARE(stream.data(StreamTreeModel::BadgeRole).toString(), QStringLiteral("no origin"));
    QVERIFY(stream.data(Qt::ToolTipRole).toString().contains(QStringLiteral("stream not found")));
}

void TestStreamTreeModel::showsClients()
{
    FakeSource source;
    models::LiveView live(source);
    StreamTreeModel model(live);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    ClientsAnswer clients;
    clients.rows.resize(2);
    clients.rows[0].id = ClientId{4};
    clients.rows[0].name = "orders-api";
    clients.rows[1].id = ClientId{7};
    model.setClients(clients);
    const QModelIndex section = model.index(3, 0);
    QCOMPARE(model.rowCount(section), 2);
    QCOMPARE(model.index(0, 0, section).data().toString(), QStringLiteral("orders-api"));
    QCOMPARE(model.index(1, 0, section).data().toString(), QStringLiteral("client 7"));
    clients.rows.erase(clients.rows.begin());
    model.setClients(clients);
    QCOMPARE(model.rowCount(section), 1);
}

void TestStreamTreeModel::findsItsRows()
{
    FakeSource source;
    models::LiveView live(source);
    StreamTreeModel model(live);
    source.show(oneStream(1, 3, 3));
    QCOMPARE(model.indexOf(StreamId{1}, ConsumerId{12}).data().toString(), QStringLiteral("C2"));
    QVERIFY(!model.indexOf(StreamId{1}, ConsumerId{99}).isValid());
    QVERIFY(!model.indexOf(StreamId{2}).isValid());
}

QTEST_GUILESS_MAIN(TestStreamTreeModel)
#include "tst_stream_tree_model.moc"
