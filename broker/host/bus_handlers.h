// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/bus.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::host {

/// Functions that answer on subjects, for as long as this lives.
class BusHandlers
{
public:
    using Function = std::function<void(const streams::Inbound&)>;

    /// \a inSystem: the subject of the system account's service that this stands for.
    void add(
        streams::Bus& bus, std::string_view subject, Function function, std::string inSystem = {})
    {
        auto handler = std::make_unique<Handler>(std::move(function), std::move(inSystem));
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
        Handler(Function f, std::string service)
            : function(std::move(f))
            , inSystem(std::move(service))
        {
        }
        void onMessage(const streams::Inbound& message) override { function(message); }
        [[nodiscard]] std::string systemSubject(std::string_view) const override
        {
            return inSystem;
        }
        Function function;
        std::string inSystem;
    };
    std::vector<std::unique_ptr<Handler>> m_handlers;
    std::vector<streams::RegistrationPtr> m_registrations; ///< goes before the handlers
};

} // namespace jetglass::host
