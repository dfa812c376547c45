// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/json_decode.h"

#include "base/json.h"
#include "base/time_text.h"

#include <algorithm>
#include <limits>

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

const char* kindOf(const Json& value)
{
    switch (value.type()) {
    case Json::value_t::object:
        return "object";
    case Json::value_t::array:
        return "array";
    case Json::value_t::string:
        return "string";
    case Json::value_t::boolean:
        return "bool";
    case Json::value_t::null:
        return "null";
    default:
        return "number";
    }
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

template<class Int>
bool readInteger(const Json& value, Int& to)
{
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<Int>::max()))
            return false;
        to = static_cast<Int>(number);
        return true;
    }
    if (value.is_number_integer()) {
        const auto number = value.get<std::int64_t>();
        if constexpr (std::numeric_limits<Int>::is_signed) {
            if (number < std::numeric_limits<Int>::min()
                || number > std::numeric_limits<Int>::max())
                return false;
        } else if (number < 0) {
            return false;
        }
        to = static_cast<Int>(number);
        return true;
    }
    return false;
}

bool readStrings(const Json& value, JsonFields& fields, std::vector<std::string>& to)
{
    to.clear();
    if (!value.is_array()) {
        fields.setTypeError(value, "[]string");
        return false;
    }
    for (const Json& item : value) {
        if (item.is_string()) {
            to.push_back(item.get<std::string>());
        } else if (item.is_null()) {
            to.emplace_back();
        } else {
            fields.setTypeError(item, "string");
            return false;
        }
    }
    return true;
}

Error invalid(const std::string& what)
{
    return Error::api(400, 10025, "invalid JSON: " + what);
}

} // namespace

JsonFields::JsonFields(bool strict, std::string path)
    : m_strict(strict)
    , m_path(std::move(path))
{
}

void JsonFields::add(std::string name, Reader read, bool nullToo)
{
    m_fields.push_back({std::move(name), std::move(read), nullToo});
}

void JsonFields::addCustom(std::string name, Reader read, bool nullToo)
{
    add(std::move(name), std::move(read), nullToo);
}

void JsonFields::add(std::string name, std::string& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (value.is_string())
            to = value.get<std::string>();
        else
            fields.setTypeError(value, "string");
    });
}

void JsonFields::add(std::string name, bool& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (value.is_boolean())
            to = value.get<bool>();
        else
            fields.setTypeError(value, "bool");
    });
}

void JsonFields::add(std::string name, std::int32_t& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (!readInteger(value, to))
            fields.setTypeError(value, "int32");
    });
}

void JsonFields::add(std::string name, std::int64_t& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (!readInteger(value, to))
            fields.setTypeError(value, "int64");
    });
}

void JsonFields::add(std::string name, std::uint64_t& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (!readInteger(value, to))
            fields.setTypeError(value, "uint64");
    });
}

void JsonFields::add(std::string name, std::vector<std::string>& to)
{
    add(
        std::move(name),
        [&to](const Json& value, JsonFields& fields) {
            if (value.is_null())
                to.clear();
            else
                readStrings(value, fields, to);
        },
        true);
}

void JsonFields::add(std::string name, std::optional<std::vector<std::string>>& to)
{
    add(
        std::move(name),
        [&to](const Json& value, JsonFields& fields) {
            to.reset();
            std::vector<std::string> list;
            if (!value.is_null() && readStrings(value, fields, list))
                to = std::move(list);
        },
        true);
}

void JsonFields::add(std::string name, std::vector<std::int64_t>& to)
{
    add(
        std::move(name),
        [&to](const Json& value, JsonFields& fields) {
            to.clear();
            if (value.is_null())
                return;
            if (!value.is_array())
                return fields.setTypeError(value, "[]time.Duration");
            for (const Json& item : value) {
                std::int64_t number = 0;
                if (!item.is_null() && !readInteger(item, number))
                    return fields.setTypeError(item, "time.Duration");
                to.push_back(number);
            }
        },
        true);
}

void JsonFields::add(std::string name, std::map<std::string, std::string>& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (!value.is_object())
            return fields.setTypeError(value, "map[string]string");
        for (const auto& [key, item] : value.items()) {
            if (item.is_string())
                to[key] = item.get<std::string>();
            else if (item.is_null())
                to[key].clear();
            else
                return fields.setTypeError(item, "string");
        }
    });
}

void JsonFields::addTime(std::string name, std::optional<std::string>& to)
{
    add(
        std::move(name),
        [&to](const Json& value, JsonFields& fields) {
            if (value.is_null()) {
                to.reset();
                return;
            }
            if (!value.is_string())
                return fields.setError("Time.UnmarshalJSON: input is not a JSON string");
            const auto& text = value.get_ref<const std::string&>();
            if (!base::parseRfc3339(text))
                return fields.setError("parsing time \"" + text
                    + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"" + text
                    + "\" as \"2006\"");
            to = text;
        },
        true);
}

void JsonFields::setError(std::string text)
{
    if (m_error.empty())
        m_error = std::move(text);
}

void JsonFields::setTypeError(const Json& value, std::string_view type)
{
    std::string text = "json: cannot unmarshal ";
    text += kindOf(value);
    text += " into Go value of type ";
    text += type;
    setError(std::move(text));
}

bool JsonFields::sameWord(std::string_view a, std::string_view b, bool ignoreCase)
{
    if (!ignoreCase)
        return a == b;
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a[i]) != lower(b[i]))
            return false;
    return true;
}

const JsonFields::Field* JsonFields::find(std::string_view name) const
{
    for (const Field& field : m_fields)
        if (field.name == name)
            return &field;
    for (const Field& field : m_fields)
        if (sameWord(field.name, name, true))
            return &field;
    return nullptr;
}

void JsonFields::read(const Json& value)
{
    if (value.is_null())
        return;
    if (!value.is_object())
        return setTypeError(value, m_path.empty() ? "request" : m_path);
    for (const auto& [key, item] : value.items()) {
        const Field* field = find(key);
        if (!field) {
            if (m_strict)
                setError("json: unknown field \"" + key + "\"");
        } else if (!item.is_null() || field->nullToo) {
            field->read(item, *this);
        }
    }
}

Result<void> decodeJson(std::string_view body, JsonFields& fields)
{
    if (body.empty())
        return {};
    std::string repaired;
    std::size_t at = skipBlanks(body, 0);
    if (at == body.size())
        return invalid("unexpected end of JSON input at offset " + std::to_string(at));
    while (at < body.size()) {
        const std::size_t end = endOfValue(body, at);
        std::string_view part = body.substr(at, end - at);
        Json value = base::parseJson(part);
        if (value.is_discarded()) {
            repaired = repairUtf8(part);
            value = base::parseJson(repaired);
        }
        if (value.is_discarded())
            return invalid("invalid character or unexpected end at offset " + std::to_string(at));
        fields.read(value);
        if (fields.failed())
            return invalid(fields.error());
        at = skipBlanks(body, end);
    }
    return {};
}

Result<void> decodeOptionalJson(std::string_view body, JsonFields& fields)
{
    const std::size_t at = skipBlanks(body, 0);
    if (at == body.size() || (body[at] != '{' && body[at] != '['))
        return {};
    return decodeJson(body, fields);
}

std::string encodeJson(const nlohmann::ordered_json& value)
{
    std::string text = base::jsonText(value);
    if (text.find_first_of("<>&\xE2") == std::string::npos)
        return text;
    std::string out;
    out.reserve(text.size() + 32);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '<')
            out += "\\u003c";
        else if (c == '>')
            out += "\\u003e";
        else if (c == '&')
            out += "\\u0026";
        else if (text.compare(i, 3, "\xE2\x80\xA8") == 0
            || text.compare(i, 3, "\xE2\x80\xA9") == 0) {
            out += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
            i += 2;
        } else
            out += c;
    }
    return out;
}

std::string encodeJson(const nlohmann::ordered_json& object, std::span<const MadeMember> made)
{
    if (made.empty())
        return encodeJson(object);
    std::size_t size = 0;
    for (const MadeMember& member : made)
        size += member.text.size();
    constexpr std::size_t kRest = 16'384;
    std::string out;
    out.reserve(size + kRest);
    out += '{';
    for (const auto& [name, value] : object.items()) {
        if (out.size() > 1)
            out += ',';
        out += quoteJson(name) + ':' + encodeJson(value);
        for (const MadeMember& member : made) {
            if (member.parent != name || out.back() != '}')
                continue;
            out.pop_back();
            if (out.back() != '{')
                out += ',';
            out += quoteJson(member.name);
            out += ':';
            out += member.text;
            out += '}';
        }
    }
    out += '}';
    return out;
}

std::string quoteJson(std::string_view text)
{
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
    });
    if (!plain)
        return encodeJson(Json(text));
    std::string out;
    out.reserve(text.size() + 2);
    out += '"';
    out += text;
    out += '"';
    return out;
}

} // namespace jetglass::streams
