// SPDX-License-Identifier: GPL-3.0-or-later
#include "accounts/nkey.h"

#include "base/base64.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <memory>

namespace jetglass::accounts {

namespace {

constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t kKeySize = 32;
constexpr std::size_t kSignatureSize = 64;
constexpr std::size_t kRawSize = 1 + kKeySize + 2;
constexpr std::size_t kTextSize = 56; // 35 bytes in base32

unsigned char byteAt(std::string_view bytes, std::size_t index)
{
    return static_cast<unsigned char>(bytes[index]);
}

/// CRC-16/XMODEM: polynomial 0x1021, start 0.
std::uint16_t crc16(std::string_view bytes)
{
    unsigned crc = 0;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8U;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
        crc &= 0xffffU;
    }
    return static_cast<std::uint16_t>(crc);
}

std::string base32(std::string_view bytes)
{
    std::string text;
    unsigned held = 0;
    unsigned bits = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        held = (held << 8U) | byteAt(bytes, i);
        bits += 8;
        while (bits >= 5) {
            bits -= 5;
            text += kBase32[(held >> bits) & 31U];
        }
        held &= (1U << bits) - 1U;
    }
    if (bits > 0)
        text += kBase32[(held << (5U - bits)) & 31U];
    return text;
}

std::optional<std::string> parseBase32(std::string_view text)
{
    std::string bytes;
    unsigned held = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const auto value = kBase32.find(c);
        if (value == std::string_view::npos)
            return std::nullopt;
        held = (held << 5U) | static_cast<unsigned>(value);
        bits += 5;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>((held >> bits) & 0xffU);
        }
        held &= (1U << bits) - 1U;
    }
    return bytes;
}

} // namespace

std::string encodePublicKey(KeyKind kind, std::string_view key)
{
    std::string raw(1, static_cast<char>(kind));
    raw += key;
    const std::uint16_t crc = crc16(raw);
    raw += static_cast<char>(crc & 0xffU);
    raw += static_cast<char>(crc >> 8U);
    return base32(raw);
}

std::optional<std::string> parsePublicKey(KeyKind kind, std::string_view text)
{
    if (text.size() != kTextSize)
        return std::nullopt;
    const auto raw = parseBase32(text);
    if (!raw || raw->size() != kRawSize || byteAt(*raw, 0) != static_cast<unsigned char>(kind))
        return std::nullopt;
    const std::string_view checked = std::string_view(*raw).substr(0, kRawSize - 2);
    const unsigned stored =
        byteAt(*raw, kRawSize - 2) | (static_cast<unsigned>(byteAt(*raw, kRawSize - 1)) << 8U);
    if (stored != crc16(checked))
        return std::nullopt;
    return raw->substr(1, kKeySize);
}

bool verifySignature(std::string_view key, std::string_view message, std::string_view signature)
{
    const auto raw = base::parseBase64(signature);
    if (key.size() != kKeySize || !raw || raw->size() != kSignatureSize)
        return false;
    const auto bytes = [](std::string_view view) {
        return reinterpret_cast<const unsigned char*>(view.data());
    };
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> publicKey(
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes(key), key.size()),
        &EVP_PKEY_free);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(
        EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    if (!publicKey || !context
        || EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, publicKey.get()) != 1)
        return false;
    return EVP_DigestVerify(context.get(), bytes(*raw), raw->size(), bytes(message), message.size())
        == 1;
}

std::string newServerId()
{
    std::array<unsigned char, kKeySize> random{};
    RAND_bytes(random.data(), static_cast<int>(random.size()));
    return encodePublicKey(
        KeyKind::Server, {reinterpret_cast<const char*>(random.data()), random.size()});
}

} // namespace jetglass::accounts
