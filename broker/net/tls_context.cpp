// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <utility>

namespace jetglass::net {

namespace {

int versionNumber(const std::string& text)
{
    return text == "1.3" ? TLS1_3_VERSION : TLS1_2_VERSION;
}

/// Configurations name curves as Go does.
std::string curveName(const std::string& name)
{
    if (name == "CurveP256")
        return "P-256";
    if (name == "CurveP384")
        return "P-384";
    if (name == "CurveP521")
        return "P-521";
    return name;
}

/// OpenSSL's name of a suite that the configuration names by its standard name; empty if there is
/// none.
std::string cipherName(SSL_CTX* context, const std::string& standard)
{
    const STACK_OF(SSL_CIPHER)* ciphers = SSL_CTX_get_ciphers(context);
    for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); ++i) {
        const SSL_CIPHER* cipher = sk_SSL_CIPHER_value(ciphers, i);
        const char* name = SSL_CIPHER_standard_name(cipher);
        if (name != nullptr && (standard == name || standard == SSL_CIPHER_get_name(cipher)))
            return SSL_CIPHER_get_name(cipher);
    }
    return {};
}

} // namespace

TlsContext::TlsContext(TlsConfig config, SSL_CTX* native)
    : m_config(std::move(config))
    , m_native(native)
{
}

TlsContext::~TlsContext()
{
    SSL_CTX_free(m_native);
}

Result<std::shared_ptr<const TlsContext>> TlsContext::open(const TlsConfig& config, SSL_CTX* into)
{
    ERR_clear_error();
    SSL_CTX* native = into != nullptr ? into : SSL_CTX_new(TLS_server_method());
    if (into != nullptr)
        SSL_CTX_up_ref(into);
    if (native == nullptr)
        return Error{Errc::Io, "TLS cannot be set up: " + tlsErrorText()};
    const std::shared_ptr<TlsContext> context(new TlsContext(config, native));
    SSL_CTX_set_min_proto_version(native, versionNumber(config.minVersion));
    SSL_CTX_set_options(native,
        SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_COMPRESSION
            | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(native,
        SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
            | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    constexpr unsigned char kSession[] = "jetglass";
    SSL_CTX_set_session_id_context(native, kSession, sizeof kSession - 1);
    if (auto done = context->loadCertificate(); !done)
        return done.error();
    if (auto done = context->loadAuthorities(); !done)
        return done.error();
    if (auto done = context->chooseCiphers(); !done)
        return done.error();
    return std::shared_ptr<const TlsContext>(context);
}

/// The first that names the server which the client asks for, and that the client can check; else
/// the first of all.
int TlsContext::chooseIdentity(SSL* ssl, void* self)
{
    const auto& all = static_cast<const TlsContext*>(self)->m_identities;
    const char* host = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    const auto chosen = std::find_if(all.begin(), all.end(), [&](const TlsIdentity& one) {
        return (host == nullptr || *host == '\0' || one.names(host)) && one.suits(ssl);
    });
    return (chosen != all.end() ? *chosen : all.front()).use(ssl) ? 1 : 0;
}

Result<void> TlsContext::loadIdentities()
{
    const std::size_t count = m_config.certificates.size();
    for (std::size_t i = 0; i < count; ++i) {
        auto identity = TlsIdentity::open(
            m_config.certificates[i], std::to_string(i + 1) + '/' + std::to_string(count));
        if (!identity)
            return identity.error();
        m_identities.push_back(std::move(*identity));
    }
    SSL_CTX_set_cert_cb(m_native, &TlsContext::chooseIdentity, this);
    return {};
}

Result<void> TlsContext::loadCertificate()
{
    if (!m_config.certificates.empty())
        return loadIdentities();
    if (m_config.certFile.empty() && m_config.keyFile.empty())
        return {}; // every handshake will fail, as with the reference server
    if (m_config.certFile.empty() || m_config.keyFile.empty())
        return Error{Errc::InvalidArgument, "TLS needs the files of a certificate and of its key"};
    if (SSL_CTX_use_certificate_chain_file(m_native, m_config.certFile.c_str()) != 1)
        return Error{Errc::Io,
            "error parsing X509 certificate file " + m_config.certFile + ": " + tlsErrorText()};
    if (SSL_CTX_use_PrivateKey_file(m_native, m_config.keyFile.c_str(), SSL_FILETYPE_PEM) != 1)
        return Error{
            Errc::Io, "error parsing private key file " + m_config.keyFile + ": " + tlsErrorText()};
    if (SSL_CTX_check_private_key(m_native) != 1)
        return Error{Errc::InvalidArgument,
            "the private key in " + m_config.keyFile + " does not belong to the certificate in "
                + m_config.certFile};
    return {};
}

Result<void> TlsContext::loadAuthorities()
{
    if (!m_config.caFile.empty()) {
        if (SSL_CTX_load_verify_locations(m_native, m_config.caFile.c_str(), nullptr) != 1)
            return Error{Errc::Io,
                "failed to parse root ca certificate file " + m_config.caFile + ": "
                    + tlsErrorText()};
        SSL_CTX_set_client_CA_list(m_native, SSL_load_client_CA_file(m_config.caFile.c_str()));
    } else if (m_config.verify) {
        SSL_CTX_set_default_verify_paths(m_native);
    }
    const bool asks = m_config.verify || !m_config.pinnedCerts.empty();
    if (asks)
        SSL_CTX_set_verify(m_native, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    return {};
}

Result<void> TlsContext::chooseCiphers()
{
    if (!m_config.curves.empty()) {
        std::string list;
        for (const std::string& curve : m_config.curves) {
            const std::string name = curveName(curve);
            // Not every OpenSSL has those against quantum computers.
            if (SSL_CTX_set1_groups_list(m_native, name.c_str()) == 1)
                list.append(list.empty() ? "" : ":").append(name);
        }
        ERR_clear_error();
        if (SSL_CTX_set1_groups_list(m_native, list.c_str()) != 1)
            return Error{Errc::InvalidArgument, "no usable curve preference"};
    }
    // The reference's order; with the server's preference it decides. What TLS 1.3 uses is not to
    // be chosen.
    SSL_CTX_set_ciphersuites(
        m_native, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256");
    if (m_config.cipherSuites.empty())
        return {};
    SSL_CTX_set_cipher_list(m_native, "ALL:COMPLEMENTOFALL:@SECLEVEL=0");
    std::string list;
    for (const std::string& suite : m_config.cipherSuites) {
        const std::string name = cipherName(m_native, suite);
        if (!name.empty() && !name.starts_with("TLS_")) // weak ones may be left out of OpenSSL
            list.append(list.empty() ? "" : ":").append(name);
    }
    if (list.empty())
        SSL_CTX_set_min_proto_version(m_native, TLS1_3_VERSION);
    else if (SSL_CTX_set_cipher_list(m_native, list.c_str()) != 1)
        return Error{Errc::InvalidArgument, "no usable cipher suite: " + tlsErrorText()};
    return {};
}

} // namespace jetglass::net
