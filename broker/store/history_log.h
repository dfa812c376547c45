// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/message_query.h"
#include "broker/message_state.h"
#include "broker/result.h"
#include "store/batch_log.h"
#include "store/file_system.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::store {

/// How a consumer settled a message, where that was not a plain first ack.
struct OutcomeRow
{
    std::uint32_t consumer = 0; ///< its number in the catalog
    StreamSeq seq;
    DeliveryState state = DeliveryState::Acked;
    std::uint32_t deliveries = 1;
    std::int64_t time = 0; ///< wall ns
    ClientId client{};
};

/// history.log of one stream: what left it and how its consumers settled messages, for the views
/// alone (FORMAT.md). Nothing of the stream depends on it, so it is written late: what happened in
/// the second before a kill -9 may be missing, then only the causes are known, from the tombstones.
/// When it holds twice as many rows as are kept the older half is cut off. Broker thread only.
class HistoryLog
{
public:
    static constexpr std::size_t kKept = 1'000'000;

    /// What was wrong with an existing file goes to \a report.
    static Result<std::unique_ptr<HistoryLog>> open(
        FileSystem& files, std::string path, RecoveryReport& report);

    /// \a by is the name of row.client (numbers of connections mean nothing after a restart), if
    /// wantsName().
    void add(const RemovalRow& row, std::string_view by = {});
    [[nodiscard]] bool wantsName(ClientId client) const;
    void add(const OutcomeRow& row);
    /// Enough has come together for a write.
    [[nodiscard]] bool wantsWrite() const { return m_staged.size() >= kWriteBytes; }
    [[nodiscard]] bool hasStaged() const { return m_stagedRows > 0; }
    /// One write. What could not be written is tried again with the next one, up to a bound.
    Result<void> write();
    /// Every whole row, oldest first. A removal comes with the name of who asked for it.
    void replay(const std::function<void(const RemovalRow&, std::string_view by)>& removal,
        const std::function<void(const OutcomeRow&)>& outcome) const;

private:
    static constexpr std::size_t kWriteBytes = 16U << 10U;
    HistoryLog(FileSystem& files, std::string path);
    Result<void> recover(RecoveryReport& report);
    Result<void> cut();

    FileSystem& m_files;
    std::string m_path;
    std::unique_ptr<File> m_file;
    std::string m_staged;
    std::size_t m_stagedRows = 0;
    std::vector<ClientId> m_named; ///< whose names the staged rows have: each batch stands alone
    std::uint64_t m_size = 0;
    std::size_t m_rows = 0;
    std::vector<Batch> m_batches; ///< oldest first: where the file can be cut
};

} // namespace jetglass::store
