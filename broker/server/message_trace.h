// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/bus.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::server {

class Client;
struct Subscription;

/// Follows one published message and tells at the end of it, on the subject that the header
/// Nats-Trace-Dest names: where it came in, what became of its subject, which streams and which
/// subscribers it reached. With Nats-Trace-Only nobody gets the message itself.
class MessageTrace final : public streams::MessageTracer
{
public:
    /// A subject that the header block names; empty if the message is not to be followed.
    static std::string_view destination(std::string_view headers);

    MessageTrace(const Client& from,
        std::string_view subject,
        std::string_view headers,
        std::size_t size,
        std::int64_t now);

    [[nodiscard]] bool wayOnly() const override { return m_wayOnly; }
    void reachedStream(std::string_view stream,
        std::string_view subject,
        bool noInterest,
        std::string_view error) override;
    void reachedClient(
        const Client& client, const Subscription& subscription, std::string_view error);
    void mapped(std::string_view subject);
    /// Into another account, where it is not followed any more.
    void exported(std::string_view account, std::string_view subject);
    void requested(std::string_view account, std::string_view from, std::string_view to);

    /// The whole as it is published. \a server is the card of this server, JSON.
    [[nodiscard]] std::string text(std::string_view server) const;

private:
    using Json = nlohmann::ordered_json;
    [[nodiscard]] Json event(std::string_view type) const;

    std::int64_t m_now;
    Json m_request;
    Json m_way = Json::array(); ///< in, and what became of the subject
    Json m_streams = Json::array();
    Json m_clients = Json::array();
    bool m_wayOnly = false;
};

} // namespace jetglass::server
