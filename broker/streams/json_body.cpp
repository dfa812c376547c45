// SPDX-License-Identifier: GPL-3.0-or-later
// From the body of a request to the values in it.
#include "base/json.h"
#include "streams/json_decode.h"
#include "streams/json_fault.h"

namespace jetglass::streams {
namespace {

using Json = nlohmann::ordered_json;

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::size_t skipBlanks(std::string_view text, std::size_t at)
{
    while (at < text.size() && isBlank(text[at]))
        ++at;
    return at;
}

std::size_t endOfString(std::string_view text, std::size_t at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at + 1;
    }
    return text.size();
}

/// Where the value that starts at \a at ends, by its brackets only; the parser judges the rest.
std::size_t endOfValue(std::string_view text, std::size_t at)
{
    const char first = text[at];
    if (first == '"')
        return endOfString(text, at);
    if (first != '{' && first != '[') {
        while (at < text.size() && !isBlank(text[at]) && text[at] != '{' && text[at] != '['
            && text[at] != '"')
            ++at;
        return at;
    }
    std::size_t depth = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = endOfString(text, at);
            continue;
        }
        ++at;
        if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && --depth == 0)
            return at;
    }
    return text.size();
}

/// Length of the UTF-8 sequence at \a at, 0 if it is broken.
std::size_t utf8Length(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const unsigned lead = byte(at);
    std::size_t length = 1;
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        length = 2;
    else if (lead >= 0xE0 && lead <= 0xEF)
        length = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        length = 4;
    else
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xC0U) != 0x80U)
            return 0;
    const unsigned second = byte(at + 1);
    const bool overlongOrTooHigh = (lead == 0xE0 && second < 0xA0)
        || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90)
        || (lead == 0xF4 && second > 0x8F);
    return overlongOrTooHigh ? 0 : length;
}

/// The reference decoder reads a broken byte as U+FFFD instead of refusing the text.
std::string repairUtf8(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8Length(text, at);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            ++at;
        } else {
            out.append(text.substr(at, length));
            at += length;
        }
    }
    return out;
}

/// Discarded if it is not JSON.
Json parse(std::string_view text)
{
    Json value = base::parseJson(text);
    return value.is_discarded() ? base::parseJson(repairUtf8(text)) : value;
}

/// What the parser refuses although its form holds.
const JsonFault kUnnamedFault{"number out of range", 0};

Error invalid(const std::string& what)
{
    return Error::api(400, 10025, "invalid JSON: " + what);
}

} // namespace

Result<void> decodeJson(std::string_view body, JsonFields& fields)
{
    std::size_t at = skipBlanks(body, 0);
    while (at < body.size()) {
        const std::size_t end = endOfValue(body, at);
        const Json value = parse(body.substr(at, end - at));
        if (value.is_discarded()) {
            const JsonFault fault = findJsonFault(body.substr(at), false).value_or(kUnnamedFault);
            return invalid(fault.text.empty()
                    ? "unexpected EOF"
                    : fault.text + " at offset " + std::to_string(at + fault.offset));
        }
        fields.read(value);
        if (fields.failed())
            return invalid(fields.error());
        at = skipBlanks(body, end);
    }
    return {};
}

Result<void> decodeWholeJson(std::string_view body, JsonFields& fields)
{
    // Before the parser, which takes a NUL for the end and a byte order mark for nothing.
    if (const auto fault = findJsonFault(body, true))
        return invalid(fault->text.empty() ? "unexpected end of JSON input" : fault->text);
    const Json value = parse(body);
    if (value.is_discarded())
        return invalid(kUnnamedFault.text);
    fields.read(value);
    if (fields.failed())
        return invalid(fields.error());
    return {};
}

Result<void> decodeOptionalJson(std::string_view body, JsonFields& fields)
{
    const std::size_t at = skipBlanks(body, 0);
    if (at == body.size() || (body[at] != '{' && body[at] != '['))
        return {};
    return decodeJson(body, fields);
}

} // namespace jetglass::streams
