// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jetglass::test {

/// A certificate with its key, both as PEM.
struct Certificate
{
    std::string pem;
    std::string key;
    [[nodiscard]] bool isNull() const { return pem.empty(); }
};

/// Made on the spot and valid for a day; signed by \a issuer, or by itself without one. \a names is
/// a subjectAltName as OpenSSL writes it ("DNS:localhost,IP:127.0.0.1"). An \a authority may sign
/// others.
Certificate makeCertificate(const std::string& commonName,
    const std::string& names = {},
    const Certificate& issuer = {},
    bool authority = false);

/// SHA-256 of the certificate's public key, in hex.
std::string publicKeyDigest(const Certificate& certificate);

} // namespace jetglass::test
