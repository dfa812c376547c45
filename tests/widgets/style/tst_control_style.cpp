// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/control_style.h"
#include "style/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QTest>

#include <memory>

using namespace jetglass;
using style::Theme;

class TestControlStyle : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void outlinesAreVisible_data();
    void outlinesAreVisible();
};

void TestControlStyle::initTestCase()
{
    QApplication::setStyle(new style::ControlStyle);
}

void TestControlStyle::outlinesAreVisible_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QString>("kind");
    for (const bool dark : {false, true}) {
        for (const char* kind :
            {"check box", "radio button", "line edit", "text edit", "spin box"}) {
            QTest::addRow("%s, %s", kind, dark ? "dark" : "light")
                << dark << QString::fromLatin1(kind);
        }
    }
}

/// An empty control without the focus: something in it stands out from the window.
void TestControlStyle::outlinesAreVisible()
{
    QFETCH(bool, dark);
    QFETCH(QString, kind);
    const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
    QApplication::setPalette(theme.palette());
    std::unique_ptr<QWidget> control;
    if (kind == QLatin1String("check box"))
        control = std::make_unique<QCheckBox>();
    else if (kind == QLatin1String("radio button"))
        control = std::make_unique<QRadioButton>();
    else if (kind == QLatin1String("line edit"))
        control = std::make_unique<QLineEdit>();
    else if (kind == QLatin1String("text edit"))
        control = std::make_unique<QPlainTextEdit>();
    else
        control = std::make_unique<QSpinBox>();
    control->resize(control->sizeHint());
    const QImage image = control->grab().toImage();
    int outlined = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width() / 2; ++x) {
            const double ratio = style::contrastRatio(image.pixelColor(x, y), theme.window);
            outlined += ratio >= (dark ? 2.5 : 1.4) ? 1 : 0;
        }
    }
    QVERIFY2(outlined >= 12, qPrintable(QString::number(outlined)));
}

QTEST_MAIN(TestControlStyle)
#include "tst_control_style.moc"
