// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/protocol_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace jetglass::server {

namespace {

constexpr std::string_view kRedacted = "[REDACTED]";

/// Length of the UTF-8 character that \a text begins with; 0 if it begins with none.
std::size_t characterLength(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80U ? 1
        : (lead >= 0xC2U && lead < 0xE0U)   ? 2
        : (lead >= 0xE0U && lead < 0xF0U)   ? 3
        : (lead >= 0xF0U && lead < 0xF5U)   ? 4
                                            : 0;
    if (length == 0 || length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U)
            return 0;
    }
    return length;
}

void appendEscaped(std::string& out, char c)
{
    constexpr std::string_view kNamed = "\a\b\f\n\r\t\v\"\\";
    constexpr std::string_view kLetters = "abfnrtv\"\\";
    const auto named = kNamed.find(c);
    if (named != std::string_view::npos)
        out.append({'\\', kLetters[named]});
    else
        out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
}

bool isSecret(std::string_view key)
{
    std::string name(key);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    // An escaped name may spell anything.
    return name.starts_with("pass") || name.starts_with("auth_token") || name == "sig"
        || name == "nkey" || name == "jwt" || name.find('\\') != std::string::npos;
}

/// Where the string that opens at \a from ends: behind its closing quote, or at the text's end.
std::size_t stringEnd(std::string_view json, std::size_t from)
{
    for (std::size_t i = from + 1; i < json.size(); ++i) {
        if (json[i] == '\\')
            ++i;
        else if (json[i] == '"')
            return i + 1;
    }
    return json.size();
}

std::size_t skipBlanks(std::string_view json, std::size_t from)
{
    while (from < json.size() && std::isspace(static_cast<unsigned char>(json[from])) != 0)
        ++from;
    return from;
}

std::string_view verbText(const protocol::Operation& operation)
{
    using protocol::Verb;
    switch (operation.verb) {
    case Verb::Connect:
        return "CONNECT";
    case Verb::Publish:
        return operation.withHeaders ? "HPUB" : "PUB";
    case Verb::Subscribe:
        return "SUB";
    case Verb::Unsubscribe:
        return "UNSUB";
    case Verb::Ping:
        return "PING";
    case Verb::Pong:
        return "PONG";
    case Verb::PublishLine:
    case Verb::Ignored:
    case Verb::PeerError:
        break;
    }
    return {};
}

} // namespace

std::string quotedText(std::string_view text)
{
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        const auto c = static_cast<unsigned char>(text.front());
        const bool plain = length > 1 || (c >= 0x20U && c < 0x7FU && c != '"' && c != '\\');
        if (length > 0 && plain)
            out.append(text.substr(0, length));
        else
            appendEscaped(out, text.front());
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return out + '"';
}

std::string withoutSecrets(std::string_view json)
{
    std::string out;
    std::size_t at = 0;
    while (at < json.size()) {
        if (json[at] != '"') {
            out += json[at++];
            continue;
        }
        const std::size_t end = stringEnd(json, at);
        const std::string_view word = json.substr(at, end - at);
        out.append(word);
        at = skipBlanks(json, end);
        out.append(json.substr(end, at - end));
        if (at >= json.size() || json[at] != ':' || word.size() < 2
            || !isSecret(word.substr(1, word.size() - 2)))
            continue;
        const std::size_t value = skipBlanks(json, at + 1);
        out.append(json.substr(at, value - at));
        if (value < json.size() && json[value] == '"') {
            at = stringEnd(json, value);
            out.append("\"").append(kRedacted).append("\"");
        } else {
            at = std::min(json.find_first_of(",}", value), json.size());
            out.append(kRedacted);
        }
    }
    return out;
}

std::string traceText(const protocol::Operation& operation)
{
    using protocol::Verb;
    std::string text(verbText(operation));
    const auto add = [&text](std::string_view word) {
        if (!word.empty())
            text.append(" ").append(word);
    };
    switch (operation.verb) {
    case Verb::Connect:
        add(withoutSecrets(operation.json));
        break;
    case Verb::Publish:
        add(operation.subject);
        add(operation.reply);
        if (operation.withHeaders)
            add(std::to_string(operation.headers.size()));
        add(std::to_string(operation.headers.size() + operation.payload.size()));
        break;
    case Verb::Subscribe:
        add(operation.subject);
        add(operation.queue);
        add(operation.sid);
        break;
    case Verb::Unsubscribe:
        add(operation.sid);
        if (operation.max > 0)
            add(std::to_string(operation.max));
        break;
    default:
        break;
    }
    return text;
}

std::optional<std::string> tracePayload(
    std::string_view headers, std::string_view payload, const LogConfig& config)
{
    std::string body(headers);
    if (!config.traceHeaders)
        body.append(payload);
    else if (body.size() >= 2)
        body.resize(body.size() - 2); // without the empty line at its end
    if (body.empty())
        return std::nullopt;
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(0, config.maxTracedMsgLen));
    if (most == 0 || body.size() <= most)
        return fmt::format("MSG_PAYLOAD: [{}]", quotedText(body));
    std::string cut = quotedText(std::string_view(body).substr(0, most));
    cut.insert(cut.size() - 1, "...");
    return fmt::format("MSG_PAYLOAD: [{}]", cut);
}

} // namespace jetglass::server
