// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as Go's encoder writes it: keys in order of their bytes, no blanks, markup characters
// escaped, whole floats without a point, a newline at the end.
#include "daemon/config_digest.h"

#include "base/base64.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace jetglass::daemon {

namespace {

void writeText(std::string& out, const std::string& text)
{
    const std::string plain =
        nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    for (const char c : plain) {
        if (c == '<' || c == '>' || c == '&')
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out += c;
    }
}

void writeNumber(std::string& out, double number)
{
    const double size = std::abs(number);
    const bool plain = size == 0 || (size >= 1e-6 && size < 1e21);
    std::array<char, 64> digits{};
    const auto end = std::to_chars(digits.data(),
        digits.data() + digits.size(),
        number,
        plain ? std::chars_format::fixed : std::chars_format::scientific);
    std::string text(digits.data(), end.ptr);
    if (const auto zero = text.find("e-0"); zero != std::string::npos)
        text.erase(zero + 2, 1);
    out += text;
}

void writeValue(std::string& out, const ConfigValue& value);

void writeMap(std::string& out, const ConfigValue& map)
{
    std::map<std::string_view, const ConfigValue*> sorted;
    for (const ConfigEntry& entry : map.entries)
        sorted[entry.key] = &entry.value;
    out += '{';
    bool first = true;
    for (const auto& [key, value] : sorted) {
        if (!std::exchange(first, false))
            out += ',';
        writeText(out, std::string(key));
        out += ':';
        writeValue(out, *value);
    }
    out += '}';
}

void writeArray(std::string& out, const ConfigValue& array)
{
    out += '[';
    bool first = true;
    for (const ConfigValue& item : array.items) {
        if (!std::exchange(first, false))
            out += ',';
        writeValue(out, item);
    }
    out += ']';
}

void writeValue(std::string& out, const ConfigValue& value)
{
    switch (value.kind) {
    case ConfigValue::Kind::Map:
        return writeMap(out, value);
    case ConfigValue::Kind::Array:
        return writeArray(out, value);
    case ConfigValue::Kind::Integer:
        out += std::to_string(value.integer);
        return;
    case ConfigValue::Kind::Float:
        return writeNumber(out, value.number);
    case ConfigValue::Kind::Bool:
        out += value.flag ? "true" : "false";
        return;
    case ConfigValue::Kind::String:
    case ConfigValue::Kind::Date:
        return writeText(out, value.text);
    }
}

} // namespace

std::string digestOf(const ConfigValue& root)
{
    std::string text;
    writeMap(text, root);
    text += '\n';
    std::string hex = "sha256:";
    for (const char c : base::sha256(text))
        hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return hex;
}

} // namespace jetglass::daemon
