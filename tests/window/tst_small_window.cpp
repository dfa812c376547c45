// SPDX-License-Identifier: GPL-3.0-or-later
// A screen of 1280 x 800, or a larger one at scale 2, leaves the window about 1024 x 640: all of it
// must be usable there, in each language.
#include "forms/eliding_label.h"
#include "pages/stream_page.h"
#include "support/test_program.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLayout>
#include <QScrollArea>
#include <QTabBar>
#include <QTemporaryDir>

using namespace jetglass;
using pages::StreamPage;

namespace {

constexpr QSize kSmall(1024, 640);

/// True if a label does not show all that it says, and no ellipsis tells.
bool isCut(const QLabel& label)
{
    const bool free = label.wordWrap() || label.textFormat() == Qt::RichText
        || label.text().contains(QLatin1Char('<'));
    if (free || label.text().isEmpty() || qobject_cast<const forms::ElidingLabel*>(&label))
        return false;
    const QString shown = label.text().remove(QLatin1Char('&')); // what marks a key
    return label.fontMetrics().horizontalAdvance(shown) > label.contentsRect().width() + 1;
}

/// What is in it, and what of that takes the room.
QString wide(const QScrollArea& area)
{
    QString text =
        QStringLiteral("%1 px for %2 px").arg(area.viewport()->width()).arg(area.widget()->width());
    for (const QWidget* child : area.widget()->findChildren<QWidget*>())
        if (child->isVisible() && child->minimumSizeHint().width() > area.viewport()->width() / 2)
            text += QStringLiteral("\n%1 %2: %3 px")
                        .arg(QLatin1String(child->metaObject()->className()),
                            child->property("text").toString())
                        .arg(child->minimumSizeHint().width());
    return text;
}

} // namespace

class TestSmallWindow : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void fits_data();
    void fits();
    void nothingIsCutOff_data() { fits_data(); }
    void nothingIsCutOff();
    void cleanupTestCase();

private:
    [[nodiscard]] window::MainWindow& window() { return m_program->window(); }
    void speak(settings::Language language);
    /// What is visible now and does not have the room for what it says.
    [[nodiscard]] QStringList cut();

    QTemporaryDir m_folder;
    std::unique_ptr<window::Program> m_program;
};

void TestSmallWindow::initTestCase()
{
    window::Options options = tests::optionsIn(m_folder.path());
    options.scene = QStringLiteral("long-names");
    m_program = std::make_unique<window::Program>(options);
    QSignalSpy stands(m_program.get(), &window::Program::sceneStands);
    QVERIFY(tests::starts(*m_program));
    QTRY_COMPARE_WITH_TIMEOUT(stands.count(), 1, 20'000);
    QTRY_VERIFY(window().streamPage().isVisible());
    RecoveryFinding finding;
    finding.file = "/a/long/place/of/the/store/jetstream/ORDERS/msgs/1.blk";
    window().showRecovery({finding, finding});
}

void TestSmallWindow::cleanupTestCase()
{
    m_program.reset();
}

void TestSmallWindow::speak(settings::Language language)
{
    window().preferences().setLanguage(language, false);
    QApplication::sendPostedEvents();
}

void TestSmallWindow::fits_data()
{
    QTest::addColumn<settings::Language>("language");
    QTest::newRow("English") << settings::Language::English;
    QTest::newRow("Chinese") << settings::Language::Chinese;
}

void TestSmallWindow::fits()
{
    QFETCH(settings::Language, language);
    speak(language);
    for (const int tab : {StreamPage::LanesTab, StreamPage::MessagesTab, StreamPage::ConfigTab}) {
        window().showTab(tab);
        QApplication::sendPostedEvents();
        const QSize least = window().minimumSizeHint();
        QVERIFY2(least.width() <= kSmall.width() && least.height() <= kSmall.height(),
            qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
        window().resize(kSmall);
        QCOMPARE(window().size(), kSmall);
    }
}

QStringList TestSmallWindow::cut()
{
    QStringList all;
    for (const QLabel* label : window().findChildren<QLabel*>()) {
        if (label->isVisible() && isCut(*label))
            all << label->text();
        if (label->isVisible() && label->text().contains(QChar(0x2026)) && label->text().size() > 1
            && label->toolTip().isEmpty() && !label->wordWrap())
            all << QStringLiteral("no tooltip: ") + label->text();
    }
    for (const QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
        if (button->isVisible() && !button->text().isEmpty()
            && button->width() < button->minimumSizeHint().width())
            all << button->text();
    }
    for (const QWidget* parent : window().findChildren<QWidget*>()) {
        if (!parent->isVisible() || !parent->layout())
            continue;
        const QLayout& layout = *parent->layout();
        for (int i = 0; i < layout.count(); ++i) {
            const QWidget* widget = layout.itemAt(i)->widget();
            if (widget && widget->isVisible() && widget->geometry().right() > parent->width())
                all << QStringLiteral("outside: ")
                        + QLatin1String(widget->metaObject()->className());
        }
    }
    return all;
}

void TestSmallWindow::nothingIsCutOff()
{
    QFETCH(settings::Language, language);
    speak(language);
    window().resize(kSmall);
    for (const int tab : {StreamPage::LanesTab, StreamPage::MessagesTab, StreamPage::ConfigTab}) {
        window().showTab(tab);
        QApplication::sendPostedEvents();
        QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut().join(QLatin1Char('\n'))));
    }
    window().showClients();
    QApplication::sendPostedEvents();
    QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut().join(QLatin1Char('\n'))));
    window().showTab(StreamPage::LanesTab);
    const std::initializer_list<void (window::MainWindow::*)()> panels{
        &window::MainWindow::focusPublish,
        &window::MainWindow::focusConsume,
        &window::MainWindow::focusReplay};
    for (const auto panel : panels) {
        (window().*panel)();
        QApplication::sendPostedEvents();
        QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut().join(QLatin1Char('\n'))));
        for (const QScrollArea* area : window().findChildren<QScrollArea*>()) {
            if (area->isVisible())
                QTRY_VERIFY2(
                    area->widget()->width() <= area->viewport()->width(), qPrintable(wide(*area)));
        }
    }
}

QTEST_MAIN(TestSmallWindow)
#include "tst_small_window.moc"
