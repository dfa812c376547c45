// SPDX-License-Identifier: GPL-3.0-or-later
// Compressing a sealed block, and erasing in a compressed one: the worker makes a copy, which takes
// the file's place if nothing has changed meanwhile. Whoever has the old file open reads on in it.
#include "store/file_store.h"
#include "store/frame_file.h"
#include "store/kept_aside.h"
#include "store/record_codec.h"
#include "store/whole_file.h"

#include <utility>

namespace jetglass::store {

namespace {

constexpr std::string_view kCopy = ".copy";

void erase(std::string& block, const std::vector<MessageBlock::Erasure>& erasures)
{
    for (const auto& [offset, cause] : erasures)
        if (offset < block.size() && decodeRecord(std::string_view(block).substr(offset), false))
            eraseMessage(block.data() + offset, cause);
}

} // namespace

void FileStore::rewrite(const BlockPtr& block)
{
    if (block->rewriting)
        return; // and again when that is done, if something is to be erased
    block->rewriting = true;
    const std::string name = path(*block, ".blk");
    const std::string copy = name + std::string(kCopy);
    auto made = std::make_shared<bool>(false);
    m_worker.run(
        [&files = m_files, name, copy, made, compress = m_compress, erasures = block->erasures] {
            auto bytes = readBlock(files, name);
            if (!bytes)
                return;
            // The copy would be all that is left of damaged bytes.
            if (!scanBlock(*bytes).whole() && !keepCopy(files, name))
                return;
            erase(*bytes, erasures);
            const std::string frames = compress ? compressBlock(*bytes) : std::string();
            if (frames.empty() && erasures.empty())
                return; // it stays as it is
            *made = writeFile(files, copy, frames.empty() ? *bytes : frames, Durable::Yes).ok();
            if (!*made && files.exists(copy))
                static_cast<void>(files.remove(copy).ok());
        },
        [this, block, copy, made, erased = block->erasures.size(), alive = m_alive] {
            if (!*alive)
                return; // the next start removes the copy
            block->rewriting = false;
            if (*made)
                takePlace(block, copy, erased);
        });
}

/// \a erased: so many of the block's erasures are in the copy.
void FileStore::takePlace(const BlockPtr& block, const std::string& copy, std::size_t erased)
{
    const bool stale = block->erasures.size() > erased;
    if (block->gone || (stale && !block->compressed)) {
        static_cast<void>(m_files.remove(copy).ok());
    } else if (m_files.rename(copy, path(*block, ".blk"))) {
        block->file.reset(); // the next reader opens the new one
        block->dirtySync = false;
        m_directoryDirty = true;
        block->erasures.erase(
            block->erasures.begin(), block->erasures.begin() + static_cast<std::ptrdiff_t>(erased));
    }
    if (stale && !block->gone)
        rewrite(block);
}

/// Makes it a file that can be written to.
Result<void> FileStore::inflate(MessageBlock& block)
{
    const std::string name = path(block, ".blk");
    const std::string copy = name + std::string(kCopy);
    block.file.reset();
    auto bytes = readBlock(m_files, name);
    if (!bytes)
        return bytes.error();
    if (auto written = writeFile(m_files, copy, *bytes, Durable::Yes); !written)
        return written;
    if (auto renamed = m_files.rename(copy, name); !renamed)
        return renamed;
    auto file = m_files.open(name, FileSystem::Mode::ReadWrite);
    if (!file)
        return file.error();
    block.file = std::move(*file);
    block.compressed = false;
    return {};
}

/// What a killed broker was making.
void FileStore::removeCopies(const std::vector<std::string>& names)
{
    for (const std::string& name : names)
        if (name.ends_with(kCopy))
            static_cast<void>(m_files.remove(m_directory + "/" + name).ok());
}

} // namespace jetglass::store
