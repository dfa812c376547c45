// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace jetglass::host {

/// "host:port", with brackets around an IPv6 address.
std::string addressText(std::string_view host, int port);
/// scheme://host:port of an address that clients on this machine can use, also when all interfaces
/// are bound.
std::string urlText(std::string_view scheme, std::string_view host, int port);
/// An address as the outside is told of it: without one this machine's.
std::string shownHost(const std::string& host);
/// Only reachable from this machine.
bool isLoopback(std::string_view host);

} // namespace jetglass::host
