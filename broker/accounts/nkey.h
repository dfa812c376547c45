// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::accounts {

/// The kinds of public keys as the first letter of their text tells them. The value is the prefix
/// byte.
enum class KeyKind : std::uint8_t
{
    Account = 0U,
    Server = 13U << 3U,
    User = 20U << 3U
};

/// Text of a public key: base32 without padding of prefix byte, 32 key bytes and a CRC16 (little
/// endian) of both.
std::string encodePublicKey(KeyKind kind, std::string_view key);
/// The 32 key bytes; nothing if length, alphabet, kind or checksum is wrong.
std::optional<std::string> parsePublicKey(KeyKind kind, std::string_view text);
/// Ed25519. \a signature in base64, standard or URL alphabet.
bool verifySignature(std::string_view key, std::string_view message, std::string_view signature);
/// A server id for this run: looks like a server's public key, 56 characters from 'N'.
std::string newServerId();

} // namespace jetglass::accounts
