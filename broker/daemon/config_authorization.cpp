// SPDX-License-Identifier: GPL-3.0-or-later
#include "accounts/nkey.h"
#include "daemon/config_sections.h"
#include "subjects/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>

namespace jetglass::daemon {

namespace {

constexpr std::string_view kConnectionTypes[] = {
    "STANDARD", "WEBSOCKET", "LEAFNODE", "LEAFNODE_WS", "MQTT", "MQTT_WS", "IN_PROCESS"};

/// The subjects of one direction: a string, a list, or {allow, deny}.
struct SubjectRules
{
    std::optional<std::vector<std::string>> allow;
    std::vector<std::string> deny;
};

std::vector<std::string> readSubjects(ConfigReader& reader, const ConfigEntry& entry, bool queues)
{
    std::vector<std::string> subjects = reader.readStrings(entry);
    for (const std::string& text : subjects) {
        const auto blank = text.find_first_of(" \t");
        const bool valid = blank == std::string::npos
            ? subjects::isValidSubscription(text)
            : queues && subjects::isValidSubscription(text.substr(0, blank));
        if (!valid)
            reader.error(entry.position, "subject \"" + text + "\" is not a valid subject");
    }
    return subjects;
}

SubjectRules readRules(ConfigReader& reader, const ConfigEntry& entry, bool queues)
{
    SubjectRules rules;
    if (!entry.value.isMap()) {
        rules.allow = readSubjects(reader, entry, queues);
        return rules;
    }
    ConfigReader::Handlers handlers;
    handlers["allow"] = [&](const ConfigEntry& item) {
        rules.allow = readSubjects(reader, item, queues);
    };
    handlers["deny"] = [&](const ConfigEntry& item) {
        rules.deny = readSubjects(reader, item, queues);
    };
    reader.each(entry.value, handlers);
    return rules;
}

std::optional<Permissions::Responses> readResponses(ConfigReader& reader, const ConfigEntry& entry)
{
    Permissions::Responses responses;
    if (entry.value.isBool())
        return entry.value.flag ? std::optional(responses) : std::nullopt;
    if (!reader.expectMap(entry))
        return std::nullopt;
    ConfigReader::Handlers handlers;
    handlers["max"] = handlers["max_msgs"] = handlers["max_messages"] = handlers["max_responses"] =
        reader.into(responses.max);
    handlers["expires"] = handlers["expiration"] = handlers["ttl"] =
        reader.durationTextInto(responses.expires);
    reader.each(entry.value, handlers);
    const Permissions::Responses defaults;
    if (responses.max == 0)
        responses.max = defaults.max;
    if (responses.expires == 0)
        responses.expires = defaults.expires;
    return responses;
}

void checkNkey(ConfigReader& reader, const ConfigEntry& entry, std::string& nkey)
{
    reader.read(entry, nkey);
    if (!accounts::parsePublicKey(accounts::KeyKind::User, nkey))
        reader.error(entry.value.position, "not a valid public nkey for a user");
}

/// How a user may come in; names are taken in any case.
void readConnectionTypes(ConfigReader& reader, const ConfigEntry& entry, UserConfig& user)
{
    std::string unknown;
    for (const std::string& given : reader.readStrings(entry)) {
        std::string type = given;
        std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) {
            return static_cast<char>(std::toupper(c));
        });
        const bool known = std::find(std::begin(kConnectionTypes), std::end(kConnectionTypes), type)
            != std::end(kConnectionTypes);
        if (known)
            user.connectionTypes.push_back(type);
        else
            unknown.append(unknown.empty() ? "" : " ").append('"' + type + '"');
    }
    if (!unknown.empty())
        reader.error(entry.position, "invalid connection types [" + unknown + "]");
}

/// Nothing comes through a proxy that this server could trust.
void refuseProxy(ConfigReader& reader, const ConfigEntry& entry)
{
    bool on = false;
    reader.read(entry, on);
    if (on)
        reader.error(entry.position, '"' + entry.key + "\" is not supported");
}

void readUser(ConfigReader& reader,
    const ConfigValue& value,
    const std::string& account,
    std::vector<UserConfig>& users)
{
    if (!value.isMap()) {
        reader.error(value.position, "a user must be a map, not " + std::string(value.kindText()));
        return;
    }
    UserConfig user;
    user.account = account;
    ConfigReader::Handlers handlers;
    handlers["user"] = handlers["username"] = reader.into(user.user);
    handlers["pass"] = handlers["password"] = reader.into(user.password);
    handlers["nkey"] = [&](const ConfigEntry& item) { checkNkey(reader, item, user.nkey); };
    handlers["permissions"] = handlers["permission"] = handlers["authorization"] =
        [&](const ConfigEntry& item) { user.permissions = readPermissions(reader, item); };
    handlers["allowed_connection_types"] = handlers["connection_types"] = handlers["clients"] =
        [&](const ConfigEntry& item) { readConnectionTypes(reader, item, user); };
    handlers["proxy_required"] = [&](const ConfigEntry& item) { refuseProxy(reader, item); };
    reader.each(value, handlers);
    if (user.user.empty() && user.nkey.empty())
        reader.error(value.position, "a user needs a name or an nkey");
    else if (!user.nkey.empty() && (!user.user.empty() || !user.password.empty()))
        reader.error(value.position, "a user with an nkey takes no name and no password");
    else
        users.push_back(std::move(user));
}

void readTimeout(ConfigReader& reader, const ConfigEntry& entry, std::int64_t& timeout)
{
    constexpr double kLong = 60;
    reader.readSeconds(entry, timeout);
    const double seconds = static_cast<double>(timeout) / 1e9;
    if (seconds > kLong)
        reader.misuse(entry,
            fmt::format("timeout of {} ({:f} seconds) is high, consider keeping it under 60 "
                        "seconds. possibly caused by unquoted duration; use '1m' instead of 1m, "
                        "for example",
                entry.value.text,
                seconds));
}

} // namespace

std::optional<Permissions> readPermissions(ConfigReader& reader, const ConfigEntry& entry)
{
    if (!reader.expectMap(entry))
        return std::nullopt;
    Permissions permissions;
    ConfigReader::Handlers handlers;
    handlers["publish"] = handlers["pub"] = handlers["import"] = [&](const ConfigEntry& item) {
        SubjectRules rules = readRules(reader, item, false);
        permissions.publishAllow = std::move(rules.allow);
        permissions.publishDeny = std::move(rules.deny);
    };
    handlers["subscribe"] = handlers["sub"] = handlers["export"] = [&](const ConfigEntry& item) {
        SubjectRules rules = readRules(reader, item, true);
        permissions.subscribeAllow = std::move(rules.allow);
        permissions.subscribeDeny = std::move(rules.deny);
    };
    handlers["allow_responses"] = handlers["publish_allow_responses"] =
        [&](const ConfigEntry& item) { permissions.allowResponses = readResponses(reader, item); };
    reader.each(entry.value, handlers);
    return permissions;
}

void readUsers(ConfigReader& reader,
    const ConfigEntry& entry,
    const std::string& account,
    std::vector<UserConfig>& users)
{
    if (!entry.value.isArray()) {
        reader.error(entry.value.position,
            "\"users\" must be a list, not " + std::string(entry.value.kindText()));
        return;
    }
    for (const ConfigValue& item : entry.value.items)
        readUser(reader, item, account, users);
}

void readAuthorization(ConfigReader& reader, const ConfigEntry& entry, BrokerConfig& config)
{
    AuthConfig& auth = config.auth;
    if (!reader.expectMap(entry))
        return;
    ConfigReader::Handlers handlers;
    handlers["user"] = handlers["username"] = reader.into(auth.user);
    handlers["pass"] = handlers["password"] = reader.into(auth.password);
    handlers["token"] = reader.into(auth.token);
    handlers["timeout"] = [&](const ConfigEntry& item) { readTimeout(reader, item, auth.timeout); };
    bool list = false;
    handlers["users"] = [&](const ConfigEntry& item) {
        list = true;
        readUsers(reader, item, {}, auth.users);
    };
    handlers["default_permissions"] = handlers["default_permission"] = handlers["permissions"] =
        [&](const ConfigEntry& item) { auth.defaultPermissions = readPermissions(reader, item); };
    // Somebody else would decide who may come in: not to be ignored.
    handlers["auth_callout"] = handlers["auth_hook"] = [&](const ConfigEntry& item) {
        reader.error(item.position, '"' + item.key + "\" is not supported");
    };
    handlers["proxy_required"] = [&](const ConfigEntry& item) { refuseProxy(reader, item); };
    reader.each(entry.value, handlers);
    if (!auth.token.empty() && (!auth.user.empty() || !auth.password.empty()))
        reader.error(entry.position, "Cannot have a user/pass and token");
    if (list && !auth.user.empty())
        reader.error(entry.position, "Can not have a single user/pass and a users array");
    if (list && !auth.token.empty())
        reader.error(entry.position, "Can not have a token and a users array");
}

void checkAuthorization(ConfigReader& reader, const ConfigValue& root, const BrokerConfig& config)
{
    const auto placeOf = [&root](std::string_view key) {
        const ConfigEntry* entry = root.find(key);
        return entry != nullptr ? entry->position : root.position;
    };
    const Position users = placeOf(config.accounts.empty() ? "authorization" : "accounts");
    std::set<std::string> names;
    std::set<std::string> keys;
    for (const UserConfig& user : config.auth.users) {
        if (!user.nkey.empty()) {
            if (!keys.insert(user.nkey).second)
                reader.error(users, "Duplicate nkey \"" + user.nkey + "\" detected");
            continue;
        }
        if (!names.insert(user.user).second)
            reader.error(users, "Duplicate user \"" + user.user + "\" detected");
    }
    const auto checkUnnamed = [&](const std::string& name, const Position& position) {
        if (name.empty() || names.count(name) != 0 || keys.count(name) != 0)
            return;
        const bool none = config.auth.users.empty();
        reader.error(position,
            "no_auth_user: \"" + name
                + (none ? "\" present, but users/nkeys are not defined"
                        : "\" not present as user or nkey in authorization block or account "
                          "configuration"));
    };
    checkUnnamed(config.auth.noAuthUser, placeOf("no_auth_user"));
    const WebSocketConfig& web = config.websocket;
    if (!web.enabled)
        return;
    const Position place = placeOf(root.find("websocket") != nullptr ? "websocket" : "ws");
    checkUnnamed(web.noAuthUser, place);
    if (!config.auth.users.empty() && !web.user.empty())
        reader.error(
            place, "websocket authentication username not compatible with presence of users/nkeys");
    if (!config.auth.users.empty() && !web.token.empty())
        reader.error(
            place, "websocket authentication token not compatible with presence of users/nkeys");
}

} // namespace jetglass::daemon
