// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/catalog_copy.h"

#include "base/json.h"
#include "store/block_name.h"
#include "store/kept_aside.h"
#include "store/whole_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace jetglass::store {

namespace {

using CopyJson = nlohmann::ordered_json;

constexpr const char* kStreamFile = "/config.json";
constexpr const char* kConsumersFolder = "/consumers";
constexpr const char* kCopyEnding = ".json";

std::optional<CopyJson> readCopy(FileSystem& files, const std::string& path)
{
    const auto text = readFile(files, path);
    if (!text)
        return std::nullopt;
    CopyJson json = base::parseJson(*text);
    const bool good = json.is_object() && json.contains("name") && json["name"].is_string()
        && json.contains("config") && json["config"].is_string() && json.contains("created")
        && json["created"].is_number_integer();
    return good ? std::optional(std::move(json)) : std::nullopt;
}

/// A copy that cannot be written is no reason to stop anybody. What is there may be older, or no
/// copy any more: that is kept aside.
void writeCopy(FileSystem& files, const std::string& path, const std::string& text)
{
    if (files.exists(path)) {
        const auto there = readFile(files, path);
        if (there && *there == text)
            return;
        if (there && !readCopy(files, path) && !setAside(files, path))
            return;
    }
    static_cast<void>(replaceFile(files, path, text, Durable::No).ok());
}

std::string streamText(const CatalogStream& stream)
{
    return base::indentedJsonText(
        {{"name", stream.name}, {"created", stream.created}, {"config", stream.config}});
}

std::string consumerText(const CatalogConsumer& consumer)
{
    return base::indentedJsonText({{"number", consumer.number},
        {"name", consumer.name},
        {"created", consumer.created},
        {"config", consumer.config}});
}

std::string copyName(std::uint32_t number)
{
    return std::to_string(number) + kCopyEnding;
}

/// Names of the files.
std::set<std::string> consumerCopies(FileSystem& files, const std::string& folder)
{
    std::set<std::string> copies;
    if (!files.exists(folder))
        return copies;
    if (const auto names = files.list(folder))
        std::copy_if(names->begin(),
            names->end(),
            std::inserter(copies, copies.end()),
            [](const std::string& name) { return name.ends_with(kCopyEnding); });
    return copies;
}

class CopyingCatalog final : public Catalog
{
public:
    CopyingCatalog(std::unique_ptr<Catalog> catalog,
        FileSystem& files,
        Worker& worker,
        std::string directory,
        RecoveryReport& report)
        : m_catalog(std::move(catalog))
        , m_files(files)
        , m_worker(worker)
        , m_directory(std::move(directory))
        , m_report(report)
    {
    }

    Result<std::vector<CatalogStream>> loadStreams() override;
    Result<std::vector<CatalogConsumer>> loadConsumers(std::string_view stream) override;
    void saveStream(const CatalogStream& stream, Done done) override;
    void saveRestored(
        const CatalogStream& stream, std::vector<CatalogConsumer> consumers, Done done) override;
    void removeStream(std::string_view stream, Done done) override;
    void saveConsumer(std::string_view stream, const CatalogConsumer& consumer, Done done) override;
    void removeConsumer(std::string_view stream, std::string_view name, Done done) override;
    void saveSnapshots(std::string_view stream,
        std::vector<std::pair<std::string, std::string>> snapshots,
        Done done) override
    {
        m_catalog->saveSnapshots(stream, std::move(snapshots), std::move(done));
    }
    Result<std::optional<std::string>> value(std::string_view key) override
    {
        return m_catalog->value(key);
    }
    void setValue(std::string_view key, std::string_view value, Done done) override
    {
        m_catalog->setValue(key, value, std::move(done));
    }
    Result<std::vector<CatalogEnd>> loadEnds() override { return m_catalog->loadEnds(); }
    void saveEnd(const CatalogEnd& end) override { m_catalog->saveEnd(end); }
    void flush() override { m_catalog->flush(); }

private:
    using Numbers = std::map<std::string, std::uint32_t, std::less<>>;

    [[nodiscard]] std::string folder(std::string_view stream) const
    {
        return m_directory + "/" + std::string(stream);
    }
    [[nodiscard]] std::string consumerPath(std::string_view stream, std::uint32_t number) const
    {
        return folder(stream) + kConsumersFolder + "/" + copyName(number);
    }
    void copyStream(const CatalogStream& stream);
    void copyConsumer(std::string_view stream, const CatalogConsumer& consumer);
    void reportLost(std::string_view stream, const std::set<std::string>& copies);
    /// False as soon as the stream is removed.
    std::shared_ptr<bool> alive(const std::string& stream);

    std::unique_ptr<Catalog> m_catalog;
    FileSystem& m_files;
    Worker& m_worker;
    std::string m_directory;
    RecoveryReport& m_report;
    std::map<std::string, Numbers, std::less<>> m_numbers; ///< of consumers, which name their files
    std::map<std::string, std::shared_ptr<bool>, std::less<>> m_alive;
};

std::shared_ptr<bool> CopyingCatalog::alive(const std::string& stream)
{
    std::shared_ptr<bool>& known = m_alive[stream];
    if (!known)
        known = std::make_shared<bool>(true);
    return known;
}

Result<std::vector<CatalogStream>> CopyingCatalog::loadStreams()
{
    auto streams = m_catalog->loadStreams();
    if (streams)
        for (const CatalogStream& stream : *streams)
            copyStream(stream);
    return streams;
}

Result<std::vector<CatalogConsumer>> CopyingCatalog::loadConsumers(std::string_view stream)
{
    auto consumers = m_catalog->loadConsumers(stream);
    if (!consumers)
        return consumers;
    Numbers& numbers = m_numbers[std::string(stream)];
    std::set<std::string> copies = consumerCopies(m_files, folder(stream) + kConsumersFolder);
    for (const CatalogConsumer& consumer : *consumers) {
        numbers[consumer.name] = consumer.number;
        copies.erase(copyName(consumer.number));
        copyConsumer(stream, consumer);
    }
    reportLost(stream, copies);
    return consumers;
}

/// \a copies are those without a row: a removal takes the copy first. They could not say how far
/// the consumer had come, and another may have its number next.
void CopyingCatalog::reportLost(std::string_view stream, const std::set<std::string>& copies)
{
    for (const std::string& name : copies) {
        const std::string path = folder(stream) + kConsumersFolder + "/" + name;
        const auto json = readCopy(m_files, path);
        if (!json)
            continue;
        // If it stays, the next start says it again.
        const auto aside = setAside(m_files, path);
        m_report.push_back({.kind = RecoveryFinding::Kind::ConsumerLost,
            .file = path,
            .streams = {std::string(stream)},
            .consumer = (*json)["name"].get<std::string>(),
            .aside = aside ? *aside : std::string()});
    }
}

void CopyingCatalog::copyStream(const CatalogStream& stream)
{
    m_worker.run(
        [&files = m_files, where = folder(stream.name), text = streamText(stream)] {
            if (files.makeDirectories(where))
                writeCopy(files, where + kStreamFile, text);
        },
        {});
}

void CopyingCatalog::copyConsumer(std::string_view stream, const CatalogConsumer& consumer)
{
    m_worker.run(
        [&files = m_files,
            where = folder(stream) + kConsumersFolder,
            path = consumerPath(stream, consumer.number),
            text = consumerText(consumer)] {
            if (files.makeDirectories(where))
                writeCopy(files, path, text);
        },
        {});
}

// A change that the catalog refused may not come back by way of its copy.

void CopyingCatalog::saveStream(const CatalogStream& stream, Done done)
{
    m_catalog->saveStream(stream,
        [this, stream, alive = alive(stream.name), done = std::move(done)](
            const Result<void>& saved) {
            if (saved && *alive)
                copyStream(stream);
            if (done)
                done(saved);
        });
}

void CopyingCatalog::saveRestored(
    const CatalogStream& stream, std::vector<CatalogConsumer> consumers, Done done)
{
    Numbers& numbers = m_numbers[stream.name];
    numbers.clear();
    std::vector<CatalogConsumer> copied;
    for (const CatalogConsumer& consumer : consumers) {
        numbers[consumer.name] = consumer.number;
        copied.push_back({consumer.number, consumer.name, consumer.config, consumer.created, {}});
    }
    m_catalog->saveRestored(stream,
        std::move(consumers),
        [this,
            stream,
            copied = std::move(copied),
            alive = alive(stream.name),
            done = std::move(done)](const Result<void>& saved) {
            if (saved && *alive) {
                copyStream(stream);
                for (const CatalogConsumer& consumer : copied)
                    copyConsumer(stream.name, consumer);
            }
            if (done)
                done(saved);
        });
}

/// Its folder, copies included, goes with its messages. What is still to be answered brings no copy
/// back.
void CopyingCatalog::removeStream(std::string_view stream, Done done)
{
    const std::string name(stream);
    const auto flag = std::exchange(m_alive[name], nullptr);
    if (flag)
        *flag = false;
    auto numbers = m_numbers.extract(name);
    m_catalog->removeStream(stream,
        [this,
            name,
            flag,
            known = numbers ? std::move(numbers.mapped()) : Numbers(),
            done = std::move(done)](const Result<void>& removed) {
            if (removed) {
                m_worker.run(
                    [&files = m_files, path = folder(name) + kStreamFile] {
                        if (files.exists(path))
                            static_cast<void>(files.remove(path).ok());
                    },
                    {});
            } else {
                m_numbers[name] = known;
                m_alive[name] = flag;
                if (flag)
                    *flag = true;
            }
            if (done)
                done(removed);
        });
}

void CopyingCatalog::saveConsumer(
    std::string_view stream, const CatalogConsumer& consumer, Done done)
{
    const std::string name(stream);
    m_numbers[name][consumer.name] = consumer.number;
    CatalogConsumer copied{consumer.number, consumer.name, consumer.config, consumer.created, {}};
    m_catalog->saveConsumer(stream,
        consumer,
        [this, name, copied = std::move(copied), alive = alive(name), done = std::move(done)](
            const Result<void>& saved) {
            const auto numbers = m_numbers.find(name);
            if (saved && *alive && numbers != m_numbers.end()) {
                const auto found = numbers->second.find(copied.name);
                if (found != numbers->second.end() && found->second == copied.number)
                    copyConsumer(name, copied);
            }
            if (done)
                done(saved);
        });
}

void CopyingCatalog::removeConsumer(std::string_view stream, std::string_view name, Done done)
{
    const auto numbers = m_numbers.find(stream);
    const auto found =
        numbers == m_numbers.end() ? Numbers::iterator() : numbers->second.find(name);
    if (numbers == m_numbers.end() || found == numbers->second.end())
        return m_catalog->removeConsumer(stream, name, std::move(done));
    const std::string path = consumerPath(stream, found->second);
    auto text = std::make_shared<Result<std::string>>(std::string());
    m_worker.run(
        [&files = m_files, path, text] {
            if (!files.exists(path))
                return;
            *text = readFile(files, path);
            static_cast<void>(files.remove(path).ok());
        },
        {});
    const std::uint32_t number = found->second;
    numbers->second.erase(found);
    m_catalog->removeConsumer(stream,
        name,
        [this,
            path,
            text,
            number,
            stream = std::string(stream),
            name = std::string(name),
            done = std::move(done)](const Result<void>& removed) {
            if (!removed) {
                m_numbers[stream].emplace(name, number);
                if (*text && !(*text)->empty())
                    m_worker.run(
                        [&files = m_files, path, text] { writeCopy(files, path, **text); }, {});
            }
            if (done)
                done(removed);
        });
}

std::vector<CatalogConsumer> readConsumerCopies(FileSystem& files, const std::string& folder)
{
    std::vector<CatalogConsumer> consumers;
    for (const std::string& name : consumerCopies(files, folder)) {
        const auto json = readCopy(files, (folder + "/").append(name));
        if (!json || !json->contains("number") || !(*json)["number"].is_number_unsigned())
            continue;
        consumers.push_back({(*json)["number"].get<std::uint32_t>(),
            (*json)["name"].get<std::string>(),
            (*json)["config"].get<std::string>(),
            (*json)["created"].get<std::int64_t>(),
            {}});
    }
    return consumers;
}

bool holdsMessages(FileSystem& files, const std::string& folder)
{
    const std::string messages = folder + "/msgs";
    if (!files.exists(messages))
        return false;
    const auto names = files.list(messages);
    return !names || !blockNumbers(*names).empty();
}

} // namespace

std::unique_ptr<Catalog> keepCopies(std::unique_ptr<Catalog> catalog,
    FileSystem& files,
    Worker& worker,
    std::string streamsDirectory,
    RecoveryReport& report)
{
    return std::make_unique<CopyingCatalog>(
        std::move(catalog), files, worker, std::move(streamsDirectory), report);
}

std::optional<CatalogStream> readStreamCopy(FileSystem& files, const std::string& folder)
{
    const auto json = readCopy(files, folder + kStreamFile);
    if (!json)
        return std::nullopt;
    return CatalogStream{(*json)["name"].get<std::string>(),
        (*json)["config"].get<std::string>(),
        (*json)["created"].get<std::int64_t>()};
}

Result<CatalogCopies> readCopies(
    FileSystem& files, const std::string& streamsDirectory, const std::set<std::string>& known)
{
    const auto folders = files.list(streamsDirectory);
    if (!folders)
        return folders.error();
    CatalogCopies copies;
    for (const std::string& name : *folders) {
        const std::string folder = (streamsDirectory + "/").append(name);
        if (known.contains(name) || files.exists(folder + kUnfinished))
            continue;
        auto stream = readStreamCopy(files, folder);
        if (!stream || stream->name != name) {
            if (holdsMessages(files, folder))
                copies.without.push_back(name);
            continue;
        }
        // A memory stream has ended with its broker.
        const CopyJson config = base::parseJson(stream->config);
        if (config.is_object() && config.value("storage", CopyJson()) == "memory")
            continue;
        copies.streams.push_back(
            {std::move(*stream), readConsumerCopies(files, folder + kConsumersFolder)});
    }
    return copies;
}

} // namespace jetglass::store
