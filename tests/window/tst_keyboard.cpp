// SPDX-License-Identifier: GPL-3.0-or-later
// The window without a mouse: Tab goes into every part of it and out again.
#include "pages/explorer.h"
#include "pages/header_table.h"
#include "pages/publish_page.h"
#include "support/test_program.h"

#include <QTemporaryDir>

using namespace jetglass;

class TestKeyboard : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void tabLeavesTheExplorer_data();
    void tabLeavesTheExplorer();
    void tabLeavesTheHeaders_data();
    void tabLeavesTheHeaders();
    void tabWalksTheCellsOfTheHeaders();
    void cleanupTestCase();

private:
    [[nodiscard]] window::MainWindow& window() { return m_program->window(); }
    [[nodiscard]] pages::HeaderTable& headers()
    {
        return *window().findChild<pages::HeaderTable*>();
    }
    /// Presses the key until the focus is outside \a part; false if it never gets there.
    bool leaves(const QWidget& part, Qt::Key key);

    QTemporaryDir m_folder;
    std::unique_ptr<window::Program> m_program;
};

void TestKeyboard::initTestCase()
{
    window::Options options = tests::optionsIn(m_folder.path());
    options.scene = QStringLiteral("example");
    m_program = std::make_unique<window::Program>(options);
    QSignalSpy stands(m_program.get(), &window::Program::sceneStands);
    QVERIFY(tests::starts(*m_program));
    QTRY_COMPARE(stands.count(), 1);
    QTRY_VERIFY(window().session()->source.stream(QStringLiteral("ORDERS")));
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
}

void TestKeyboard::cleanupTestCase()
{
    m_program.reset();
}

bool TestKeyboard::leaves(const QWidget& part, Qt::Key key)
{
    constexpr int kMostPresses = 12;
    const auto inside = [this, &part] {
        const QWidget* focus = window().focusWidget();
        return focus == &part || part.isAncestorOf(focus);
    };
    for (int i = 0; i < kMostPresses && inside(); ++i)
        QTest::keyClick(window().focusWidget(), key);
    return !inside();
}

void TestKeyboard::tabLeavesTheExplorer_data()
{
    QTest::addColumn<Qt::Key>("key");
    QTest::newRow("forwards") << Qt::Key_Tab;
    QTest::newRow("backwards") << Qt::Key_Backtab;
}

void TestKeyboard::tabLeavesTheExplorer()
{
    QFETCH(Qt::Key, key);
    window().focusExplorer();
    QVERIFY(window().explorer().isAncestorOf(window().focusWidget()));
    QVERIFY(leaves(window().explorer(), key));
}

void TestKeyboard::tabLeavesTheHeaders_data()
{
    tabLeavesTheExplorer_data();
}

/// Also while a cell is edited, which would take the key for itself.
void TestKeyboard::tabLeavesTheHeaders()
{
    QFETCH(Qt::Key, key);
    window().focusPublish();
    headers().setHeaders({{QStringLiteral("Trace"), QStringLiteral("1")}});
    headers().setFocus();
    headers().setCurrentCell(0, 1);
    QVERIFY(headers().isAncestorOf(window().focusWidget()));
    QVERIFY(leaves(headers(), key));
}

void TestKeyboard::tabWalksTheCellsOfTheHeaders()
{
    window().focusPublish();
    headers().setHeaders({});
    headers().setFocus();
    headers().setCurrentCell(0, 0);
    QTest::keyClicks(window().focusWidget(), QStringLiteral("Trace"));
    QTest::keyClick(window().focusWidget(), Qt::Key_Tab);
    QCOMPARE(headers().currentIndex(), headers().model()->index(0, 1));
    QTest::keyClicks(window().focusWidget(), QStringLiteral("7"));
    QTest::keyClick(window().focusWidget(), Qt::Key_Tab);
    QCOMPARE(headers().headers().size(), qsizetype(1));
    QCOMPARE(headers().headers().first().value, QStringLiteral("7"));
}

QTEST_MAIN(TestKeyboard)
#include "tst_keyboard.moc"
