// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_query.h"
#include "broker/message_state.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace jetglass::streams {

/// What left a stream: ranges with cause, by whom and when, the newest kCapacity. The causes alone
/// also live in the store's tombstones, so that older ranges and those of an earlier start are
/// still known by their cause.
class RemovalLedger
{
public:
    static constexpr std::size_t kCapacity = 1'000'000;

    void add(const RemovalRow& row);
    /// Newest first, those that overlap first..last (last 0 = no bound).
    [[nodiscard]] std::vector<RemovalRow> find(
        StreamSeq first, StreamSeq last, std::size_t limit) const;
    [[nodiscard]] std::size_t size() const { return m_rows.size(); }

private:
    std::deque<RemovalRow> m_rows; ///< oldest first
};

} // namespace jetglass::streams
