// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspect/store_check.h"

#include "base/json.h"
#include "store/frame_file.h"
#include "store/gap_map.h"
#include "store/overlay_file_system.h"
#include "store/store_factory.h"
#include "store/whole_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace jetglass::inspect {

namespace {

/// What a start needs to know of a stream to open its files.
StreamConfig configOf(const store::CatalogStream& row)
{
    StreamConfig config;
    config.name = row.name;
    const auto json = base::parseJson(row.config);
    if (json.is_object() && json.value("storage", "file") == "memory")
        config.storage = Storage::Memory;
    return config;
}

/// What was removed later is missed by nobody.
void dropRemoved(std::vector<BlockCheck>& blocks, const store::GapMap& removed)
{
    for (BlockCheck& block : blocks) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> missed;
        for (const auto& [first, last] : block.unreadable) {
            std::uint64_t at = removed.nextOutside(first);
            for (const store::GapRange& gap : removed.ranges(first, last)) {
                if (gap.first.value() > at)
                    missed.emplace_back(at, std::min(last, gap.first.value() - 1U));
                at = std::max(at, gap.last.value() + 1U);
            }
            if (at <= last)
                missed.emplace_back(at, last);
        }
        block.unreadable = std::move(missed);
    }
}

void noteRemovals(store::FileSystem& files, const std::string& path, store::GapMap& removed)
{
    const auto bytes = store::readBlock(files, path);
    if (!bytes)
        return;
    visitRecords(*bytes, [&removed](std::uint64_t, const store::Record* record, std::uint64_t) {
        if (record != nullptr && record->kind == store::RecordKind::Removed)
            removed.add(record->seq, record->last(), record->cause);
    });
}

void readBlocks(store::FileSystem& files,
    const std::string& folder,
    StreamCheck& stream,
    const Progress& progress)
{
    const auto numbers = blockNumbers(files, folder);
    if (!numbers)
        return; // no message yet
    for (std::size_t i = 0; i < numbers->size(); ++i) {
        if (progress)
            progress(stream.name, i + 1U, numbers->size());
        const std::string path = folder + "/" + std::to_string((*numbers)[i]);
        auto check = checkBlock(files, path, (*numbers)[i]);
        if (check)
            stream.blocks.push_back(std::move(*check));
        else if (stream.error.empty())
            stream.error = check.error().text;
    }
    const bool missing = std::any_of(stream.blocks.begin(),
        stream.blocks.end(),
        [](const BlockCheck& block) { return !block.unreadable.empty(); });
    if (!missing)
        return;
    store::GapMap removed;
    for (const std::uint64_t number : *numbers)
        noteRemovals(files, folder + "/" + std::to_string(number) + ".blk", removed);
    dropRemoved(stream.blocks, removed);
}

void openStream(store::StoreFactory& factory, const StreamConfig& config, StreamCheck& stream)
{
    const auto store = factory.openStream(config);
    if (!store) {
        stream.error = store.error().text;
        return;
    }
    const store::StoreState state = (*store)->state();
    stream.messages = state.messages;
    stream.bytes = state.bytes;
    stream.first = state.first.value();
    stream.last = state.last.value();
    const auto consumers = factory.catalog().loadConsumers(config.name);
    const auto log = factory.openConsumerLog(config);
    const auto history = factory.openHistoryLog(config);
    if (!consumers || !log || !history) {
        stream.error = !consumers ? consumers.error().text
            : !log                ? log.error().text
                                  : history.error().text;
        return;
    }
    stream.consumers = consumers->size();
    const auto replayed =
        (*log)->replay([&stream](const store::ConsumerRecord&) { ++stream.consumerRecords; });
    if (!replayed)
        stream.error = replayed.error().text;
    if (*history)
        (*history)->replay([&stream](const RemovalRow&, std::string_view) { ++stream.removals; },
            [](const store::OutcomeRow&) {});
}

/// Opens all of an account as a start does.
void openAll(store::FileSystem& files, AccountCheck& check)
{
    store::InlineWorker worker;
    store::StoreSettings settings;
    settings.directory = check.folder.parent;
    auto factory = store::openStoreFactory(files, worker, settings, check.folder.account);
    if (!factory) {
        check.error = factory.error().text;
        return;
    }
    const auto rows = (*factory)->catalog().loadStreams();
    if (!rows) {
        check.error = rows.error().text;
        return;
    }
    for (const store::CatalogStream& row : *rows) {
        const StreamConfig config = configOf(row);
        if (config.storage == Storage::Memory) {
            ++check.memoryStreams;
            continue;
        }
        StreamCheck& stream = check.streams.emplace_back();
        stream.name = row.name;
        openStream(**factory, config, stream);
    }
    check.findings = (*factory)->report();
}

void readAll(store::FileSystem& files, AccountCheck& check, const Progress& progress)
{
    for (StreamCheck& stream : check.streams)
        readBlocks(
            files, check.folder.path + "/streams/" + stream.name + "/msgs", stream, progress);
}

/// A start reads a block again that lacks a part of its index. The other part stays: it may know
/// what has left, where the block cannot say so any more.
Result<void> removeSubjects(store::FileSystem& files, const std::string& path)
{
    return files.exists(path + ".fss") ? files.remove(path + ".fss") : Result<void>();
}

bool isInUse(store::FileSystem& files, const std::string& path)
{
    const auto lock = files.lock(path);
    return !lock && lock.error().code == Errc::InUse;
}

} // namespace

bool AccountCheck::whole() const
{
    return error.empty() && findings.empty()
        && std::all_of(streams.begin(), streams.end(), [](const StreamCheck& stream) {
               return stream.error.empty()
                   && std::none_of(stream.blocks.begin(),
                       stream.blocks.end(),
                       [](const BlockCheck& block) { return block.damaged(); });
           });
}

AccountCheck checkAccount(
    store::FileSystem& files, const AccountFolder& folder, const Progress& progress)
{
    AccountCheck check;
    check.folder = folder;
    check.inUse = isInUse(files, folder.path);
    store::OverlayFileSystem overlay(files);
    openAll(overlay, check);
    readAll(files, check, progress);
    return check;
}

Result<AccountCheck> repairAccount(
    store::FileSystem& files, const AccountFolder& folder, const Progress& progress)
{
    if (isInUse(files, folder.path))
        return Error{
            Errc::InUse, folder.path + ": a broker runs on this store; stop it, then repair", 0, 0};
    const AccountCheck before = checkAccount(files, folder, progress);
    AccountCheck check;
    check.folder = folder;
    for (const StreamCheck& stream : before.streams)
        for (const BlockCheck& block : stream.blocks) {
            if (!block.damaged() && block.tornBytes == 0)
                continue;
            const std::string path =
                folder.path + "/streams/" + stream.name + "/msgs/" + std::to_string(block.number);
            if (auto removed = removeSubjects(files, path); !removed)
                return removed.error();
        }
    openAll(files, check);
    readAll(files, check, progress);
    return check;
}

} // namespace jetglass::inspect
