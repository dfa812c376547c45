// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/result.h"
#include "net/tls_identity.h"

#include <memory>
#include <string>
#include <vector>

namespace jetglass::net {

/// Certificate, key and rules of one listener; shared by its connections. Immutable: a reload makes
/// a new one.
class TlsContext
{
public:
    /// Reads the files. Errors name the file and what is wrong with it. \a into = a context of
    /// somebody else's making that is to be set up and shared.
    static Result<std::shared_ptr<const TlsContext>> open(
        const TlsConfig& config, SSL_CTX* into = nullptr);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    [[nodiscard]] const TlsConfig& config() const { return m_config; }
    [[nodiscard]] SSL_CTX* native() const { return m_native; }

private:
    TlsContext(TlsConfig config, SSL_CTX* native);
    static int chooseIdentity(SSL* ssl, void* self);
    Result<void> loadCertificate();
    Result<void> loadIdentities();
    Result<void> loadAuthorities();
    Result<void> chooseCiphers();

    TlsConfig m_config;
    SSL_CTX* m_native;
    std::vector<TlsIdentity> m_identities; ///< several certificates; empty = the context's own
};

} // namespace jetglass::net
