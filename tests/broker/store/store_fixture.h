// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/posix_file_system.h"
#include "store/store_factory.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace jetglass::store {

/// One file stream ORDERS in a folder of its own, opened and opened again.
class StoreFixture
{
public:
    StoreFixture()
    {
        settings.directory = folder.path().toStdString();
        settings.blockSize = 4096;
        settings.cacheBytes = 64U << 10U;
        config.name = "ORDERS";
    }
    void open()
    {
        close();
        auto opened = openStoreFactory(*files, worker, settings, "$G");
        if (!opened)
            throw std::runtime_error(opened.error().text);
        factory = std::move(*opened);
        // What has messages and no row would be reported as somebody's.
        if (auto known = factory->catalog().loadStreams(); known && known->empty())
            factory->catalog().saveStream({config.name, "{}", 1}, [](const Result<void>&) {});
        auto stream = factory->openStream(config);
        if (!stream)
            throw std::runtime_error(stream.error().text);
        store = std::move(*stream);
    }
    void close()
    {
        store.reset();
        factory.reset();
    }
    [[nodiscard]] QDir messages() const { return QDir(folder.path() + "/$G/streams/ORDERS/msgs"); }
    [[nodiscard]] QStringList names(const char* pattern) const
    {
        QStringList found = messages().entryList({QString::fromLatin1(pattern)}, QDir::Files);
        std::sort(found.begin(), found.end(), [](const QString& a, const QString& b) {
            return a.section('.', 0, 0).toInt() < b.section('.', 0, 0).toInt();
        });
        return found;
    }
    [[nodiscard]] QByteArray bytes(const QString& name) const
    {
        QFile file(messages().filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void setBytes(const QString& name, const QByteArray& bytes) const
    {
        QFile file(messages().filePath(name));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)
            || file.write(bytes) != bytes.size())
            throw std::runtime_error("cannot write " + name.toStdString());
    }
    [[nodiscard]] std::string report() const
    {
        std::string all;
        for (const RecoveryFinding& finding : factory->report())
            all += recoveryLine(finding) + "\n";
        return all;
    }

    QTemporaryDir folder;
    PosixFileSystem real;
    FileSystem* files = &real;
    InlineWorker worker;
    StoreSettings settings;
    StreamConfig config;
    std::unique_ptr<StoreFactory> factory;
    std::unique_ptr<MessageStore> store;
};

} // namespace jetglass::store
