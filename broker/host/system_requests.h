// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host/bus_handlers.h"
#include "host/server_card.h"
#include "monitor/query.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace jetglass::server {
class Account;
}

namespace jetglass::host {

class BrokerCore;
class SystemEvents;

/// Answers $SYS.REQ.> (core.md 9.1): everything in the system account, the caller's own affairs in
/// all others. Subjects that are not served stay without responders. Broker thread only.
class SystemRequests
{
public:
    SystemRequests(BrokerCore& core, ServerCard& card, SystemEvents& events);

    /// Serves an account from now on.
    void serve(server::Account& account);
    void setReload(std::function<void()> reload) { m_reload = std::move(reload); }

private:
    using Json = nlohmann::ordered_json;
    /// A request as its handlers see it.
    struct Request
    {
        const streams::Inbound& message;
        server::Account& account; ///< where it was asked, and where the answer goes
        Json options = Json::object();
        [[nodiscard]] std::string text(const char* name) const;
    };
    using Answer = std::function<void(Request&)>;

    void serveEverywhere(server::Account& account);
    void serveSystem(server::Account& account);
    void addServerPages(server::Account& account);
    void addActions(server::Account& account);
    void addAccountPages(server::Account& account);
    /// What the payload of a request is for.
    enum class Body : std::uint8_t
    {
        Options,
        OptionsOrSilence, ///< what does not parse is not answered
        Ignored
    };
    void add(server::Account& account,
        const std::string& subject,
        Answer answer,
        Body body = Body::Options,
        std::string inSystem = {});
    /// False: this server is not meant, or the options do not parse.
    bool read(Request& request, Body body);
    bool isMeant(const Json& options) const;

    void respond(const Request& request, const Json& body) const;
    void respondData(const Request& request, Json data);
    void respondError(const Request& request, int code, const std::string& text, bool data = true);
    void page(Request& request, const std::string& name, std::string_view account = {});
    void statistics(Request& request, std::string_view account);
    void userInfo(Request& request);
    void subscribers(const Request& request) const;
    void kick(Request& request);
    void announceLameDuck(Request& request);

    BrokerCore& m_core;
    ServerCard& m_card;
    SystemEvents& m_events;
    std::function<void()> m_reload;
    BusHandlers m_handlers;
};

} // namespace jetglass::host
