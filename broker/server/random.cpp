// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/random.h"

#include <random>

namespace jetglass::server {

std::uint64_t randomNumber()
{
    static thread_local std::uint64_t state = [] {
        std::random_device device;
        return (static_cast<std::uint64_t>(device()) << 32U) | device() | 1U;
    }();
    // xorshift64*
    state ^= state >> 12U;
    state ^= state << 25U;
    state ^= state >> 27U;
    return (state * 0x2545F4914F6CDD1DULL) >> 11U;
}

} // namespace jetglass::server
