// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/digest.h"

#include <openssl/sha.h>

#include <cstddef>
#include <highwayhash/c_bindings.h>

namespace jetglass::archive {

NamedHash::NamedHash(std::string_view name)
{
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    const auto* bytes = static_cast<const void*>(name.data());
    SHA256(static_cast<const unsigned char*>(bytes), name.size(), digest.data());
    for (std::size_t i = 0; i < digest.size(); ++i)
        m_key[i / 8] |= static_cast<std::uint64_t>(digest[i]) << (8U * (i % 8));
}

std::uint64_t NamedHash::of(std::string_view bytes) const
{
    return HighwayHash64(m_key.data(), bytes.data(), bytes.size());
}

} // namespace jetglass::archive
