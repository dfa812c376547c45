// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tls_identity.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

namespace jetglass::net {

namespace {

struct BioDeleter
{
    void operator()(BIO* bio) const { BIO_free(bio); }
};
using Bio = std::unique_ptr<BIO, BioDeleter>;

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return out;
}

bool matches(std::string_view pattern, std::string_view host)
{
    if (!pattern.starts_with("*."))
        return pattern == host;
    const auto dot = host.find('.');
    return dot != std::string_view::npos && dot > 0 && pattern.substr(1) == host.substr(dot);
}

} // namespace

std::string tlsErrorText()
{
    const unsigned long first = ERR_peek_error();
    const unsigned long last = ERR_peek_last_error();
    std::string text = "connection closed";
    if (first != 0 && ERR_SYSTEM_ERROR(first)) {
        text = std::generic_category().message(ERR_GET_REASON(first));
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    } else if (const char* reason = last != 0 ? ERR_reason_error_string(last) : nullptr) {
        text = reason;
    }
    ERR_clear_error();
    return text;
}

Result<TlsIdentity> TlsIdentity::open(const TlsConfig::Pair& files, const std::string& place)
{
    ERR_clear_error();
    TlsIdentity identity;
    Result<void> done = identity.readCertificates(files.certFile);
    if (done)
        done = identity.readKey(files.keyFile);
    if (!done) {
        Error error = done.error();
        error.text = "error parsing X509 certificate/key pair " + place + ": " + error.text;
        return error;
    }
    identity.readNames();
    return identity;
}

Result<void> TlsIdentity::readCertificates(const std::string& file)
{
    const Bio bio(BIO_new_file(file.c_str(), "r"));
    if (!bio)
        return Error{Errc::Io, "open " + file + ": " + tlsErrorText()};
    m_certificate.reset(PEM_read_bio_X509_AUX(bio.get(), nullptr, nullptr, nullptr));
    if (!m_certificate)
        return Error{Errc::Io, "no certificate in " + file + ": " + tlsErrorText()};
    m_chain.reset(sk_X509_new_null());
    while (X509* next = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr))
        sk_X509_push(m_chain.get(), next);
    ERR_clear_error(); // there is no more
    return {};
}

Result<void> TlsIdentity::readKey(const std::string& file)
{
    const Bio bio(BIO_new_file(file.c_str(), "r"));
    if (!bio)
        return Error{Errc::Io, "open " + file + ": " + tlsErrorText()};
    m_key.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
    if (!m_key)
        return Error{Errc::Io, "no private key in " + file + ": " + tlsErrorText()};
    if (X509_check_private_key(m_certificate.get(), m_key.get()) != 1) {
        ERR_clear_error();
        return Error{Errc::InvalidArgument,
            "the private key in " + file + " does not belong to the certificate"};
    }
    return {};
}

void TlsIdentity::readNames()
{
    auto* others = static_cast<GENERAL_NAMES*>(
        X509_get_ext_d2i(m_certificate.get(), NID_subject_alt_name, nullptr, nullptr));
    for (int i = 0; others != nullptr && i < sk_GENERAL_NAME_num(others); ++i) {
        const GENERAL_NAME* name = sk_GENERAL_NAME_value(others, i);
        if (name->type != GEN_DNS)
            continue;
        const ASN1_IA5STRING* text = name->d.dNSName;
        m_names.push_back(lower({reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
            static_cast<std::size_t>(ASN1_STRING_length(text))}));
    }
    GENERAL_NAMES_free(others);
}

bool TlsIdentity::names(std::string_view host) const
{
    if (host.ends_with('.'))
        host.remove_suffix(1);
    const std::string wanted = lower(host);
    return std::any_of(m_names.begin(), m_names.end(), [&wanted](const std::string& name) {
        return matches(name, wanted);
    });
}

bool TlsIdentity::suits(SSL* ssl) const
{
    const int fit = SSL_check_chain(ssl, m_certificate.get(), m_key.get(), m_chain.get());
    ERR_clear_error();
    if ((fit & CERT_PKEY_VALID) == 0)
        return false;
    if (SSL_version(ssl) >= TLS1_3_VERSION)
        return true;
    // Up to TLS 1.2 a suite says by what kind of key it is signed.
    const int kind =
        EVP_PKEY_get_base_id(m_key.get()) == EVP_PKEY_RSA ? NID_auth_rsa : NID_auth_ecdsa;
    const STACK_OF(SSL_CIPHER)* offered = SSL_get_client_ciphers(ssl);
    for (int i = 0; i < sk_SSL_CIPHER_num(offered); ++i)
        if (SSL_CIPHER_get_auth_nid(sk_SSL_CIPHER_value(offered, i)) == kind)
            return true;
    return false;
}

bool TlsIdentity::use(SSL* ssl) const
{
    return SSL_use_cert_and_key(ssl, m_certificate.get(), m_key.get(), m_chain.get(), 1) == 1;
}

} // namespace jetglass::net
