// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"
#include "client/connection.h"
#include "controllers/override_controller.h"
#include "models/session.h"
#include "settings/preferences.h"

#include <QMainWindow>

#include <memory>

class QDockWidget;
class QStackedWidget;

namespace jetglass::pages {
class ClientsPage;
class ConsumePage;
class Explorer;
class Inspector;
class PublishPage;
class ReplayPage;
class StreamPage;
class WelcomePage;
}

namespace jetglass::window {

class Actions;
class StartPage;
class StatusLine;

/// The shell: docks, pages, menus. It knows where things are, not what they do. Without a session
/// it shows the start page; attach() fills it, detach() empties it again.
class MainWindow final : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(settings::Preferences& preferences, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Looks through \a source and acts through \a connection, which must live until detach(). \a
    /// connection may be null: then nothing can be done, only seen.
    void attach(sources::FlowSource& source, client::Connection* connection);
    void detach();
    void showRecovery(RecoveryReport report);

    [[nodiscard]] StartPage& startPage() { return *m_start; }
    [[nodiscard]] models::Session* session() { return m_session.get(); }
    [[nodiscard]] pages::Explorer& explorer() { return *m_explorer; }
    [[nodiscard]] pages::StreamPage& streamPage() { return *m_streamPage; }
    [[nodiscard]] pages::Inspector& inspector() { return *m_inspector; }
    [[nodiscard]] pages::PublishPage* publishPage() { return m_publish; }
    [[nodiscard]] pages::ConsumePage* consumePage() { return m_consume; }
    [[nodiscard]] pages::ReplayPage* replayPage() { return m_replay; }
    [[nodiscard]] client::Connection* connection() const { return m_connection; }
    [[nodiscard]] controllers::OverrideController* overrides() { return m_overrides.get(); }
    [[nodiscard]] settings::Preferences& preferences() { return m_preferences; }

    // What the actions do.
    void showTab(int tab);
    void showClients();
    void focusExplorer();
    void focusPublish();
    void focusConsume();
    void focusReplay();
    void openPalette();
    void copyAddress();
    void createExample();
    /// Selects the stream of this name, now or when the overview first tells of it.
    void selectStream(const QString& name);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildDocks();
    void raiseDock(const QString& name);
    QDockWidget* addDock(const QString& name, QWidget* content, Qt::DockWidgetArea area);
    void connectSession();
    void choosePage();
    void selectFirstStream();
    void selectWanted();
    void selectionChanged();
    [[nodiscard]] QString selectedName() const;
    void retranslate();

    settings::Preferences& m_preferences;
    std::unique_ptr<models::Session> m_session;
    client::Connection* m_connection = nullptr;
    std::unique_ptr<controllers::OverrideController> m_overrides;
    QStackedWidget* m_stack;
    StartPage* m_start;
    Actions* m_actions;
    StatusLine* m_status;
    pages::WelcomePage* m_welcome = nullptr;
    pages::StreamPage* m_streamPage = nullptr;
    pages::ClientsPage* m_clientsPage = nullptr;
    pages::Explorer* m_explorer = nullptr;
    pages::Inspector* m_inspector = nullptr;
    pages::PublishPage* m_publish = nullptr;
    pages::ConsumePage* m_consume = nullptr;
    pages::ReplayPage* m_replay = nullptr;
    std::vector<QDockWidget*> m_docks;
    bool m_clientsShown = false;
    QString m_wantedStream; ///< to be selected as soon as it is there
};

} // namespace jetglass::window
