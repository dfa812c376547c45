// SPDX-License-Identifier: GPL-3.0-or-later
// What is made durable beside the turns, and what is kept of the stream's end elsewhere.
#include "store/file_store.h"

#include <utility>

namespace jetglass::store {

namespace {

constexpr std::uint32_t kWriteBackStep = 2U << 20U;

} // namespace

void FileStore::startWriteBack()
{
    MessageBlock& tail = *m_blocks.back();
    if (tail.written < tail.writtenBack + kWriteBackStep || !tail.file)
        return;
    const std::uint32_t from = tail.writtenBack;
    tail.writtenBack = tail.written;
    m_worker.run(
        [file = tail.file, from, size = tail.written - from] {
            static_cast<void>(file->startWriteBack(from, size).ok());
        },
        {});
}

void FileStore::sync(std::function<void(Result<void>)> done)
{
    std::vector<std::shared_ptr<File>> dirty;
    for (const BlockPtr& block : m_blocks) {
        if (!block->dirtySync)
            continue;
        if (auto opened = openFile(*block); !opened) {
            *m_refusal = opened.error().text;
            done(opened);
            return;
        }
        dirty.push_back(block->file);
        block->dirtySync = false;
    }
    const bool directory = std::exchange(m_directoryDirty, false);
    if (!m_refusal->empty()) {
        done(Error{Errc::Io, *m_refusal, 0, 0});
        return;
    }
    if (dirty.empty() && !directory && *m_syncing == 0) {
        done({});
        return;
    }
    // With nothing new to sync it still waits for what earlier ones have under way.
    ++*m_syncing;
    auto result = std::make_shared<Result<void>>();
    m_worker.run(
        [&files = m_files, dirty = std::move(dirty), directory, name = m_directory, result] {
            for (const auto& file : dirty)
                if (auto synced = file->syncData(); !synced) {
                    *result = synced;
                    return;
                }
            if (directory)
                *result = files.syncDirectory(name);
        },
        [refusal = m_refusal, syncing = m_syncing, result, done = std::move(done)] {
            --*syncing;
            if (!result->ok())
                *refusal = result->error().text
                    + "; the stream takes no more writes until it is opened again";
            else if (!refusal->empty()) // an earlier one has failed
                *result = Error{Errc::Io, *refusal, 0, 0};
            done(*result);
        });
}

void FileStore::rememberEnd()
{
    if (m_blocks.empty() || !m_end.remember)
        return;
    const MessageBlock& tail = *m_blocks.back();
    const CatalogEnd now{m_end.known.stream, tail.number, tail.base, m_settled.last.value()};
    const CatalogEnd& known = m_end.known;
    if (now.block == known.block && now.first == known.first && now.last == known.last)
        return;
    m_end.known = now;
    m_end.remember(now);
}

void FileStore::goOnAfter(StreamSeq last)
{
    if (last <= m_state.last)
        return;
    const std::uint64_t first = m_state.last.value() + 1U;
    m_gaps.add(first, last.value(), Removal::Lost);
    m_lost.count += last.value() - first + 1U;
    m_state.last = last;
    if (m_state.messages == 0)
        m_state.first = last + 1U;
    // It holds even if it cannot be written; then the next start finds it once more.
    m_settled = m_state;
    stageRange({false, Removal::Lost, first, last.value()}, 0);
    m_touched = true;
    static_cast<void>(commit().ok());
}

} // namespace jetglass::store
