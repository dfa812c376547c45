// SPDX-License-Identifier: GPL-3.0-or-later
#include "minimap/overview_strip.h"
#include "style/theme.h"
#include "support/picture.h"
#include "support/sample_lanes.h"

#include <QSignalSpy>
#include <QTest>

using namespace jetglass;
using minimap::OverviewStrip;
using tests::SampleLanes;

class TestOverviewStrip : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void windowLiesWhereItShould();
    void windowMayComeBeforeItsBounds();
    void dragMovesIt();
    void clickCentresIt();
    void keysMoveIt();
    void narrowWindowCanBeGrabbed();
    void gapsAreShown();

private:
    std::unique_ptr<SampleLanes> m_source;
    std::unique_ptr<OverviewStrip> m_strip;
};

void TestOverviewStrip::init()
{
    m_strip = std::make_unique<OverviewStrip>();
    m_source = std::make_unique<SampleLanes>();
    tests::fillLarge(*m_source, 100'000, 2);
    m_strip->setPalette(style::Theme::light().palette());
    m_strip->resize(1000, 40);
    m_strip->setSource(m_source.get());
    m_strip->setWindow(25'001, 50'000);
    m_strip->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_strip.get()));
}

void TestOverviewStrip::windowLiesWhereItShould()
{
    const QRect track = m_strip->trackRect();
    const QRect window = m_strip->windowRect();
    QCOMPARE_LE(std::abs(window.left() - (track.left() + track.width() / 4)), 1);
    QCOMPARE_LE(std::abs(window.right() - (track.left() + track.width() / 2)), 1);
    m_source->setBounds(1, 200'000);
    QCOMPARE_LE(std::abs(m_strip->windowRect().left() - (track.left() + track.width() / 8)), 1);
}

void TestOverviewStrip::windowMayComeBeforeItsBounds()
{
    m_strip->setWindow(150'001, 200'000); // the lanes heard of the new messages first
    m_source->setBounds(1, 200'000);
    QCOMPARE_EQ(m_strip->range().window().first, quint64{150'001});
    QCOMPARE_EQ(m_strip->range().window().last, quint64{200'000});
}

void TestOverviewStrip::dragMovesIt()
{
    QSignalSpy moved(m_strip.get(), &OverviewStrip::windowMoved);
    const QPoint from = m_strip->windowRect().center();
    QTest::mousePress(m_strip.get(), Qt::LeftButton, {}, from);
    const QPoint to = from + QPoint(m_strip->trackRect().width() / 4, 0);
    QMouseEvent move(QEvent::MouseMove,
        QPointF(to),
        m_strip->mapToGlobal(QPointF(to)),
        Qt::NoButton,
        Qt::LeftButton,
        Qt::NoModifier);
    QApplication::sendEvent(m_strip.get(), &move);
    QTest::mouseRelease(m_strip.get(), Qt::LeftButton, {}, to);
    QCOMPARE_EQ(moved.size(), 1);
    const quint64 first = moved[0][0].toULongLong();
    QCOMPARE_GT(first, quint64{49'700});
    QCOMPARE_LT(first, quint64{50'300});
    QCOMPARE_EQ(m_strip->range().window().count(), quint64{25'000});
}

void TestOverviewStrip::clickCentresIt()
{
    QSignalSpy moved(m_strip.get(), &OverviewStrip::windowMoved);
    const QRect track = m_strip->trackRect();
    QTest::mouseClick(m_strip.get(),
        Qt::LeftButton,
        {},
        QPoint(track.left() + track.width() * 3 / 4, track.center().y()));
    QCOMPARE_EQ(moved.size(), 1);
    QCOMPARE_LT(std::llabs(moved[0][0].toLongLong() - 62'500), 400);
    QTest::mouseClick(m_strip.get(), Qt::LeftButton, {}, QPoint(track.right(), track.center().y()));
    QCOMPARE_EQ(m_strip->range().window().last, quint64{100'000});
}

void TestOverviewStrip::keysMoveIt()
{
    QSignalSpy moved(m_strip.get(), &OverviewStrip::windowMoved);
    QTest::keyClick(m_strip.get(), Qt::Key_Home);
    QCOMPARE_EQ(moved.back()[0].toULongLong(), quint64{1});
    QTest::keyClick(m_strip.get(), Qt::Key_PageDown);
    QCOMPARE_EQ(moved.back()[0].toULongLong(), quint64{25'001});
    QTest::keyClick(m_strip.get(), Qt::Key_End);
    QCOMPARE_EQ(moved.back()[0].toULongLong(), quint64{75'001});
}

void TestOverviewStrip::narrowWindowCanBeGrabbed()
{
    m_strip->setWindow(100'000, 100'000);
    const QRect window = m_strip->windowRect();
    QCOMPARE_GE(window.width(), 8);
    QVERIFY(m_strip->rect().contains(window.adjusted(0, 0, 0, -1)));
}

void TestOverviewStrip::gapsAreShown()
{
    m_strip->setWindow(90'000, 100'000);
    const QImage image = tests::picture(*m_strip);
    const QRect track = m_strip->trackRect();
    const auto hueIn = [&](double from, double to) {
        const QRect part(track.left() + static_cast<int>(track.width() * from),
            track.top(),
            static_cast<int>(track.width() * (to - from)),
            track.height());
        // A veil lies over what is outside the window, so the exact hue is not there.
        return tests::countNear(image.copy(part), QColor(0xd6, 0xd2, 0xea), 12) * 100
            / (part.width() * part.height());
    };
    QCOMPARE_GT(hueIn(0.1, 0.2), 80);
    QCOMPARE_LT(hueIn(0.336, 0.356), 20);
}

QTEST_MAIN(TestOverviewStrip)
#include "tst_overview_strip.moc"
