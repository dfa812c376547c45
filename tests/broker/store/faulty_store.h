// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "faulty_file_system.h"
#include "store/block_cache.h"
#include "store/file_store.h"

#include <QStringList>

#include <memory>
#include <string>

namespace jetglass::store {

/// A file stream on a faulty file system.
struct Faulty
{
    FaultyFileSystem files;
    InlineWorker worker;
    BlockCache cache{64U << 10U};
    std::shared_ptr<BufferPool> pool = std::make_shared<BufferPool>(1U << 20U);
    FileStoreContext context{
        files, worker, cache, pool, StoreSettings{"", false, 4096, 64U << 10U}};
    RecoveryReport report;
    std::unique_ptr<MessageStore> store;

    void open()
    {
        store.reset();
        report.clear();
        auto opened = FileStore::open(context, "msgs", report);
        if (opened)
            store = std::move(*opened);
    }
    std::string& bytes(const char* name)
    {
        return files.contents.at(std::string("msgs/") + name)->bytes;
    }
    void put(const std::string& path, const std::string& bytes)
    {
        using Content = FaultyFileSystem::Content;
        files.contents[path] = std::make_shared<Content>(Content{bytes, {}});
    }
    [[nodiscard]] QStringList lines() const
    {
        QStringList all;
        for (const RecoveryFinding& finding : report)
            all << QString::fromStdString(recoveryLine(finding));
        return all;
    }
};

} // namespace jetglass::store
