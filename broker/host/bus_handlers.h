// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/bus.h"

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::host {

/// Functions that answer on subjects, for as long as this lives.
class BusHandlers
{
public:
    using Function = std::function<void(const streams::Inbound&)>;

    void add(streams::Bus& bus, std::string_view subject, Function function)
    {
        auto handler = std::make_unique<Handler>(std::move(function));
        m_registrations.push_back(bus.subscribe(subject, {}, *handler));
        m_handlers.push_back(std::move(handler));
    }
    void clear()
    {
        m_registrations.clear();
        m_handlers.clear();
    }

private:
    struct Handler final : streams::MessageHandler
    {
        explicit Handler(Function f)
            : function(std::move(f))
        {
        }
        void onMessage(const streams::Inbound& message) override { function(message); }
        Function function;
    };
    std::vector<std::unique_ptr<Handler>> m_handlers;
    std::vector<streams::RegistrationPtr> m_registrations; ///< goes before the handlers
};

} // namespace jetglass::host
