// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1String>

namespace jetglass::client {

/// What the connection calls itself that answers in place of a client. Events carry the number of
/// whoever answered, so by this name every view can tell an override from an ordinary answer.
inline constexpr QLatin1String kOverrideClient("jetglass override");

} // namespace jetglass::client
