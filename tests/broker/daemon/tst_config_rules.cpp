// SPDX-License-Identifier: GPL-3.0-or-later
// What a configuration says that cannot be, in values of their own and in those of listeners.
#include "config_text.h"

#include <QTest>

using namespace jetglass;
using daemon::LoadedConfig;
using tests::joined;
using tests::load;

class TestConfigRules : public QObject
{
    Q_OBJECT
private slots:
    void badValues_data();
    void badValues();
    void badListeners_data();
    void badListeners();
    void goodListeners();

private:
    void refused();
};

void TestConfigRules::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    const QByteArray got = joined(load(text).errors);
    QVERIFY2(got.contains(error), got.constData());
}

void TestConfigRules::badValues_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* text, const char* error) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(error);
    };
    row("jetstream { max_memory: 1 }", "unknown field \"max_memory\"");
    row("jetstream { max_mem: \"10\" }", "invalid size \"10\"");
    row("jetstream { enabled: enabled }", "\"enabled\" must be a boolean");
    row("server_name: ]", "Expected a value, but got ']' instead.");
    row("jetstream { domain: \"a.b\" }", "invalid domain name: may not contain ., * or >");
    row("jetstream { domain: \"a b\" }", "\"$JS.a b.API.>\" is not a valid subject");
    row("jetstream { max_concurrent_io: 1 }", "between 4 and 8192");
    row("jetstream { meta_compact: -1 }", "Expected an absolute size for \"meta_compact\"");
    row("jetstream { limits { duplicate_window: 5 } }", "must be a duration (quote it)");
    row("store_dir: /x\njetstream { store_dir: /x }", "Duplicate 'store_dir' configuration");
    row("max_control_line: 9999999999", "max_control_line value is too big");
    row("max_sub_tokens: 300", "max_sub_tokens value is too big");
    row("max_sub_tokens: 0", "max_sub_tokens value can not be negative");
    row("write_timeout: never", "write_timeout must be 'default', 'close' or 'retry'");
    row("proxy_protocol: true", "\"proxy_protocol\" is not supported");
    row("lame_duck_advertise: true", "unknown field \"lame_duck_advertise\"");
    row("system_account: SYS", "error resolving system account: account missing");
    row("https: \"h:1\"", "TLS cert and key required for HTTPS");
    row("https_port: 1\nhttp_port: 2\ntls {}", "can't specify both HTTP (2) and HTTPs (1) ports");
    row("feature_flags { x: 1 }", "\"x\" must be a boolean");
    row("root_operators: x", "operator mode is not supported");
    row("default_sentinel: x", "operator mode is not supported");
    row("authorization { password: b, token: c }", "Cannot have a user/pass and token");
    row("authorization { token: c, users: [] }", "Can not have a token and a users array");
    row("authorization { users [ {user: a, permissions { allow_responses { ttl: 5 } }} ] }",
        "must be a duration (quote it)");
    row("authorization { users [ {user: a, clients: [standard, FAX, tube]} ] }",
        "invalid connection types [\"FAX\" \"TUBE\"]");
    row("authorization { users [ {user: a, proxy_required: true} ] }",
        "\"proxy_required\" is not supported");
    row("no_auth_user: a\nauthorization { user: a, password: b }",
        "no_auth_user: \"a\" present, but users/nkeys are not defined");
}

void TestConfigRules::badValues()
{
    refused();
}

void TestConfigRules::badListeners_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto tls = [](const char* rules, const char* error) {
        QTest::newRow(rules) << QByteArray("tls { ") + rules + " }" << QByteArray(error);
    };
    const auto web = [](const char* rules, const char* error) {
        QTest::newRow(rules) << QByteArray("authorization { users: [ {user: u, password: p} ] }\n"
                                           "websocket { port: -1, no_tls: true, ")
                + rules
                + " }" << QByteArray(error);
    };
    tls("cert_file: a", "missing 'key_file' in TLS configuration");
    tls("key_file: a", "missing 'cert_file' in TLS configuration");
    tls("min_version: \"1.4\"", "unknown TLS version \"1.4\"");
    tls("min_version: \"TLS1.3\"", "unknown TLS version \"TLS1.3\"");
    tls("min_version: \"1.1\"", "unsupported TLS version: TLS 1.1");
    tls("min_version: 1.3", "'min_version' wrong type");
    tls("certs: a", "'certs' must be a list");
    tls("certs: [ a ]", "expected a map");
    tls("certs: [ {cert_file: a} ]", "both 'cert_file' and 'key_file' options are required");
    tls("certs: [ {cert_file: a, key_file: b, x: c} ]", "unknown field \"x\"");
    tls("cert_file: a, key_file: b, certs: [ {cert_file: a, key_file: b} ]",
        "cannot combine 'cert_file' option with 'certs' option");
    tls("connection_rate_limit: \"5\"", "\"connection_rate_limit\" must be an integer");
    tls("handshake_first: perhaps", "field \"handshake_first\"'s value \"perhaps\" is invalid");
    tls("handshake_first: 5", "should be a boolean or a string, not an integer");
    tls("cipher_suites: []", "'cipher_suites' cannot be empty");
    tls("cipher_suites: [X]", "unrecognized cipher X");
    tls("cipher_suites: [TLS_RSA_WITH_RC4_128_SHA]",
        "insecure cipher suites configured without 'allow_insecure_cipher_suites' option set: "
        "TLS_RSA_WITH_RC4_128_SHA");
    tls("curve_preferences: []", "'curve_preferences' cannot be empty");
    tls("curve_preferences: [X]", "unrecognized curve preference X");
    tls("verify_cert_and_check_known_urls: true", "not supported in this context");
    tls("cert_store: WindowsCurrentUser", "not compatible with current operating system");
    tls("ocsp_peer: true", "\"ocsp_peer\" is not supported");
    web("jwt_cookie: j", "is required for JWT authentication via cookie \"j\"");
    web("authorization { user: a }", "username not compatible with presence of users/nkeys");
    web("authentication { token: a }", "token not compatible with presence of users/nkeys");
    web("authorization { x: a }", "unknown field \"x\"");
    web("no_auth_user: v", "no_auth_user: \"v\" not present as user or nkey");
    web("origin: x", "unable to parse allowed origin: \"x\" is no absolute URL");
    web("origin: \"ftp://x\"", "absolute URLs with http or https scheme");
    web("origins: [\"http://\"]", "host is required");
    web("origins: [\"http://a:x\"]", "invalid port");
    web("headers { Host: x }", "invalid header \"Host\" not allowed");
    web("headers { Sec-WebSocket-Y: x }", "\"Sec-WebSocket-\" prefix not allowed");
}

void TestConfigRules::badListeners()
{
    refused();
}

void TestConfigRules::goodListeners()
{
    const LoadedConfig loaded = load(R"(tls {
  certs: [ {cert_file: a, key_file: b}, {cert_file: c, key_file: d} ], connection_rate_limit: 7
  cipher_suites: [TLS_RSA_WITH_RC4_128_SHA], allow_insecure_cipher_suites: true
  curve_preferences: [X25519MLKEM768, CurveP256], ocsp_peer: false, insecure: true }
https_port: 99
websocket { port: -1, no_tls: true, origins: ["http://a", "https://b:81/", "http://[::1]"]
  handshake_timeout: 3, authorization { user: u, password: p, timeout: 0.5 } }
write_timeout: retry
max_connections: 0
)");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    QVERIFY2(loaded.warnings.empty(), joined(loaded.warnings).constData());
    const TlsConfig& tls = loaded.config.tls;
    QCOMPARE(tls.certificates.size(), std::size_t{2});
    QCOMPARE(tls.certificates[1].keyFile, std::string("d"));
    QCOMPARE(tls.connectionRate, std::int64_t{7});
    QVERIFY(loaded.config.https);
    QCOMPARE(loaded.config.httpPort, 99);
    const WebSocketConfig& web = loaded.config.websocket;
    QCOMPARE(web.user, std::string("u"));
    QCOMPARE(web.authTimeout, std::int64_t{500'000'000});
    QCOMPARE(web.handshakeTimeout, std::int64_t{3'000'000'000});
    QVERIFY(loaded.config.writeTimeout == WriteTimeout::Retry);
    QCOMPARE(loaded.config.maxConnections, std::int64_t{-1});
    // Who encrypts first has a second more than that to say who it is.
    QCOMPARE(loaded.config.auth.timeout, std::int64_t{3'000'000'000});
}

QTEST_GUILESS_MAIN(TestConfigRules)
#include "tst_config_rules.moc"
