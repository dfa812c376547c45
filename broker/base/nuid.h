// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jetglass::base {

/// A unique id of 22 characters 0-9A-Za-z, as NATS uses for advisories and pins.
std::string nuid();
/// \a length random characters 0-9A-Za-z.
std::string randomName(int length);

} // namespace jetglass::base
