// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/process_usage.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace jetglass::monitor {

namespace {

std::int64_t residentBytes()
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen("/proc/self/statm", "re"), &std::fclose);
    long long total = 0;
    long long resident = 0;
    if (!file || std::fscanf(file.get(), "%lld %lld", &total, &resident) != 2)
        return 0;
    return resident * ::sysconf(_SC_PAGESIZE);
}

double processorSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

} // namespace

ProcessUsage processUsage()
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kShortest{100};
    static Clock::time_point lastTime = Clock::now();
    static double lastSeconds = processorSeconds();
    static double lastCpu = 0;
    const Clock::time_point now = Clock::now();
    if (now - lastTime >= kShortest) {
        const double seconds = processorSeconds();
        const double elapsed = std::chrono::duration<double>(now - lastTime).count();
        lastCpu = std::round((seconds - lastSeconds) / elapsed * 1000) / 10;
        lastTime = now;
        lastSeconds = seconds;
    }
    ProcessUsage usage;
    usage.memory = residentBytes();
    usage.cpu = lastCpu;
    usage.cores = static_cast<int>(std::thread::hardware_concurrency());
    return usage;
}

} // namespace jetglass::monitor
