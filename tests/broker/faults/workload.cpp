// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include "random_operations.h"
#include "store/store_factory.h"

#include <memory>
#include <stdexcept>
#include <utility>

namespace jetglass::store {

namespace {

template<class Value>
Value require(Result<Value> result)
{
    if (!result)
        throw std::runtime_error(result.error().text);
    return std::move(*result);
}

void require(const Result<void>& result)
{
    if (!result)
        throw std::runtime_error(result.error().text);
}

/// Does each thing to the store and to what is known of it.
struct Writer
{
    MessageStore& store;
    KnownStream& known;
    RandomOperations random;

    void append(int count, std::size_t least = 0)
    {
        for (int i = 0; i < count; ++i) {
            auto message = random.message();
            while (message.payload.size() < least)
                message.payload += std::to_string(message.payload.size()) + " the same and again; ";
            store.append(RandomOperations::view(message));
            known.ever[known.stored.append(message)] = message;
        }
    }
    void together(int count)
    {
        store.together(static_cast<std::uint64_t>(count));
        append(count);
        commit();
    }
    void remove(std::initializer_list<std::uint64_t> sequences, bool erase)
    {
        for (const std::uint64_t seq : sequences) {
            store.remove(StreamSeq(seq), Removal::Delete, erase);
            known.stored.remove(seq);
            if (erase)
                known.erased.push_back(seq);
        }
        commit();
    }
    void skip(std::uint64_t count)
    {
        store.skip(count, 5, Removal::NoInterest);
        known.stored.skip(count);
        commit();
    }
    void commit() { require(store.commit()); }
};

void writePlain(MessageStore& store, KnownStream& known)
{
    Writer w{store, known, RandomOperations(1, 9)};
    w.append(20);
    w.commit();
    w.together(4);
    w.append(12);
    w.commit();
    w.remove({3, 4, 9}, false);
    w.remove({7, 15}, true);
    w.skip(3);
    w.append(10);
    w.commit();
    w.together(30); // over two blocks
    w.append(6);
    w.commit();
    w.remove({40, 60}, true);
    w.together(5);
    w.append(2);
    w.remove({2, known.stored.last - 1U}, false);
    w.remove({known.stored.last - 3U}, true);
    w.together(3);
}

void writeCompressed(MessageStore& store, KnownStream& known)
{
    store.setCompression(true);
    Writer w{store, known, RandomOperations(2, 5)};
    w.append(110, 1000);
    w.commit();
    w.remove({5, 30}, true);
    w.remove({6, 31, 90}, false);
    w.append(3);
    w.commit();
}

void writeConsumers(StoreFactory& factory, Workload& all)
{
    const auto log = require(factory.openConsumerLog(all.plain.config));
    for (std::uint64_t batch = 0; batch < 8; ++batch) {
        auto& records = all.batches.emplace_back();
        for (std::uint64_t i = 0; i <= batch % 3U; ++i)
            records.push_back(
                {i == 0 ? ConsumerRecord::Kind::Delivered : ConsumerRecord::Kind::Acked,
                    static_cast<std::uint32_t>(1U + i),
                    StreamSeq(10U + batch + i),
                    ConsumerSeq(1U + batch),
                    static_cast<std::int64_t>(1000U + batch),
                    1});
        for (const ConsumerRecord& record : records)
            log->stage(record);
        require(log->commit());
    }
}

void writeHistory(StoreFactory& factory, Workload& all)
{
    const auto log = require(factory.openHistoryLog(all.plain.config));
    for (std::uint64_t n = 1; n <= 6; ++n) {
        RemovalRow row;
        row.first = row.last = StreamSeq(n);
        row.count = 1;
        row.bytes = 100U + n;
        row.cause = Removal::Delete;
        row.client = ClientId{static_cast<std::uint32_t>(n)};
        row.time = static_cast<std::int64_t>(n);
        log->add(row, "somebody");
        require(log->write());
        all.removals.push_back(row);
    }
}

void keepFiles(const FaultyFileSystem& files, Workload& all)
{
    for (const auto& [path, content] : files.contents)
        all.files[path] = content->bytes;
}

} // namespace

Workload makeWorkload()
{
    Workload all;
    FaultyFileSystem files;
    InlineWorker worker;
    StoreSettings settings{"store", false, 4096, 64U << 10U};
    all.plain.config.name = "PLAIN";
    all.compressed.config.name = "SMALL";
    all.compressed.config.compression = Compression::S2;
    for (KnownStream* known : {&all.plain, &all.compressed}) {
        if (known == &all.compressed)
            settings.blockSize = 100U << 10U;
        const auto factory = require(openStoreFactory(files, worker, settings, "$G"));
        all.streams.push_back({known->config.name,
            R"({"name":")" + known->config.name + R"(","storage":"file"})",
            static_cast<std::int64_t>(all.streams.size() + 1U)});
        factory->catalog().saveStream(all.streams.back(), {});
        const auto store = require(factory->openStream(known->config));
        if (known == &all.plain)
            writePlain(*store, *known);
        else
            writeCompressed(*store, *known);
        for (const std::uint64_t seq : known->erased)
            known->ever.erase(seq);
    }
    // The last one is killed.
    const auto factory = require(openStoreFactory(files, worker, settings, "$G"));
    writeConsumers(*factory, all);
    writeHistory(*factory, all);
    all.consumers = {{1, "first", R"({"durable_name":"first"})", 7, "a snapshot"},
        {2, "second", R"({"durable_name":"second"})", 8, "another"}};
    for (const CatalogConsumer& consumer : all.consumers)
        factory->catalog().saveConsumer("PLAIN", consumer, {});
    static_cast<void>(factory->catalog().loadConsumers("PLAIN").ok());
    for (CatalogEnd& end : require(factory->catalog().loadEnds()))
        (end.stream == "PLAIN" ? all.plain : all.compressed).end = end;
    keepFiles(files, all);
    return all;
}

} // namespace jetglass::store
