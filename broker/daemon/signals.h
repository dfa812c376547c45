// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace jetglass::daemon {

/// What a signal asks the server to do.
enum class Wish
{
    Quit,
    Terminate,
    Reload,
    Reopen,
    LameDuck,
    Ended
};

/// Takes the process's signals as calls on the waiting thread (core.md 6.2). Make it before any
/// other thread starts: they inherit that these signals are blocked.
class Signals
{
public:
    Signals();
    /// Waits for the next signal; Ended after wake().
    [[nodiscard]] Wish next();
    /// From another thread: the server has ended by itself.
    static void wake();
};

/// Sends the signal of "stop", "quit", "term", "reopen", "reload" or "ldm" to the process in
/// "CMD=PID" or "CMD=FILE", without either to the only other running server. Returns what went
/// wrong, empty if nothing.
std::string sendSignal(const std::string& command);

} // namespace jetglass::daemon
