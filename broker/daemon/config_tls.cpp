// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of encrypted connections (core.md 3.5).
#include "base/time_text.h"
#include "daemon/config_sections.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

namespace jetglass::daemon {

namespace {

/// What "auto" stands for: so long a client has to begin its handshake.
constexpr std::int64_t kHandshakeFirstAuto = 50'000'000;

/// The suites that can be named, and whether that takes allow_insecure_cipher_suites.
struct Suite
{
    const char* name;
    bool weak;
};
constexpr Suite kSuites[] = {
    {"TLS_AES_128_GCM_SHA256", false},
    {"TLS_AES_256_GCM_SHA384", false},
    {"TLS_CHACHA20_POLY1305_SHA256", false},
    {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", false},
    {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", false},
    {"TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", false},
    {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", false},
    {"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", false},
    {"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", false},
    {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", false},
    {"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", false},
    {"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", false},
    {"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", false},
    {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", true},
    {"TLS_ECDHE_ECDSA_WITH_RC4_128_SHA", true},
    {"TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", true},
    {"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", true},
    {"TLS_ECDHE_RSA_WITH_RC4_128_SHA", true},
    {"TLS_RSA_WITH_3DES_EDE_CBC_SHA", true},
    {"TLS_RSA_WITH_AES_128_CBC_SHA", true},
    {"TLS_RSA_WITH_AES_128_CBC_SHA256", true},
    {"TLS_RSA_WITH_AES_128_GCM_SHA256", true},
    {"TLS_RSA_WITH_AES_256_CBC_SHA", true},
    {"TLS_RSA_WITH_AES_256_GCM_SHA384", true},
    {"TLS_RSA_WITH_RC4_128_SHA", true},
};
constexpr std::string_view kCurves[] = {"CurveP256",
    "CurveP384",
    "CurveP521",
    "SecP256r1MLKEM768",
    "SecP384r1MLKEM1024",
    "X25519",
    "X25519MLKEM768"};

void readHandshakeFirst(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    if (entry.value.isBool()) {
        config.handshakeFirst = entry.value.flag ? std::optional<std::int64_t>(0) : std::nullopt;
        return;
    }
    if (!entry.value.isString()) {
        reader.error(entry.position,
            "field \"" + entry.key + "\" should be a boolean or a string, not "
                + std::string(entry.value.kindText()));
        return;
    }
    const std::string text = lowered(entry.value.text);
    if (text == "true" || text == "on")
        config.handshakeFirst = 0;
    else if (text == "false" || text == "off")
        config.handshakeFirst.reset();
    else if (text == "auto" || text == "auto_fallback")
        config.handshakeFirst = kHandshakeFirstAuto;
    else if (const auto delay = base::parseGoDuration(entry.value.text))
        config.handshakeFirst = *delay;
    else
        reader.error(entry.position,
            "field \"" + entry.key + "\"'s value \"" + entry.value.text + "\" is invalid");
}

void readMinVersion(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    const std::string& text = entry.value.text;
    const bool known = text == "1.0" || text == "1.1" || text == "1.2" || text == "1.3";
    if (!entry.value.isString())
        reader.error(entry.value.position, "error parsing tls config: 'min_version' wrong type");
    else if (!known)
        reader.error(
            entry.value.position, "error parsing tls config: unknown TLS version \"" + text + '"');
    else if (text < "1.2")
        reader.error(
            entry.value.position, "error parsing tls config: unsupported TLS version: TLS " + text);
    else
        config.minVersion = text;
}

void readPins(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    constexpr std::size_t kHexDigits = 64;
    for (std::string pin : reader.readStrings(entry)) {
        pin = lowered(pin);
        const bool valid = pin.size() == kHexDigits
            && std::all_of(
                pin.begin(), pin.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
        if (!valid)
            reader.error(entry.value.position,
                "error parsing 'pinned_certs' key " + pin + ": it must be a SHA-256 in hex");
        config.pinnedCerts.push_back(std::move(pin));
    }
}

/// Several pairs of files: the client's server name chooses among them.
void readCertificates(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    if (!entry.value.isArray()) {
        reader.error(entry.value.position,
            "error parsing certificates config: '" + entry.key + "' must be a list");
        return;
    }
    config.certificates.clear();
    for (const ConfigValue& item : entry.value.items) {
        if (!item.isMap()) {
            reader.error(item.position, "error parsing certificates config: expected a map");
            continue;
        }
        TlsConfig::Pair pair;
        for (const ConfigEntry& file : item.entries) {
            if (file.key == "cert_file")
                reader.read(file, pair.certFile);
            else if (file.key == "key_file")
                reader.read(file, pair.keyFile);
            else
                reader.error(file.position,
                    "error parsing tls certs config, unknown field \"" + file.key + '"');
        }
        if (pair.certFile.empty() || pair.keyFile.empty())
            reader.error(item.position,
                "error parsing certificates config: both 'cert_file' and 'key_file' options are "
                "required");
        config.certificates.push_back(std::move(pair));
    }
}

/// \a weak gets the names of those that are.
void readSuites(
    ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config, std::string& weak)
{
    config.cipherSuites = reader.readStrings(entry);
    if (config.cipherSuites.empty())
        reader.error(entry.position, "error parsing tls config, 'cipher_suites' cannot be empty");
    for (const std::string& name : config.cipherSuites) {
        const auto* known = std::find_if(std::begin(kSuites),
            std::end(kSuites),
            [&name](const Suite& suite) { return name == suite.name; });
        if (known == std::end(kSuites))
            reader.error(entry.value.position, "unrecognized cipher " + name);
        else if (known->weak)
            weak.append(weak.empty() ? "" : ", ").append(name);
    }
}

void readCurves(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    config.curves = reader.readStrings(entry);
    if (config.curves.empty())
        reader.error(
            entry.position, "error parsing tls config, 'curve_preferences' cannot be empty");
    for (const std::string& name : config.curves)
        if (std::find(std::begin(kCurves), std::end(kCurves), name) == std::end(kCurves))
            reader.error(entry.value.position, "unrecognized curve preference " + name);
}

/// What speaks of other systems, of links to other servers, or of certificates' revocation.
void addForeign(ConfigReader& reader, ConfigReader::Handlers& handlers)
{
    handlers["verify_cert_and_check_known_urls"] = [&reader](const ConfigEntry& item) {
        bool on = false;
        reader.read(item, on);
        if (on)
            reader.error(
                item.position, "verify_cert_and_check_known_urls not supported in this context");
    };
    handlers["cert_store"] = [&reader](const ConfigEntry& item) {
        reader.error(item.position, "cert_store not compatible with current operating system");
    };
    handlers["ocsp_peer"] = [&reader](const ConfigEntry& item) {
        if (!item.value.isBool() || item.value.flag)
            reader.error(item.position, "\"ocsp_peer\" is not supported");
    };
    for (const char* key :
        {"cert_match_by", "cert_match", "ca_certs_match", "cert_match_skip_invalid"})
        handlers[key] = nullptr;
}

void checkFiles(ConfigReader& reader, const ConfigEntry& entry, const TlsConfig& config)
{
    if (!config.certificates.empty() && !config.certFile.empty())
        reader.error(entry.position,
            "error parsing tls config, cannot combine 'cert_file' option with 'certs' option");
    else if (!config.certFile.empty() && config.keyFile.empty())
        reader.error(entry.position, "missing 'key_file' in TLS configuration");
    else if (config.certFile.empty() && !config.keyFile.empty())
        reader.error(entry.position, "missing 'cert_file' in TLS configuration");
}

} // namespace

void readTls(ConfigReader& reader, const ConfigEntry& entry, TlsConfig& config)
{
    if (!reader.expectMap(entry))
        return;
    config.enabled = true;
    std::string weak;
    bool weakAllowed = false;
    bool ignored = false;
    ConfigReader::Handlers handlers;
    handlers["cert_file"] = reader.into(config.certFile);
    handlers["key_file"] = reader.into(config.keyFile);
    handlers["ca_file"] = reader.into(config.caFile);
    handlers["verify"] = reader.into(config.verify);
    handlers["verify_and_map"] = [&](const ConfigEntry& item) {
        reader.read(item, config.verifyAndMap);
        config.verify = config.verify || config.verifyAndMap;
    };
    handlers["timeout"] = [&](const ConfigEntry& item) {
        reader.readSeconds(item, config.timeout);
    };
    handlers["min_version"] = [&](const ConfigEntry& item) {
        readMinVersion(reader, item, config);
    };
    handlers["cipher_suites"] = [&](const ConfigEntry& item) {
        readSuites(reader, item, config, weak);
    };
    handlers["allow_insecure_cipher_suites"] = reader.into(weakAllowed);
    handlers["curve_preferences"] = [&](const ConfigEntry& item) {
        readCurves(reader, item, config);
    };
    handlers["pinned_certs"] = [&](const ConfigEntry& item) { readPins(reader, item, config); };
    handlers["handshake_first"] = handlers["first"] = handlers["immediate"] =
        [&](const ConfigEntry& item) { readHandshakeFirst(reader, item, config); };
    handlers["certs"] = handlers["certificates"] = [&](const ConfigEntry& item) {
        readCertificates(reader, item, config);
    };
    handlers["connection_rate_limit"] = reader.into(config.connectionRate);
    handlers["insecure"] = reader.into(ignored); // for a server that dials others
    addForeign(reader, handlers);
    reader.each(entry.value, handlers);
    checkFiles(reader, entry, config);
    if (!weak.empty() && !weakAllowed)
        reader.error(entry.position,
            "insecure cipher suites configured without 'allow_insecure_cipher_suites' option set: "
                + weak);
}

} // namespace jetglass::daemon
