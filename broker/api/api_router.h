// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "streams/bus.h"
#include "streams/context.h"
#include "streams/json_text.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::api {

/// One request on a $JS.API subject, kept alive until it is answered (answers may come turns
/// later).
class ApiCall
{
public:
    ApiCall(streams::Context& context, const streams::Inbound& message, std::string responseType);
    [[nodiscard]] const std::string& subject() const { return m_subject; }
    [[nodiscard]] const std::string& payload() const { return m_payload; }
    [[nodiscard]] const std::string& headers() const { return m_headers; }
    [[nodiscard]] ClientId client() const { return m_client; }
    [[nodiscard]] std::string_view token(std::size_t n) const; ///< of the subject, from 0 ($JS)
    /// Only while the handler runs; what it needs later it has to copy.
    [[nodiscard]] const streams::Sender& sender() const { return *m_sender; }
    /// Empty, "{}" or blanks around it.
    [[nodiscard]] bool isEmptyRequest() const;

    /// Sends the members with "type" put first; publishes the audit advisory. Once only.
    void respond(
        const nlohmann::ordered_json& members, std::span<const streams::MadeMember> made = {});
    /// Without counting and audit: MSG.GET.
    void respondQuietly(const nlohmann::ordered_json& members);
    void fail(const Error& error); ///< counts in api.errors
    /// With members that stand beside the error (paging defaults, "success":false ...).
    void fail(const Error& error, const nlohmann::ordered_json& members);
    /// An error of the store, which counts in api.total only.
    void failUncounted(const Error& error);

private:
    enum class Audit : std::uint8_t
    {
        Yes,
        No
    };
    void send(const nlohmann::ordered_json& body,
        Audit audit,
        std::span<const streams::MadeMember> made = {});
    void sendError(const Error& error, const nlohmann::ordered_json& members);

    streams::Context& m_context;
    std::string m_subject;
    std::string m_reply;
    std::string m_payload;
    std::string m_headers;
    std::string m_type;
    std::string m_clientInfo; ///< JSON of the audit advisory's "client"; empty if nobody listened
    ClientId m_client{};
    const streams::Sender* m_sender = nullptr;
    friend class ApiRouter;
    class ApiRouter* m_router = nullptr;
    const std::string* m_errorMembers = nullptr;
};
using ApiCallPtr = std::shared_ptr<ApiCall>;

/// The header Nats-Required-Api-Level is no number or above ours (streams.md 0.7).
[[nodiscard]] bool levelTooHigh(std::string_view headers);

/// Sends each $JS.API request to its handler after the checks that all share (streams.md 0.7),
/// counts, audits. Subjects that match no endpoint get no answer.
class ApiRouter final : public streams::MessageHandler
{
public:
    using Handler = std::function<void(const ApiCallPtr&)>;
    explicit ApiRouter(streams::Context& context);
    ~ApiRouter() override;

    /// \a pattern as a subject pattern, e.g. "$JS.API.STREAM.INFO.*"; \a type without prefix and
    /// "_response", e.g. "stream_info".
    void add(std::string pattern, std::string type, Handler handler);
    /// \a errorMembers: JSON object of what stands beside every error of this endpoint.
    void add(std::string pattern, std::string type, std::string errorMembers, Handler handler);
    /// Without the common checks: calls that only a cluster has.
    void addUnchecked(std::string pattern, std::string type, Handler handler);
    void start(); ///< subscribes

    void onMessage(const streams::Inbound& message) override;
    [[nodiscard]] std::string systemSubject(std::string_view subject) const override;

    /// A request that was not made by way of a subject.
    void count(bool failed);
    [[nodiscard]] std::uint64_t total() const { return m_total; }
    [[nodiscard]] std::uint64_t errors() const { return m_errors; }

private:
    friend class ApiCall;
    struct Endpoint
    {
        std::string pattern;
        std::string type;
        std::string errorMembers;
        Handler handler;
        bool checked = true;
    };
    void dispatch(std::string_view subject, const streams::Inbound& message);
    void handle(const Endpoint& endpoint, const ApiCallPtr& call);

    streams::Context& m_context;
    std::vector<Endpoint> m_endpoints;
    std::vector<streams::RegistrationPtr> m_registrations;
    std::uint64_t m_total = 0;
    std::uint64_t m_errors = 0;
};

} // namespace jetglass::api
