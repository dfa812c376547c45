// SPDX-License-Identifier: GPL-3.0-or-later
#include "accounts/password.h"

#include "base/base64.h"

#include <openssl/crypto.h>

#include <cctype>
#include <crypt.h>
#include <memory>
#include <string>

namespace jetglass::accounts {

namespace {

/// Digests have one length, so the comparison does not tell how long the secret is.
bool equalInConstantTime(std::string_view a, std::string_view b)
{
    const std::string first = base::sha256(a);
    const std::string second = base::sha256(b);
    return CRYPTO_memcmp(first.data(), second.data(), first.size()) == 0;
}

} // namespace

bool isBcrypt(std::string_view stored)
{
    constexpr std::string_view kVariants = "abxy";
    return stored.size() > 7 && stored.substr(0, 2) == "$2"
        && kVariants.find(stored[2]) != std::string_view::npos && stored[3] == '$'
        && std::isdigit(static_cast<unsigned char>(stored[4])) != 0
        && std::isdigit(static_cast<unsigned char>(stored[5])) != 0 && stored[6] == '$';
}

bool passwordMatches(std::string_view stored, std::string_view given)
{
    if (!isBcrypt(stored))
        return equalInConstantTime(stored, given);
    // bcrypt knows no NUL: a password with one would be compared up to it only.
    if (given.find('\0') != std::string_view::npos)
        return false;
    const auto work = std::make_unique<crypt_data>();
    const std::string setting(stored);
    const std::string password(given);
    const char* digest = crypt_r(password.c_str(), setting.c_str(), work.get());
    return digest != nullptr && *digest != '*' && equalInConstantTime(setting, digest);
}

} // namespace jetglass::accounts
