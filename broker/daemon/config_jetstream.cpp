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
    handlers["timeout"] = reader.durationInto(config.maxBatchTimeout);
    reader.each(entry.value, handlers);
}

void readLimits(ConfigReader& reader, const ConfigEntry& entry, JetStreamConfig& config)
{
    if (!reader.expectMap(entry))
        return;
    ConfigReader::Handlers handlers;
    handlers["max_request_batch"] = reader.into(config.maxRequestBatch);
    handlers["max_ack_pending"] = reader.into(config.maxAckPending);
    handlers["duplicate_window"] = reader.durationInto(config.maxDuplicateWindow);
    handlers["max_ha_assets"] = nullptr;
    handlers["batch"] = [&](const ConfigEntry& item) { readBatchLimits(reader, item, config); };
    reader.each(entry.value, handlers);
}

void readSync(ConfigReader& reader, const ConfigEntry& entry, JetStreamConfig& config)
{
    if (entry.value.isString() && sameKey(entry.value.text, "always"))
        config.syncAlways = true;
    else
        reader.readDuration(entry, config.syncInterval);
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
    ConfigReader::Handlers handlers;
    handlers["enabled"] = handlers["enable"] = [&](const ConfigEntry& item) {
        if (const auto on = reader.readSwitch(item.value))
            config.enabled = *on;
    };
    handlers["store_dir"] = handlers["storedir"] = [&](const ConfigEntry& item) {
        std::string directory;
        reader.read(item, directory);
        if (!config.storeDir.empty() && config.storeDir != directory)
            reader.error(item.position, "Duplicate 'store_dir' configuration");
        config.storeDir = directory;
    };
    handlers["max_mem"] = handlers["max_memory_store"] = handlers["max_mem_store"] =
        handlers["max_memory"] = reader.sizeInto(config.maxMemory);
    handlers["max_file"] = handlers["max_file_store"] = reader.sizeInto(config.maxStore);
    handlers["domain"] = reader.into(config.domain);
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
    for (const char* key : {"max_buffered_msgs",
             "max_buffered_size",
             "request_queue_limit",
             "info_queue_limit",
             "unique_tag",
             "extension_hint",
             "max_outstanding_catchup",
             "meta_compact",
             "meta_compact_size",
             "meta_compact_sync",
             "max_concurrent_io"})
        handlers[key] = nullptr;
    reader.each(entry.value, handlers);
    // 0 means the default, as if it had not been given.
    if (config.maxMemory == 0)
        config.maxMemory = -1;
    if (config.maxStore == 0)
        config.maxStore = -1;
}

} // namespace jetglass::daemon
