// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <csignal>
#include <functional>

namespace jetglass::test {

/// The broker's own program with any configuration, in a directory of its own, on ports that the
/// system picks. The path comes from the build (JETGLASS_SERVER_PROGRAM).
class ServerRun
{
public:
    static constexpr int kPatienceMs = 15'000;

    ServerRun();
    ~ServerRun();
    ServerRun(const ServerRun&) = delete;
    ServerRun& operator=(const ServerRun&) = delete;

    /// \a config is the text of the configuration file; none if it is empty. A fixed port may come
    /// with \a arguments. True when the ports file is there.
    bool start(const QByteArray& config = {}, const QStringList& arguments = {});
    /// As start(), but the program is to end by itself; its exit code, -1 if it did not.
    int runToEnd(const QByteArray& config, const QStringList& arguments = {});
    /// The exit code; -1 if it did not end or did not end by itself.
    int stop(int signal = SIGTERM);
    void kill() { stop(SIGKILL); }
    void signal(int number) const;
    /// Run in the child before the program, for limits.
    void setChildSetup(std::function<void()> setup) { m_setup = std::move(setup); }

    [[nodiscard]] quint16 port() const { return portOf(QStringLiteral("nats")); }
    [[nodiscard]] quint16 httpPort() const { return portOf(QStringLiteral("monitoring")); }
    [[nodiscard]] quint16 webSocketPort() const { return portOf(QStringLiteral("websocket")); }
    [[nodiscard]] QJsonObject ports() const { return m_ports; }
    /// All that it has written to stderr in all its runs.
    QByteArray log();
    bool waitForLog(const QByteArray& text);

    [[nodiscard]] QString path(const QString& name) const { return m_directory.filePath(name); }
    void write(const QString& name, const QByteArray& bytes) const;

private:
    void launch(const QByteArray& config, const QStringList& arguments);
    [[nodiscard]] quint16 portOf(const QString& listener) const;

    QTemporaryDir m_directory;
    QProcess m_process;
    QByteArray m_log;
    QJsonObject m_ports;
    std::function<void()> m_setup;
};

} // namespace jetglass::test
