// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/file_consumer_log.h"

#include "store/batch_log.h"
#include "store/varint.h"
#include "store/whole_file.h"

#include <array>
#include <utility>

namespace jetglass::store {

namespace {

constexpr std::string_view kConsumerMagic = "JGCONLOG";

void encodeBatch(std::string& to, const std::vector<ConsumerRecord>& records)
{
    beginBatch(to);
    ConsumerRecord before;
    for (const ConsumerRecord& r : records) {
        to.push_back(static_cast<char>(r.kind));
        putVarint(to, r.consumer);
        putSigned(to, static_cast<std::int64_t>(r.seq - before.seq));
        putSigned(to, static_cast<std::int64_t>(r.consumerSeq - before.consumerSeq));
        putSigned(to, r.time - before.time);
        putVarint(to, r.count);
        before = r;
    }
    endBatch(to, records.size());
}

void decodeBatch(std::string_view body,
    std::uint32_t records,
    const std::function<void(const ConsumerRecord&)>& callback)
{
    VarintReader in(body);
    ConsumerRecord r;
    for (std::uint32_t i = 0; i < records && in.good() && !in.atEnd(); ++i) {
        r.kind = static_cast<ConsumerRecord::Kind>(in.number());
        r.consumer = static_cast<std::uint32_t>(in.number());
        r.seq = r.seq + static_cast<std::uint64_t>(in.signedNumber());
        r.consumerSeq = r.consumerSeq + static_cast<std::uint64_t>(in.signedNumber());
        r.time += in.signedNumber();
        r.count = static_cast<std::uint32_t>(in.number());
        if (in.good())
            callback(r);
    }
}

} // namespace

FileConsumerLog::FileConsumerLog(FileSystem& files, Worker& worker, std::string path)
    : m_files(files)
    , m_worker(worker)
    , m_path(std::move(path))
{
}

Result<std::unique_ptr<ConsumerLog>> FileConsumerLog::open(
    FileSystem& files, Worker& worker, std::string path, RecoveryReport& report)
{
    std::unique_ptr<FileConsumerLog> log(new FileConsumerLog(files, worker, std::move(path)));
    // What is left of a log that cannot be used: the consumers go on from their last snapshots.
    if (files.exists(log->m_path)) {
        auto found = recoverBatchLog(files,
            log->m_path,
            kConsumerMagic,
            RecoveryFinding::Kind::ConsumerLogCut,
            RecoveryFinding::Kind::ConsumerLogSetAside,
            report);
        if (!found)
            return found.error();
        log->m_file = std::move(found->file);
        log->m_size = log->m_file ? found->scan.end : 0;
    }
    return std::unique_ptr<ConsumerLog>(std::move(log));
}

Result<void> FileConsumerLog::create()
{
    auto file = m_files.open(m_path, FileSystem::Mode::Create);
    if (!file)
        return file.error();
    const std::string head = batchLogHead(kConsumerMagic);
    const std::array<std::string_view, 1> pieces{head};
    if (auto cleared = (*file)->truncate(0); !cleared)
        return cleared;
    if (auto written = (*file)->write(0, pieces); !written)
        return written;
    m_file = std::move(*file);
    m_size = kBatchLogHead;
    m_nameUnsure = true;
    return {};
}

Result<void> FileConsumerLog::commit()
{
    if (m_staged.empty())
        return {};
    const std::vector<ConsumerRecord> records = std::exchange(m_staged, {});
    if (*m_syncFailed)
        return Error{Errc::Io, m_path + ": refuses writes after a failed sync", 0, 0};
    if (!m_file)
        if (auto made = create(); !made)
            return made;
    encodeBatch(m_buffer, records);
    const std::array<std::string_view, 1> pieces{m_buffer};
    if (auto written = m_file->write(m_size, pieces); !written) {
        // If this fails too, the next batch overwrites what is there, and replay cuts what is left
        // of it.
        static_cast<void>(m_file->truncate(m_size).ok());
        return written;
    }
    m_size += m_buffer.size();
    return {};
}

std::uint64_t FileConsumerLog::size() const
{
    return m_size > kBatchLogHead ? m_size - kBatchLogHead : 0;
}

Result<void> FileConsumerLog::cut()
{
    if (*m_syncFailed)
        return replace({});
    if (size() == 0)
        return {};
    if (auto done = m_file->truncate(kBatchLogHead); !done)
        return done;
    m_size = kBatchLogHead;
    return {};
}

/// A second file with the records that stay takes the place of the first in one step.
Result<void> FileConsumerLog::cutKeeping(std::span<const ConsumerRecord> kept)
{
    return kept.empty() ? cut() : replace(kept);
}

Result<void> FileConsumerLog::replace(std::span<const ConsumerRecord> kept)
{
    const std::string path = m_path + ".new";
    auto file = m_files.open(path, FileSystem::Mode::Create);
    if (!file)
        return file.error();
    if (auto cleared = (*file)->truncate(0); !cleared)
        return cleared;
    const std::string head = batchLogHead(kConsumerMagic);
    m_buffer.clear();
    if (!kept.empty())
        encodeBatch(m_buffer, {kept.begin(), kept.end()});
    const std::array<std::string_view, 2> pieces{head, m_buffer};
    if (auto written = (*file)->write(0, pieces); !written)
        return written;
    // What has been promised as durable may not hang on bytes that are not.
    if (m_synced)
        if (auto synced = (*file)->syncData(); !synced)
            return synced;
    if (auto renamed = m_files.rename(path, m_path); !renamed)
        return renamed;
    m_file = std::move(*file);
    m_syncFailed = std::make_shared<bool>(false); // the earlier file's
    m_nameUnsure = true;
    m_staged.clear();
    m_size = kBatchLogHead + m_buffer.size();
    return {};
}

void FileConsumerLog::sync(std::function<void(Result<void>)> done)
{
    if (!m_file) {
        done({});
        return;
    }
    m_synced = true;
    auto result = std::make_shared<Result<void>>();
    const bool name = std::exchange(m_nameUnsure, false);
    m_worker.run(
        [&files = m_files, file = m_file, name, path = m_path, result] {
            *result = file->syncData();
            if (name && result->ok())
                *result = files.syncDirectory(path.substr(0, path.rfind('/')));
        },
        [result, failed = m_syncFailed, done = std::move(done)] {
            // Of what an earlier sync has lost a later one says nothing.
            if (result->ok() && *failed)
                *result = Error{Errc::Io, "an earlier sync has failed", 0, 0};
            *failed = !result->ok();
            done(*result);
        });
}

Result<void> FileConsumerLog::replay(const std::function<void(const ConsumerRecord&)>& callback)
{
    if (!m_file)
        return {};
    auto bytes = readAll(*m_file);
    if (!bytes)
        return bytes.error();
    const std::string_view all = std::string_view(*bytes).substr(0, m_size);
    for (const Batch& batch : scanBatches(all, kConsumerMagic).batches)
        decodeBatch(batch.body(all), batch.records, callback);
    return {};
}

} // namespace jetglass::store
