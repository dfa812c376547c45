// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "streams/bus.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::server {

class Client;

/// Headers of the request that made it a sample, for the metric: an object, empty = none.
using SampleHeaders = nlohmann::ordered_json;

/// Whether this request to a service is one of those that are measured: by chance, or because the
/// tracing headers of its sender ask for it.
[[nodiscard]] std::optional<SampleHeaders> sampleOf(
    const ExportConfig& offered, std::string_view headers);

/// What is published of one sampled request to a service.
class ServiceLatency
{
public:
    ServiceLatency(SampleHeaders headers, const Client* requestor, bool share, std::string server);

    /// Of a request that cannot be answered, for it has no reply subject.
    [[nodiscard]] std::string badRequest(std::int64_t now);
    /// \a sent = when the request came, real wall ns.
    [[nodiscard]] std::string answered(
        const Client* responder, std::int64_t sent, std::int64_t now);
    [[nodiscard]] std::string failed(
        int status, std::string_view why, std::int64_t sent, std::int64_t now);

private:
    struct Times
    {
        std::int64_t start;
        std::int64_t service;
        std::int64_t total;
    };
    [[nodiscard]] std::string text(int status,
        std::string_view why,
        const nlohmann::ordered_json* responder,
        const Times& times,
        std::int64_t now) const;

    SampleHeaders m_headers;
    nlohmann::ordered_json m_requestor;
    std::string m_server;
    std::int64_t m_requestorRtt = 0;
};

} // namespace jetglass::server
