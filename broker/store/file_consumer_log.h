// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"
#include "store/consumer_log.h"
#include "store/file_system.h"
#include "store/worker.h"

#include <memory>
#include <string>
#include <vector>

namespace jetglass::store {

/// consumers.log as a file, see FORMAT.md. What is committed together is one batch with one
/// checksum, so a torn write loses the batch that was never confirmed and nothing else, and damage
/// loses the batches that it hit. The file
/// appears with the first commit.
class FileConsumerLog final : public ConsumerLog
{
public:
    /// What was wrong with an existing file goes to \a report.
    static Result<std::unique_ptr<ConsumerLog>> open(
        FileSystem& files, Worker& worker, std::string path, RecoveryReport& report);

    void stage(const ConsumerRecord& record) override { m_staged.push_back(record); }
    [[nodiscard]] bool hasStaged() const override { return !m_staged.empty(); }
    Result<void> commit() override;
    [[nodiscard]] std::uint64_t size() const override;
    Result<void> cut() override;
    Result<void> cutKeeping(std::span<const ConsumerRecord> kept) override;
    void sync(std::function<void(Result<void>)> done) override;
    Result<void> replay(const std::function<void(const ConsumerRecord&)>& callback) override;

private:
    FileConsumerLog(FileSystem& files, Worker& worker, std::string path);
    Result<void> create();
    Result<void> replace(std::span<const ConsumerRecord> kept);

    FileSystem& m_files;
    Worker& m_worker;
    std::string m_path;
    std::shared_ptr<File> m_file;
    std::vector<ConsumerRecord> m_staged;
    std::string m_buffer;
    std::uint64_t m_size = 0; ///< good bytes of the file
    bool m_nameUnsure = true; ///< its directory may not know of it for good
    bool m_synced = false; ///< somebody waits for what is durable
    std::shared_ptr<bool> m_syncFailed = std::make_shared<bool>(false);
};

/// For streams in memory: their consumers go with them.
class MemoryConsumerLog final : public ConsumerLog
{
public:
    void stage(const ConsumerRecord& /*record*/) override { m_staged = true; }
    [[nodiscard]] bool hasStaged() const override { return m_staged; }
    Result<void> commit() override
    {
        m_staged = false;
        return {};
    }
    [[nodiscard]] std::uint64_t size() const override { return 0; }
    Result<void> cut() override { return {}; }
    void sync(std::function<void(Result<void>)> done) override { done({}); }
    Result<void> replay(const std::function<void(const ConsumerRecord&)>& /*callback*/) override
    {
        return {};
    }

private:
    bool m_staged = false;
};

} // namespace jetglass::store
