// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/handshake_json.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace jetglass::protocol {

namespace {

using Json = nlohmann::ordered_json;

std::string lowered(const std::string& text)
{
    std::string out = text;
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return out;
}

bool read(const Json& value, bool& to)
{
    if (!value.is_boolean())
        return false;
    to = value.get<bool>();
    return true;
}

bool read(const Json& value, std::string& to)
{
    if (!value.is_string())
        return false;
    to = value.get<std::string>();
    return true;
}

bool read(const Json& value, std::int64_t& to)
{
    if (!value.is_number_integer())
        return false;
    to = value.get<std::int64_t>();
    return true;
}

struct TextMember
{
    const char* name;
    std::string ConnectOptions::*member;
};
constexpr TextMember kTexts[] = {
    {"user", &ConnectOptions::user},
    {"pass", &ConnectOptions::password},
    {"auth_token", &ConnectOptions::token},
    {"nkey", &ConnectOptions::nkey},
    {"sig", &ConnectOptions::signature},
    {"jwt", &ConnectOptions::jwt},
    {"name", &ConnectOptions::name},
    {"lang", &ConnectOptions::lang},
    {"version", &ConnectOptions::version},
    {"account", &ConnectOptions::account},
};

struct FlagMember
{
    const char* name;
    bool ConnectOptions::*member;
};
constexpr FlagMember kFlags[] = {
    {"verbose", &ConnectOptions::verbose},
    {"pedantic", &ConnectOptions::pedantic},
    {"echo", &ConnectOptions::echo},
    {"headers", &ConnectOptions::headers},
    {"no_responders", &ConnectOptions::noResponders},
    {"tls_required", &ConnectOptions::tlsRequired},
    {"new_account", &ConnectOptions::newAccount},
};

bool readMember(const std::string& name, const Json& value, ConnectOptions& options)
{
    if (value.is_null())
        return true;
    if (name == "protocol")
        return read(value, options.protocol);
    for (const auto& text : kTexts) {
        if (name == text.name)
            return read(value, options.*text.member);
    }
    for (const auto& flag : kFlags) {
        if (name == flag.name)
            return read(value, options.*flag.member);
    }
    return true;
}

} // namespace

bool parseConnect(std::string_view json, ConnectOptions& options)
{
    const Json parsed = base::parseJson(json);
    if (parsed.is_null())
        return true;
    if (!parsed.is_object())
        return false;
    for (const auto& [name, value] : parsed.items()) {
        if (!readMember(lowered(name), value, options))
            return false;
    }
    return true;
}

std::string infoText(const ServerInfo& info)
{
    nlohmann::ordered_json out;
    out["server_id"] = info.serverId;
    out["server_name"] = info.serverName;
    out["version"] = info.version;
    out["proto"] = 1;
    // Some clients refuse an INFO without this key; there is no Go here to name.
    out["go"] = "";
    out["jetglass"] = JETGLASS_VERSION;
    out["host"] = info.host;
    out["port"] = info.port;
    out["headers"] = info.headers;
    if (info.authRequired)
        out["auth_required"] = true;
    if (info.tlsRequired)
        out["tls_required"] = true;
    if (info.tlsVerify)
        out["tls_verify"] = true;
    if (info.tlsAvailable)
        out["tls_available"] = true;
    out["max_payload"] = info.maxPayload;
    if (info.jetstream)
        out["jetstream"] = true;
    out["client_id"] = info.clientId;
    out["client_ip"] = info.clientIp;
    if (!info.nonce.empty())
        out["nonce"] = info.nonce;
    out["api_lvl"] = info.apiLevel;
    if (!info.connectUrls.empty())
        out["connect_urls"] = info.connectUrls;
    if (info.lameDuck)
        out["ldm"] = true;
    if (!info.domain.empty())
        out["domain"] = info.domain;
    if (info.connectInfo) {
        out["connect_info"] = true;
        out["remote_account"] = info.remoteAccount;
        if (info.accountIsSystem)
            out["acc_is_sys"] = true;
    }
    return base::jsonText(out);
}

} // namespace jetglass::protocol
