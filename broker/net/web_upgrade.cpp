// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web_upgrade.h"

#include "base/base64.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

namespace jetglass::net {

namespace {

constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::string_view kExtension = "permessage-deflate";

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return out;
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

/// The parts of \a text between \a separator, trimmed; empty ones are left out.
std::vector<std::string_view> parts(std::string_view text, char separator)
{
    std::vector<std::string_view> all;
    while (!text.empty()) {
        const auto end = std::min(text.find(separator), text.size());
        const std::string_view part = trimmed(text.substr(0, end));
        if (!part.empty())
            all.push_back(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

struct Request
{
    std::string_view method;
    std::map<std::string, std::string> headers; ///< names in lower case, values joined by commas
    [[nodiscard]] std::string header(const std::string& name) const
    {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string() : found->second;
    }
    [[nodiscard]] bool contains(const std::string& name, std::string_view word) const
    {
        const std::string value = lowered(header(name));
        const auto words = parts(value, ',');
        return std::find(words.begin(), words.end(), word) != words.end();
    }
};

Request parseRequest(std::string_view text)
{
    Request request;
    bool first = true;
    for (const std::string_view line : parts(text, '\n')) {
        if (first) {
            request.method = line.substr(0, line.find(' '));
            first = false;
            continue;
        }
        const auto colon = line.find(':');
        if (colon == std::string_view::npos)
            continue;
        std::string& value = request.headers[lowered(trimmed(line.substr(0, colon)))];
        if (!value.empty())
            value += ", ";
        value.append(trimmed(line.substr(colon + 1)));
    }
    return request;
}

// --- where the page comes from

struct HostPort
{
    std::string host;
    std::string port;
    bool operator==(const HostPort&) const = default;
};

HostPort splitHost(std::string_view text, bool encrypted)
{
    HostPort out;
    const auto bracket = text.rfind(']');
    const auto colon = text.rfind(':');
    const bool hasPort = colon != std::string_view::npos
        && (bracket == std::string_view::npos ? text.find(':') == colon : colon > bracket);
    out.host = lowered(hasPort ? text.substr(0, colon) : text);
    out.port = hasPort ? std::string(text.substr(colon + 1)) : encrypted ? "443" : "80";
    return out;
}

struct Origin
{
    std::string scheme;
    HostPort place;
    bool operator==(const Origin&) const = default;
};

std::optional<Origin> parseOrigin(std::string_view url)
{
    const auto colon = url.find("://");
    if (colon == std::string_view::npos)
        return std::nullopt;
    Origin origin;
    origin.scheme = lowered(url.substr(0, colon));
    std::string_view rest = url.substr(colon + 3);
    rest = rest.substr(0, rest.find('/'));
    origin.place = splitHost(rest, origin.scheme == "https");
    return origin;
}

/// Empty = welcome.
std::string originError(const Request& request, const WebSocketConfig& config, bool encrypted)
{
    if (!config.sameOrigin && config.allowedOrigins.empty())
        return {};
    std::string text = request.header("origin");
    if (text.empty())
        text = request.header("sec-websocket-origin");
    if (text.empty())
        return {}; // no page asks
    const auto origin = parseOrigin(text);
    if (!origin)
        return "origin not allowed: invalid origin";
    if (config.sameOrigin && !(origin->place == splitHost(request.header("host"), encrypted)))
        return "origin not allowed: not same origin";
    const auto isIt = [&](const std::string& allowed) { return parseOrigin(allowed) == origin; };
    if (!config.allowedOrigins.empty()
        && std::none_of(config.allowedOrigins.begin(), config.allowedOrigins.end(), isIt))
        return "origin not allowed: not in the allowed list";
    return {};
}

// --- the answer

UpgradeAnswer refusal(int status, std::string_view reason, std::string error)
{
    UpgradeAnswer answer;
    answer.error = std::move(error);
    answer.response = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: text/plain; charset=utf-8\r\n"
                                  "X-Content-Type-Options: nosniff\r\nSec-Websocket-Version: 13\r\n"
                                  "Connection: close\r\nContent-Length: {}\r\n\r\n{}\n",
        status,
        reason,
        answer.error.size() + 1,
        answer.error);
    return answer;
}

std::string acceptKey(const std::string& key)
{
    const std::string text = key + std::string(kGuid);
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    return base::base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

/// Sixteen bytes in base64.
bool isKey(std::string_view key)
{
    constexpr std::size_t kLength = 24;
    return key.size() == kLength && key.ends_with("==")
        && std::all_of(key.begin(), key.end() - 2, [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '+' || c == '/';
           });
}

/// Offers are taken as they are; window sizes other than the largest are not asked of us.
bool offersCompression(const Request& request)
{
    const std::string offers = request.header("sec-websocket-extensions");
    for (const std::string_view offer : parts(offers, ',')) {
        const auto words = parts(offer, ';');
        if (!words.empty() && lowered(words.front()) == kExtension)
            return std::none_of(words.begin() + 1, words.end(), [](std::string_view word) {
                return lowered(word).starts_with("server_max_window_bits");
            });
    }
    return false;
}

std::string whyNot(const Request& request)
{
    if (request.header("host").empty())
        return "'Host' missing in request";
    if (!request.contains("upgrade", "websocket"))
        return "invalid value for header 'Upgrade'";
    if (!request.contains("connection", "upgrade"))
        return "invalid value for header 'Connection'";
    if (!isKey(request.header("sec-websocket-key")))
        return "key missing";
    if (request.header("sec-websocket-version") != "13")
        return "invalid version";
    return {};
}

} // namespace

std::size_t upgradeEnd(std::string_view received)
{
    const auto end = received.find("\r\n\r\n");
    return end == std::string_view::npos ? end : end + 4;
}

UpgradeAnswer answerUpgrade(std::string_view text, const WebSocketConfig& config, bool encrypted)
{
    const Request request = parseRequest(text);
    if (request.method != "GET")
        return refusal(405, "Method Not Allowed", "request method must be GET");
    if (std::string error = whyNot(request); !error.empty())
        return refusal(400, "Bad Request", std::move(error));
    if (std::string error = originError(request, config, encrypted); !error.empty())
        return refusal(403, "Forbidden", std::move(error));

    UpgradeAnswer answer;
    answer.accepted = true;
    answer.compressed = config.compression && offersCompression(request);
    answer.masked = lowered(request.header("nats-no-masking")) != "true";
    const std::string forwarded = request.header("x-forwarded-for");
    if (const auto addresses = parts(forwarded, ','); !addresses.empty())
        answer.clientAddress = addresses.front();
    const std::string cookies = request.header("cookie");
    for (const std::string_view cookie : parts(cookies, ';')) {
        const auto equals = cookie.find('=');
        if (equals != std::string_view::npos)
            answer.cookies.emplace(cookie.substr(0, equals), cookie.substr(equals + 1));
    }
    std::string& out = answer.response;
    out = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          "Sec-WebSocket-Accept: "
        + acceptKey(request.header("sec-websocket-key")) + "\r\n";
    if (answer.compressed)
        out += "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
               "client_no_context_takeover\r\n";
    if (!answer.masked)
        out += "Nats-No-Masking: true\r\n";
    for (const auto& [name, value] : config.headers)
        out.append(name).append(": ").append(value).append("\r\n");
    out += "\r\n";
    return answer;
}

} // namespace jetglass::net
