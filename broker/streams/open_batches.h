// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "streams/context.h"
#include "streams/fast_batch.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::streams {

/// A message that waits for the commit of its atomic batch, as it came.
struct HeldMessage
{
    std::string subject;
    std::string block;
    std::string payload;
    ClientId client{};
    [[nodiscard]] std::size_t size() const
    {
        return sizeof(HeldMessage) + subject.size() + block.size() + payload.size();
    }
};

struct AtomicBatch
{
    std::int64_t deadline = 0; ///< of the wire's clock
    std::vector<HeldMessage> held;
};

/// The open batches of one stream, counted against the limits of the server. They are in memory
/// alone: nobody was promised more than that a batch is waiting, and a restart drops it.
class OpenBatches
{
public:
    explicit OpenBatches(BatchTotals* totals)
        : m_totals(totals ? *totals : m_own)
    {
    }
    ~OpenBatches();
    OpenBatches(const OpenBatches&) = delete;
    OpenBatches& operator=(const OpenBatches&) = delete;

    [[nodiscard]] AtomicBatch* atomic(std::string_view id);
    AtomicBatch& openAtomic(std::string_view id);
    void hold(AtomicBatch& batch, HeldMessage message);
    /// Ends it, and gives what it held.
    std::vector<HeldMessage> closeAtomic(std::string_view id);
    [[nodiscard]] std::size_t atomicCount() const { return m_atomic.size(); }

    [[nodiscard]] FastBatch* fast(std::string_view id);
    FastBatch& openFast(const FastBatchStep& start);
    void closeFast(std::string_view id);
    [[nodiscard]] std::size_t fastCount() const { return m_fast.size(); }

    [[nodiscard]] const BatchTotals& totals() const { return m_totals; }
    [[nodiscard]] std::vector<std::string> atomicIds() const;
    [[nodiscard]] std::vector<std::string> fastIds() const;
    /// Atomic ones that have not been heard of in time. Fast ones just go.
    [[nodiscard]] std::vector<std::string> takeExpired(std::int64_t now);
    [[nodiscard]] std::int64_t nextDeadline() const; ///< TimerQueue::kNever without one

private:
    BatchTotals m_own;
    BatchTotals& m_totals;
    std::map<std::string, AtomicBatch, std::less<>> m_atomic;
    std::map<std::string, FastBatch, std::less<>> m_fast;
};

} // namespace jetglass::streams
