// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_state.h"

#include <QString>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace jetglass::fold {

/// What one consumer has done with one sequence, as far as the window knows.
struct Cell
{
    bool known = false;
    DeliveryState state = DeliveryState::NotMatched;
    std::uint32_t deliveries = 0;
    std::int64_t deadline = 0; ///< wall ns
    std::int64_t since = 0; ///< wall ns
    ClientId client{};
};

/// One sequence of a stream. asOf is the number of the last flow event that it includes: older
/// events do not touch it any more.
struct Row
{
    bool known = false;
    bool stored = false;
    Removal removal = Removal::None;
    std::uint32_t size = 0;
    std::uint32_t subjectHash = 0;
    std::int64_t time = 0;
    std::uint64_t asOf = 0;
    QString subject; ///< events carry no text: empty until a range answer brought it
};

/// Rows and cells of one stream by sequence, in pages; holds what was looked at last and forgets
/// the rest.
class CellCache
{
public:
    static constexpr std::uint64_t kPageRows = 256;
    static constexpr std::size_t kMaxCells = 2'000'000;
    static constexpr std::size_t kMaxPages = 64;

    /// Columns are consumers. A column keeps its place until it is removed.
    int column(ConsumerId consumer) const; ///< -1 = none
    int addColumn(ConsumerId consumer);
    void removeColumn(ConsumerId consumer);
    /// Everything this consumer is known for becomes unknown.
    void forgetColumn(ConsumerId consumer);
    [[nodiscard]] const std::vector<ConsumerId>& columns() const { return m_columns; }

    [[nodiscard]] const Row* row(std::uint64_t seq) const;
    [[nodiscard]] Row* row(std::uint64_t seq);
    Row& ensureRow(std::uint64_t seq); ///< may forget other pages
    [[nodiscard]] const Cell* cell(int column, std::uint64_t seq) const; ///< null = page not held
    [[nodiscard]] Cell* cell(int column, std::uint64_t seq);
    void clear();
    [[nodiscard]] std::size_t pageCount() const { return m_pages.size(); }

    /// Calls \a visit(seq, row) for every row held in first..last.
    template<class Visit>
    void eachRow(std::uint64_t first, std::uint64_t last, Visit visit)
    {
        for (auto it = m_pages.lower_bound(first / kPageRows); it != m_pages.end(); ++it) {
            const std::uint64_t base = it->first * kPageRows;
            if (base > last)
                return;
            for (std::uint64_t i = 0; i < kPageRows; ++i) {
                if (base + i >= first && base + i <= last)
                    visit(base + i, it->second->rows[i]);
            }
        }
    }

private:
    struct Page
    {
        std::array<Row, kPageRows> rows;
        std::vector<std::array<Cell, kPageRows>> columns;
        std::uint64_t used = 0;
    };
    [[nodiscard]] Page* page(std::uint64_t number) const;
    void trim(std::uint64_t keep);

    std::map<std::uint64_t, std::unique_ptr<Page>> m_pages;
    std::vector<ConsumerId> m_columns; ///< ConsumerId 0 = free place
    std::uint64_t m_useCounter = 0;
    /// Views walk along sequences: the page of the last look is nearly always the next one's.
    mutable std::uint64_t m_lastNumber = 0;
    mutable Page* m_lastPage = nullptr;
};

} // namespace jetglass::fold
