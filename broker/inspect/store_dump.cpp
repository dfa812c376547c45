// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspect/store_dump.h"

#include "base/time_text.h"
#include "inspect/block_check.h"
#include "store/block_index.h"
#include "store/file_consumer_log.h"
#include "store/frame_file.h"
#include "store/overlay_file_system.h"
#include "store/sqlite_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace jetglass::inspect {

namespace {

/// By the number of FORMAT.md.
const char* causeName(Removal cause)
{
    static constexpr std::array<const char*, 15> kNames{"none",
        "age",
        "count",
        "bytes",
        "count per subject",
        "acknowledged on a work queue",
        "interest gone",
        "purge",
        "deleted",
        "own TTL",
        "rollup",
        "no interest",
        "skipped",
        "lost",
        "not known any more"};
    const auto at = static_cast<std::size_t>(cause);
    return at < kNames.size() ? kNames[at] : "?";
}

const char* kindName(store::ConsumerRecord::Kind kind)
{
    static constexpr std::array<const char*, 10> kNames{"?",
        "delivered",
        "acked",
        "acked up to",
        "terminated",
        "naked",
        "in progress",
        "exhausted",
        "floor",
        "reset"};
    const auto at = static_cast<std::size_t>(kind);
    return at < kNames.size() ? kNames[at] : "?";
}

/// Text as it is; what would disturb a terminal as \xNN.
std::string readable(std::string_view bytes)
{
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n')
            text += "\\n";
        else if (c == '\r')
            text += "\\r";
        else if (byte < 0x20 || byte == 0x7F)
            text += fmt::format("\\x{:02x}", byte);
        else
            text += c;
    }
    return text;
}

const char* indexName(BlockCheck::Index index)
{
    switch (index) {
    case BlockCheck::Index::None:
        return "none";
    case BlockCheck::Index::Whole:
        return "whole";
    case BlockCheck::Index::Damaged:
        return "damaged";
    case BlockCheck::Index::Stale:
        return "of another state of the block";
    }
    return "?";
}

void dumpRecord(std::uint64_t offset, const store::Record& r, bool payloads, const Line& line)
{
    using store::RecordKind;
    const auto range = [&](const char* kind, const std::string& more) {
        line(fmt::format("    {:>9}  {:<9} {} to {}{}{}",
            offset,
            kind,
            r.seq,
            r.last(),
            more,
            r.rangeTime != 0 ? "  " + base::rfc3339(r.rangeTime) : std::string()));
    };
    const std::string cause = fmt::format(", {}", causeName(r.cause));
    switch (r.kind) {
    case RecordKind::Message:
        line(fmt::format("    {:>9}  message   {}  {}  {}  {} B headers, {} B payload",
            offset,
            r.seq,
            base::rfc3339(r.time),
            readable(r.subject),
            r.headers.size(),
            r.payload.size()));
        if (payloads && !r.headers.empty())
            line("               " + readable(r.headers));
        if (payloads)
            line("               " + readable(r.payload));
        return;
    case RecordKind::Removed:
        return range("removed", cause);
    case RecordKind::Skipped:
        return range("skipped", cause);
    case RecordKind::FirstSeq:
        line(fmt::format("    {:>9}  first sequence  {}", offset, r.seq));
        return;
    case RecordKind::Together:
        return range("together", {});
    }
}

Result<void> dumpBlock(store::FileSystem& files,
    const std::string& path,
    std::uint64_t number,
    const DumpWish& wish,
    const Line& line)
{
    const auto check = checkBlock(files, path, number);
    if (!check)
        return check.error();
    line(fmt::format("  {}.blk  {} B{}, head {}, base {}; {} messages{}, {} other records",
        number,
        check->size,
        check->stored == check->size ? std::string()
                                     : fmt::format(" (in lz4 frames: {} B)", check->stored),
        check->headGood ? "whole" : "damaged",
        check->base,
        check->messages,
        check->messages == 0 ? std::string()
                             : fmt::format(" ({} to {})", check->first, check->last),
        check->ranges));
    line(fmt::format("         index {}{}",
        indexName(check->index),
        check->indexBytes == 0 ? std::string()
                               : fmt::format(": {} messages on {} subjects, {} B",
                                   check->indexed,
                                   check->subjects,
                                   check->indexBytes)));
    if (check->damagedBytes > 0)
        line(fmt::format("         {} B between whole records are damaged", check->damagedBytes));
    if (check->tornBytes > 0)
        line(fmt::format("         {} B behind the last whole record", check->tornBytes));
    if (!wish.records)
        return {};
    const auto bytes = store::readBlock(files, path + ".blk");
    if (!bytes)
        return bytes.error();
    visitRecords(
        *bytes, [&](std::uint64_t offset, const store::Record* record, std::uint64_t size) {
            if (record != nullptr)
                dumpRecord(offset, *record, wish.payloads, line);
            else
                line(fmt::format("    {:>9}  {} B that are no record", offset, size));
        });
    return {};
}

Result<void> dumpConsumerLog(
    store::FileSystem& files, const std::string& path, bool records, const Line& line)
{
    if (!files.exists(path))
        return {};
    store::OverlayFileSystem overlay(files); // opening cuts a torn end
    store::InlineWorker worker;
    RecoveryReport report;
    const auto log = store::FileConsumerLog::open(overlay, worker, path, report);
    if (!log)
        return log.error();
    std::uint64_t count = 0;
    std::vector<std::string> lines;
    const auto replayed = (*log)->replay([&](const store::ConsumerRecord& r) {
        ++count;
        if (records)
            lines.push_back(fmt::format("    consumer {}  {:<11} {}  consumer sequence {}  {}",
                r.consumer,
                kindName(r.kind),
                r.seq.value(),
                r.consumerSeq.value(),
                r.count));
    });
    if (!replayed)
        return replayed.error();
    line(fmt::format("  consumers.log  {} records, {} B", count, (*log)->size()));
    for (const RecoveryFinding& finding : report)
        line("         " + recoveryLine(finding));
    for (const std::string& text : lines)
        line(text);
    return {};
}

Result<void> dumpStream(store::FileSystem& files,
    const std::string& folder,
    const std::string& name,
    const DumpWish& wish,
    const Line& line)
{
    line("stream " + name);
    const std::string messages = folder + "/msgs";
    const auto numbers = blockNumbers(files, messages);
    const std::vector<std::uint64_t> all = numbers ? *numbers : std::vector<std::uint64_t>();
    if (wish.block != 0 && std::find(all.begin(), all.end(), wish.block) == all.end())
        return Error{Errc::NotFound,
            fmt::format("{}/{}.blk: there is no such block", messages, wish.block),
            0,
            0};
    for (const std::uint64_t number : all) {
        if (wish.block != 0 && number != wish.block)
            continue;
        auto done = dumpBlock(files, messages + "/" + std::to_string(number), number, wish, line);
        if (!done)
            return done;
    }
    if (wish.block != 0)
        return {};
    return dumpConsumerLog(files, folder + "/consumers.log", wish.records, line);
}

/// Streams and consumers with their configurations, as the catalog has them.
Result<void> dumpCatalog(store::FileSystem& files,
    const AccountFolder& folder,
    const std::string& only,
    const Line& line)
{
    const std::string path = folder.path + "/catalog.sqlite";
    if (!files.exists(path)) {
        line("catalog.sqlite is missing");
        return {};
    }
    store::OverlayFileSystem overlay(
        files); // opening takes up what a killed broker left in its log
    store::InlineWorker worker;
    auto catalog = store::openSqliteCatalog(overlay, worker, path, false);
    if (!catalog) {
        line(catalog.error().text);
        return {};
    }
    const auto streams = (*catalog)->loadStreams();
    if (!streams)
        return streams.error();
    line(fmt::format("catalog.sqlite  {} streams", streams->size()));
    for (const store::CatalogStream& stream : *streams) {
        if (!only.empty() && stream.name != only)
            continue;
        line(fmt::format("  stream {}  created {}  {}",
            stream.name,
            base::rfc3339(stream.created),
            stream.config));
        const auto consumers = (*catalog)->loadConsumers(stream.name);
        if (!consumers)
            return consumers.error();
        for (const store::CatalogConsumer& consumer : *consumers)
            line(fmt::format("    consumer {} (number {})  created {}  snapshot {} B  {}",
                consumer.name,
                consumer.number,
                base::rfc3339(consumer.created),
                consumer.snapshot.size(),
                consumer.config));
    }
    return {};
}

} // namespace

Result<void> dumpAccount(
    store::FileSystem& files, const AccountFolder& folder, const DumpWish& wish, const Line& line)
{
    line("account " + folder.account + "  " + folder.path);
    const std::string streams = folder.path + "/streams";
    const auto names = files.list(streams);
    const std::vector<std::string> all = names ? *names : std::vector<std::string>();
    if (!wish.stream.empty() && std::find(all.begin(), all.end(), wish.stream) == all.end())
        return Error{
            Errc::NotFound, streams + ": has no folder of a stream '" + wish.stream + "'", 0, 0};
    if (wish.block == 0)
        if (auto done = dumpCatalog(files, folder, wish.stream, line); !done)
            return done;
    for (const std::string& name : all) {
        if (!wish.stream.empty() && name != wish.stream)
            continue;
        std::string place = streams;
        place.append("/").append(name);
        if (auto done = dumpStream(files, place, name, wish, line); !done)
            return done;
    }
    return {};
}

} // namespace jetglass::inspect
