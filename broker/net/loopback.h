// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace jetglass::net {

/// What a listener without an address binds: names such as "localhost" may lead to either.
constexpr const char* kLoopback4 = "127.0.0.1";
constexpr const char* kLoopback6 = "::1";

/// Machines without IPv6 have only the first of them.
bool hasLoopback6();

} // namespace jetglass::net
