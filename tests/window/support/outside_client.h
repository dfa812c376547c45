// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QTest>

namespace jetglass::tests {

/// The program orders_client, which talks to the window's broker from a process of its own. The
/// window goes on while a step is under way.
class OutsideClient
{
public:
    explicit OutsideClient(const QString& url)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral(ORDERS_CLIENT), {url});
    }
    ~OutsideClient()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished();
    }
    Q_DISABLE_COPY(OutsideClient)

    /// Its next line: "ok" with what came of the step, or what was wrong.
    QString answer()
    {
        constexpr int kPatienceMs = 20'000;
        if (!QTest::qWaitFor([this] { return m_process.canReadLine(); }, kPatienceMs))
            return QStringLiteral("no answer");
        return QString::fromUtf8(m_process.readLine()).trimmed();
    }
    QString say(const char* step)
    {
        m_process.write(QByteArray(step) + '\n');
        return answer();
    }
    [[nodiscard]] bool isRunning() const { return m_process.state() == QProcess::Running; }

private:
    QProcess m_process;
};

} // namespace jetglass::tests
