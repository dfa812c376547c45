// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_query.h"
#include "broker/message_state.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace jetglass::streams {

/// What left a stream: ranges with cause, by whom and when, the newest kCapacity as far as the
/// memory that all share allows. Rows of an earlier start come from history.log; the causes alone
/// also live in the store's tombstones, so that older ranges are still known by their cause.
class RemovalLedger
{
public:
    static constexpr std::size_t kCapacity = 1'000'000;

    /// \a used counts bytes towards \a budget; it outlives the ledger. Null = no budget.
    explicit RemovalLedger(std::uint64_t* used = nullptr, std::uint64_t budget = 0)
        : m_used(used)
        , m_budget(budget)
    {
    }
    RemovalLedger(RemovalLedger&& other) noexcept
        : m_rows(std::move(other.m_rows))
        , m_used(std::exchange(other.m_used, nullptr))
        , m_budget(other.m_budget)
    {
        other.m_rows.clear();
    }
    RemovalLedger(const RemovalLedger&) = delete;
    RemovalLedger& operator=(const RemovalLedger&) = delete;
    RemovalLedger& operator=(RemovalLedger&&) = delete;
    ~RemovalLedger() { release(); }

    void add(const RemovalRow& row);
    /// Newest first, those that overlap first..last (last 0 = no bound).
    [[nodiscard]] std::vector<RemovalRow> find(
        StreamSeq first, StreamSeq last, std::size_t limit) const;
    [[nodiscard]] std::size_t size() const { return m_rows.size(); }
    /// Its rows count towards the budget no more.
    void release();

private:
    void dropOldest();

    std::deque<RemovalRow> m_rows; ///< oldest first
    std::uint64_t* m_used;
    std::uint64_t m_budget;
};

} // namespace jetglass::streams
