// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/bus.h"

#include <functional>
#include <memory>
#include <string_view>

namespace jetglass::tests {

/// What the broker itself listens to on a bus that a test plays, and whose interest it watches.
class InnerRouting
{
public:
    InnerRouting();
    streams::RegistrationPtr subscribe(
        std::string_view subject, std::string_view queue, streams::MessageHandler& handler);
    streams::RegistrationPtr watch(std::string_view subject, std::function<void()> changed);
    /// Hands it to those who listen, of a queue to one; false if nobody does.
    bool route(const streams::Inbound& message);
    /// The interest of clients in this subject has changed.
    void note(std::string_view subject);
    /// Calls back the watches that changed since, as the engine does after a turn; true if there
    /// were some.
    bool callWatches();

private:
    struct State;
    std::shared_ptr<State> m; ///< shared with registrations, which may outlive it
};

} // namespace jetglass::tests
