// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tls_layer.h"

#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <utility>

namespace jetglass::net {

namespace {

constexpr std::size_t kRecord = 16384; ///< most plain text in one record

struct CertificateDeleter
{
    void operator()(X509* certificate) const { X509_free(certificate); }
};
using Certificate = std::unique_ptr<X509, CertificateDeleter>;

std::string hexOf(std::string_view bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

/// SHA-256 of the certificate's public key, in hex.
std::string pinOf(const X509* certificate)
{
    unsigned char* encoded = nullptr;
    const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoded);
    if (size <= 0)
        return {};
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(encoded, static_cast<std::size_t>(size), digest.data());
    OPENSSL_free(encoded);
    return hexOf({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string subjectOf(const X509* certificate)
{
    BIO* out = BIO_new(BIO_s_mem());
    X509_NAME_print_ex(out, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
    char* data = nullptr;
    const long size = BIO_get_mem_data(out, &data);
    std::string text(data, static_cast<std::size_t>(std::max(0L, size)));
    BIO_free(out);
    return text;
}

} // namespace

TlsLayer::TlsLayer(std::shared_ptr<const TlsContext> context)
    : m_context(std::move(context))
    , m_ssl(SSL_new(m_context->native()))
    , m_in(BIO_new(BIO_s_mem()))
    , m_out(BIO_new(BIO_s_mem()))
{
    SSL_set_bio(m_ssl, m_in, m_out);
    SSL_set_accept_state(m_ssl);
}

TlsLayer::~TlsLayer()
{
    SSL_free(m_ssl);
}

void TlsLayer::takeWire(std::string& wire)
{
    char* data = nullptr;
    const long size = BIO_get_mem_data(m_out, &data);
    if (size <= 0)
        return;
    wire.append(data, static_cast<std::size_t>(size));
    static_cast<void>(BIO_reset(m_out));
}

TlsLayer::Outcome TlsLayer::fail(std::string error)
{
    m_error = std::move(error);
    return Outcome::Failed;
}

bool TlsLayer::isPinned() const
{
    const auto& pins = m_context->config().pinnedCerts;
    if (pins.empty())
        return true;
    const Certificate certificate(SSL_get1_peer_certificate(m_ssl));
    return certificate && std::count(pins.begin(), pins.end(), pinOf(certificate.get())) > 0;
}

TlsLayer::Outcome TlsLayer::handshake()
{
    ERR_clear_error();
    const int done = SSL_do_handshake(m_ssl);
    if (done == 1) {
        if (!isPinned())
            return fail("certificate not pinned");
        m_established = true;
        return Outcome::Open;
    }
    const int error = SSL_get_error(m_ssl, done);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
        return Outcome::Handshaking;
    return fail(tlsErrorText());
}

TlsLayer::Outcome TlsLayer::receive(std::string_view raw, std::string& plain, std::string& wire)
{
    while (!raw.empty()) {
        const int taken = BIO_write(m_in, raw.data(), static_cast<int>(raw.size()));
        if (taken <= 0)
            return fail("out of memory");
        raw.remove_prefix(static_cast<std::size_t>(taken));
    }
    Outcome outcome = Outcome::Open;
    if (!m_established)
        outcome = handshake();
    while (m_established && outcome == Outcome::Open) {
        const std::size_t before = plain.size();
        plain.resize(before + kRecord);
        std::size_t got = 0;
        ERR_clear_error();
        const int done = SSL_read_ex(m_ssl, plain.data() + before, kRecord, &got);
        plain.resize(before + got);
        if (done == 1)
            continue;
        const int error = SSL_get_error(m_ssl, done);
        if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
            break;
        outcome = error == SSL_ERROR_ZERO_RETURN ? Outcome::Closed : fail(tlsErrorText());
    }
    takeWire(wire);
    return outcome;
}

bool TlsLayer::send(std::string_view plain, std::string& wire)
{
    while (!plain.empty()) {
        std::size_t taken = 0;
        ERR_clear_error();
        if (SSL_write_ex(m_ssl, plain.data(), plain.size(), &taken) != 1)
            return false;
        plain.remove_prefix(taken);
    }
    takeWire(wire);
    return true;
}

void TlsLayer::shutdown(std::string& wire)
{
    ERR_clear_error();
    if (m_established)
        SSL_shutdown(m_ssl);
    takeWire(wire);
}

std::string TlsLayer::version() const
{
    std::string text = SSL_get_version(m_ssl); // "TLSv1.3"
    return text.starts_with("TLSv") ? text.substr(4) : text;
}

std::string TlsLayer::cipher() const
{
    const SSL_CIPHER* cipher = SSL_get_current_cipher(m_ssl);
    const char* name = cipher != nullptr ? SSL_CIPHER_standard_name(cipher) : nullptr;
    return name != nullptr ? name : "";
}

std::vector<std::string> TlsLayer::peerNames() const
{
    const Certificate certificate(SSL_get1_peer_certificate(m_ssl));
    if (!certificate)
        return {};
    std::vector<std::string> names;
    auto* others = static_cast<GENERAL_NAMES*>(
        X509_get_ext_d2i(certificate.get(), NID_subject_alt_name, nullptr, nullptr));
    for (const int kind : {GEN_EMAIL, GEN_DNS, GEN_URI}) {
        for (int i = 0; others != nullptr && i < sk_GENERAL_NAME_num(others); ++i) {
            const GENERAL_NAME* name = sk_GENERAL_NAME_value(others, i);
            if (name->type != kind)
                continue;
            const ASN1_IA5STRING* text = name->d.ia5;
            names.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                static_cast<std::size_t>(ASN1_STRING_length(text)));
        }
    }
    GENERAL_NAMES_free(others);
    names.push_back(subjectOf(certificate.get()));
    return names;
}

} // namespace jetglass::net
