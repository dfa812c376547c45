// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stream_bench.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

namespace jetglass::tests {

/// Longer than a new link waits.
constexpr std::int64_t kLinked = 200;

/// Streams that copy from one another, on a directory of their own, anew for each test function.
class UpstreamFixture : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

protected:
    StreamBench::Json info(const std::string& name);
    void publish(const std::string& subject, int count, const std::string& headers = {});
    /// Its subject and payload, or its \a headers; empty if it is not there.
    std::string message(const std::string& stream, std::uint64_t seq, bool headers = false);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

} // namespace jetglass::tests
