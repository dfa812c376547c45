// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <utility>

namespace jetglass::net {

namespace {

int versionNumber(const std::string& text)
{
    if (text == "1.0")
        return TLS1_VERSION;
    if (text == "1.1")
        return TLS1_1_VERSION;
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

/// Go leaves the hash out of the names of two suites.
std::string fullName(const std::string& name)
{
    return name.ends_with("_CHACHA20_POLY1305") ? name + "_SHA256" : name;
}

} // namespace

std::string tlsErrorText()
{
    const unsigned long code = ERR_peek_last_error();
    const char* reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
    std::string text = reason != nullptr ? reason : "connection closed";
    ERR_clear_error();
    return text;
}

TlsContext::TlsContext(TlsConfig config, SSL_CTX* native)
    : m_config(std::move(config))
    , m_native(native)
{
}

TlsContext::~TlsContext()
{
    SSL_CTX_free(m_native);
}

Result<std::shared_ptr<const TlsContext>> TlsContext::open(const TlsConfig& config)
{
    ERR_clear_error();
    SSL_CTX* native = SSL_CTX_new(TLS_server_method());
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

Result<void> TlsContext::loadCertificate()
{
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
        for (const std::string& curve : m_config.curves)
            list.append(list.empty() ? "" : ":").append(curveName(curve));
        if (SSL_CTX_set1_groups_list(m_native, list.c_str()) != 1)
            return Error{Errc::InvalidArgument, "unrecognized curve preference in " + list};
    }
    if (m_config.cipherSuites.empty()) {
        // The reference's order; with the server's preference it decides.
        SSL_CTX_set_ciphersuites(
            m_native, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256");
        return {};
    }
    SSL_CTX_set_cipher_list(m_native, "ALL:COMPLEMENTOFALL");
    std::string older; // up to TLS 1.2
    std::string newer; // TLS 1.3 has a list of its own
    for (const std::string& suite : m_config.cipherSuites) {
        const std::string name = cipherName(m_native, fullName(suite));
        if (name.empty())
            return Error{Errc::InvalidArgument, "unrecognized cipher " + suite};
        std::string& list = name.starts_with("TLS_") ? newer : older;
        list.append(list.empty() ? "" : ":").append(name);
    }
    if (SSL_CTX_set_cipher_list(m_native, older.empty() ? "DEFAULT" : older.c_str()) != 1
        || (!newer.empty() && SSL_CTX_set_ciphersuites(m_native, newer.c_str()) != 1))
        return Error{Errc::InvalidArgument, "no usable cipher suite: " + tlsErrorText()};
    return {};
}

} // namespace jetglass::net
