// SPDX-License-Identifier: GPL-3.0-or-later
// The accounts block: users, JetStream and its limits, exports, imports and mappings (core.md 3.2).
#include "daemon/config_sections.h"
#include "subjects/subject.h"

#include <algorithm>
#include <utility>

namespace jetglass::daemon {

namespace {

bool checkSubject(ConfigReader& reader, const Position& position, const std::string& subject)
{
    if (subjects::isValidSubscription(subject))
        return true;
    reader.error(position, "subject \"" + subject + "\" is not a valid subject");
    return false;
}

void readAccountJetStream(ConfigReader& reader, const ConfigEntry& entry, AccountConfig& account)
{
    if (!entry.value.isMap()) {
        if (const auto on = reader.readSwitch(entry.value))
            account.jetstream = *on;
        return;
    }
    account.jetstream = true;
    AccountLimits& limits = account.limits;
    ConfigReader::Handlers handlers;
    handlers["max_memory"] = handlers["max_mem"] = handlers["memory"] = handlers["mem"] =
        reader.sizeInto(limits.maxMemory);
    handlers["max_store"] = handlers["max_file"] = handlers["max_disk"] = handlers["store"] =
        handlers["disk"] = reader.sizeInto(limits.maxStore);
    handlers["max_streams"] = handlers["streams"] = reader.into(limits.maxStreams);
    handlers["max_consumers"] = handlers["consumers"] = reader.into(limits.maxConsumers);
    handlers["max_ack_pending"] = reader.into(limits.maxAckPending);
    handlers["max_bytes_required"] = handlers["max_stream_bytes"] = handlers["max_bytes"] =
        reader.into(limits.maxStreamBytesRequired);
    handlers["mem_max_stream_bytes"] = handlers["memory_max_stream_bytes"] =
        reader.sizeInto(limits.memoryMaxStreamBytes);
    handlers["disk_max_stream_bytes"] = handlers["store_max_stream_bytes"] =
        reader.sizeInto(limits.storeMaxStreamBytes);
    handlers["cluster_traffic"] = nullptr;
    reader.each(entry.value, handlers);
}

void readAccountLimits(ConfigReader& reader, const ConfigEntry& entry, AccountConfig& account)
{
    if (!reader.expectMap(entry))
        return;
    ConfigReader::Handlers handlers;
    handlers["max_connections"] = handlers["max_conn"] = reader.into(account.maxConnections);
    for (const char* key : {"max_subscriptions", "max_subs", "max_payload", "max_pay"})
        handlers[key] = reader.ignored();
    handlers["max_leafnodes"] = handlers["max_leafs"] = nullptr;
    reader.each(entry.value, handlers);
}

// --- exports

void readResponse(ConfigReader& reader, const ConfigEntry& entry, ExportConfig& offered)
{
    std::string text;
    reader.read(entry, text);
    text = lowered(text);
    if (text == "single" || text == "singleton")
        offered.response = ExportConfig::Response::Singleton;
    else if (text == "stream")
        offered.response = ExportConfig::Response::Stream;
    else if (text == "chunk" || text == "chunked")
        offered.response = ExportConfig::Response::Chunked;
    else
        reader.error(entry.value.position, "Unknown response type: \"" + text + '"');
}

void readExport(ConfigReader& reader, const ConfigValue& value, AccountConfig& account)
{
    if (!value.isMap()) {
        reader.error(
            value.position, "an export must be a map, not " + std::string(value.kindText()));
        return;
    }
    ExportConfig offered;
    ConfigReader::Handlers handlers;
    const auto subject = [&](bool service) {
        return [&, service](const ConfigEntry& item) {
            if (!offered.subject.empty())
                reader.error(item.position, "an export is either a stream or a service");
            offered.service = service;
            reader.read(item, offered.subject);
            checkSubject(reader, item.value.position, offered.subject);
        };
    };
    handlers["stream"] = subject(false);
    handlers["service"] = subject(true);
    handlers["response"] = handlers["response_type"] = [&](const ConfigEntry& item) {
        readResponse(reader, item, offered);
    };
    handlers["threshold"] = handlers["response_threshold"] = handlers["response_max_time"] =
        handlers["response_time"] = reader.durationInto(offered.threshold);
    handlers["accounts"] = [&](const ConfigEntry& item) {
        offered.accounts = reader.readStrings(item);
    };
    handlers["latency"] = reader.ignored();
    handlers["account_token_position"] = [&](const ConfigEntry& item) {
        // Whoever sets it relies on it to keep accounts apart.
        reader.error(item.position, "\"account_token_position\" is not supported");
    };
    handlers["allow_trace"] = nullptr;
    reader.each(value, handlers);
    if (offered.subject.empty())
        reader.error(value.position, "an export needs a \"stream\" or a \"service\"");
    else
        account.exports.push_back(std::move(offered));
}

// --- imports

void readImport(ConfigReader& reader, const ConfigValue& value, AccountConfig& account)
{
    if (!value.isMap()) {
        reader.error(
            value.position, "an import must be a map, not " + std::string(value.kindText()));
        return;
    }
    ImportConfig taken;
    std::string prefix;
    bool seen = false;
    ConfigReader::Handlers handlers;
    const auto source = [&](bool service) {
        return [&, service](const ConfigEntry& item) {
            if (seen)
                reader.error(item.position, "an import is either a stream or a service");
            seen = true;
            taken.service = service;
            if (!reader.expectMap(item))
                return;
            ConfigReader::Handlers parts;
            parts["account"] = reader.into(taken.account);
            parts["subject"] = reader.into(taken.subject);
            reader.each(item.value, parts);
            if (taken.account.empty())
                reader.error(item.value.position, "expect an account name and a subject");
            else
                checkSubject(reader, item.value.position, taken.subject);
        };
    };
    handlers["stream"] = source(false);
    handlers["service"] = source(true);
    handlers["to"] = reader.into(taken.to);
    handlers["prefix"] = reader.into(prefix);
    handlers["share"] = reader.into(taken.share);
    handlers["allow_trace"] = nullptr;
    reader.each(value, handlers);
    if (!seen) {
        reader.error(value.position, "an import needs a \"stream\" or a \"service\"");
        return;
    }
    if (!prefix.empty() && taken.to.empty())
        taken.to = prefix + '.' + taken.subject;
    account.imports.push_back(std::move(taken));
}

template<class Read>
void readList(ConfigReader& reader, const ConfigEntry& entry, Read read)
{
    if (!entry.value.isArray()) {
        reader.error(entry.value.position,
            '"' + entry.key + "\" must be a list, not " + std::string(entry.value.kindText()));
        return;
    }
    for (const ConfigValue& item : entry.value.items)
        read(item);
}

// --- mappings

std::optional<MappingConfig::Destination> readDestination(
    ConfigReader& reader, const ConfigValue& value)
{
    MappingConfig::Destination destination;
    if (value.isString()) {
        destination.subject = value.text;
        return destination;
    }
    if (!value.isMap()) {
        reader.error(value.position,
            "a mapping's destination must be a map, not " + std::string(value.kindText()));
        return std::nullopt;
    }
    ConfigReader::Handlers handlers;
    handlers["destination"] = handlers["dest"] = reader.into(destination.subject);
    handlers["weight"] = [&](const ConfigEntry& item) {
        if (item.value.isInteger()) {
            destination.weight = static_cast<int>(item.value.integer);
        } else {
            std::string text;
            reader.read(item, text);
            destination.weight = std::atoi(text.c_str()); // "80%"
        }
        if (destination.weight < 0 || destination.weight > 100)
            reader.error(item.value.position, "a weight is a number from 0 to 100");
    };
    handlers["cluster"] = nullptr;
    reader.each(value, handlers);
    return destination;
}

void readAccount(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config)
{
    AccountConfig account;
    account.name = entry.key;
    if (!reader.expectMap(entry))
        return;
    std::vector<UserConfig> users;
    std::optional<Permissions> defaults;
    ConfigReader::Handlers handlers;
    handlers["users"] = [&](const ConfigEntry& item) {
        readUsers(reader, item, account.name, users);
    };
    handlers["jetstream"] = [&](const ConfigEntry& item) {
        readAccountJetStream(reader, item, account);
    };
    handlers["default_permissions"] = [&](const ConfigEntry& item) {
        defaults = readPermissions(reader, item);
    };
    handlers["exports"] = [&](const ConfigEntry& item) {
        readList(reader, item, [&](const ConfigValue& v) { readExport(reader, v, account); });
    };
    handlers["imports"] = [&](const ConfigEntry& item) {
        readList(reader, item, [&](const ConfigValue& v) { readImport(reader, v, account); });
    };
    handlers["mappings"] = handlers["maps"] = [&](const ConfigEntry& item) {
        readMappings(reader, item, account.mappings);
    };
    handlers["limits"] = [&](const ConfigEntry& item) { readAccountLimits(reader, item, account); };
    for (const char* key : {"nkey", "msg_trace", "trace_dest", "cluster_traffic"})
        handlers[key] = nullptr;
    reader.each(entry.value, handlers);
    for (UserConfig& user : users) {
        if (!user.permissions)
            user.permissions = defaults;
        config.auth.users.push_back(std::move(user));
    }
    config.accounts.push_back(std::move(account));
}

} // namespace

void readMappings(
    ConfigReader& reader, const ConfigEntry& entry, std::vector<MappingConfig>& mappings)
{
    if (!reader.expectMap(entry))
        return;
    for (const ConfigEntry& item : entry.value.entries) {
        if (!checkSubject(reader, item.position, item.key))
            continue;
        MappingConfig mapping;
        mapping.source = item.key;
        if (item.value.isArray()) {
            for (const ConfigValue& one : item.value.items) {
                if (const auto destination = readDestination(reader, one))
                    mapping.destinations.push_back(*destination);
            }
        } else if (const auto destination = readDestination(reader, item.value)) {
            mapping.destinations.push_back(*destination);
        }
        int sum = 0;
        for (const auto& destination : mapping.destinations)
            sum += destination.weight;
        if (sum > 100)
            reader.error(item.value.position, "the weights of a mapping add up to more than 100");
        mappings.push_back(std::move(mapping));
    }
}

void readAccounts(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config)
{
    if (entry.value.isArray()) {
        for (std::string& name : reader.readStrings(entry))
            config.accounts.push_back({std::move(name), false});
        return;
    }
    if (!reader.expectMap(entry))
        return;
    for (const ConfigEntry& account : entry.value.entries) {
        if (!account.usedAsVariable)
            readAccount(reader, account, config);
    }
}

void checkAccounts(ConfigReader& reader, const ConfigValue& root, const BrokerConfig& config)
{
    const ConfigEntry* block = root.find("accounts");
    const Position position = block != nullptr ? block->position : root.position;
    for (const AccountConfig& account : config.accounts) {
        for (const ImportConfig& taken : account.imports) {
            const auto exporter = std::find_if(config.accounts.begin(),
                config.accounts.end(),
                [&](const AccountConfig& other) { return other.name == taken.account; });
            if (exporter == config.accounts.end()) {
                reader.error(position,
                    "account \"" + account.name + "\" imports from the unknown account \""
                        + taken.account + '"');
                continue;
            }
            const bool allowed = std::any_of(exporter->exports.begin(),
                exporter->exports.end(),
                [&](const ExportConfig& offered) {
                    return offered.service == taken.service
                        && subjects::isSubset(taken.subject, offered.subject)
                        && (!offered.accounts
                            || std::count(
                                   offered.accounts->begin(), offered.accounts->end(), account.name)
                                > 0);
                });
            if (!allowed)
                reader.error(position,
                    std::string("Error adding ") + (taken.service ? "service" : "stream")
                        + " import \"" + taken.subject + "\": account \"" + account.name
                        + "\" is not authorized");
        }
    }
}

} // namespace jetglass::daemon
