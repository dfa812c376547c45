// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_sections.h"

namespace jetglass::daemon {

namespace {

void readBatchLimits(ConfigReader& reader, const ConfigEntry& entry, JetStreamConfig& config)
{
    if (!reader.expectMap(entry))
        return;
    ConfigReader::Handlers handlers;
    handlers["max_inflight_per_stream"] = reader.into(config.maxBatchInflightPerStream);
    handlers["max_inflight_total"] = reader.into(config.maxBatchInflightTotal);
    handlers["max_msgs"] = reader.into(config.maxBatchSize);
    handlers["timeout"] = reader.durationTextInto(config.maxBatchTimeout);
    reader.each(entry.value, handlers);
}

void readLimits(ConfigReader& reader, const ConfigEntry& entry, JetStreamConfig& config)
{
    if (!reader.expectMap(entry))
        return;
    ConfigReader::Handlers handlers;
    handlers["max_request_batch"] = reader.into(config.maxRequestBatch);
    handlers["max_ack_pending"] = reader.into(config.maxAckPending);
    handlers["default_max_consumers"] = reader.into(config.defaultMaxConsumers);
    handlers["duplicate_window"] = reader.durationTextInto(config.maxDuplicateWindow);
    std::int64_t assets = 0; // of a cluster
    handlers["max_ha_assets"] = reader.into(assets);
    handlers["batch"] = [&](const ConfigEntry& item) { readBatchLimits(reader, item, config); };
    reader.each(entry.value, handlers);
    if (config.defaultMaxConsumers == 0)
        config.defaultMaxConsumers = JetStreamConfig().defaultMaxConsumers;
}

void readSync(ConfigReader& reader, const ConfigEntry& entry, JetStreamConfig& config)
{
    if (entry.value.isString() && sameKey(entry.value.text, "always"))
        config.syncAlways = true;
    else
        reader.readDuration(entry, config.syncInterval);
}

/// Values of keys for queues that do not exist here, and for clusters.
struct Unused
{
    std::int64_t size = 0;
    std::int64_t number = 0;
    std::string text;
    bool flag = false;
};

void addUnused(ConfigReader& reader, ConfigReader::Handlers& handlers, Unused& unused)
{
    for (const char* key : {"max_buffered_size", "max_outstanding_catchup"})
        handlers[key] = reader.sizeInto(unused.size);
    for (const char* key : {"max_buffered_msgs", "request_queue_limit", "info_queue_limit"})
        handlers[key] = reader.into(unused.number);
    for (const char* key : {"unique_tag", "extension_hint"})
        handlers[key] = reader.into(unused.text);
    handlers["meta_compact_sync"] = reader.into(unused.flag);
    for (const char* key : {"meta_compact", "meta_compact_size"})
        handlers[key] = [&](const ConfigEntry& item) {
            reader.readSize(item, unused.size);
            if (unused.size < 0)
                reader.error(
                    item.value.position, "Expected an absolute size for \"" + item.key + '"');
        };
    handlers["max_concurrent_io"] = [&](const ConfigEntry& item) {
        constexpr std::int64_t kLeast = 4;
        constexpr std::int64_t kMost = 8192;
        reader.read(item, unused.number);
        if (unused.number < kLeast || unused.number > kMost)
            reader.error(item.value.position,
                "Expected an absolute size for \"" + item.key + "\" between 4 and 8192");
    };
}

/// A domain is one token of a subject.
void checkDomain(ConfigReader& reader, const ConfigEntry& entry, const std::string& domain)
{
    if (domain.find_first_of(".*>") != std::string::npos)
        reader.error(entry.position, "invalid domain name: may not contain ., * or >");
    else if (domain.find_first_of(" \t\r\n") != std::string::npos)
        reader.error(entry.position,
            "invalid domain name: derived \"$JS." + domain + ".API.>\" is not a valid subject");
}

} // namespace

void readJetStream(ConfigReader& reader, const ConfigEntry& entry, JetStreamConfig& config)
{
    if (!entry.value.isMap()) {
        if (const auto on = reader.readSwitch(entry.value))
            config.enabled = *on;
        return;
    }
    config.enabled = true;
    Unused unused;
    ConfigReader::Handlers handlers;
    handlers["enabled"] = handlers["enable"] = reader.into(config.enabled);
    handlers["store_dir"] = handlers["storedir"] =
        handlers["store"] = [&](const ConfigEntry& item) {
            if (!config.storeDir.empty())
                reader.error(item.position, "Duplicate 'store_dir' configuration");
            reader.read(item, config.storeDir);
        };
    handlers["max_mem"] = handlers["max_memory_store"] = handlers["max_mem_store"] =
        reader.sizeInto(config.maxMemory);
    handlers["max_file"] = handlers["max_file_store"] = reader.sizeInto(config.maxStore);
    handlers["domain"] = [&](const ConfigEntry& item) {
        reader.read(item, config.domain);
        checkDomain(reader, item, config.domain);
    };
    handlers["strict"] = reader.into(config.strict);
    handlers["sync"] = handlers["sync_interval"] = [&](const ConfigEntry& item) {
        readSync(reader, item, config);
    };
    handlers["limits"] = [&](const ConfigEntry& item) { readLimits(reader, item, config); };
    for (const char* key : {"cipher",
             "key",
             "ek",
             "encryption_key",
             "prev_key",
             "prev_ek",
             "prev_encryption_key",
             "tpm"}) {
        // Storing in clear what was meant to be encrypted would be worse than not to start.
        handlers[key] = [&](const ConfigEntry& item) {
            reader.error(item.position, '"' + item.key + "\": encryption at rest is not supported");
        };
    }
    addUnused(reader, handlers, unused);
    reader.each(entry.value, handlers);
    // 0 means the default, as if it had not been given.
    if (config.maxMemory == 0)
        config.maxMemory = -1;
    if (config.maxStore == 0)
        config.maxStore = -1;
}

} // namespace jetglass::daemon
