// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_state.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace jetglass::consumers {

/// How a message was settled, as far as it is remembered.
struct SettledOutcome
{
    DeliveryState state = DeliveryState::Acked;
    std::uint32_t deliveries = 1;
    std::int64_t time = 0; ///< wall ns
    ClientId client{};
};

/// What a consumer remembers of settled messages (contracts.md 3): the time and client of about the
/// newest 100,000 plain acks, and every outcome that is not a plain first-time ack, up to a bound.
/// The exceptions come back after a restart from the stream's history.log, the plain acks do not.
/// What it takes counts towards a budget that all share: without room it forgets its oldest.
class SettledMemory
{
public:
    explicit SettledMemory(std::uint64_t* used = nullptr, std::uint64_t budget = 0)
        : m_used(used)
        , m_budget(budget)
    {
    }
    SettledMemory(const SettledMemory&) = delete;
    SettledMemory& operator=(const SettledMemory&) = delete;
    ~SettledMemory() { clear(); }
    void acked(StreamSeq seq, std::int64_t time, ClientId client);
    void remember(StreamSeq seq, const SettledOutcome& outcome);
    void clear();
    [[nodiscard]] std::optional<SettledOutcome> find(StreamSeq seq) const;

    static constexpr std::size_t kMaxAcks = std::size_t{1} << 17U;
    static constexpr std::size_t kMaxExceptions = 250'000;

private:
    /// Acks sit at seq modulo size; the table grows while a newer one would displace another.
    struct Ack
    {
        std::uint64_t seq = 0;
        std::int64_t time = 0;
        ClientId client{};
    };
    /// An entry of a hash table with its node, and one of the order.
    static constexpr std::uint64_t kExceptionBytes = 72;
    bool grow();
    void forgetOldest();
    [[nodiscard]] bool take(std::uint64_t bytes);
    void give(std::uint64_t bytes);

    std::vector<Ack> m_acks;
    std::unordered_map<std::uint64_t, SettledOutcome> m_exceptions;
    std::deque<std::uint64_t> m_order; ///< of exceptions, oldest first
    std::uint64_t* m_used;
    std::uint64_t m_budget;
};

} // namespace jetglass::consumers
