// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/lane_header.h"
#include "support/sample_lanes.h"

#include <QApplication>
#include <QFontMetrics>
#include <QTest>

using namespace jetglass;
using namespace Qt::StringLiterals;

namespace {

constexpr int kDefaultWidth = 748; ///< of the lanes in a window of 1280 x 720

}

class TestLaneHeader : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void whatAConsumerDoesStandsWhole();
    void longTextsLeaveTheCellsTheirRoom();
    void countsDoNotMakeItJump();

private:
    static void fill(tests::SampleLanes& lanes, const QString& status, const QString& name = {});
    [[nodiscard]] int room(const QString& text, bool strong) const;

    style::Metrics m_metrics;
};

void TestLaneHeader::initTestCase()
{
    m_metrics = style::Metrics::of(QApplication::font());
}

void TestLaneHeader::fill(tests::SampleLanes& lanes, const QString& status, const QString& name)
{
    items::StreamItem stream;
    stream.name = u"ORDERS"_s;
    lanes.setStream(stream, [](quint64) { return items::StreamCell{}; });
    items::LaneItem item;
    item.name = name.isEmpty() ? u"payments"_s : name;
    item.kind = u"pull · ack explicit · filter orders.created · ack_wait 30 s"_s;
    item.status = status;
    lanes.addLane(item, [](quint64) { return items::LaneCell{}; });
}

int TestLaneHeader::room(const QString& text, bool strong) const
{
    return QFontMetrics(strong ? m_metrics.strong : m_metrics.smallStrong).horizontalAdvance(text)
        + m_metrics.pad * 2;
}

void TestLaneHeader::whatAConsumerDoesStandsWhole()
{
    const QString status = u"4 of 5 slots held · 17 to come"_s;
    tests::SampleLanes lanes;
    fill(lanes, status);
    lanes::LaneHeader header;
    const int width = header.width(&lanes, m_metrics, kDefaultWidth);
    QCOMPARE_GE(width, room(status, false));
    const QFontMetrics metrics(m_metrics.smallStrong);
    QCOMPARE(metrics.elidedText(status, Qt::ElideRight, width - m_metrics.pad * 2), status);
}

void TestLaneHeader::longTextsLeaveTheCellsTheirRoom()
{
    tests::SampleLanes lanes;
    fill(lanes, u"all done"_s, u"a-very-long-consumer-name-"_s.repeated(8));
    lanes::LaneHeader header;
    QCOMPARE_LE(
        header.width(&lanes, m_metrics, kDefaultWidth), kDefaultWidth * 3 / 10 + m_metrics.pad * 2);
    // The settings below a name are the first to be cut.
    tests::SampleLanes settings;
    fill(settings, u"all done"_s);
    lanes::LaneHeader other;
    QCOMPARE_LE(
        other.width(&settings, m_metrics, kDefaultWidth), kDefaultWidth / 5 + m_metrics.pad * 2);
}

void TestLaneHeader::countsDoNotMakeItJump()
{
    tests::SampleLanes lanes;
    fill(lanes, u"4 of 5 slots held · 17 to come"_s);
    lanes::LaneHeader header;
    const int wide = header.width(&lanes, m_metrics, kDefaultWidth);
    items::LaneItem item = lanes.lanes().front();
    item.status = u"all done"_s;
    item.kind.clear();
    lanes.updateLane(0, item);
    QCOMPARE(header.width(&lanes, m_metrics, kDefaultWidth), wide);
    QVERIFY(header.width(&lanes, m_metrics, kDefaultWidth + 1) < wide);
}

QTEST_MAIN(TestLaneHeader)
#include "tst_lane_header.moc"
