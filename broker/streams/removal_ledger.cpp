// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/removal_ledger.h"

namespace jetglass::streams {
namespace {

/// Removals of one kind that follow each other within this time are one row: a full stream that
/// drops its oldest message at each publish would otherwise fill the ledger with ranges of one.
constexpr std::int64_t kMergeWithin = 1'000'000'000;

} // namespace

void RemovalLedger::add(const RemovalRow& row)
{
    if (!m_rows.empty()) {
        RemovalRow& newest = m_rows.back();
        if (newest.cause == row.cause && newest.client == row.client && newest.last + 1 == row.first
            && row.time - newest.time <= kMergeWithin) {
            newest.last = row.last;
            newest.count += row.count;
            newest.bytes += row.bytes;
            return;
        }
    }
    if (m_rows.size() >= kCapacity || (m_used && *m_used + sizeof(RemovalRow) > m_budget))
        dropOldest();
    if (m_used && *m_used + sizeof(RemovalRow) > m_budget)
        return;
    m_rows.push_back(row);
    if (m_used)
        *m_used += sizeof(RemovalRow);
}

void RemovalLedger::dropOldest()
{
    if (m_rows.empty())
        return;
    m_rows.pop_front();
    if (m_used)
        *m_used -= sizeof(RemovalRow);
}

void RemovalLedger::release()
{
    if (m_used)
        *m_used -= m_rows.size() * sizeof(RemovalRow);
    m_used = nullptr;
}

std::vector<RemovalRow> RemovalLedger::find(
    StreamSeq first, StreamSeq last, std::size_t limit) const
{
    std::vector<RemovalRow> out;
    for (auto it = m_rows.rbegin(); it != m_rows.rend() && out.size() < limit; ++it)
        if (it->last >= first && (last.isZero() || it->first <= last))
            out.push_back(*it);
    return out;
}

} // namespace jetglass::streams
