// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "consumer_bench.h"
#include "stream_bench.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>
#include <string>
#include <vector>

namespace jetglass::tests {

/// "1.1,1.2" = delivery count and stream sequence of each message, a status as its text.
inline QString summary(const std::vector<Sent>& messages)
{
    QStringList parts;
    for (const Sent& message : messages) {
        if (const std::string status = statusOf(message);
            !status.empty() && message.reply.empty()) {
            parts << QString::fromStdString(status);
            continue;
        }
        const QStringList tokens = QString::fromStdString(message.reply).split('.');
        parts << tokens.value(4) + '.' + tokens.value(5);
    }
    return parts.join(',');
}

/// One stream and one consumer on a directory of their own, anew for each test function.
class DeliveryFixture : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_bench = std::make_unique<ConsumerBench>(m_dir.path().toStdString()); }
    void cleanup()
    {
        QVERIFY2(m_bench->log.complaints.empty(),
            m_bench->log.complaints.empty() ? "" : m_bench->log.complaints.front().c_str());
        m_bench.reset();
        m_dir.remove();
        QVERIFY(QDir().mkpath(m_dir.path()));
    }

protected:
    QTemporaryDir m_dir;
    std::unique_ptr<ConsumerBench> m_bench;
};

} // namespace jetglass::tests
