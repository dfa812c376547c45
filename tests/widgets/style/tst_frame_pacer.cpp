// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/frame_pacer.h"

#include <QElapsedTimer>
#include <QPaintEvent>
#include <QTest>
#include <QWidget>

using jetglass::style::FramePacer;

namespace {

class Paced final : public QWidget
{
public:
    FramePacer pacer{*this};
    int paints = 0;
    QRegion last;

protected:
    void paintEvent(QPaintEvent* event) override
    {
        ++paints;
        last = event->region();
        pacer.painted(last);
    }
};

} // namespace

class TestFramePacer : public QObject
{
    Q_OBJECT

private slots:
    void onePictureAFrame();
    void nothingIsForgotten();

private:
    static void show(Paced& widget)
    {
        widget.resize(200, 100);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QTRY_VERIFY(widget.paints > 0);
    }
};

/// However slow the machine is: never more pictures than frames have passed.
void TestFramePacer::onePictureAFrame()
{
    Paced widget;
    show(widget);
    const int before = widget.paints;
    QElapsedTimer time;
    time.start();
    for (int i = 0; i < 200; ++i) {
        widget.pacer.update(QRect(i, 0, 1, 1));
        QCoreApplication::processEvents();
    }
    QVERIFY2(widget.paints - before <= time.elapsed() / 16 + 1,
        qPrintable(QString::number(widget.paints - before)));
}

void TestFramePacer::nothingIsForgotten()
{
    Paced widget;
    show(widget);
    widget.update(0, 0, 10, 10); // the next frame begins here
    QCoreApplication::processEvents();
    const int before = widget.paints;
    widget.pacer.update(QRect(20, 20, 5, 5));
    widget.pacer.update(QRect(100, 50, 5, 5));
    QTRY_VERIFY(widget.paints > before);
    QVERIFY(widget.last.contains(QPoint(22, 22)));
    QVERIFY(widget.last.contains(QPoint(102, 52)));
    QVERIFY(!widget.last.contains(QPoint(60, 40)));
    // What another picture has shown meanwhile is not painted again.
    widget.pacer.update(QRect(20, 20, 5, 5));
    widget.repaint();
    const int all = widget.paints;
    widget.pacer.update(QRect(100, 50, 5, 5));
    QTRY_VERIFY(widget.paints > all);
    QVERIFY(!widget.last.contains(QPoint(22, 22)));
}

QTEST_MAIN(TestFramePacer)

#include "tst_frame_pacer.moc"
