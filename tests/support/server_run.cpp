// SPDX-License-Identifier: GPL-3.0-or-later
#include "server_run.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>
#include <QUrl>

namespace jetglass::test {

ServerRun::ServerRun() = default;

ServerRun::~ServerRun()
{
    if (m_process.state() != QProcess::NotRunning)
        stop(SIGKILL);
}

void ServerRun::write(const QString& name, const QByteArray& bytes) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(file.fileName()));
}

void ServerRun::launch(const QByteArray& config, const QStringList& arguments)
{
    QStringList all = arguments;
    if (!config.isEmpty()) {
        write(QStringLiteral("server.conf"), config);
        all << QStringLiteral("-c") << path(QStringLiteral("server.conf"));
    }
    if (!all.contains(QStringLiteral("-p")))
        all << QStringLiteral("-p") << QStringLiteral("-1");
    all << QStringLiteral("-a") << QStringLiteral("127.0.0.1") << QStringLiteral("--ports_file_dir")
        << m_directory.path();
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    if (m_setup)
        m_process.setChildProcessModifier(m_setup);
    m_process.start(QStringLiteral(JETGLASS_SERVER_PROGRAM), all);
    m_process.waitForStarted();
}

bool ServerRun::start(const QByteArray& config, const QStringList& arguments)
{
    launch(config, arguments);
    const QString name = QStringLiteral("%1_%2.ports")
                             .arg(QFileInfo(QStringLiteral(JETGLASS_SERVER_PROGRAM)).fileName())
                             .arg(m_process.processId());
    const bool up = QTest::qWaitFor(
        [&] { return QFile::exists(path(name)) || m_process.state() == QProcess::NotRunning; },
        kPatienceMs);
    QFile file(path(name));
    if (!up || !file.open(QIODevice::ReadOnly)) {
        qWarning("the program did not come up:\n%s", log().constData());
        return false;
    }
    m_ports = QJsonDocument::fromJson(file.readAll()).object();
    return true;
}

int ServerRun::runToEnd(const QByteArray& config, const QStringList& arguments)
{
    launch(config, arguments);
    if (!m_process.waitForFinished(kPatienceMs)) {
        stop(SIGKILL);
        return -1;
    }
    log();
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

void ServerRun::signal(int number) const
{
    if (m_process.processId() > 0)
        ::kill(static_cast<pid_t>(m_process.processId()), number);
}

int ServerRun::stop(int number)
{
    signal(number);
    if (!m_process.waitForFinished(kPatienceMs)) {
        m_process.kill();
        m_process.waitForFinished(kPatienceMs);
        return -1;
    }
    log();
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

quint16 ServerRun::portOf(const QString& listener) const
{
    const QString url = m_ports.value(listener).toArray().first().toString();
    return static_cast<quint16>(QUrl(url).port(0));
}

QByteArray ServerRun::log()
{
    m_log += m_process.readAll();
    return m_log;
}

bool ServerRun::waitForLog(const QByteArray& text)
{
    return QTest::qWaitFor([&] { return log().contains(text); }, kPatienceMs);
}

} // namespace jetglass::test
