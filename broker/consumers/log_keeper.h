// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "store/consumer_log.h"
#include "streams/turn.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::streams {
struct Context;
class Stream;
}

namespace jetglass::consumers {

/// What the consumers of one stream share: their log. Records of a turn go out in one write;
/// confirmations of acks wait for it; every second or 4 MiB the consumers' states are written to
/// the catalog and the log is cut. Owned by the consumers together. Broker thread only.
/// After a failed write the log lacks something that the consumers have done. Nothing more is
/// written to it, and nothing confirmed, until the states of all of them are in the catalog.
class LogKeeper final : public streams::TurnMember, public std::enable_shared_from_this<LogKeeper>
{
public:
    explicit LogKeeper(streams::Stream& stream);
    ~LogKeeper() override;

    /// The catalog's number of a new consumer.
    std::uint32_t takeNumber() { return m_nextNumber++; }
    void numberUsed(std::uint32_t number);

    void stage(const store::ConsumerRecord& record);
    /// Sends an empty message to \a reply once everything staged so far is written.
    void confirmWhenWritten(std::string_view reply);
    /// Before a consumer goes, with it perhaps this object: what waits for a write gets it.
    void writeNow();
    /// Writes what a change that may be refused will be, with what is staged. If that fails the log
    /// knows nothing of it, and the change must not be made.
    Result<void> writeFirst(const store::ConsumerRecord& record);
    /// Writes the states of all consumers now: orderly stop, or a change that records cannot tell.
    void snapshot(bool wait);

    void commit() override;
    void follow() override;

private:
    void write();
    void writeStaged();
    void sendConfirmations();
    void fellBehind(const Error& error);
    void snapshotDone(std::uint64_t number, const Result<void>& done);
    void cutLog();
    void startAnew();
    void syncLog();

    streams::Stream& m_stream;
    streams::Context& m_context;
    base::Timer m_snapshotTimer;
    std::vector<std::string> m_confirm; ///< reply subjects
    std::vector<store::ConsumerRecord> m_sinceSnapshot;
    std::uint64_t m_pendingAtSnapshot = 0;
    std::uint32_t m_nextNumber = 1;
    bool m_deferred = false;
    bool m_written = false;
    bool m_behind = false; ///< the log lacks something
    Error m_failure{}; ///< why
    std::uint64_t m_snapshots = 0; ///< so many were begun; only the newest one may cut the log
    bool m_snapshotRunning = false;
};

} // namespace jetglass::consumers
