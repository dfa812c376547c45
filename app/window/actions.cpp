// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/actions.h"

#include "lanes/lane_view.h"
#include "messages/message_table.h"
#include "pages/explorer.h"
#include "pages/lanes_page.h"
#include "pages/messages_page.h"
#include "pages/stream_page.h"
#include "window/acting.h"
#include "window/icons.h"
#include "window/main_window.h"

#include <QAbstractSpinBox>
#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QToolBar>
#include <QToolButton>

namespace jetglass::window {

using settings::Language;
using settings::ThemeChoice;

Actions::Actions(MainWindow& window)
    : QObject(&window)
    , m_window(window)
    , m_actions(IdCount, nullptr)
{
    qApp->installEventFilter(this);
    addStreamActions();
    addViewActions();
    addChoiceActions();
    buildMenus();
    refreshIcons();
    retranslate();
}

QAction* Actions::add(
    Id id, const char* iconName, const QKeySequence& keys, std::function<void()> run)
{
    auto* action = new QAction(this);
    action->setShortcut(keys);
    action->setProperty("iconName", QLatin1String(iconName));
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    m_actions[static_cast<std::size_t>(id)] = action;
    m_window.addAction(action);
    return action;
}

/// Deleting a word is the business of a text that is being edited, not deleting a stream.
bool Actions::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool text = qobject_cast<QLineEdit*>(watched) || qobject_cast<QTextEdit*>(watched)
            || qobject_cast<QPlainTextEdit*>(watched) || qobject_cast<QAbstractSpinBox*>(watched);
        if (text
            && (key->matches(QKeySequence::DeleteEndOfWord)
                || key->matches(QKeySequence::DeleteStartOfWord))) {
            event->accept();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

void Actions::addStreamActions()
{
    add(NewStream, "add", QKeySequence::New, [this] { acting::newStream(m_window); });
    add(NewConsumer, "consumer", Qt::CTRL | Qt::SHIFT | Qt::Key_N, [this] {
        acting::newConsumer(m_window);
    });
    add(EditAsset, "edit", Qt::Key_F2, [this] { acting::edit(m_window); });
    add(DeleteAsset, "", Qt::CTRL | Qt::Key_Delete, [this] { acting::remove(m_window); });
    add(Purge, "purge", Qt::CTRL | Qt::SHIFT | Qt::Key_Delete, [this] { acting::purge(m_window); });
    add(Replay, "replay", Qt::CTRL | Qt::Key_R, [this] { acting::replay(m_window); });
    add(Override, "", Qt::CTRL | Qt::SHIFT | Qt::Key_O, [this] {
        acting::overrideDelivery(m_window);
    });
    add(CopyAddress, "copy", Qt::CTRL | Qt::SHIFT | Qt::Key_C, [this] { m_window.copyAddress(); });
    add(Quit, "", QKeySequence::Quit, [this] { m_window.close(); });
    add(Publish, "publish", Qt::CTRL | Qt::Key_P, [this] { m_window.focusPublish(); });
    add(Fetch, "fetch", Qt::CTRL | Qt::Key_G, [this] { m_window.focusConsume(); });
}

void Actions::addViewActions()
{
    const auto lanes = [this](void (lanes::LaneView::*slot)()) {
        return [this, slot] {
            if (m_window.session())
                (m_window.streamPage().lanes().view().*slot)();
        };
    };
    add(Lanes, "stream", Qt::CTRL | Qt::Key_1, [this] {
        m_window.showTab(pages::StreamPage::LanesTab);
    });
    add(Messages, "", Qt::CTRL | Qt::Key_2, [this] {
        m_window.showTab(pages::StreamPage::MessagesTab);
    });
    add(Settings, "", Qt::CTRL | Qt::Key_3, [this] {
        m_window.showTab(pages::StreamPage::ConfigTab);
    });
    add(Clients, "", Qt::CTRL | Qt::Key_4, [this] { m_window.showClients(); });
    add(FilterTree, "", Qt::CTRL | Qt::Key_L, [this] { m_window.focusExplorer(); });
    add(FilterMessages, "search", QKeySequence::Find, [this] {
        if (!m_window.session())
            return;
        m_window.showTab(pages::StreamPage::MessagesTab);
        m_window.streamPage().messages().focusFilter();
    });
    add(Follow, "live", Qt::CTRL | Qt::Key_End, [this] {
        if (!m_window.session())
            return;
        m_window.streamPage().lanes().view().setFollowing(true);
        m_window.streamPage().messages().table().setFollowing(true);
    });
    add(ZoomIn, "zoom-in", QKeySequence::ZoomIn, lanes(&lanes::LaneView::zoomIn));
    add(ZoomOut, "zoom-out", QKeySequence::ZoomOut, lanes(&lanes::LaneView::zoomOut));
    add(ZoomFit, "fit", Qt::CTRL | Qt::Key_9, lanes(&lanes::LaneView::zoomToFit));
    add(ZoomReset, "", Qt::CTRL | Qt::Key_0, lanes(&lanes::LaneView::resetZoom));
    add(Palette, "", Qt::CTRL | Qt::Key_K, [this] { m_window.openPalette(); });
    add(About, "", QKeySequence(), [this] {
        QMessageBox::about(&m_window,
            tr("About Jetglass"),
            tr("Jetglass %1\nA JetStream that you can see through.\n\nGPL-3.0-or-later")
                .arg(QStringLiteral(JETGLASS_VERSION)));
    });
}

void Actions::addChoiceActions()
{
    auto* themes = new QActionGroup(this);
    auto* languages = new QActionGroup(this);
    const auto theme = [this, themes](Id id, ThemeChoice choice) {
        QAction* action = add(
            id, "", QKeySequence(), [this, choice] { m_window.preferences().setTheme(choice); });
        action->setCheckable(true);
        themes->addAction(action);
    };
    const auto language = [this, languages](Id id, Language choice) {
        QAction* action = add(
            id, "", QKeySequence(), [this, choice] { m_window.preferences().setLanguage(choice); });
        action->setCheckable(true);
        languages->addAction(action);
    };
    theme(ThemeSystem, ThemeChoice::System);
    theme(ThemeLight, ThemeChoice::Light);
    theme(ThemeDark, ThemeChoice::Dark);
    language(LanguageSystem, Language::System);
    language(LanguageEnglish, Language::English);
    language(LanguageChinese, Language::Chinese);
}

QMenu* Actions::menu(std::initializer_list<int> ids)
{
    QMenu* menu = m_window.menuBar()->addMenu(QString());
    for (const int id : ids) {
        if (id < 0)
            menu->addSeparator();
        else
            menu->addAction(at(static_cast<Id>(id)));
    }
    m_menus.push_back(menu);
    return menu;
}

void Actions::buildMenus()
{
    menu({NewStream, NewConsumer, EditAsset, DeleteAsset, -1, CopyAddress, -1, Quit});
    menu({Publish, Fetch, Override, -1, Replay, Purge});
    QMenu* view = menu({Lanes,
        Messages,
        Settings,
        Clients,
        -1,
        FilterTree,
        FilterMessages,
        Palette,
        -1,
        Follow,
        ZoomIn,
        ZoomOut,
        ZoomFit,
        ZoomReset,
        -1});
    m_docksMenu = view->addMenu(QString());
    m_themeMenu = view->addMenu(QString());
    m_themeMenu->addActions({at(ThemeSystem), at(ThemeLight), at(ThemeDark)});
    m_languageMenu = view->addMenu(QString());
    m_languageMenu->addActions({at(LanguageSystem), at(LanguageEnglish), at(LanguageChinese)});
    menu({About});

    m_toolBar = new QToolBar(&m_window);
    m_toolBar->setObjectName(QStringLiteral("toolBar"));
    m_toolBar->setMovable(false);
    m_toolBar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toolBar->setIconSize({18, 18});
    for (const Id id : {NewStream, NewConsumer, Publish, Fetch, Replay, Purge})
        m_toolBar->addAction(at(id));
    m_toolBar->addSeparator();
    for (const Id id : {ZoomOut, ZoomIn, ZoomFit, Follow})
        m_toolBar->addAction(at(id));
    m_window.addToolBar(m_toolBar);
    // Their pictures say enough, and in a small window every button is in view so.
    for (const Id id : {ZoomOut, ZoomIn}) {
        if (auto* button = qobject_cast<QToolButton*>(m_toolBar->widgetForAction(at(id))))
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
}

std::vector<QAction*> Actions::all() const
{
    return m_actions;
}

QList<QAction*> Actions::forSelection() const
{
    return {at(EditAsset), at(NewConsumer), at(Fetch), at(Replay), at(Purge), at(DeleteAsset)};
}

void Actions::refreshIcons()
{
    for (QAction* action : m_actions) {
        const QString name = action->property("iconName").toString();
        if (!name.isEmpty())
            action->setIcon(icon(name, m_window.palette()));
    }
}

void Actions::refreshState()
{
    const models::Session* session = m_window.session();
    const bool stream = session && session->selection.stream() != StreamId{};
    const bool act = session && acting::canAct(m_window);
    at(NewStream)->setEnabled(act);
    for (const Id id : {NewConsumer, EditAsset, DeleteAsset, Purge, Replay})
        at(id)->setEnabled(act && stream);
    for (const Id id : {Publish, Fetch})
        at(id)->setEnabled(act);
    at(Override)->setEnabled(act && session->selection.sequence() != 0);
    for (const Id id :
        {Lanes, Messages, Settings, FilterMessages, Follow, ZoomIn, ZoomOut, ZoomFit, ZoomReset})
        at(id)->setEnabled(stream);
    at(Clients)->setEnabled(session != nullptr);
    at(CopyAddress)->setEnabled(session != nullptr);
    const settings::Preferences& preferences = m_window.preferences();
    at(ThemeSystem)->setChecked(preferences.theme() == ThemeChoice::System);
    at(ThemeLight)->setChecked(preferences.theme() == ThemeChoice::Light);
    at(ThemeDark)->setChecked(preferences.theme() == ThemeChoice::Dark);
    at(LanguageSystem)->setChecked(preferences.language() == Language::System);
    at(LanguageEnglish)->setChecked(preferences.language() == Language::English);
    at(LanguageChinese)->setChecked(preferences.language() == Language::Chinese);
}

void Actions::setDockActions(const std::vector<QAction*>& docks)
{
    m_docksMenu->clear();
    for (QAction* dock : docks)
        m_docksMenu->addAction(dock);
}

QString Actions::fullText(QAction& action) const
{
    for (const QMenu* menu : {m_themeMenu, m_languageMenu}) {
        if (menu->actions().contains(&action))
            return QStringLiteral("%1: %2").arg(menu->title(), action.text());
    }
    return action.text();
}

void Actions::retranslate()
{
    const QStringList titles{tr("&Stream"), tr("&Messages"), tr("&View"), tr("&Help")};
    for (std::size_t i = 0; i < m_menus.size(); ++i)
        m_menus[i]->setTitle(titles[static_cast<qsizetype>(i)]);
    m_docksMenu->setTitle(tr("Panels"));
    m_themeMenu->setTitle(tr("Theme"));
    m_languageMenu->setTitle(tr("Language"));
    m_toolBar->setWindowTitle(tr("Toolbar"));
    at(NewStream)->setText(tr("New stream…"));
    at(NewConsumer)->setText(tr("New consumer…"));
    at(EditAsset)->setText(tr("Edit settings…"));
    at(DeleteAsset)->setText(tr("Delete…"));
    at(Purge)->setText(tr("Purge…"));
    at(Replay)->setText(tr("Replay…"));
    at(Override)->setText(tr("Override a delivery…"));
    at(CopyAddress)->setText(tr("Copy address"));
    at(Quit)->setText(tr("Quit"));
    at(Publish)->setText(tr("Publish"));
    at(Fetch)->setText(tr("Fetch"));
    at(Lanes)->setText(tr("Lanes"));
    at(Messages)->setText(tr("Messages"));
    at(Settings)->setText(tr("Settings"));
    at(Clients)->setText(tr("Clients"));
    at(FilterTree)->setText(tr("Find a stream or consumer"));
    at(FilterMessages)->setText(tr("Find messages by subject"));
    at(Follow)->setText(tr("Follow newest"));
    at(ZoomIn)->setText(tr("Zoom in"));
    at(ZoomOut)->setText(tr("Zoom out"));
    at(ZoomFit)->setText(tr("Whole stream"));
    at(ZoomReset)->setText(tr("Normal size"));
    at(Palette)->setText(tr("Commands…"));
    at(ThemeSystem)->setText(tr("As the system"));
    at(ThemeLight)->setText(tr("Light"));
    at(ThemeDark)->setText(tr("Dark"));
    at(LanguageSystem)->setText(tr("As the system"));
    at(LanguageEnglish)->setText(QStringLiteral("English"));
    at(LanguageChinese)->setText(QStringLiteral("简体中文"));
    at(About)->setText(tr("About Jetglass"));
    for (QAction* action : m_actions) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(
            keys.isEmpty() ? action->text() : QStringLiteral("%1 (%2)").arg(action->text(), keys));
    }
}

} // namespace jetglass::window
