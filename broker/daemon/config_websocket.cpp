// SPDX-License-Identifier: GPL-3.0-or-later
// The block of WebSocket connections (core.md 3.6).
#include "daemon/config_number.h"
#include "daemon/config_sections.h"

#include <algorithm>
#include <optional>

namespace jetglass::daemon {

namespace {

constexpr std::int64_t kSecondInNs = 1'000'000'000;
constexpr int kLastPort = 65535;

/// Credentials of this listener alone.
void readOwnAuthorization(ConfigReader& reader, const ConfigEntry& entry, WebSocketConfig& config)
{
    if (!reader.expectMap(entry))
        return;
    ConfigReader::Handlers handlers;
    handlers["user"] = handlers["username"] = reader.into(config.user);
    handlers["pass"] = handlers["password"] = reader.into(config.password);
    handlers["token"] = reader.into(config.token);
    handlers["timeout"] = [&](const ConfigEntry& item) {
        reader.readSeconds(item, config.authTimeout);
    };
    reader.each(entry.value, handlers);
}

/// An empty text if a browser could send this as its origin.
std::string originComplaint(const std::string& origin)
{
    const auto scheme = origin.find("://");
    if (scheme == std::string::npos || scheme == 0)
        return "unable to parse allowed origin: \"" + origin + "\" is no absolute URL";
    const std::string kind = lowered(origin.substr(0, scheme));
    const std::string about = "unable to parse allowed origin \"" + origin + "\": ";
    if (kind != "http" && kind != "https")
        return about + "allowed origins must be absolute URLs with http or https scheme";
    std::string host = origin.substr(scheme + 3);
    host.resize(std::min(host.find_first_of("/?#"), host.size()));
    if (host.empty())
        return about + "host is required";
    const auto colon = host.rfind(':');
    if (colon == std::string::npos || host.find(']', colon) != std::string::npos)
        return {};
    const auto port = wholeNumber(host.substr(colon + 1));
    return port && *port >= 0 && *port <= kLastPort ? std::string()
                                                    : about + "invalid port after host";
}

/// An empty text if the answer to an upgrade may carry this header.
std::string headerComplaint(const std::string& name)
{
    const std::string key = lowered(name);
    for (const char* own : {"host", "content-length", "connection", "upgrade", "nats-no-masking"})
        if (key == own)
            return "websocket: invalid header \"" + name + "\" not allowed";
    if (key.starts_with("sec-websocket-"))
        return "websocket: invalid header \"" + name + "\", \"Sec-WebSocket-\" prefix not allowed";
    return {};
}

void readHeaders(ConfigReader& reader, const ConfigEntry& entry, WebSocketConfig& config)
{
    if (!reader.expectMap(entry))
        return;
    for (const ConfigEntry& header : entry.value.entries) {
        reader.read(header, config.headers[header.key]);
        if (const std::string wrong = headerComplaint(header.key); !wrong.empty())
            reader.error(header.position, wrong);
    }
}

void readOrigins(ConfigReader& reader, const ConfigEntry& entry, WebSocketConfig& config)
{
    config.allowedOrigins = reader.readStrings(entry);
    for (const std::string& origin : config.allowedOrigins)
        if (const std::string wrong = originComplaint(origin); !wrong.empty())
            reader.error(entry.value.position, wrong);
}

void readHandshakeTimeout(ConfigReader& reader, const ConfigEntry& entry, WebSocketConfig& config)
{
    if (entry.value.isInteger() && entry.value.integer < INT64_MAX / kSecondInNs)
        config.handshakeTimeout = entry.value.integer * kSecondInNs;
    else
        reader.readDuration(entry, config.handshakeTimeout);
}

} // namespace

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
    for (const char* key :
        {"allowed_origins", "allowed_origin", "allow_origins", "allow_origin", "origins", "origin"})
        handlers[key] = [&](const ConfigEntry& item) { readOrigins(reader, item, config); };
    handlers["compress"] = handlers["compression"] = reader.into(config.compression);
    handlers["handshake_timeout"] = [&](const ConfigEntry& item) {
        readHandshakeTimeout(reader, item, config);
    };
    handlers["ping_interval"] = reader.durationInto(config.pingInterval);
    handlers["no_auth_user"] = reader.into(config.noAuthUser);
    handlers["user_cookie"] = reader.into(config.userCookie);
    handlers["pass_cookie"] = reader.into(config.passwordCookie);
    handlers["token_cookie"] = reader.into(config.tokenCookie);
    handlers["headers"] = [&](const ConfigEntry& item) { readHeaders(reader, item, config); };
    std::optional<Position> jwt;
    std::string jwtCookie;
    handlers["jwt_cookie"] = [&](const ConfigEntry& item) {
        jwt = item.position;
        reader.read(item, jwtCookie);
    };
    handlers["advertise"] = [&](const ConfigEntry& item) {
        std::string advertise; // one server tells nobody of itself
        reader.read(item, advertise);
        reader.ignored()(item);
    };
    handlers["authorization"] = handlers["authentication"] = [&](const ConfigEntry& item) {
        readOwnAuthorization(reader, item, config);
    };
    reader.each(entry.value, handlers);
    config.enabled = config.port != 0;
    if (config.port < -1 || config.port > kLastPort)
        reader.error(entry.position, "websocket: port is out of range");
    if (config.enabled && jwt && !jwtCookie.empty())
        reader.error(*jwt,
            "trusted operators or trusted keys configuration is required for JWT authentication "
            "via cookie \""
                + jwtCookie + '"');
    if (config.enabled && !config.noTls && !config.tls.enabled)
        reader.error(entry.position, "websocket requires TLS configuration");
}

} // namespace jetglass::daemon
