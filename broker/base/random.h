// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>

namespace jetglass::base {

/// Chance where nothing secret depends on it: names, jitter, samples. One for each thread, begun by
/// the system's; a simulation begins it by its seed, so that it happens again in the same way.
inline std::mt19937_64& randomEngine()
{
    thread_local std::mt19937_64 engine{std::random_device{}()};
    return engine;
}

} // namespace jetglass::base
