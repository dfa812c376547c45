// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>

#include <functional>
#include <vector>

class QMenu;
class QToolBar;

namespace jetglass::window {

class MainWindow;

/// Every action of the window with its shortcut: once here, shown in menus, toolbar and command
/// palette.
class Actions final : public QObject
{
    Q_OBJECT
public:
    explicit Actions(MainWindow& window);
    bool eventFilter(QObject* watched, QEvent* event) override;

    /// All that the palette offers, in menu order.
    [[nodiscard]] std::vector<QAction*> all() const;
    /// What it does, also outside its menu: "Theme: Light".
    [[nodiscard]] QString fullText(QAction& action) const;
    /// What can be done with the selected stream or consumer.
    [[nodiscard]] QList<QAction*> forSelection() const;
    void retranslate();
    void refreshIcons();
    /// Which of them can be used now.
    void refreshState();
    /// Docks can be shown and hidden; the window tells which there are.
    void setDockActions(const std::vector<QAction*>& docks);

private:
    enum Id
    {
        NewStream,
        NewConsumer,
        EditAsset,
        DeleteAsset,
        Purge,
        Replay,
        Override,
        CopyAddress,
        Quit,
        Publish,
        Fetch,
        Lanes,
        Messages,
        Settings,
        Clients,
        FilterTree,
        FilterMessages,
        Follow,
        ZoomIn,
        ZoomOut,
        ZoomFit,
        ZoomReset,
        Palette,
        ThemeSystem,
        ThemeLight,
        ThemeDark,
        LanguageSystem,
        LanguageEnglish,
        LanguageChinese,
        About,
        IdCount
    };

    QAction* add(Id id, const char* iconName, const QKeySequence& keys, std::function<void()> run);
    void addStreamActions();
    void addViewActions();
    void addChoiceActions();
    void buildMenus();
    QAction* at(Id id) const { return m_actions[static_cast<std::size_t>(id)]; }
    QMenu* menu(std::initializer_list<int> ids);

    MainWindow& m_window;
    std::vector<QAction*> m_actions;
    std::vector<QMenu*> m_menus;
    QMenu* m_themeMenu = nullptr;
    QMenu* m_languageMenu = nullptr;
    QMenu* m_docksMenu = nullptr;
    QToolBar* m_toolBar = nullptr;
};

} // namespace jetglass::window
