// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connection.h"
#include "scenes/scene.h"
#include "settings/preferences.h"
#include "sources/embedded_source.h"
#include "window/embedded_broker.h"
#include "window/main_window.h"

#include <QString>

#include <memory>
#include <optional>

namespace jetglass::window {

/// What the command line says.
struct Options
{
    std::optional<int> port; ///< -1 = any free one
    QString store; ///< folder; empty = the user's data folder
    std::optional<settings::ThemeChoice> theme;
    std::optional<settings::Language> language;
    QString scene;
    QString shot; ///< file to render the scene into
    QSize size{1280, 720};
    bool demo = false;

    /// \returns nothing after saying what is wrong (or after --help and --version).
    static std::optional<Options> parse(const QStringList& arguments);
};

/// Puts the parts together: broker, source, the window's own connection, window, scene. Takes them
/// apart in order.
class Program final : public QObject
{
    Q_OBJECT
public:
    explicit Program(Options options);
    ~Program() override;

    void start();
    [[nodiscard]] MainWindow& window() { return *m_window; }
    [[nodiscard]] EmbeddedBroker& broker() { return m_broker; }

signals:
    void ready(); ///< the broker runs and the window shows it
    void sceneStands();

private:
    [[nodiscard]] BrokerConfig config(int port) const;
    void startBroker(int port);
    void brokerStarted();
    void brokerFailed(const Error& error);
    void useStore(const QString& folder);
    void chooseStore();
    void playScene();
    void takeShot();
    /// Ends the program: what was asked for on the command line cannot be had.
    static void fail(const QString& problem);

    Options m_options;
    settings::Preferences m_preferences;
    EmbeddedBroker m_broker;
    std::unique_ptr<sources::EmbeddedSource> m_source;
    std::unique_ptr<client::Connection> m_connection;
    std::unique_ptr<scenes::Stage> m_stage;
    std::unique_ptr<MainWindow> m_window;
    int m_port = 4222;
};

} // namespace jetglass::window
