// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/nuid.h"

#include "base/random.h"

#include <random>

namespace jetglass::base {

std::string randomName(int length)
{
    static constexpr char kAlphabet[] =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    std::mt19937_64& engine = base::randomEngine();
    std::uniform_int_distribution<std::size_t> pick(0, sizeof(kAlphabet) - 2);
    std::string name(static_cast<std::size_t>(length), '0');
    for (char& c : name)
        c = kAlphabet[pick(engine)];
    return name;
}

std::string nuid()
{
    return randomName(22);
}

} // namespace jetglass::base
