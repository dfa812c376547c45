// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::daemon {

/// Where something stands in a configuration file; line and column from 1.
struct Position
{
    std::string file;
    int line = 0;
    int column = 0;
};
/// "file:line:col"
std::string toText(const Position& position);

struct ConfigEntry;

/// One value of a configuration file (core.md 5.1).
struct ConfigValue
{
    enum class Kind : std::uint8_t
    {
        Map,
        Array,
        String,
        Integer,
        Float,
        Bool,
        Date
    };
    Kind kind = Kind::String;
    Position position;
    std::string text; ///< String and Date as meant; Integer and Float as written
    std::int64_t integer = 0; ///< size suffix applied
    double number = 0;
    bool flag = false;
    std::vector<ConfigEntry> entries; ///< Map, in order of appearance, one per key
    std::vector<ConfigValue> items; ///< Array

    [[nodiscard]] bool isMap() const { return kind == Kind::Map; }
    [[nodiscard]] bool isArray() const { return kind == Kind::Array; }
    [[nodiscard]] bool isString() const { return kind == Kind::String; }
    [[nodiscard]] bool isInteger() const { return kind == Kind::Integer; }
    [[nodiscard]] bool isBool() const { return kind == Kind::Bool; }
    /// "an integer", "a string" ...: for messages.
    [[nodiscard]] std::string_view kindText() const;
    /// The entry of a map, keys compared without case; null if absent.
    [[nodiscard]] const ConfigEntry* find(std::string_view key) const;
};

struct ConfigEntry
{
    std::string key; ///< as written
    Position position;
    ConfigValue value;
    bool usedAsVariable = false; ///< then it need not be a key that the server knows
};

bool sameKey(std::string_view a, std::string_view b);
std::string lowered(std::string_view text);

} // namespace jetglass::daemon
