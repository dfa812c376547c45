// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

namespace jetglass::store {

static_assert(std::endian::native == std::endian::little,
    "the files are little-endian and are read and written as they lie in memory");

template<class T>
[[nodiscard]] T loadNumber(const char* from)
{
    static_assert(std::is_integral_v<T>);
    T value{};
    std::memcpy(&value, from, sizeof value);
    return value;
}

template<class T>
void storeNumber(char* to, T value)
{
    static_assert(std::is_integral_v<T>);
    std::memcpy(to, &value, sizeof value);
}

} // namespace jetglass::store
