// SPDX-License-Identifier: GPL-3.0-or-later
// Written from FORMAT.md and not from the program, so that the two can differ.
#include "regions.h"

#include "store/endian.h"

#include <algorithm>
#include <array>

namespace jetglass::store {

namespace {

std::uint32_t number32(std::string_view bytes, std::size_t at)
{
    return at + 4U <= bytes.size() ? loadNumber<std::uint32_t>(bytes.data() + at) : 0;
}

std::uint64_t number64(std::string_view bytes, std::size_t at)
{
    return at + 8U <= bytes.size() ? loadNumber<std::uint64_t>(bytes.data() + at) : 0;
}

struct Field
{
    const char* name;
    std::size_t size;
};

/// Appends fields one behind the other; gives where they end. Empty ones are left out.
std::size_t put(std::vector<Region>& to,
    const std::string& front,
    std::size_t at,
    const std::vector<Field>& fields)
{
    for (const Field& field : fields) {
        if (field.size > 0)
            to.push_back({front + field.name, at, field.size});
        at += field.size;
    }
    return at;
}

void putRecords(std::vector<Region>& to, std::string_view block)
{
    for (const Extent& record : recordsOf(block)) {
        const std::size_t s = loadNumber<std::uint16_t>(block.data() + record.offset + 6);
        const std::size_t h = number32(block, record.offset + 8);
        const std::size_t p = number32(block, record.offset + 12);
        put(to,
            "record at " + std::to_string(record.offset) + " kind "
                + std::to_string(block[record.offset + 4]) + " ",
            record.offset,
            {{"size", 4},
                {"kind", 1},
                {"cause", 1},
                {"subject length", 2},
                {"headers length", 4},
                {"payload length", 4},
                {"sequence", 8},
                {"time", 8},
                {"subject", s},
                {"headers", h},
                {"payload", p},
                {"padding", record.size - 40U - s - h - p},
                {"checksum", 8}});
    }
}

void putFrames(std::vector<Region>& to, std::string_view bytes)
{
    put(to,
        "frames ",
        0,
        {{"magic", 8}, {"version", 4}, {"size before", 4}, {"zeros", 8}, {"checksum", 8}});
    std::size_t at = 32;
    for (const Extent& frame : framesOf(bytes))
        at = put(to,
            "frame at " + std::to_string(frame.offset) + " ",
            frame.offset,
            {{"size", 4},
                {"size before", 4},
                {"offset before", 4},
                {"zeros", 4},
                {"first bytes", 16},
                {"data", frame.size - 56U},
                {"last bytes", 16},
                {"checksum", 8}});
    put(to,
        "table ",
        at,
        {{"entries", bytes.size() - at - 16U}, {"count", 4}, {"zeros", 4}, {"checksum", 8}});
}

void putIndex(std::vector<Region>& to, std::string_view bytes)
{
    const std::size_t first = number32(bytes, 12);
    std::size_t at =
        put(to, "", 0, {{"magic", 8}, {"version", 4}, {"size of the summary", 4}, {"zeros", 8}});
    for (; at + 8U < first; at += std::min<std::size_t>(3, first - 8U - at))
        to.push_back({"summary", at, std::min<std::size_t>(3, first - 8U - at)});
    at = put(to, "summary ", at, {{"checksum", 8}});
    for (; at + 8U < bytes.size(); at += std::min<std::size_t>(7, bytes.size() - 8U - at))
        to.push_back({"slots", at, std::min<std::size_t>(7, bytes.size() - 8U - at)});
    put(to, "slots ", at, {{"checksum", 8}});
}

void putSubjects(std::vector<Region>& to, std::string_view bytes)
{
    std::size_t at = put(to, "", 0, {{"magic", 8}, {"version", 4}, {"count", 4}});
    for (; at + 8U < bytes.size(); at += std::min<std::size_t>(5, bytes.size() - 8U - at))
        to.push_back({"subjects", at, std::min<std::size_t>(5, bytes.size() - 8U - at)});
    put(to, "", at, {{"checksum", 8}});
}

void putBatches(std::vector<Region>& to, std::string_view bytes)
{
    put(to, "log ", 0, {{"magic", 8}, {"version", 4}, {"zeros", 4}});
    for (const Extent& batch : batchesOf(bytes))
        put(to,
            "batch " + std::to_string(batch.first) + " ",
            batch.offset,
            {{"size", 4}, {"count", 4}, {"records", batch.size - 16U}, {"checksum", 8}});
}

/// SQLite's own files: heads to the field, pages in a few pieces.
void putPages(std::vector<Region>& to,
    std::string_view bytes,
    std::size_t at,
    std::size_t head,
    std::size_t page)
{
    for (int n = 1; at + head + page <= bytes.size(); ++n, at += head + page)
        put(to,
            "page " + std::to_string(n) + " ",
            at,
            {{"frame head", head},
                {"head", 100},
                {"pointers", 28},
                {"free", page - 128U - 512U},
                {"cells", 256},
                {"last cells", 256}});
}

} // namespace

std::vector<Extent> recordsOf(std::string_view block)
{
    std::vector<Extent> records;
    for (std::size_t at = 40; at + 40U <= block.size();) {
        const std::size_t size = number32(block, at);
        if (size < 40U || size > block.size() - at)
            break;
        Extent record{at, size, number64(block, at + 16), 0, false, false};
        const char kind = block[at + 4];
        if (kind == 1)
            record.last = record.first;
        record.removal = kind == 2;
        record.together = kind == 5;
        if (record.together)
            record.last = number64(block, at + 24);
        records.push_back(record);
        at += size;
    }
    return records;
}

std::vector<Extent> framesOf(std::string_view bytes)
{
    std::vector<Extent> frames;
    const std::size_t count = number32(bytes, bytes.size() - 16U);
    const std::size_t table = bytes.size() - 16U - count * 8U;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = number32(bytes, table + i * 8U + 4U);
        const std::uint64_t raw = number32(bytes, table + i * 8U);
        frames.push_back({at,
            number32(bytes, at) + std::size_t{24},
            raw,
            raw + number32(bytes, at + 4U) - 1U,
            false,
            false});
    }
    return frames;
}

std::vector<Extent> batchesOf(std::string_view bytes)
{
    std::vector<Extent> batches;
    for (std::size_t at = 16; at < bytes.size(); at += batches.back().size)
        batches.push_back(
            {at, number32(bytes, at) + std::size_t{16}, batches.size(), 0, false, false});
    return batches;
}

std::vector<Region> regionsOf(const std::string& name, std::string_view bytes)
{
    std::vector<Region> regions;
    if (name.ends_with(".blk") && bytes.starts_with("JGFRAMES")) {
        putFrames(regions, bytes);
    } else if (name.ends_with(".blk")) {
        put(regions,
            "head ",
            0,
            {{"magic", 8},
                {"version", 4},
                {"zeros", 4},
                {"base", 8},
                {"time", 8},
                {"checksum", 8}});
        putRecords(regions, bytes);
    } else if (name.ends_with(".idx")) {
        putIndex(regions, bytes);
    } else if (name.ends_with(".fss")) {
        putSubjects(regions, bytes);
    } else if (name.ends_with(".log")) {
        putBatches(regions, bytes);
    } else if (name.ends_with(".sqlite")) {
        putPages(regions, bytes, 0, 0, 4096);
    } else if (name.ends_with("-wal")) {
        put(regions,
            "head ",
            0,
            {{"magic", 4},
                {"version", 4},
                {"page size", 4},
                {"checkpoint", 4},
                {"salt", 8},
                {"checksum", 8}});
        putPages(regions, bytes, 32, 24, 4096);
    } else {
        for (std::size_t at = 0; at < bytes.size(); at += 8U)
            regions.push_back({"text", at, std::min<std::size_t>(8, bytes.size() - at)});
    }
    return regions;
}

} // namespace jetglass::store
