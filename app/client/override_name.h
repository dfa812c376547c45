// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1String>

namespace jetglass::client {

/// What the connection calls itself that answers in place of a client. Events carry the number of
/// whoever answered, so by this name every view can tell an override from an ordinary answer.
inline constexpr QLatin1String kOverrideClient("jetglass override");
/// What the window's own connection calls itself. The wire knows no language: the words for the
/// reader are put in its place when they are shown.
inline constexpr QLatin1String kWindowClient("jetglass window");

} // namespace jetglass::client
