// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHostAddress>
#include <QProcess>
#include <QString>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace jetglass::support {

/// A headless broker as a process of its own, with an empty store, for tests that act as any client
/// does. The program's path comes from the build (JETGLASS_SERVER_PROGRAM).
class ServerProcess
{
public:
    /// False if the program does not come up within ten seconds.
    bool start()
    {
        {
            QTcpServer probe; // the system hands out a free port; it is ours until somebody else
                              // asks for it
            if (!probe.listen(QHostAddress::LocalHost, 0))
                return false;
            m_port = probe.serverPort();
        }
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral(JETGLASS_SERVER_PROGRAM),
            {QStringLiteral("-js"),
                QStringLiteral("-a"),
                QStringLiteral("127.0.0.1"),
                QStringLiteral("-p"),
                QString::number(m_port),
                QStringLiteral("-sd"),
                m_store.path()});
        if (!m_process.waitForStarted(5000))
            return false;
        return QTest::qWaitFor(
            [this] {
                QTcpSocket socket;
                socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
                return socket.waitForConnected(100);
            },
            10000);
    }

    ~ServerProcess()
    {
        m_process.terminate();
        if (!m_process.waitForFinished(5000))
            m_process.kill();
        m_process.waitForFinished(1000);
    }

    [[nodiscard]] QString url() const { return QStringLiteral("nats://127.0.0.1:%1").arg(m_port); }
    [[nodiscard]] QByteArray output() { return m_process.readAll(); }

private:
    QTemporaryDir m_store;
    QProcess m_process;
    quint16 m_port = 0;
};

} // namespace jetglass::support
