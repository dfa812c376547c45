// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "daemon/config_value.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetglass::daemon {

/// Takes typed values out of a parsed configuration and collects what is wrong with it, each with
/// its position. The read functions leave \a into alone when the value does not fit.
class ConfigReader
{
public:
    using Handler = std::function<void(const ConfigEntry&)>;
    /// Lower-case key and what to do with its entry; an empty handler accepts the key without
    /// effect.
    using Handlers = std::unordered_map<std::string, Handler>;

    void error(const Position& position, const std::string& text);
    void warn(const Position& position, const std::string& text);
    /// A warning that refuses a file which is only checked.
    void misuse(const ConfigEntry& entry, const std::string& reason);
    [[nodiscard]] const std::vector<std::string>& errors() const { return m_errors; }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return m_warnings; }
    [[nodiscard]] bool misused() const { return m_misused; }

    /// Gives each entry to its handler; keys without one are errors unless they only served as
    /// variables.
    void each(const ConfigValue& map, const Handlers& handlers);
    /// False and an error if it is no map.
    bool expectMap(const ConfigEntry& entry);

    void read(const ConfigEntry& entry, std::string& into);
    void read(const ConfigEntry& entry, bool& into);
    void read(const ConfigEntry& entry, std::int64_t& into);
    void read(const ConfigEntry& entry, int& into);
    /// "2m"; a bare integer is taken as seconds, with a warning.
    void readDuration(const ConfigEntry& entry, std::int64_t& ns);
    /// As readDuration(), but a bare integer is an error.
    void readDurationText(const ConfigEntry& entry, std::int64_t& ns);
    /// Seconds as a number, or a duration: the timeouts of authentication and TLS.
    void readSeconds(const ConfigEntry& entry, std::int64_t& ns);
    /// Bytes: an integer, or a quoted number with K, M, G or T.
    void readSize(const ConfigEntry& entry, std::int64_t& bytes);
    /// true, false, "enabled", "disabled" and the like.
    std::optional<bool> readSwitch(const ConfigValue& value);
    /// A string or a list of strings.
    std::vector<std::string> readStrings(const ConfigEntry& entry);
    /// "host:port", "port" or ":port"; host stays empty if not given.
    bool readHostPort(const ConfigEntry& entry, std::string& host, int& port);

    // ready-made handlers
    Handler into(std::string& member);
    Handler into(bool& member);
    Handler into(std::int64_t& member);
    Handler into(int& member);
    Handler durationInto(std::int64_t& member);
    Handler durationTextInto(std::int64_t& member);
    Handler sizeInto(std::int64_t& member);
    /// A warning line that the key is not supported and ignored.
    Handler ignored();

private:
    void wrongKind(const ConfigEntry& entry, std::string_view expected);

    std::vector<std::string> m_errors;
    std::vector<std::string> m_warnings;
    bool m_misused = false;
};

} // namespace jetglass::daemon
