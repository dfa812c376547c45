// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/result.h"

#include <memory>
#include <string>

using SSL_CTX = struct ssl_ctx_st;

namespace jetglass::net {

/// Certificate, key and rules of one listener; shared by its connections. Immutable: a reload makes
/// a new one.
class TlsContext
{
public:
    /// Reads the files. Errors name the file and what is wrong with it.
    static Result<std::shared_ptr<const TlsContext>> open(const TlsConfig& config);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    [[nodiscard]] const TlsConfig& config() const { return m_config; }
    [[nodiscard]] SSL_CTX* native() const { return m_native; }

private:
    TlsContext(TlsConfig config, SSL_CTX* native);
    Result<void> loadCertificate();
    Result<void> loadAuthorities();
    Result<void> chooseCiphers();

    TlsConfig m_config;
    SSL_CTX* m_native;
};

/// What OpenSSL says of the last failure on this thread; clears it.
std::string tlsErrorText();

} // namespace jetglass::net
