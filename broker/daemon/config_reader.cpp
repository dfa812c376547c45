// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_reader.h"

#include "base/time_text.h"
#include "daemon/config_number.h"

#include <charconv>
#include <limits>

namespace jetglass::daemon {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr int kMaxPort = 65535;

std::optional<int> parsePort(std::string_view text)
{
    int port = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (failure != std::errc{} || end != text.data() + text.size() || port < -1 || port > kMaxPort)
        return std::nullopt;
    return port;
}

} // namespace

void ConfigReader::error(const Position& position, const std::string& text)
{
    m_errors.push_back(toText(position) + ": " + text);
}

void ConfigReader::warn(const Position& position, const std::string& text)
{
    m_warnings.push_back(toText(position) + ": " + text);
}

void ConfigReader::misuse(const ConfigEntry& entry, const std::string& reason)
{
    warn(entry.position, "invalid use of field \"" + entry.key + "\": " + reason);
    m_misused = true;
}

void ConfigReader::wrongKind(const ConfigEntry& entry, std::string_view expected)
{
    error(entry.value.position,
        '"' + entry.key + "\" must be " + std::string(expected) + ", not "
            + std::string(entry.value.kindText()));
}

void ConfigReader::each(const ConfigValue& map, const Handlers& handlers)
{
    for (const ConfigEntry& entry : map.entries) {
        const auto handler = handlers.find(lowered(entry.key));
        if (handler == handlers.end()) {
            if (!entry.usedAsVariable)
                error(entry.position, "unknown field \"" + entry.key + '"');
        } else if (handler->second) {
            handler->second(entry);
        }
    }
}

bool ConfigReader::expectMap(const ConfigEntry& entry)
{
    if (!entry.value.isMap())
        wrongKind(entry, "a map");
    return entry.value.isMap();
}

void ConfigReader::read(const ConfigEntry& entry, std::string& into)
{
    if (entry.value.isString())
        into = entry.value.text;
    else
        wrongKind(entry, "a string (quote it)");
}

void ConfigReader::read(const ConfigEntry& entry, bool& into)
{
    if (entry.value.isBool())
        into = entry.value.flag;
    else
        wrongKind(entry, "a boolean");
}

void ConfigReader::read(const ConfigEntry& entry, std::int64_t& into)
{
    if (entry.value.isInteger())
        into = entry.value.integer;
    else
        wrongKind(entry, "an integer");
}

void ConfigReader::read(const ConfigEntry& entry, int& into)
{
    std::int64_t wide = into;
    read(entry, wide);
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
        error(entry.value.position, '"' + entry.key + "\" is out of range");
    else
        into = static_cast<int>(wide);
}

void ConfigReader::readDuration(const ConfigEntry& entry, std::int64_t& ns)
{
    if (entry.value.isInteger()) {
        misuse(entry, entry.key + " should be converted to a duration");
        if (__builtin_mul_overflow(entry.value.integer, kNsPerSecond, &ns))
            error(entry.value.position, '"' + entry.key + "\" is out of range");
    } else if (!entry.value.isString()) {
        wrongKind(entry, "a duration");
    } else if (const auto parsed = base::parseGoDuration(entry.value.text)) {
        ns = *parsed;
    } else {
        error(entry.value.position,
            "error parsing " + entry.key + ": invalid duration \"" + entry.value.text + '"');
    }
}

void ConfigReader::readDurationText(const ConfigEntry& entry, std::int64_t& ns)
{
    if (entry.value.isInteger())
        wrongKind(entry, "a duration (quote it)");
    else
        readDuration(entry, ns);
}

void ConfigReader::readSeconds(const ConfigEntry& entry, std::int64_t& ns)
{
    if (entry.value.isInteger() || entry.value.kind == ConfigValue::Kind::Float)
        ns = static_cast<std::int64_t>(entry.value.number * static_cast<double>(kNsPerSecond));
    else
        readDuration(entry, ns);
}

void ConfigReader::readSize(const ConfigEntry& entry, std::int64_t& bytes)
{
    if (entry.value.isInteger()) {
        bytes = entry.value.integer;
    } else if (!entry.value.isString()) {
        wrongKind(entry, "a size");
    } else if (const auto parsed = parseQuotedSize(entry.value.text)) {
        bytes = *parsed;
    } else {
        error(entry.value.position, entry.key + ": invalid size \"" + entry.value.text + '"');
    }
}

std::optional<bool> ConfigReader::readSwitch(const ConfigValue& value)
{
    if (value.isBool())
        return value.flag;
    if (value.isString()) {
        const std::string text = lowered(value.text);
        if (text == "enabled" || text == "enable")
            return true;
        if (text == "disabled" || text == "disable")
            return false;
    }
    error(value.position, "expected 'enabled' or 'disabled', not " + std::string(value.kindText()));
    return std::nullopt;
}

std::vector<std::string> ConfigReader::readStrings(const ConfigEntry& entry)
{
    std::vector<std::string> texts;
    if (entry.value.isString()) {
        texts.push_back(entry.value.text);
    } else if (!entry.value.isArray()) {
        wrongKind(entry, "a string or a list of strings");
    } else {
        for (const ConfigValue& item : entry.value.items) {
            if (item.isString())
                texts.push_back(item.text);
            else
                error(item.position,
                    '"' + entry.key + "\" must hold strings, not " + std::string(item.kindText()));
        }
    }
    return texts;
}

bool ConfigReader::readHostPort(const ConfigEntry& entry, std::string& host, int& port)
{
    if (entry.value.isInteger()) {
        read(entry, port);
        return true;
    }
    if (!entry.value.isString()) {
        wrongKind(entry, "\"host:port\" or a port");
        return false;
    }
    const std::string& text = entry.value.text;
    const auto colon = text.rfind(':');
    const std::string portText = colon == std::string::npos ? text : text.substr(colon + 1);
    const auto parsed = parsePort(portText);
    if (!parsed) {
        error(entry.value.position, "could not parse port \"" + portText + '"');
        return false;
    }
    port = *parsed;
    host = colon == std::string::npos ? std::string() : text.substr(0, colon);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    return true;
}

ConfigReader::Handler ConfigReader::into(std::string& member)
{
    return [this, &member](const ConfigEntry& entry) { read(entry, member); };
}

ConfigReader::Handler ConfigReader::into(bool& member)
{
    return [this, &member](const ConfigEntry& entry) { read(entry, member); };
}

ConfigReader::Handler ConfigReader::into(std::int64_t& member)
{
    return [this, &member](const ConfigEntry& entry) { read(entry, member); };
}

ConfigReader::Handler ConfigReader::into(int& member)
{
    return [this, &member](const ConfigEntry& entry) { read(entry, member); };
}

ConfigReader::Handler ConfigReader::durationInto(std::int64_t& member)
{
    return [this, &member](const ConfigEntry& entry) { readDuration(entry, member); };
}

ConfigReader::Handler ConfigReader::durationTextInto(std::int64_t& member)
{
    return [this, &member](const ConfigEntry& entry) { readDurationText(entry, member); };
}

ConfigReader::Handler ConfigReader::sizeInto(std::int64_t& member)
{
    return [this, &member](const ConfigEntry& entry) { readSize(entry, member); };
}

ConfigReader::Handler ConfigReader::ignored()
{
    return [this](const ConfigEntry& entry) {
        warn(entry.position, '"' + entry.key + "\" is not supported and ignored");
    };
}

} // namespace jetglass::daemon
