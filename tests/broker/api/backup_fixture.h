// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stream_bench.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

namespace jetglass::tests {

/// A stream that is backed up and restored over the API as a client would, anew for each test
/// function.
class BackupFixture : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
        m_chunks = 0;
        m_end.clear();
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

protected:
    using Json = StreamBench::Json;
    void turn();
    void watchSnapshot() { m_bench->bus->addClient("snap.1"); }
    std::size_t takeChunks(std::string& into, bool ack);
    std::string snapshot(const std::string& members = {});
    Json restore(const std::string& backup,
        const std::string& config = R"({"name":"S","subjects":["s.>"]})",
        std::size_t chunk = 1000);
    std::string beginRestore(const std::string& config = R"({"name":"S","subjects":["s.>"]})");
    std::string send(const std::string& subject, const std::string& chunk);
    void fill(const char* storage);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
    std::size_t m_chunks = 0; ///< of the bus's messages, looked at
    std::string m_end; ///< headers of the end message
    int m_replies = 0;
};

} // namespace jetglass::tests
