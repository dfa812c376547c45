// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/history_log.h"

#include "store/varint.h"
#include "store/whole_file.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace jetglass::store {

namespace {

constexpr std::string_view kHistoryMagic = "JGHISTRY";
/// A disk that stays full may not fill the memory too.
constexpr std::size_t kMostStaged = 4U << 20U;

enum class RowKind : std::uint8_t
{
    Removal = 1,
    Outcome = 2,
    ClientName = 3
};

RemovalRow readRemoval(VarintReader& in)
{
    RemovalRow row;
    row.first = StreamSeq(in.number());
    row.last = row.first + in.number();
    row.count = in.number();
    row.bytes = in.number();
    row.cause =
        static_cast<Removal>(std::min(in.number(), static_cast<std::uint64_t>(Removal::Unknown)));
    row.client = ClientId{static_cast<std::uint32_t>(in.number())};
    row.time = in.signedNumber();
    return row;
}

OutcomeRow readOutcome(VarintReader& in)
{
    OutcomeRow row;
    row.consumer = static_cast<std::uint32_t>(in.number());
    row.seq = StreamSeq(in.number());
    row.state = static_cast<DeliveryState>(
        std::min(in.number(), static_cast<std::uint64_t>(DeliveryState::Settled)));
    row.deliveries = static_cast<std::uint32_t>(in.number());
    row.time = in.signedNumber();
    row.client = ClientId{static_cast<std::uint32_t>(in.number())};
    return row;
}

} // namespace

HistoryLog::HistoryLog(FileSystem& files, std::string path)
    : m_files(files)
    , m_path(std::move(path))
{
}

Result<std::unique_ptr<HistoryLog>> HistoryLog::open(
    FileSystem& files, std::string path, RecoveryReport& report)
{
    std::unique_ptr<HistoryLog> log(new HistoryLog(files, std::move(path)));
    if (auto done = log->recover(report); !done)
        return done.error();
    return log;
}

/// A torn batch at the end is not worth a word: it is written up to a second late anyway.
Result<void> HistoryLog::recover(RecoveryReport& report)
{
    if (m_files.exists(m_path)) {
        RecoveryReport found;
        auto log = recoverBatchLog(m_files,
            m_path,
            kHistoryMagic,
            RecoveryFinding::Kind::TornEndCut,
            RecoveryFinding::Kind::BytesDamaged,
            found);
        if (!log)
            return log.error();
        for (RecoveryFinding& finding : found)
            if (finding.kind != RecoveryFinding::Kind::TornEndCut)
                report.push_back(std::move(finding));
        m_file = std::move(log->file);
        for (const Batch& batch : log->scan.batches)
            m_rows += batch.records;
        m_batches = std::move(log->scan.batches);
        m_size = m_file ? log->scan.end : 0;
    }
    if (m_file)
        return {};
    auto file = m_files.open(m_path, FileSystem::Mode::Create);
    if (!file)
        return file.error();
    m_file = std::move(*file);
    return m_file->truncate(0);
}

bool HistoryLog::wantsName(ClientId client) const
{
    return client != ClientId{}
    && std::find(m_named.begin(), m_named.end(), client) == m_named.end();
}

void HistoryLog::add(const RemovalRow& row, std::string_view by)
{
    if (!by.empty() && wantsName(row.client)) {
        m_named.push_back(row.client);
        m_staged.push_back(static_cast<char>(RowKind::ClientName));
        putVarint(m_staged, static_cast<std::uint64_t>(row.client));
        putVarint(m_staged, by.size());
        m_staged += by;
        ++m_stagedRows;
    }
    m_staged.push_back(static_cast<char>(RowKind::Removal));
    putVarint(m_staged, row.first.value());
    putVarint(m_staged, row.last < row.first ? 0 : row.last - row.first);
    putVarint(m_staged, row.count);
    putVarint(m_staged, row.bytes);
    putVarint(m_staged, static_cast<std::uint64_t>(row.cause));
    putVarint(m_staged, static_cast<std::uint64_t>(row.client));
    putSigned(m_staged, row.time);
    ++m_stagedRows;
}

void HistoryLog::add(const OutcomeRow& row)
{
    m_staged.push_back(static_cast<char>(RowKind::Outcome));
    putVarint(m_staged, row.consumer);
    putVarint(m_staged, row.seq.value());
    putVarint(m_staged, static_cast<std::uint64_t>(row.state));
    putVarint(m_staged, row.deliveries);
    putSigned(m_staged, row.time);
    putVarint(m_staged, static_cast<std::uint64_t>(row.client));
    ++m_stagedRows;
}

Result<void> HistoryLog::write()
{
    if (m_stagedRows == 0)
        return {};
    const std::string head = m_size == 0 ? batchLogHead(kHistoryMagic) : std::string();
    std::string batch;
    beginBatch(batch);
    batch += m_staged;
    endBatch(batch, m_stagedRows);
    const std::array<std::string_view, 2> pieces{head, batch};
    if (auto written = m_file->write(m_size, pieces); !written) {
        if (m_staged.size() > kMostStaged) {
            m_staged.clear();
            m_named.clear();
            m_stagedRows = 0;
        }
        return written;
    }
    m_size += head.size();
    m_batches.push_back({m_size, batch.size(), static_cast<std::uint32_t>(m_stagedRows)});
    m_size += batch.size();
    m_rows += m_stagedRows;
    m_staged.clear();
    m_named.clear();
    m_stagedRows = 0;
    return m_rows > 2U * kKept ? cut() : Result<void>();
}

/// The newest rows move into a new file, which takes the place of the old one in one step.
Result<void> HistoryLog::cut()
{
    std::size_t dropped = 0;
    std::size_t rows = m_rows;
    while (dropped < m_batches.size() && rows - m_batches[dropped].records >= kKept)
        rows -= m_batches[dropped++].records;
    const std::uint64_t from = dropped < m_batches.size() ? m_batches[dropped].offset : m_size;
    std::string bytes = batchLogHead(kHistoryMagic);
    const std::uint64_t moved = from - bytes.size();
    bytes.resize(m_size - moved);
    if (auto got = m_file->read(from, bytes.data() + kBatchLogHead, m_size - from); !got)
        return got.error();
    if (auto written = replaceFile(m_files, m_path, bytes, Durable::No); !written)
        return written;
    auto file = m_files.open(m_path, FileSystem::Mode::ReadWrite);
    if (!file)
        return file.error();
    m_file = std::move(*file);
    m_size -= moved;
    m_rows = rows;
    m_batches.erase(m_batches.begin(), m_batches.begin() + static_cast<std::ptrdiff_t>(dropped));
    for (Batch& batch : m_batches)
        batch.offset -= moved;
    return {};
}

void HistoryLog::replay(const std::function<void(const RemovalRow&, std::string_view by)>& removal,
    const std::function<void(const OutcomeRow&)>& outcome) const
{
    if (m_size <= kBatchLogHead)
        return;
    std::string bytes(m_size, '\0');
    const auto got = m_file->read(0, bytes.data(), bytes.size());
    if (!got)
        return;
    bytes.resize(*got);
    for (const Batch& batch : scanBatches(bytes, kHistoryMagic).batches) {
        VarintReader in(batch.body(bytes));
        std::unordered_map<std::uint64_t, std::string_view> names;
        while (!in.atEnd() && in.good()) {
            const std::uint64_t kind = in.number();
            if (kind == static_cast<std::uint64_t>(RowKind::Removal)) {
                const RemovalRow row = readRemoval(in);
                const auto name = names.find(static_cast<std::uint64_t>(row.client));
                if (in.good())
                    removal(row, name == names.end() ? std::string_view() : name->second);
            } else if (kind == static_cast<std::uint64_t>(RowKind::Outcome)) {
                const OutcomeRow row = readOutcome(in);
                if (in.good())
                    outcome(row);
            } else if (kind == static_cast<std::uint64_t>(RowKind::ClientName)) {
                const std::uint64_t client = in.number();
                names[client] = in.text(static_cast<std::size_t>(in.number()));
            } else {
                break; // of a later version
            }
        }
    }
}

} // namespace jetglass::store
