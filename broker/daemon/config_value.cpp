// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_value.h"

#include <algorithm>
#include <cctype>

namespace jetglass::daemon {

std::string toText(const Position& position)
{
    return position.file + ':' + std::to_string(position.line) + ':'
        + std::to_string(position.column);
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return result;
}

bool sameKey(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && lowered(a) == lowered(b);
}

std::string_view ConfigValue::kindText() const
{
    switch (kind) {
    case Kind::Map:
        return "a map";
    case Kind::Array:
        return "a list";
    case Kind::String:
        return "a string";
    case Kind::Integer:
        return "an integer";
    case Kind::Float:
        return "a float";
    case Kind::Bool:
        return "a boolean";
    case Kind::Date:
        return "a date";
    }
    return "a value";
}

const ConfigEntry* ConfigValue::find(std::string_view key) const
{
    const auto found = std::find_if(entries.begin(),
        entries.end(),
        [key](const ConfigEntry& entry) { return sameKey(entry.key, key); });
    return found == entries.end() ? nullptr : &*found;
}

} // namespace jetglass::daemon
