// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/bus.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::server {

class Client;
struct Subscription;

/// What the headers of a published message ask for.
// NOLINTNEXTLINE(bugprone-exception-escape): moving a JSON object does not throw.
struct TraceRequest
{
    bool external = false; ///< only a sampled W3C trace parent: where to is for the account to say
    bool wayOnly = false;
    std::string destination;
    std::string acceptEncoding;
    std::string foreignAccount; ///< of a header that switches the trace off
    nlohmann::ordered_json headers; ///< values by name

    /// Nothing if the message is not to be followed.
    static std::optional<TraceRequest> find(std::string_view block);
    /// Quick: whether it is worth looking.  externally = trace parents count.
    [[nodiscard]] static bool mayBeIn(std::string_view block, bool externally);
};

/// Follows one published message and tells at the end of it, on the subject that the header
/// Nats-Trace-Dest names: where it came in, what became of its subject, which streams and which
/// subscribers it reached. With Nats-Trace-Only nobody gets the message itself.
class MessageTrace final : public streams::MessageTracer
{
public:
    MessageTrace(const Client& from,
        std::string_view subject,
        TraceRequest request,
        std::size_t size,
        std::int64_t now);

    [[nodiscard]] bool wayOnly() const override { return m_wayOnly; }
    void reachedStream(std::string_view stream,
        std::string_view subject,
        bool noInterest,
        std::string_view error) override;
    void waitsInBatch() override { m_silent = true; }
    void reachedClient(
        const Client& client, const Subscription& subscription, std::string_view error);
    void mapped(std::string_view subject);
    /// It was not allowed in.
    void refused(std::string_view error);
    /// Somebody in another account gets it; \a followed = it is told who.
    void exported(std::string_view account, std::string_view subject, bool followed);
    void requested(std::string_view account, std::string_view from, std::string_view to);

    /// Somebody is to be told of it.
    [[nodiscard]] bool isTold() const { return !m_silent; }
    [[nodiscard]] const std::string& destination() const { return m_destination; }
    [[nodiscard]] const std::string& acceptEncoding() const { return m_acceptEncoding; }
    /// The whole as it is published. \a server is the card of this server, JSON.
    [[nodiscard]] std::string text(std::string_view server) const;

private:
    using Json = nlohmann::ordered_json;
    [[nodiscard]] Json event(std::string_view type) const;
    void put(Json& events, Json event);

    std::int64_t m_now;
    std::string m_destination;
    std::string m_acceptEncoding;
    std::string m_account;
    Json m_request;
    Json m_way = Json::array(); ///< in, and what became of the subject
    Json m_export; ///< that the next receiver comes behind; most often null
    Json m_streams = Json::array();
    Json m_clients = Json::array();
    bool m_wayOnly = false;
    bool m_silent = false;
};

} // namespace jetglass::server
