// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/cell_shapes.h"
#include "style/glyph_atlas.h"
#include "style/theme.h"
#include "style/words.h"

#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QSet>
#include <QTest>

using namespace jetglass;
using items::CellState;
using style::Theme;

class TestTheme : public QObject
{
    Q_OBJECT

private slots:
    void textIsReadable_data();
    void textIsReadable();
    void bordersAreVisible_data();
    void bordersAreVisible();
    void statesDifferWithoutColour_data();
    void statesDifferWithoutColour();
    void paletteLeadsBack();
    void atlasMakesEachTileOnce();
    void ringShrinks();
    void wordsForEverything();
    void sizesAndTimes_data();
    void sizesAndTimes();
};

namespace {

void addThemes()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

const Theme& fetchTheme()
{
    QFETCH(bool, dark);
    return dark ? Theme::darkTheme() : Theme::light();
}

} // namespace

void TestTheme::textIsReadable_data()
{
    addThemes();
}

void TestTheme::textIsReadable()
{
    const Theme& t = fetchTheme();
    struct Pair
    {
        const char* what;
        QColor text;
        QColor behind;
    };
    std::vector<Pair> pairs;
    for (const QColor& behind : {t.window, t.base, t.raised, t.selection}) {
        pairs.push_back({"text", t.text, behind});
        pairs.push_back({"muted", t.muted, behind});
        pairs.push_back({"amber", t.amber, behind});
        pairs.push_back({"red", t.red, behind});
        pairs.push_back({"green", t.green, behind});
        pairs.push_back({"accent", t.accent, behind});
    }
    for (const QColor& hue : t.hues) {
        pairs.push_back({"tag on a subject hue", t.hueText, hue});
    }
    pairs.push_back({"amber on its fill", t.amber, t.amberFill});
    pairs.push_back({"red on its fill", t.red, t.redFill});
    pairs.push_back({"green on its fill", t.green, t.greenFill});
    pairs.push_back({"text on neutral", t.text, t.neutralFill});
    pairs.push_back({"on accent", t.accentText, t.accent});
    for (const QColor& code : {t.codeKey, t.codeString, t.codeNumber, t.codeWord}) {
        pairs.push_back({"payload", code, t.base});
    }
    for (const Pair& pair : pairs) {
        const double ratio = style::contrastRatio(pair.text, pair.behind);
        QVERIFY2(ratio >= 4.5,
            qPrintable(QStringLiteral("%1 %2 on %3: %4")
                           .arg(QLatin1String(pair.what), pair.text.name(), pair.behind.name())
                           .arg(ratio)));
    }
}

void TestTheme::bordersAreVisible_data()
{
    addThemes();
}

void TestTheme::bordersAreVisible()
{
    const Theme& t = fetchTheme();
    for (const QColor& border : {t.amberBorder, t.redBorder, t.greenBorder, t.accent}) {
        QVERIFY2(style::contrastRatio(border, t.window) >= 3.0, qPrintable(border.name()));
    }
    QVERIFY(style::contrastRatio(t.neutralBorder, t.base) >= 1.9);
}

void TestTheme::statesDifferWithoutColour_data()
{
    addThemes();
}

void TestTheme::statesDifferWithoutColour()
{
    const Theme& t = fetchTheme();
    std::vector<QImage> pictures;
    for (int i = 0; i < items::kCellStateCount; ++i) {
        QImage image(24, 26, QImage::Format_ARGB32_Premultiplied);
        image.fill(t.window);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        style::paintCell(painter,
            QRectF(0, 0, 24, 26),
            t.look(static_cast<CellState>(i)),
            0.6,
            QString(),
            QStringLiteral("DejaVu Sans"));
        painter.end();
        pictures.push_back(image.convertToFormat(QImage::Format_Grayscale8));
    }
    for (std::size_t a = 0; a < pictures.size(); ++a) {
        for (std::size_t b = a + 1; b < pictures.size(); ++b) {
            int different = 0;
            for (int y = 0; y < 26; ++y) {
                for (int x = 0; x < 24; ++x) {
                    const int delta =
                        std::abs(qGray(pictures[a].pixel(x, y)) - qGray(pictures[b].pixel(x, y)));
                    different += delta > 24 ? 1 : 0;
                }
            }
            QVERIFY2(different >= 6,
                qPrintable(QStringLiteral("%1 and %2 look the same in grey: %3")
                               .arg(style::Words::state(static_cast<CellState>(a)),
                                   style::Words::state(static_cast<CellState>(b)))
                               .arg(different)));
        }
    }
}

void TestTheme::paletteLeadsBack()
{
    QCOMPARE(&Theme::of(Theme::light().palette()), &Theme::light());
    QCOMPARE(&Theme::of(Theme::darkTheme().palette()), &Theme::darkTheme());
}

void TestTheme::atlasMakesEachTileOnce()
{
    style::GlyphAtlas atlas;
    atlas.setUp(
        Theme::light(), Theme::light().window, QSize(24, 26), 1, QStringLiteral("DejaVu Sans"));
    QImage image(400, 40, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < items::kCellStateCount; ++i) {
            atlas.drawCell(painter, i * 27, 0, static_cast<CellState>(i), 1, 0.5);
        }
    }
    QCOMPARE_EQ(atlas.tileCount(), items::kCellStateCount);
    // 0.49 and 0.5 are the same step of the ring; a count is another tile.
    atlas.drawCell(painter, 0, 0, CellState::Delivered, 1, 0.499);
    QCOMPARE_EQ(atlas.tileCount(), items::kCellStateCount);
    atlas.drawCell(painter, 0, 0, CellState::Delivered, 2, 0.5);
    QCOMPARE_EQ(atlas.tileCount(), items::kCellStateCount + 1);
    // Room grows when all states have all counts, and earlier tiles stay right.
    const QColor before = [&] {
        image.fill(Qt::white);
        atlas.drawCell(painter, 0, 0, CellState::Acked, 1, 0);
        return image.pixelColor(12, 3);
    }();
    for (quint32 count = 1; count < 12; ++count) {
        for (int i = 0; i < items::kCellStateCount; ++i) {
            atlas.drawCell(painter, 30, 0, static_cast<CellState>(i), count, 0.5);
        }
    }
    QCOMPARE_GT(atlas.tileCount(), 100);
    image.fill(Qt::white);
    atlas.drawCell(painter, 0, 0, CellState::Acked, 1, 0);
    QCOMPARE(image.pixelColor(12, 3), before);
    QCOMPARE(before, Theme::light().greenFill);
}

void TestTheme::ringShrinks()
{
    const Theme& t = Theme::light();
    int last = 1 << 30;
    for (const double left : {1.0, 0.75, 0.5, 0.25, 0.0}) {
        QImage image(40, 40, QImage::Format_ARGB32_Premultiplied);
        image.fill(t.window);
        QPainter painter(&image);
        style::paintCell(painter,
            QRectF(0, 0, 40, 40),
            t.look(CellState::Delivered),
            left,
            QString(),
            QStringLiteral("DejaVu Sans"));
        painter.end();
        int ink = 0;
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 40; ++x) {
                ink += image.pixel(x, y) == t.amber.rgb() ? 1 : 0;
            }
        }
        QCOMPARE_LT(ink, last);
        last = ink;
    }
}

void TestTheme::wordsForEverything()
{
    QSet<QString> names;
    for (int i = 0; i < items::kCellStateCount; ++i) {
        names.insert(style::Words::state(static_cast<CellState>(i)));
        QVERIFY(!style::Words::stateMeaning(static_cast<CellState>(i)).isEmpty());
    }
    QCOMPARE_EQ(names.size(), items::kCellStateCount);
    QVERIFY(!names.contains(QString()));
    for (int i = 1; i < items::kRemovalCauseCount; ++i) {
        QVERIFY(!style::Words::removal(static_cast<items::RemovalCause>(i)).isEmpty());
    }
    items::LaneCell cell;
    cell.state = CellState::Delivered;
    cell.deliveries = 3;
    cell.deadline = 7'600'000'000;
    QCOMPARE(style::Words::cell(cell, 0, QStringLiteral("worker-2")),
        QStringLiteral("delivered · delivery 3 · ack due in 7.6 s · worker-2"));
}

void TestTheme::sizesAndTimes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QLocale::setDefault(QLocale::c());
    using style::Words;
    QTest::newRow("bytes") << Words::size(1023) << QStringLiteral("1023 B");
    QTest::newRow("kibibytes") << Words::size(1536) << QStringLiteral("1.5 KiB");
    QTest::newRow("mebibytes") << Words::size(3'145'728) << QStringLiteral("3.0 MiB");
    QTest::newRow("gibibytes") << Words::size(quint64{5} << 30) << QStringLiteral("5.0 GiB");
    QTest::newRow("microseconds") << Words::duration(5'000) << QStringLiteral("5 µs");
    QTest::newRow("milliseconds") << Words::duration(12'000'000) << QStringLiteral("12 ms");
    QTest::newRow("seconds and tenths")
        << Words::duration(7'640'000'000) << QStringLiteral("7.6 s");
    QTest::newRow("seconds") << Words::duration(30'000'000'000) << QStringLiteral("30 s");
    QTest::newRow("minutes") << Words::duration(125'000'000'000) << QStringLiteral("2 min 5 s");
    QTest::newRow("hours") << Words::duration(7'260'000'000'000) << QStringLiteral("2 h 1 min");
    QTest::newRow("days") << Words::duration(90'000'000'000'000) << QStringLiteral("1 d 1 h");
}

void TestTheme::sizesAndTimes()
{
    QFETCH(QString, text);
    QTEST(text, "expected");
}

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
