// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/api_error.h"

#include <functional>
#include <optional>

namespace jetglass::client {

/// What a stream answered to a publish.
struct PubAck
{
    QString stream;
    quint64 seq = 0;
    bool duplicate = false;
    QString counterValue; ///< "val" of a counter stream
    std::optional<ApiError> error;
    qint64 roundTripUs = 0;

    [[nodiscard]] bool ok() const { return !error.has_value(); }
};
using PubAckHandler = std::function<void(const PubAck&)>;

[[nodiscard]] PubAck parsePubAck(const Reply& reply);

/// Publishes and waits for the pub ack.
void publishAcked(Connection& connection,
    const Message& message,
    int timeoutMs,
    QObject* context,
    PubAckHandler handler);

} // namespace jetglass::client
