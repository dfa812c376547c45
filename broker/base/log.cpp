// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/log.h"

#include "broker/config.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <atomic>
#include <mutex>

namespace jetglass::base {

namespace {

/// Rotated files that are kept when the log has a size limit, unless the configuration says.
constexpr std::size_t kRotatedFiles = 9;

std::size_t rotatedFiles(const LogConfig& config)
{
    return config.fileMaxNum > 0 ? static_cast<std::size_t>(config.fileMaxNum - 1) : kRotatedFiles;
}

spdlog::level::level_enum levelOf(LogLevel level)
{
    switch (level) {
    case LogLevel::Trace:
        return spdlog::level::trace;
    case LogLevel::Debug:
        return spdlog::level::debug;
    case LogLevel::Info:
        return spdlog::level::info;
    case LogLevel::Warning:
        return spdlog::level::warn;
    case LogLevel::Error:
        return spdlog::level::err;
    case LogLevel::Fatal:
        return spdlog::level::critical;
    }
    return spdlog::level::info;
}

/// The three letters that nats-server's readers look for.
class LevelTag final : public spdlog::custom_flag_formatter
{
public:
    void format(const spdlog::details::log_msg& message,
        const std::tm&,
        spdlog::memory_buf_t& into) override
    {
        static constexpr const char* kTags[] = {"TRC", "DBG", "INF", "WRN", "ERR", "FTL"};
        const auto index = static_cast<std::size_t>(message.level);
        const std::string_view tag = index < std::size(kTags) ? kTags[index] : "INF";
        into.append(tag.data(), tag.data() + tag.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override
    {
        return std::make_unique<LevelTag>();
    }
};

std::unique_ptr<spdlog::formatter> makeFormatter(const LogConfig& config)
{
    auto formatter = std::make_unique<spdlog::pattern_formatter>(
        config.utc ? spdlog::pattern_time_type::utc : spdlog::pattern_time_type::local);
    formatter->add_flag<LevelTag>('*');
    formatter->set_pattern(config.time ? "[%P] %Y/%m/%d %H:%M:%S.%f [%*] %v" : "[%P] [%*] %v");
    return formatter;
}

/// Throws spdlog::spdlog_ex when the file cannot be opened.
spdlog::sink_ptr makeSink(const LogConfig& config)
{
    spdlog::sink_ptr sink;
    if (config.file.empty())
        sink = std::make_shared<spdlog::sinks::stderr_sink_st>();
    else if (config.fileSizeLimit > 0)
        sink = std::make_shared<spdlog::sinks::rotating_file_sink_st>(
            config.file, static_cast<std::size_t>(config.fileSizeLimit), rotatedFiles(config));
    else
        sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(config.file);
    sink->set_formatter(makeFormatter(config));
    sink->set_level(spdlog::level::trace);
    return sink;
}

class SpdLog final : public Log
{
public:
    SpdLog(const LogConfig& config, spdlog::sink_ptr sink)
        : m_config(config)
        , m_sink(std::move(sink))
    {
        setSwitches();
    }

    void write(LogLevel level, std::string_view text) override
    {
        if (!wants(level))
            return;
        const std::lock_guard lock(m_mutex);
        try {
            m_sink->log(spdlog::details::log_msg({}, levelOf(level), {text.data(), text.size()}));
            // Launchers read the file while we run, and a line must survive kill -9.
            m_sink->flush();
        } catch (const spdlog::spdlog_ex&) {
            // A log on a full disk must not take the broker down; the next line tries again.
        }
    }

    [[nodiscard]] bool wants(LogLevel level) const override
    {
        if (level == LogLevel::Trace)
            return m_trace.load(std::memory_order_relaxed);
        if (level == LogLevel::Debug)
            return m_debug.load(std::memory_order_relaxed);
        return m_normal.load(std::memory_order_relaxed);
    }

    void reopen() override
    {
        const std::lock_guard lock(m_mutex);
        if (m_config.file.empty())
            return;
        try {
            m_sink = makeSink(m_config);
        } catch (const spdlog::spdlog_ex&) {
            // The old file stays in use.
        }
    }

    void configure(const LogConfig& config) override
    {
        const std::lock_guard lock(m_mutex);
        try {
            m_sink = makeSink(config);
        } catch (const spdlog::spdlog_ex& failure) {
            m_sink->log(spdlog::details::log_msg({}, spdlog::level::err, failure.what()));
            m_sink->flush();
            return;
        }
        m_config = config;
        setSwitches();
    }

private:
    void setSwitches()
    {
        m_normal = !m_config.quiet;
        m_debug = m_config.debug && !m_config.quiet;
        m_trace = (m_config.trace || m_config.traceVerbose) && !m_config.quiet;
    }

    std::mutex m_mutex;
    LogConfig m_config;
    spdlog::sink_ptr m_sink;
    std::atomic<bool> m_normal{true};
    std::atomic<bool> m_debug{false};
    std::atomic<bool> m_trace{false};
};

} // namespace

Result<std::unique_ptr<Log>> openLog(const LogConfig& config)
{
    try {
        return std::unique_ptr<Log>(std::make_unique<SpdLog>(config, makeSink(config)));
    } catch (const spdlog::spdlog_ex& failure) {
        return Error{Errc::Io, failure.what()};
    }
}

} // namespace jetglass::base
