// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace jetglass::host {

class BrokerCore;

/// The monitoring pages over HTTP (core.md 7). Requests are served by threads of their own; each
/// document is made on the broker thread between two turns.
class MonitorHttp
{
public:
    /// \a brokerEnded tells that nobody answers any more. \a configLoaded in wall ns.
    MonitorHttp(BrokerCore& core, const std::atomic<bool>& brokerEnded, std::int64_t configLoaded);
    ~MonitorHttp(); ///< as stop()

    /// \a port -1 = any free one. Encrypts if \a config says so. Errors: InUse, and those of the
    /// certificates.
    Result<void> start(const std::string& host, int port, const BrokerConfig& config);
    /// Reads what reload() will show: the certificate.
    Result<void> prepareReload(const BrokerConfig& config);
    void reload();
    void stop(); ///< any thread but the broker's
    [[nodiscard]] std::uint16_t port() const;

private:
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace jetglass::host
