// SPDX-License-Identifier: GPL-3.0-or-later
// Overwriting what was deleted. A block that is opened by its index is not read, so nothing there
// tells that a record of it was overwritten: the removal must be on the disk before that is.
#include "store/file_store.h"
#include "store/record_codec.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace jetglass::store {

/// What comes in while a sync is under way shares the next one. The removal is done, whatever comes
/// of this; what could not be overwritten is tried again.
void FileStore::startErasing()
{
    if (m_erasesSettled == 0 || m_erasing)
        return;
    const std::size_t count = m_erasesSettled;
    const auto end = m_erases.begin() + static_cast<std::ptrdiff_t>(count);
    const bool indexed =
        std::any_of(m_erases.begin(), end, [](const Erase& e) { return e.block->indexWritten; });
    if (!indexed) {
        m_erasesSure = count;
        static_cast<void>(eraseSure().ok());
        return;
    }
    m_erasing = true;
    sync([this, count, alive = m_alive](const Result<void>& done) {
        if (!*alive)
            return;
        m_erasing = false;
        if (!done)
            return; // the removal may be lost, and then the message is there again
        m_erasesSure = count;
        if (eraseSure())
            startErasing();
    });
}

Result<void> FileStore::eraseSure()
{
    Result<void> result;
    std::size_t count = 0;
    for (; count < m_erasesSure && result.ok(); count += result.ok() ? 1U : 0U)
        if (const Erase& e = m_erases[count]; !e.block->gone)
            result = eraseOne(e);
    m_erases.erase(m_erases.begin(), m_erases.begin() + static_cast<std::ptrdiff_t>(count));
    m_erasesSettled -= count;
    m_erasesSure -= count;
    return result;
}

Result<void> FileStore::eraseOne(const Erase& e)
{
    MessageBlock& block = *e.block;
    if (auto opened = openFile(block); !opened)
        return opened;
    if (block.compressed || block.rewriting)
        block.erasures.push_back({e.offset, e.cause});
    if (block.compressed) {
        rewrite(e.block);
        return {};
    }
    std::string bytes(8, '\0');
    if (auto got = block.file->read(e.offset, bytes.data(), bytes.size()); !got)
        return got.error();
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    if (size < kSmallestRecord || size > block.written - e.offset)
        return {};
    bytes.resize(size);
    if (auto got = block.file->read(e.offset, bytes.data(), size); !got)
        return got.error();
    eraseMessage(bytes.data(), e.cause);
    const std::array<std::string_view, 1> pieces{bytes};
    if (auto written = block.file->write(e.offset, pieces); !written)
        return written;
    if (block.bytes)
        std::memcpy(block.bytes.data() + e.offset, bytes.data(), size);
    block.dirtySync = true;
    return {};
}

/// At an orderly end nothing waits for the worker any more.
void FileStore::finishErasing()
{
    if (m_erasesSettled == 0)
        return;
    m_worker.drain();
    for (const BlockPtr& block : m_blocks)
        if (block->dirtySync && block->file && !block->file->syncData())
            return;
    if (m_directoryDirty && !m_files.syncDirectory(m_directory))
        return;
    m_erasesSure = m_erasesSettled;
    static_cast<void>(eraseSure().ok());
}

} // namespace jetglass::store
