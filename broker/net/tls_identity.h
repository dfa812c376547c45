// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/result.h"

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::net {

/// One of several certificates of a listener, with its key and what stands between it and an
/// authority.
class TlsIdentity
{
public:
    /// \a place tells errors which of them it is ("2/3").
    static Result<TlsIdentity> open(const TlsConfig::Pair& files, const std::string& place);

    /// Whether it names \a host: its subject alternative names count, nothing else. A star stands
    /// for the whole first label.
    [[nodiscard]] bool names(std::string_view host) const;
    /// Whether the client, whose hello is known, can check what it signs.
    [[nodiscard]] bool suits(SSL* ssl) const;
    bool use(SSL* ssl) const;

private:
    struct Deleter
    {
        void operator()(X509* certificate) const { X509_free(certificate); }
        void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
        void operator()(STACK_OF(X509) * chain) const { sk_X509_pop_free(chain, X509_free); }
    };

    Result<void> readCertificates(const std::string& file);
    Result<void> readKey(const std::string& file);
    void readNames();

    std::unique_ptr<X509, Deleter> m_certificate;
    std::unique_ptr<STACK_OF(X509), Deleter> m_chain;
    std::unique_ptr<EVP_PKEY, Deleter> m_key;
    std::vector<std::string> m_names; ///< lower case
};

/// What OpenSSL says of the last failure on this thread; clears it. A file that cannot be opened is
/// the system's failure.
std::string tlsErrorText();

} // namespace jetglass::net
