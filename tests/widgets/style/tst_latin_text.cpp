// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/latin_text.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace jetglass;
using style::LatinText;

class TestLatinText : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void coversWhatNeedsNoShaping_data();
    void coversWhatNeedsNoShaping();
    void looksAsALayoutDoes();
    void staysInItsRoom_data();
    void staysInItsRoom();

private:
    /// The columns of a picture that have ink, first and last; -1 = none.
    static std::pair<int, int> inked(const QImage& image);
    [[nodiscard]] static QImage drawn(LatinText& latin,
        const QRectF& room,
        Qt::Alignment side,
        Qt::TextElideMode mode,
        const QString& text);

    QFont m_font;
    LatinText m_latin;
};

void TestLatinText::initTestCase()
{
    m_font = QApplication::font();
    m_font.setPixelSize(13);
    m_latin.setFont(m_font);
}

std::pair<int, int> TestLatinText::inked(const QImage& image)
{
    int first = -1;
    int last = -1;
    for (int x = 0; x < image.width(); ++x) {
        for (int y = 0; y < image.height(); ++y) {
            if (qGray(image.pixel(x, y)) < 128) {
                first = first < 0 ? x : first;
                last = x;
            }
        }
    }
    return {first, last};
}

QImage TestLatinText::drawn(LatinText& latin,
    const QRectF& room,
    Qt::Alignment side,
    Qt::TextElideMode mode,
    const QString& text)
{
    QImage image(400, 24, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setPen(Qt::black);
    latin.draw(painter, room, side, mode, text);
    return image;
}

void TestLatinText::coversWhatNeedsNoShaping_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("covered");
    QTest::newRow("nothing") << QString() << true;
    QTest::newRow("a subject") << QStringLiteral("orders.eu-1.created") << true;
    QTest::newRow("JSON") << QStringLiteral("{\"id\": [1, 2], \"~\": \"\\\"}") << true;
    QTest::newRow("Chinese") << QStringLiteral("orders.\u8ba2\u5355") << false;
    QTest::newRow("an accent") << QStringLiteral("caf\u00e9") << false;
    QTest::newRow("a control character") << QStringLiteral("a\tb") << false;
}

void TestLatinText::coversWhatNeedsNoShaping()
{
    QFETCH(QString, text);
    QTEST(m_latin.covers(text), "covered");
}

/// Kerning aside: within a pixel or two of what a text layout takes.
void TestLatinText::looksAsALayoutDoes()
{
    const QString text = QStringLiteral("orders.created 12:34:56.789");
    const qreal laidOut = QFontMetricsF(m_font).horizontalAdvance(text);
    QVERIFY(std::abs(m_latin.width(text) - laidOut) <= 3);
    QImage whole(400, 24, QImage::Format_RGB32);
    whole.fill(Qt::white);
    QPainter painter(&whole);
    painter.setFont(m_font);
    painter.drawText(QRectF(5, 0, 380, 24), Qt::AlignLeft | Qt::AlignVCenter, text);
    painter.end();
    const auto [first, last] = inked(whole);
    const auto [ours, end] =
        inked(drawn(m_latin, QRectF(5, 0, 380, 24), Qt::AlignLeft, Qt::ElideRight, text));
    QVERIFY(first > 0);
    QVERIFY(std::abs(first - ours) <= 1);
    QVERIFY(std::abs(last - end) <= 3);
}

void TestLatinText::staysInItsRoom_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("middle");
    for (const int width : {0, 5, 60, 150, 300}) {
        QTest::addRow("%d, right", width) << width << false;
        QTest::addRow("%d, middle", width) << width << true;
    }
}

void TestLatinText::staysInItsRoom()
{
    QFETCH(int, width);
    QFETCH(bool, middle);
    const QString text = QString(QStringLiteral("warehouse.")).repeated(6) + QLatin1Char('W');
    const QRectF room(20, 0, width, 24);
    const auto mode = middle ? Qt::ElideMiddle : Qt::ElideRight;
    const int ellipsis = static_cast<int>(QFontMetricsF(m_font).horizontalAdvance(QChar(0x2026)));
    for (const Qt::Alignment side : {Qt::AlignLeft, Qt::AlignRight}) {
        const auto [first, last] = inked(drawn(m_latin, room, side, mode, text));
        QVERIFY(last <= 20 + std::max(width, ellipsis));
        QVERIFY(first < 0 || first >= 19);
        // What fits is not wasted.
        QVERIFY(width < 60 || last - first >= width - 20);
    }
}

QTEST_MAIN(TestLatinText)
#include "tst_latin_text.moc"
