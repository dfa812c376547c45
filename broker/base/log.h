// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace jetglass {
struct LogConfig;
}

namespace jetglass::base {

enum class LogLevel : std::uint8_t
{
    Trace,
    Debug,
    Info,
    Warning,
    Error,
    Fatal
};

/// A thin front of spdlog in the line format of nats-server (core.md 6.1). One per broker; any
/// thread may write.
class Log
{
public:
    virtual ~Log() = default;
    virtual void write(LogLevel level, std::string_view text) = 0;
    [[nodiscard]] virtual bool wants(LogLevel level) const = 0;
    virtual void reopen() = 0;
    virtual void configure(const LogConfig& config) = 0;

    void info(std::string_view text) { write(LogLevel::Info, text); }
    void warn(std::string_view text) { write(LogLevel::Warning, text); }
    void error(std::string_view text) { write(LogLevel::Error, text); }
    void debug(std::string_view text) { write(LogLevel::Debug, text); }
    void fatal(std::string_view text) { write(LogLevel::Fatal, text); }
};

/// To stderr or to the file that the configuration names. Secrets are the writers' business:
/// nothing is redacted here.
Result<std::unique_ptr<Log>> openLog(const LogConfig& config);

} // namespace jetglass::base
