// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/signals.h"

#include "daemon/config_parser.h"

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <signal.h>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace jetglass::daemon {

namespace {

/// Sent to ourselves when the server has ended; nobody else uses it.
int endSignal()
{
    return SIGRTMIN;
}

sigset_t handled()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, endSignal()})
        sigaddset(&set, signal);
    return set;
}

std::optional<int> signalOf(std::string_view command)
{
    constexpr std::pair<std::string_view, int> kCommands[] = {{"stop", SIGKILL},
        {"quit", SIGINT},
        {"term", SIGTERM},
        {"reopen", SIGUSR1},
        {"reload", SIGHUP},
        {"ldm", SIGUSR2}};
    for (const auto& [name, signal] : kCommands) {
        if (name == command)
            return signal;
    }
    return std::nullopt;
}

std::optional<pid_t> parsePid(std::string_view text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
        text.remove_suffix(1);
    pid_t pid = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), pid);
    if (failure != std::errc{} || end != text.data() + text.size() || pid <= 0)
        return std::nullopt;
    return pid;
}

bool isServerName(const std::string& name)
{
    // The kernel cuts names at 15 characters.
    return name == "nats-server" || name == std::string("jetglass-server").substr(0, 15);
}

std::vector<pid_t> runningServers()
{
    std::vector<pid_t> found;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", failure)) {
        const auto pid = parsePid(entry.path().filename().string());
        if (!pid || *pid == ::getpid())
            continue;
        std::ifstream stream(entry.path() / "comm");
        std::string name;
        if (std::getline(stream, name) && isServerName(name))
            found.push_back(*pid);
    }
    return found;
}

std::string deliver(pid_t pid, int signal)
{
    if (::kill(pid, signal) == 0)
        return {};
    return "could not signal process " + std::to_string(pid) + ": "
        + std::generic_category().message(errno);
}

} // namespace

Signals::Signals()
{
    const sigset_t set = handled();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    // A peer that hangs up is seen as a failed write, not as the end of the process.
    ::signal(SIGPIPE, SIG_IGN);
}

Wish Signals::next()
{
    const sigset_t set = handled();
    int signal = 0;
    while (sigwait(&set, &signal) != 0) { }
    switch (signal) {
    case SIGINT:
        return Wish::Quit;
    case SIGTERM:
        return Wish::Terminate;
    case SIGHUP:
        return Wish::Reload;
    case SIGUSR1:
        return Wish::Reopen;
    case SIGUSR2:
        return Wish::LameDuck;
    default:
        return Wish::Ended;
    }
}

void Signals::wake()
{
    ::kill(::getpid(), endSignal());
}

std::string sendSignal(const std::string& command)
{
    const auto equals = command.find('=');
    const auto signal = signalOf(std::string_view(command).substr(0, equals));
    if (!signal)
        return "unknown signal \"" + command.substr(0, equals) + '"';
    if (equals != std::string::npos) {
        const std::string where = command.substr(equals + 1);
        if (const auto pid = parsePid(where))
            return deliver(*pid, *signal);
        const auto text = readFile(where);
        const auto pid = text ? parsePid(*text) : std::nullopt;
        return pid ? deliver(*pid, *signal) : "no process id and no pid file: " + where;
    }
    const std::vector<pid_t> servers = runningServers();
    if (servers.empty())
        return "no nats-server processes running";
    if (servers.size() > 1) {
        std::string text = "multiple nats-server processes running:";
        for (const pid_t pid : servers)
            text += '\n' + std::to_string(pid);
        return text;
    }
    return deliver(servers.front(), *signal);
}

} // namespace jetglass::daemon
