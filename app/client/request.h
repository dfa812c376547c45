// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/api_error.h"

#include <QJsonObject>

#include <functional>
#include <optional>

namespace jetglass::client {

/// The answer of a JetStream API endpoint.
struct ApiAnswer
{
    QJsonObject json;
    std::optional<ApiError> error;

    [[nodiscard]] bool ok() const { return !error.has_value(); }
};
using ApiHandler = std::function<void(const ApiAnswer&)>;

inline constexpr int kApiTimeoutMs = 5000;

/// Calls "$JS.API." + \a endpoint. An empty \a body sends no bytes at all: some endpoints refuse
/// "{}"-like bodies on older servers. The handler runs on the GUI thread, later.
void callApi(Connection& connection,
    const QString& endpoint,
    const QJsonObject& body,
    QObject* context,
    ApiHandler handler);

[[nodiscard]] ApiAnswer parseApiReply(const Reply& reply);

} // namespace jetglass::client
