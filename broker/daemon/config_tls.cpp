// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of encrypted and of WebSocket connections (core.md 3.5 and 3.6).
#include "daemon/config_sections.h"

#include <algorithm>
#include <cctype>

namespace jetglass::daemon {

namespace {

/// What "auto" stands for: so long a client has to begin its handshake.
constexpr std::int64_t kHandshakeFirstAuto = 50'000'000;

void readHandshakeFirst(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    if (entry.value.isBool()) {
        config.handshakeFirst = entry.value.flag ? std::optional<std::int64_t>(0) : std::nullopt;
        return;
    }
    if (entry.value.isString()) {
        const std::string text = lowered(entry.value.text);
        if (text == "true" || text == "on") {
            config.handshakeFirst = 0;
            return;
        }
        if (text == "false" || text == "off") {
            config.handshakeFirst.reset();
            return;
        }
        if (text == "auto" || text == "auto_fallback") {
            config.handshakeFirst = kHandshakeFirstAuto;
            return;
        }
    }
    std::int64_t delay = 0;
    reader.readDuration(entry, delay);
    config.handshakeFirst = delay;
}

void readMinVersion(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    std::string text = entry.value.text;
    if (text.starts_with("tls") || text.starts_with("TLS"))
        text.erase(0, 3);
    if (text == "1.0" || text == "1.1" || text == "1.2" || text == "1.3")
        config.minVersion = text;
    else
        reader.error(entry.value.position, "unknown TLS version \"" + entry.value.text + '"');
}

void readPins(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    constexpr std::size_t kHexDigits = 64;
    for (std::string pin : reader.readStrings(entry)) {
        pin = lowered(pin);
        const bool valid = pin.size() == kHexDigits
            && std::all_of(
                pin.begin(), pin.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
        if (!valid)
            reader.error(entry.value.position,
                "error parsing 'pinned_certs' key " + pin + ": it must be a SHA-256 in hex");
        config.pinnedCerts.push_back(std::move(pin));
    }
}

/// A list with one pair of files; several would need a choice by server name.
void readCertificates(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    if (!entry.value.isArray() || entry.value.items.size() != 1
        || !entry.value.items.front().isMap()) {
        reader.error(entry.value.position, '"' + entry.key + "\" must list one certificate");
        return;
    }
    ConfigReader::Handlers handlers;
    handlers["cert_file"] = reader.into(config.certFile);
    handlers["key_file"] = reader.into(config.keyFile);
    reader.each(entry.value.items.front(), handlers);
}

} // namespace

void readTls(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    if (!reader.expectMap(entry))
        return;
    config.enabled = true;
    ConfigReader::Handlers handlers;
    handlers["cert_file"] = reader.into(config.certFile);
    handlers["key_file"] = reader.into(config.keyFile);
    handlers["ca_file"] = reader.into(config.caFile);
    handlers["verify"] = reader.into(config.verify);
    handlers["verify_and_map"] = [&](const ConfigEntry& item) {
        reader.read(item, config.verifyAndMap);
        config.verify = config.verify || config.verifyAndMap;
    };
    handlers["timeout"] = [&](const ConfigEntry& item) {
        reader.readSeconds(item, config.timeout);
    };
    handlers["min_version"] = [&](const ConfigEntry& item) {
        readMinVersion(reader, item, config);
    };
    handlers["cipher_suites"] = [&](const ConfigEntry& item) {
        config.cipherSuites = reader.readStrings(item);
    };
    handlers["curve_preferences"] = [&](const ConfigEntry& item) {
        config.curves = reader.readStrings(item);
    };
    handlers["pinned_certs"] = [&](const ConfigEntry& item) { readPins(reader, item, config); };
    handlers["handshake_first"] = handlers["first"] = handlers["immediate"] =
        [&](const ConfigEntry& item) { readHandshakeFirst(reader, item, config); };
    handlers["certs"] = handlers["certificates"] = [&](const ConfigEntry& item) {
        readCertificates(reader, item, config);
    };
    // These matter to a server that dials others, or only loosen what OpenSSL decides itself.
    handlers["insecure"] = handlers["allow_insecure_cipher_suites"] =
        handlers["connection_rate_limit"] = nullptr;
    reader.each(entry.value, handlers);
    if (config.certFile.empty() || config.keyFile.empty())
        reader.error(entry.position, "missing 'cert_file' or 'key_file' in TLS configuration");
}

void readWebSocket(ConfigReader& reader, const ConfigEntry& entry, WebSocketConfig& config)
{
    if (!reader.expectMap(entry))
        return;
    ConfigReader::Handlers handlers;
    handlers["listen"] = [&](const ConfigEntry& item) {
        reader.readHostPort(item, config.host, config.port);
    };
    handlers["host"] = handlers["net"] = reader.into(config.host);
    handlers["port"] = reader.into(config.port);
    handlers["no_tls"] = reader.into(config.noTls);
    handlers["tls"] = [&](const ConfigEntry& item) { readTls(reader, item, config.tls); };
    handlers["same_origin"] = reader.into(config.sameOrigin);
    for (const char* key : {"allowed_origins",
             "allowed_origin",
             "allow_origins",
             "allow_origin",
             "origins",
             "origin"}) {
        handlers[key] = [&](const ConfigEntry& item) {
            config.allowedOrigins = reader.readStrings(item);
        };
    }
    handlers["compress"] = handlers["compression"] = reader.into(config.compression);
    handlers["handshake_timeout"] = reader.durationInto(config.handshakeTimeout);
    handlers["ping_interval"] = reader.durationInto(config.pingInterval);
    handlers["no_auth_user"] = reader.into(config.noAuthUser);
    handlers["user_cookie"] = reader.into(config.userCookie);
    handlers["pass_cookie"] = reader.into(config.passwordCookie);
    handlers["token_cookie"] = reader.into(config.tokenCookie);
    handlers["headers"] = [&](const ConfigEntry& item) {
        if (!reader.expectMap(item))
            return;
        for (const ConfigEntry& header : item.value.entries)
            reader.read(header, config.headers[header.key]);
    };
    // Without JWTs there is nothing such a cookie could carry, and one server advertises nothing.
    handlers["jwt_cookie"] = handlers["advertise"] = reader.ignored();
    handlers["authorization"] = handlers["authentication"] = [&](const ConfigEntry& item) {
        reader.error(item.position,
            "\"websocket\": credentials of its own are not supported, use the top-level "
            "authorization");
    };
    reader.each(entry.value, handlers);
    config.enabled = config.port != 0;
    constexpr int kMaxPort = 65535;
    if (config.port < -1 || config.port > kMaxPort)
        reader.error(entry.position, "websocket: port is out of range");
    if (config.enabled && !config.noTls && !config.tls.enabled)
        reader.error(entry.position, "websocket requires TLS configuration");
}

} // namespace jetglass::daemon
