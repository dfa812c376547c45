// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"
#include "broker/result.h"
#include "broker/stream_config.h"
#include "store/catalog.h"
#include "store/consumer_log.h"
#include "store/file_system.h"
#include "store/history_log.h"
#include "store/message_store.h"
#include "store/worker.h"

#include <functional>
#include <memory>
#include <string>

namespace jetglass::store {

struct StoreSettings
{
    std::string directory; ///< <store_dir>/jetstream
    bool syncAlways = false;
    std::uint64_t blockSize = 8U << 20U; ///< bytes at which a block is sealed
    std::uint64_t cacheBytes = 64U
        << 20U; ///< budget for loaded sealed blocks, all streams together
};

/// Opens what belongs to one account: <directory>/<account>/... Keeps the directory lock while it
/// lives.
class StoreFactory
{
public:
    virtual ~StoreFactory() = default;
    virtual Catalog& catalog() = 0;
    /// File or memory by config.storage. Opening an existing file store runs recovery; what it
    /// found goes to report().
    virtual Result<std::unique_ptr<MessageStore>> openStream(const StreamConfig& config) = 0;
    virtual Result<std::unique_ptr<ConsumerLog>> openConsumerLog(const StreamConfig& config) = 0;
    /// For a stream that the catalog does not have yet: takes away what an earlier one of that name
    /// may have left and marks the folder, so that the next start removes it unless the catalog has
    /// the stream by then.
    virtual Result<void> beginStream(const StreamConfig& /*config*/) { return {}; }
    /// The same for one that is to be made empty, unless the folder is there and no removal has
    /// begun with it: what is in it, which nobody told the catalog to forget, becomes the stream's.
    /// True if the folder is new.
    virtual Result<bool> beginCreate(const StreamConfig& /*config*/) { return true; }
    /// Marks the folder in the same way before the catalog forgets the stream.
    virtual Result<void> beginRemoval(const StreamConfig& /*config*/) { return {}; }
    /// The catalog has it, or has it still: takes the mark away.
    virtual void keepStream(const StreamConfig& /*config*/) { }
    /// Null for a stream that keeps nothing over a restart.
    virtual Result<std::unique_ptr<HistoryLog>> openHistoryLog(const StreamConfig& /*config*/)
    {
        return std::unique_ptr<HistoryLog>();
    }
    /// Moves the stream's folder away at once and deletes it on the worker.
    virtual Result<void> removeStream(const StreamConfig& config) = 0;
    /// What is left of a stream that nobody knows any more: destroying millions of entries takes
    /// longer than the loop should wait.
    virtual void dispose(std::shared_ptr<void> remains) { remains.reset(); }
    /// One more for the report.
    virtual void note(const RecoveryFinding& /*finding*/) { }
    [[nodiscard]] virtual const RecoveryReport& report() const = 0;
};

/// Errors: InUse (another process has the directory), Io, Corrupt (a damaged catalog, and not
/// enough copies of what it held), Unsupported (a foreign or later one); the text says which file.
Result<std::unique_ptr<StoreFactory>> openStoreFactory(
    FileSystem& files, Worker& worker, const StoreSettings& settings, const std::string& account);

} // namespace jetglass::store
