// SPDX-License-Identifier: GPL-3.0-or-later
#include "certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>

namespace jetglass::test {

namespace {

template<auto Free>
struct Deleter
{
    template<class T>
    void operator()(T* object) const
    {
        Free(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Cert = std::unique_ptr<X509, Deleter<X509_free>>;
using Bio = std::unique_ptr<BIO, Deleter<BIO_free>>;

std::string textOf(const Bio& bio)
{
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

Bio bioOf(const std::string& text)
{
    return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

void addExtension(X509* certificate, X509* issuer, int kind, const char* value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

} // namespace

Certificate makeCertificate(const std::string& commonName,
    const std::string& names,
    const Certificate& issuer,
    bool authority)
{
    constexpr long kDay = 24L * 3600;
    static long serial = 1;
    const Key key(EVP_EC_gen("P-256"));
    const Cert certificate(X509_new());
    X509* made = certificate.get();
    X509_set_version(made, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made), serial++);
    X509_gmtime_adj(X509_getm_notBefore(made), -kDay);
    X509_gmtime_adj(X509_getm_notAfter(made), kDay);
    X509_set_pubkey(made, key.get());
    X509_NAME* subject = X509_get_subject_name(made);
    for (const auto& [field, value] :
        {std::pair("O", std::string("Jetglass")), std::pair("CN", commonName)})
        X509_NAME_add_entry_by_txt(subject,
            field,
            MBSTRING_UTF8,
            reinterpret_cast<const unsigned char*>(value.c_str()),
            -1,
            -1,
            0);

    const Cert signer(issuer.isNull()
            ? nullptr
            : PEM_read_bio_X509(bioOf(issuer.pem).get(), nullptr, nullptr, nullptr));
    const Key signingKey(issuer.isNull()
            ? nullptr
            : PEM_read_bio_PrivateKey(bioOf(issuer.key).get(), nullptr, nullptr, nullptr));
    X509* by = signer ? signer.get() : made;
    X509_set_issuer_name(made, X509_get_subject_name(by));
    addExtension(made, by, NID_basic_constraints, authority ? "critical,CA:TRUE" : "CA:FALSE");
    if (!names.empty())
        addExtension(made, by, NID_subject_alt_name, names.c_str());
    X509_sign(made, signingKey ? signingKey.get() : key.get(), EVP_sha256());

    const Bio pem(BIO_new(BIO_s_mem()));
    const Bio keyPem(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(pem.get(), made);
    PEM_write_bio_PrivateKey(keyPem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return {textOf(pem), textOf(keyPem)};
}

std::string publicKeyDigest(const Certificate& certificate)
{
    const Cert read(PEM_read_bio_X509(bioOf(certificate.pem).get(), nullptr, nullptr, nullptr));
    unsigned char* encoded = nullptr;
    const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(read.get()), &encoded);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(encoded, static_cast<std::size_t>(size), digest.data());
    OPENSSL_free(encoded);
    std::string hex;
    for (const unsigned char byte : digest) {
        constexpr const char* kDigits = "0123456789abcdef";
        hex += kDigits[byte >> 4U];
        hex += kDigits[byte & 15U];
    }
    return hex;
}

} // namespace jetglass::test
