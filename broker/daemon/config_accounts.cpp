// SPDX-License-Identifier: GPL-3.0-or-later
// The accounts block: users, JetStream and its limits, exports, imports and mappings (core.md 3.2).
#include "accounts/nkey.h"
#include "daemon/config_number.h"
#include "daemon/config_sections.h"
#include "subjects/subject.h"

#include <set>
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

/// Of an account; unlike other sizes none may be quoted.
ConfigReader::Handler sizeInto(ConfigReader& reader, std::int64_t& limit)
{
    return [&reader, &limit](const ConfigEntry& entry) {
        if (entry.value.isInteger()) {
            limit = entry.value.integer;
            return;
        }
        std::string got = entry.value.text;
        if (entry.value.isBool())
            got = entry.value.flag ? "true" : "false";
        reader.error(
            entry.position, "Expected a parseable size for \"" + entry.key + "\", got " + got);
    };
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
        sizeInto(reader, limits.maxMemory);
    handlers["max_store"] = handlers["max_file"] = handlers["max_disk"] = handlers["store"] =
        handlers["disk"] = sizeInto(reader, limits.maxStore);
    handlers["max_streams"] = handlers["streams"] = sizeInto(reader, limits.maxStreams);
    handlers["max_consumers"] = handlers["consumers"] = sizeInto(reader, limits.maxConsumers);
    handlers["max_ack_pending"] = sizeInto(reader, limits.maxAckPending);
    handlers["max_bytes_required"] = handlers["max_stream_bytes"] = handlers["max_bytes"] =
        reader.into(limits.maxStreamBytesRequired);
    handlers["mem_max_stream_bytes"] = handlers["memory_max_stream_bytes"] =
        sizeInto(reader, limits.memoryMaxStreamBytes);
    handlers["disk_max_stream_bytes"] = handlers["store_max_stream_bytes"] =
        sizeInto(reader, limits.storeMaxStreamBytes);
    handlers["cluster_traffic"] = [&](const ConfigEntry& item) {
        std::string whose;
        reader.read(item, whose);
        if (!whose.empty() && whose != "system" && whose != "owner")
            reader.error(item.position,
                "Expected 'system' or 'owner' string value for \"" + item.key + "\", got " + whose);
    };
    reader.each(entry.value, handlers);
}

void readAccountLimits(ConfigReader& reader, const ConfigEntry& entry, AccountConfig& account)
{
    if (!reader.expectMap(entry))
        return;
    ConfigReader::Handlers handlers;
    handlers["max_connections"] = handlers["max_conn"] = reader.into(account.maxConnections);
    handlers["max_subscriptions"] = handlers["max_subs"] = reader.into(account.maxSubscriptions);
    handlers["max_payload"] = handlers["max_pay"] = reader.into(account.maxPayload);
    std::int64_t leafs = 0;
    handlers["max_leafnodes"] = handlers["max_leafs"] = reader.into(leafs);
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

/// A share in percent, as a number or as text.
std::optional<std::int64_t> readPercent(const ConfigValue& value)
{
    if (value.isInteger())
        return value.integer;
    std::string text = value.text;
    if (text.ends_with('%'))
        text.pop_back();
    return value.isString() ? wholeNumber(text) : std::nullopt;
}

void readLatencySampling(ConfigReader& reader, const ConfigEntry& entry, ExportConfig& offered)
{
    if (entry.value.isString() && lowered(entry.value.text) == "headers") {
        offered.latencySampling = 0;
        return;
    }
    const auto percent = readPercent(entry.value);
    if (!percent)
        reader.error(entry.position,
            "Failed to parse latency sample: \"" + entry.value.text + "\" is not a number");
    else if (*percent < 1 || *percent > 100)
        reader.error(entry.position, "bad sampling percentage, should be 1-100");
    else
        offered.latencySampling = static_cast<int>(*percent);
}

void readLatency(ConfigReader& reader, const ConfigEntry& entry, ExportConfig& offered)
{
    if (!entry.value.isMap()) {
        reader.read(entry, offered.latencySubject);
        return;
    }
    ConfigReader::Handlers handlers;
    handlers["sampling"] = [&](const ConfigEntry& item) {
        readLatencySampling(reader, item, offered);
    };
    handlers["subject"] = reader.into(offered.latencySubject);
    reader.each(entry.value, handlers);
    if (offered.latencySubject.empty())
        reader.error(entry.position, "Latency subject required, but missing");
}

void checkLatency(ConfigReader& reader, const Position& position, const ExportConfig& offered)
{
    const char* wrong = nullptr;
    if (!subjects::isValidLiteral(offered.latencySubject))
        wrong = "invalid publish subject";
    else if (offered.response != ExportConfig::Response::Singleton)
        wrong = "bad service response type";
    if (wrong != nullptr)
        reader.error(position,
            "Error adding service latency sampling for \"" + offered.subject + "\" on subject \""
                + offered.latencySubject + "\": " + wrong);
}

/// What an account says of messages with a trace parent of their own.
void readTrace(ConfigReader& reader, const ConfigEntry& entry, AccountConfig& account)
{
    const auto destination = [&](const ConfigEntry& item) {
        std::string subject;
        reader.read(item, subject);
        if (subjects::isValidLiteral(subject))
            account.traceDestination = subject;
        else
            reader.error(item.position, "Trace destination \"" + subject + "\" is not valid");
    };
    if (!entry.value.isMap())
        return destination(entry);
    ConfigReader::Handlers handlers;
    handlers["dest"] = destination;
    handlers["sampling"] = [&](const ConfigEntry& item) {
        const auto percent = readPercent(item.value);
        if (!percent)
            reader.error(item.position,
                "Invalid trace destination sampling value \"" + item.value.text + '"');
        else if (*percent < 1 || *percent > 100)
            reader.error(item.position,
                "Trace destination sampling value " + std::to_string(*percent)
                    + " is invalid, needs to be [1..100]");
        else
            account.traceSampling = static_cast<int>(*percent);
    };
    reader.each(entry.value, handlers);
    if (account.traceDestination.empty() && account.traceSampling != 100)
        reader.warn(
            entry.position, "Trace destination sampling ignored since no destination was set");
}

/// The token that must be the importer's name stands in the subject as a star.
void takeAccountPosition(
    ConfigReader& reader, const Position& position, std::int64_t index, ExportConfig& offered)
{
    if (index == 0)
        return;
    if (index < 0
        || !subjects::isAny(
            subjects::token(offered.subject, static_cast<std::size_t>(index) - 1))) {
        reader.error(position,
            std::string("Error adding ") + (offered.service ? "service" : "stream") + " export \""
                + offered.subject + "\": no account token position " + std::to_string(index));
        return;
    }
    offered.accountPosition = static_cast<std::size_t>(index);
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
    std::optional<Position> response;
    handlers["response"] = handlers["response_type"] = [&](const ConfigEntry& item) {
        response = item.position;
        readResponse(reader, item, offered);
    };
    handlers["threshold"] = handlers["response_threshold"] = handlers["response_max_time"] =
        handlers["response_time"] = [&](const ConfigEntry& item) {
            response = item.position;
            reader.readDurationText(item, offered.threshold);
        };
    handlers["accounts"] = [&](const ConfigEntry& item) {
        offered.accounts = reader.readStrings(item);
    };
    std::optional<Position> latency;
    handlers["latency"] = [&](const ConfigEntry& item) {
        latency = item.position;
        readLatency(reader, item, offered);
    };
    std::int64_t accountPosition = 0;
    std::optional<Position> positioned;
    handlers["account_token_position"] = [&](const ConfigEntry& item) {
        positioned = item.position;
        reader.read(item, accountPosition);
    };
    std::optional<Position> traced;
    handlers["allow_trace"] = [&](const ConfigEntry& item) {
        traced = item.position;
        reader.read(item, offered.allowTrace);
    };
    reader.each(value, handlers);
    if (response && !offered.service)
        reader.error(*response, "Detected response directive on non-service");
    if (positioned)
        takeAccountPosition(reader, *positioned, accountPosition, offered);
    if (latency && !offered.service)
        reader.error(*latency, "Detected latency directive on non-service");
    else if (latency && !offered.latencySubject.empty())
        checkLatency(reader, *latency, offered);
    if (traced && !offered.service)
        reader.error(*traced, "Detected allow_trace directive on non-service");
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
    std::optional<Position> traced;
    handlers["allow_trace"] = [&](const ConfigEntry& item) {
        traced = item.position;
        reader.read(item, taken.allowTrace);
    };
    reader.each(value, handlers);
    if (traced && taken.service)
        reader.error(*traced, "Detected allow_trace directive on a non-stream");
    if (!seen) {
        reader.error(value.position, "an import needs a \"stream\" or a \"service\"");
        return;
    }
    if (!prefix.empty() && !taken.to.empty() && !taken.service)
        reader.error(value.position, "Stream import can not have a 'prefix' and a 'to' property");
    if (!prefix.empty() && !taken.service && subjects::hasWildcard(prefix))
        reader.error(value.position,
            "Error adding stream import \"" + taken.subject
                + "\": stream import prefix can not contain wildcard tokens");
    if (!prefix.empty() && !taken.service && taken.to.empty())
        taken.to = prefix + (prefix.back() == '.' ? "" : ".") + taken.subject;
    const std::string& local = taken.to.empty() ? taken.subject : taken.to;
    for (const ImportConfig& other : account.imports)
        if (taken.service && other.service && other.account == taken.account
            && (other.to.empty() ? other.subject : other.to) == local)
            reader.error(value.position,
                "Duplicate service import subject \"" + local
                    + "\", previously used in import for account \"" + other.account
                    + "\", subject \"" + other.subject + '"');
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

bool isReserved(ConfigReader& reader, const Position& position, const std::string& name)
{
    if (name != "$G")
        return false;
    reader.error(position, "\"$G\" is a Reserved Account");
    return true;
}

void readAccount(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config)
{
    AccountConfig account;
    account.name = entry.key;
    if (!reader.expectMap(entry) || isReserved(reader, entry.position, account.name))
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
    handlers["msg_trace"] =
        handlers["trace_dest"] = [&](const ConfigEntry& item) { readTrace(reader, item, account); };
    handlers["nkey"] = [&](const ConfigEntry& item) {
        std::string key;
        reader.read(item, key);
        if (!accounts::parsePublicKey(accounts::KeyKind::Account, key))
            reader.error(item.position, "Not a valid public nkey for an account: \"" + key + '"');
    };
    reader.each(entry.value, handlers);
    for (UserConfig& user : users) {
        if (!user.permissions)
            user.permissions = defaults;
        config.auth.users.push_back(std::move(user));
    }
    config.accounts.push_back(std::move(account));
}

} // namespace

void readAccounts(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config)
{
    if (entry.value.isArray()) {
        std::set<std::string> seen;
        for (std::string& name : reader.readStrings(entry)) {
            if (isReserved(reader, entry.value.position, name))
                continue;
            if (!seen.insert(name).second)
                reader.error(entry.value.position, "Duplicate Account Entry: " + name);
            else
                config.accounts.push_back({std::move(name), false});
        }
        return;
    }
    if (!reader.expectMap(entry))
        return;
    for (const ConfigEntry& account : entry.value.entries) {
        if (!account.usedAsVariable)
            readAccount(reader, account, config);
    }
}

} // namespace jetglass::daemon
