// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/history_log.h"

#include "store/endian.h"
#include "store/record_codec.h"
#include "store/varint.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace jetglass::store {

namespace {

constexpr std::string_view kHistoryMagic = "JGHISTRY";
constexpr std::uint32_t kHistoryVersion = 1;
constexpr std::size_t kHistoryHead = 16;
constexpr std::size_t kRowsHead = 8;
constexpr std::size_t kRowsChecksum = 8;
/// A disk that stays full may not fill the memory too.
constexpr std::size_t kMostStaged = 4U << 20U;

enum class RowKind : std::uint8_t
{
    Removal = 1,
    Outcome = 2,
    ClientName = 3
};

struct FoundRows
{
    std::string_view body;
    std::uint32_t rows = 0;
    std::size_t size = 0; ///< 0 = no whole batch
};

FoundRows rowsAt(std::string_view bytes)
{
    if (bytes.size() < kRowsHead + kRowsChecksum)
        return {};
    const auto body = loadNumber<std::uint32_t>(bytes.data());
    const std::uint64_t size = std::uint64_t{body} + kRowsHead + kRowsChecksum;
    if (size > bytes.size())
        return {};
    const std::string_view checked = bytes.substr(0, kRowsHead + body);
    if (checksumOf(checked) != loadNumber<std::uint64_t>(bytes.data() + checked.size()))
        return {};
    return {checked.substr(kRowsHead),
        loadNumber<std::uint32_t>(bytes.data() + 4),
        static_cast<std::size_t>(size)};
}

std::string historyHead()
{
    std::string head(kHistoryHead, '\0');
    kHistoryMagic.copy(head.data(), kHistoryMagic.size());
    storeNumber(head.data() + kHistoryMagic.size(), kHistoryVersion);
    return head;
}

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

Result<std::unique_ptr<HistoryLog>> HistoryLog::open(FileSystem& files, std::string path)
{
    std::unique_ptr<HistoryLog> log(new HistoryLog(files, std::move(path)));
    if (auto done = log->recover(); !done)
        return done.error();
    return log;
}

/// A torn batch at the end is cut off; a file that is something else begins anew.
Result<void> HistoryLog::recover()
{
    auto file = m_files.open(m_path, FileSystem::Mode::Create);
    if (!file)
        return file.error();
    m_file = std::move(*file);
    auto size = m_file->size();
    if (!size)
        return size.error();
    std::string bytes(*size, '\0');
    auto got = m_file->read(0, bytes.data(), bytes.size());
    if (!got)
        return got.error();
    bytes.resize(*got);
    m_size = 0;
    if (std::string_view(bytes).substr(0, kHistoryHead) == historyHead()) {
        m_size = kHistoryHead;
        for (FoundRows batch = rowsAt(std::string_view(bytes).substr(m_size)); batch.size > 0;
             batch = rowsAt(std::string_view(bytes).substr(m_size)))
            noteBatch(batch.rows, batch.size);
    }
    return m_size < *size ? m_file->truncate(m_size) : Result<void>();
}

void HistoryLog::noteBatch(std::size_t rows, std::uint64_t bytes)
{
    m_batches.push_back({rows, bytes});
    m_rows += rows;
    m_size += bytes;
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
    const std::string head = m_size == 0 ? historyHead() : std::string();
    std::string batch(kRowsHead, '\0');
    storeNumber(batch.data(), static_cast<std::uint32_t>(m_staged.size()));
    storeNumber(batch.data() + 4, static_cast<std::uint32_t>(m_stagedRows));
    batch += m_staged;
    batch.resize(batch.size() + kRowsChecksum);
    storeNumber(batch.data() + batch.size() - kRowsChecksum,
        checksumOf(std::string_view(batch).substr(0, batch.size() - kRowsChecksum)));
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
    noteBatch(m_stagedRows, batch.size());
    m_staged.clear();
    m_named.clear();
    m_stagedRows = 0;
    return m_rows > 2U * kKept ? cut() : Result<void>();
}

/// The newest rows move into a new file, which takes the place of the old one in one step.
Result<void> HistoryLog::cut()
{
    std::size_t dropped = 0;
    std::uint64_t from = kHistoryHead;
    std::size_t rows = m_rows;
    while (dropped < m_batches.size() && rows - m_batches[dropped].rows >= kKept) {
        rows -= m_batches[dropped].rows;
        from += m_batches[dropped++].bytes;
    }
    std::string bytes(m_size - from, '\0');
    if (auto got = m_file->read(from, bytes.data(), bytes.size()); !got)
        return got.error();
    const std::string path = m_path + ".new";
    auto file = m_files.open(path, FileSystem::Mode::Create);
    if (!file)
        return file.error();
    if (auto cleared = (*file)->truncate(0); !cleared)
        return cleared;
    const std::string head = historyHead();
    const std::array<std::string_view, 2> pieces{head, bytes};
    if (auto written = (*file)->write(0, pieces); !written)
        return written;
    if (auto renamed = m_files.rename(path, m_path); !renamed)
        return renamed;
    m_file = std::move(*file);
    m_size = kHistoryHead + bytes.size();
    m_rows = rows;
    m_batches.erase(m_batches.begin(), m_batches.begin() + static_cast<std::ptrdiff_t>(dropped));
    return {};
}

void HistoryLog::replay(const std::function<void(const RemovalRow&, std::string_view by)>& removal,
    const std::function<void(const OutcomeRow&)>& outcome) const
{
    if (m_size <= kHistoryHead)
        return;
    std::string bytes(m_size, '\0');
    const auto got = m_file->read(0, bytes.data(), bytes.size());
    if (!got)
        return;
    bytes.resize(*got);
    std::string_view rest = std::string_view(bytes).substr(kHistoryHead);
    for (FoundRows batch = rowsAt(rest); batch.size > 0; batch = rowsAt(rest)) {
        VarintReader in(batch.body);
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
        rest.remove_prefix(batch.size);
    }
}

} // namespace jetglass::store
