// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/text_cache.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace jetglass;
using namespace Qt::StringLiterals;

class TestTextCache : public QObject
{
    Q_OBJECT

private slots:
    void standsOnOneLine_data();
    void standsOnOneLine();
    void knowsItsWidth();

private:
    /// The lowest row with ink of the digit that \a text begins with.
    static int footOfDigit(style::TextCache& cache, const QString& text);
};

int TestTextCache::footOfDigit(style::TextCache& cache, const QString& text)
{
    QImage image(300, 60, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(cache.font());
    painter.setPen(Qt::black);
    cache.draw(painter, {10, 20}, text);
    painter.end();
    int foot = -1;
    const int end = 10 + cache.width(u"8"_s);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 10; x < end; ++x) {
            if (qGray(image.pixel(x, y)) < 128)
                foot = y;
        }
    }
    return foot;
}

void TestTextCache::standsOnOneLine_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << u"8 delivered"_s;
    QTest::newRow("Chinese") << u"8 已投递"_s;
    QTest::newRow("an arrow") << u"8 \u25B8"_s;
}

void TestTextCache::standsOnOneLine()
{
    QFETCH(QString, text);
    for (const bool bold : {false, true}) {
        for (const int size : {11, 13, 17, 26}) {
            QFont font = QApplication::font();
            font.setPixelSize(size);
            font.setBold(bold);
            style::TextCache cache;
            cache.setFont(font);
            QCOMPARE(footOfDigit(cache, text), footOfDigit(cache, u"8"_s));
        }
    }
}

void TestTextCache::knowsItsWidth()
{
    style::TextCache cache;
    cache.setFont(QApplication::font());
    QVERIFY(cache.width(u"delivered 88"_s) > cache.width(u"delivered 8"_s));
}

QTEST_MAIN(TestTextCache)
#include "tst_text_cache.moc"
