// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace jetglass::server {

/// Cheap random numbers for spreading load; not for secrets. Broker thread only.
std::uint64_t randomNumber();
inline std::size_t randomBelow(std::size_t limit)
{
    return static_cast<std::size_t>(randomNumber() % limit);
}

} // namespace jetglass::server
