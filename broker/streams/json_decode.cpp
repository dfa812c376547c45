// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/json_decode.h"

#include "base/json.h"
#include "base/time_text.h"

#include <algorithm>
#include <limits>

namespace jetglass::streams {
namespace {

using Json = nlohmann::ordered_json;

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

/// The value as it was written, but for blanks and for how a large number was.
std::string shown(const Json& value)
{
    std::string text = base::jsonText(value);
    if (const std::size_t at = text.find("e+"); value.is_number() && at != std::string::npos)
        text.erase(at + 1, 1);
    return text;
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

} // namespace

JsonFields::JsonFields(bool strict, std::string type, std::string path)
    : m_strict(strict)
    , m_type(std::move(type))
    , m_path(std::move(path))
{
}

void JsonFields::add(std::string name, Reader read, bool nullToo)
{
    m_fields.push_back({std::move(name), std::move(read), nullToo, m_part});
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
            fields.setNumberError(value, "int32");
    });
}

void JsonFields::add(std::string name, std::int64_t& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (!readInteger(value, to))
            fields.setNumberError(value, "int64");
    });
}

void JsonFields::add(std::string name, std::uint64_t& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (!readInteger(value, to))
            fields.setNumberError(value, "uint64");
    });
}

void JsonFields::addInt(std::string name, std::int32_t& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        using Limits = std::numeric_limits<std::int32_t>;
        std::int64_t number = 0;
        if (!readInteger(value, number))
            return fields.setNumberError(value, "int");
        number = std::clamp<std::int64_t>(number, Limits::min(), Limits::max());
        to = static_cast<std::int32_t>(number);
    });
}

void JsonFields::addInt(std::string name, std::int64_t& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (!readInteger(value, to))
            fields.setNumberError(value, "int");
    });
}

void JsonFields::addDuration(std::string name, std::int64_t& to)
{
    addCustom(std::move(name), [&to](const Json& value, JsonFields& fields) {
        if (!readInteger(value, to))
            fields.setNumberError(value, "time.Duration");
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

void JsonFields::addDurations(std::string name, std::vector<std::int64_t>& to)
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
                    return fields.setNumberError(item, "time.Duration");
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
    setMismatch(kindOf(value), type);
}

void JsonFields::setNumberError(const Json& value, std::string_view type)
{
    std::string kind = kindOf(value);
    if (value.is_number())
        kind += ' ' + shown(value);
    setMismatch(std::move(kind), type);
}

void JsonFields::setMismatch(std::string kind, std::string_view type)
{
    std::string text = "json: cannot unmarshal " + std::move(kind) + " into Go ";
    if (m_current && !m_type.empty())
        text += "struct field " + m_type + '.' + pathOfCurrent();
    else
        text += "value";
    text += " of type ";
    text += type;
    setError(std::move(text));
}

void JsonFields::setUnknown(const Json& value, const UnknownWord& unknown)
{
    if (unknown.how == Unknown::Unsaid && !value.is_string() && !value.is_null())
        return setTypeError(value, "string");
    std::string text(unknown.text);
    if (unknown.how == Unknown::Quoted)
        text += base::jsonText(Json(shown(value)));
    else if (unknown.how == Unknown::Shown)
        text += shown(value);
    setError(std::move(text));
}

std::string JsonFields::pathOfCurrent() const
{
    if (!m_current)
        return m_path;
    std::string path = m_path;
    if (!path.empty())
        path += '.';
    return path + m_current->part + m_current->name;
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
        return setTypeError(value, m_type.empty() ? "object" : "server." + m_type);
    for (const auto& [key, item] : value.items()) {
        const Field* field = find(key);
        if (!field) {
            if (m_strict)
                setError("json: unknown field \"" + key + "\"");
        } else if (!item.is_null() || field->nullToo) {
            m_current = field;
            field->read(item, *this);
        }
    }
    m_current = nullptr;
}

} // namespace jetglass::streams
