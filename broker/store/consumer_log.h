// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace jetglass::store {

/// One fact about a consumer's progress; about 24 bytes on disk. consumer is the number that the
/// catalog gave it.
struct ConsumerRecord
{
    enum class Kind : std::uint8_t
    {
        Delivered = 1, ///< seq, consumerSeq, time of delivery, count = delivery count
        Acked = 2, ///< seq
        AckedUpTo = 3, ///< seq, consumerSeq
        Terminated = 4, ///< seq
        Naked = 5, ///< seq; time = when it was, or "as if delivered at" for a delayed nak
        InProgress = 6, ///< seq, time
        Exhausted = 7, ///< seq
        Floor = 8, ///< seq, consumerSeq: floor moved without an ack (purge)
        Reset = 9 ///< seq: begins anew there; what was known of its messages is void
    };
    Kind kind{};
    std::uint32_t consumer = 0;
    StreamSeq seq;
    ConsumerSeq consumerSeq;
    std::int64_t time = 0;
    std::uint32_t count = 0;
};

/// consumers.log of one stream: what happened since the consumers' last snapshots. Broker thread
/// only.
class ConsumerLog
{
public:
    virtual ~ConsumerLog() = default;
    virtual void stage(const ConsumerRecord& record) = 0;
    [[nodiscard]] virtual bool hasStaged() const = 0;
    /// One write for everything staged. On failure nothing of it counts. After a failed sync every
    /// commit fails, until a cut has put a new file in the place of the one that is not known.
    virtual Result<void> commit() = 0;
    /// Bytes since the last cut: the owner snapshots all consumers and calls cut() every second or
    /// 4 MiB.
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Everything written so far is covered by snapshots.
    virtual Result<void> cut() = 0;
    /// As cut(), but \a kept came after the snapshots and stays; it holds everything that is staged
    /// now. An implementation over a file must do both in one step, so that a crash in between
    /// loses nothing.
    virtual Result<void> cutKeeping(std::span<const ConsumerRecord> kept)
    {
        if (auto done = cut(); !done)
            return done;
        for (const ConsumerRecord& record : kept)
            stage(record);
        return commit();
    }
    virtual void sync(std::function<void(Result<void>)> done) = 0;
    /// At start: every whole record in order; a torn tail is cut.
    virtual Result<void> replay(const std::function<void(const ConsumerRecord&)>& callback) = 0;
};

} // namespace jetglass::store
