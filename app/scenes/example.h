// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connection.h"

#include <functional>

namespace jetglass::scenes {

/// The ORDERS stream (orders.> for 24 hours in files) with the pull consumers payments and mailer,
/// and five orders in it. \a done gets an empty text, or the server's words if something was
/// refused.
void createOrders(client::Connection& connection,
    QObject* context,
    std::function<void(const QString& problem)> done);

} // namespace jetglass::scenes
