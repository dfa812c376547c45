// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_text.h"

#include <QTest>

#include <algorithm>

using namespace jetglass;
using daemon::LoadedConfig;
using tests::joined;
using tests::load;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr const char* kNkey = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

} // namespace

class TestConfigFile : public QObject
{
    Q_OBJECT
private slots:
    void everyPlainKey();
    void digestIsThatOfTheValues();
    void listenForms_data();
    void listenForms();
    void authorization();
    void permissions();
    void accounts();
    void jetstream_data();
    void jetstream();
    void jetstreamBlock();
    void errors_data();
    void errors();
    void allErrorsAreCollected();
    void warnings_data();
    void warnings();
    void encryption();
    void accountsBlock();
    void launcherConfig();
    void emptyFileStarts();
};

void TestConfigFile::everyPlainKey()
{
    const LoadedConfig loaded = load(R"(
        host: 127.0.0.2, port: 5000, server_name: one, client_advertise: "h:1"
        http: "localhost:8222", http_base_path: /nats
        debug: true, trace: yes, trace_verbose: on, logtime: false, logtime_utc: true
        log_file: "/tmp/l", logfile_size_limit: 10mb, max_traced_msg_len: 100
        pid_file: /tmp/p, ports_file_dir: /tmp
        max_control_line: 2048, max_payload: 2MB, max_pending: 32MB, max_conn: 10, max_subs: 11, max_sub_tokens: 12
        ping_interval: "30s", ping_max: 3, write_deadline: "5s"
        lame_duck_duration: "1m", lame_duck_grace_period: "5s", no_header_support: true
        server_tags: [a, b], server_metadata { k: v }
    )");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    const BrokerConfig& c = loaded.config;
    QCOMPARE(c.host, std::string("127.0.0.2"));
    QCOMPARE(c.port, 5000);
    QCOMPARE(c.serverName, std::string("one"));
    QCOMPARE(c.clientAdvertise, std::string("h:1"));
    QCOMPARE(c.httpHost.value_or(""), std::string("localhost"));
    QCOMPARE(c.httpPort, 8222);
    QCOMPARE(c.httpBasePath, std::string("/nats"));
    QVERIFY(c.log.debug && c.log.trace && c.log.traceVerbose && !c.log.time && c.log.utc);
    QCOMPARE(c.log.file, std::string("/tmp/l"));
    QCOMPARE(c.log.fileSizeLimit, std::int64_t{10} << 20);
    QCOMPARE(c.log.maxTracedMsgLen, std::int64_t{100});
    QCOMPARE(c.pidFile, std::string("/tmp/p"));
    QCOMPARE(c.portsFileDir, std::string("/tmp"));
    QCOMPARE(c.maxControlLine, std::int64_t{2048});
    QCOMPARE(c.maxPayload, std::int64_t{2} << 20);
    QCOMPARE(c.maxPending, std::int64_t{32} << 20);
    QCOMPARE(c.maxConnections, std::int64_t{10});
    QCOMPARE(c.maxSubscriptions, std::int64_t{11});
    QCOMPARE(c.maxSubTokens, std::int64_t{12});
    QCOMPARE(c.pingInterval, 30 * kSecond);
    QCOMPARE(c.pingMax, 3);
    QCOMPARE(c.writeDeadline, 5 * kSecond);
    QCOMPARE(c.lameDuckDuration, 60 * kSecond);
    QCOMPARE(c.lameDuckGrace, 5 * kSecond);
    QVERIFY(c.noHeaderSupport);
    QCOMPARE(c.tags, (std::vector<std::string>{"a", "b"}));
    QCOMPARE(c.metadata.at("k"), std::string("v"));
    QCOMPARE(c.configFile, std::string("t.conf"));
    QVERIFY(QByteArray::fromStdString(c.configDigest).startsWith("sha256:"));
}

/// The hash is the one that nats-server 2.15.2 tells of this file.
void TestConfigFile::digestIsThatOfTheValues()
{
    const auto digest = [](const char* text) {
        return daemon::loadConfigText(text, "t.conf").config.configDigest;
    };
    const std::string expected =
        "sha256:84b25ec3aad079840f650aec824000d1f889a3feb2d259930ecf5234d6c08642";
    const char* text = R"(# a comment
port: 4333, Http_port = 8222
size = 2MB
max_payload: $size
ping_interval: "2m"
small = 0.00000015
authorization { timeout: $small, users = [ { user: "a<b>&c", password: 'ü"x\y' }, {user: b, password: $2a$11$abc} ] }
lame_duck_duration: 30s; debug: yes
websocket { port: 1, no_tls: true, authorization { timeout: 0.5 } }
server_tags [ a, "b c" ]
)";
    QCOMPARE(digest(text), expected);
    QCOMPARE(digest("port: 4333"), digest("{ \"port\" = 4333 } # same"));
    QVERIFY(digest("port: 4333") != digest("port: 4334"));
}

void TestConfigFile::listenForms_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<int>("port");
    const auto row = [](const char* text, const char* host, int port) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(host) << port;
    };
    row("listen: localhost:4545", "localhost", 4545);
    row("listen: 4545", "", 4545);
    row("listen: \":4545\"", "", 4545);
    row("listen: :4545", "", 4545);
    row("listen: \"[::1]:4545\"", "::1", 4545);
    row("net: localhost\nport: -1", "localhost", -1);
    row("PORT = 1\nHost = h", "h", 1);
}

void TestConfigFile::listenForms()
{
    QFETCH(QByteArray, text);
    const LoadedConfig loaded = load(text);
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    QTEST(QByteArray::fromStdString(loaded.config.host), "host");
    QTEST(loaded.config.port, "port");
}

void TestConfigFile::authorization()
{
    const LoadedConfig token = load("authorization { token: \"s3cr3t\", timeout: 0.5 }");
    QVERIFY(token.errors.empty());
    QCOMPARE(token.config.auth.token, std::string("s3cr3t"));
    QCOMPARE(token.config.auth.timeout, kSecond / 2);
    const LoadedConfig single = load("authorization { username: u, pass: p }");
    QVERIFY(single.errors.empty());
    QCOMPARE(single.config.auth.user, std::string("u"));
    QCOMPARE(single.config.auth.password, std::string("p"));
    const QByteArray nkey = kNkey;
    const LoadedConfig users =
        load("authorization {\n users = [\n {user: a, password: \"$2a$04$abc\"}\n {nkey: " + nkey
            + "}\n ]\n default_permissions { publish: x }\n}\nno_auth_user: a");
    QVERIFY2(users.errors.empty(), joined(users.errors).constData());
    QCOMPARE(users.config.auth.users.size(), std::size_t{2});
    QCOMPARE(users.config.auth.users[0].password, std::string("$2a$04$abc"));
    QCOMPARE(QByteArray::fromStdString(users.config.auth.users[1].nkey), nkey);
    QCOMPARE(users.config.auth.noAuthUser, std::string("a"));
    QCOMPARE(users.config.auth.defaultPermissions->publishAllow->front(), std::string("x"));
}

void TestConfigFile::permissions()
{
    const LoadedConfig loaded = load(R"(authorization { users [
        { user: a, password: a, permission: { pub: "x.>", sub: { allow: ["y", "q work.*"], deny: z } } }
        { user: b, password: b, permissions: { import: [p, r], export: s, allow_responses: true } }
        { user: c, password: c, permissions: { allow_responses: { max: -1, expires: "1m" } } }
    ] })");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    const auto& users = loaded.config.auth.users;
    QCOMPARE(*users[0].permissions->publishAllow, std::vector<std::string>{"x.>"});
    QCOMPARE(*users[0].permissions->subscribeAllow, (std::vector<std::string>{"y", "q work.*"}));
    QCOMPARE(users[0].permissions->subscribeDeny, std::vector<std::string>{"z"});
    QCOMPARE(*users[1].permissions->publishAllow, (std::vector<std::string>{"p", "r"}));
    QCOMPARE(*users[1].permissions->subscribeAllow, std::vector<std::string>{"s"});
    QCOMPARE(users[1].permissions->allowResponses->max, 1);
    QCOMPARE(users[2].permissions->allowResponses->max, -1);
    QCOMPARE(users[2].permissions->allowResponses->expires, 60 * kSecond);
}

void TestConfigFile::accounts()
{
    const LoadedConfig loaded = load(R"(accounts {
        A { users: [ {user: a, password: a} ], jetstream: enabled, default_permissions { publish: only } }
        B { users: [ {user: b, pass: b} ], jetstream { max_file: 1G } }
        C {}
        $SYS { users: [ {user: admin, password: x} ] }
    })");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    const BrokerConfig& config = loaded.config;
    QCOMPARE(config.accounts.size(), std::size_t{4});
    QVERIFY(config.accounts[0].jetstream && config.accounts[1].jetstream
        && !config.accounts[2].jetstream);
    QCOMPARE(config.auth.users.size(), std::size_t{3});
    QCOMPARE(config.auth.users[0].account, std::string("A"));
    QCOMPARE(*config.auth.users[0].permissions->publishAllow, std::vector<std::string>{"only"});
    QVERIFY(!config.auth.users[1].permissions);
    QCOMPARE(config.auth.users[2].account, std::string("$SYS"));
    const LoadedConfig limited = load(R"(accounts { A { jetstream { max_mem: 5M, max_streams: 3,
        max_consumers: 4, max_ack_pending: 5, memory_max_stream_bytes: 6K, store_max_stream_bytes: 7K,
        max_bytes_required: true } } })");
    QVERIFY2(limited.errors.empty(), joined(limited.errors).constData());
    QVERIFY2(limited.warnings.empty(), joined(limited.warnings).constData());
    const AccountLimits& limits = limited.config.accounts[0].limits;
    QCOMPARE(limits.maxMemory, std::int64_t{5'000'000});
    QCOMPARE(limits.maxStore, std::int64_t{-1});
    QCOMPARE(limits.maxStreams, std::int64_t{3});
    QCOMPARE(limits.maxConsumers, std::int64_t{4});
    QCOMPARE(limits.maxAckPending, std::int64_t{5});
    QCOMPARE(limits.memoryMaxStreamBytes, std::int64_t{6000});
    QCOMPARE(limits.storeMaxStreamBytes, std::int64_t{7000});
    QVERIFY(limits.maxStreamBytesRequired);
    QCOMPARE(load("accounts: [X, Y]").config.accounts.size(), std::size_t{2});
}

void TestConfigFile::jetstream_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("enabled");
    QTest::newRow("true") << QByteArray("jetstream: true") << true;
    QTest::newRow("enabled") << QByteArray("jetstream: enabled") << true;
    QTest::newRow("disabled") << QByteArray("jetstream: disabled") << false;
    QTest::newRow("empty block") << QByteArray("jetstream {}") << true;
    QTest::newRow("block that says no") << QByteArray("jetstream { enabled: false }") << false;
    QTest::newRow("absent") << QByteArray("port: 1") << false;
}

void TestConfigFile::jetstream()
{
    QFETCH(QByteArray, text);
    const LoadedConfig loaded = load(text);
    QVERIFY(loaded.errors.empty());
    QTEST(loaded.config.jetstream.enabled, "enabled");
}

void TestConfigFile::jetstreamBlock()
{
    const LoadedConfig loaded = load(R"(jetstream {
        store_dir=/data/js
        max_mem: "10M", max_file: 10G, domain: hub, strict: false, sync_interval: always
        limits { max_request_batch: 5, max_ack_pending: 6, duplicate_window: "1m", max_ha_assets: 1 }
        max_buffered_size: 3000
    })");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    const JetStreamConfig& js = loaded.config.jetstream;
    QCOMPARE(js.storeDir, std::string("/data/js"));
    QCOMPARE(js.maxMemory, std::int64_t{10} << 20);
    QCOMPARE(js.maxStore, std::int64_t{10'000'000'000});
    QCOMPARE(js.domain, std::string("hub"));
    QVERIFY(!js.strict && js.syncAlways);
    QCOMPARE(js.maxRequestBatch, std::int64_t{5});
    QCOMPARE(js.maxAckPending, std::int64_t{6});
    QCOMPARE(js.maxDuplicateWindow, 60 * kSecond);
    QCOMPARE(load("jetstream { sync: \"10s\", max_mem: 0 }").config.jetstream.syncInterval,
        10 * kSecond);
    QCOMPARE(load("jetstream { max_mem: 0 }").config.jetstream.maxMemory, std::int64_t{-1});
    QCOMPARE(load("jetstream { store: /x }").config.jetstream.storeDir, std::string("/x"));
    const auto most = [](const QByteArray& text) {
        return load("jetstream { limits { " + text + " } }").config.jetstream.defaultMaxConsumers;
    };
    QCOMPARE(most("default_max_consumers: 7"), std::int64_t{7});
    QCOMPARE(most("default_max_consumers: -1"), std::int64_t{-1});
    QCOMPARE(most("default_max_consumers: 0"), std::int64_t{1000});
    QCOMPARE(most(""), std::int64_t{1000});
}

void TestConfigFile::errors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* text, const char* error) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(error);
    };
    row("foo: 1", "t.conf:1:1: unknown field \"foo\"");
    row("port: 1\n  bar: 2", "t.conf:2:3: unknown field \"bar\"");
    row("jetstream { foo: 1 }", "t.conf:1:13: unknown field \"foo\"");
    row("authorization { users [ {user: a, password: b, x: 1} ] }",
        "t.conf:1:48: unknown field \"x\"");
    row("accounts { A: { foo: 1 } }", "t.conf:1:17: unknown field \"foo\"");
    row("port: abc", "t.conf:1:7: \"port\" must be an integer, not a string");
    row("debug: 1", "\"debug\" must be a boolean, not an integer");
    row("authorization { user: 12345, password: p }",
        "t.conf:1:23: \"user\" must be a string (quote it), not an integer");
    row("authorization { user: u, password: 22k }",
        "t.conf:1:36: \"password\" must be a string (quote it), not an integer");
    row("max_payload: \"1MB\"", "must be an integer");
    row("ping_interval: \"20x\"", "invalid duration \"20x\"");
    row("listen: \"a:b\"", "could not parse port \"b\"");
    row("port: 70000", "port 70000 is out of range");
    row("authorization { user: a, password: b, token: c }",
        "t.conf:1:1: Cannot have a user/pass and token");
    row("authorization { user: a, password: b, users: [ {user: x, password: y} ] }",
        "Can not have a single user/pass and a users array");
    row("authorization { users [ {user: a, password: b}, {user: a, password: c} ] }",
        "Duplicate user \"a\" detected");
    row("authorization { users [ {password: b} ] }", "a user needs a name or an nkey");
    row("authorization { users [ {nkey: UABC} ] }", "not a valid public nkey for a user");
    row("authorization { users [ {user: a, password: b, permissions: { publish: \"a..b\" } } ] }",
        "is not a valid subject");
    row("no_auth_user: bob", "no_auth_user: \"bob\" present, but users/nkeys are not defined");
    row("server_name: \"a b\"", "server name cannot contain spaces");
    row("store_dir: /a\njetstream { store_dir: /b }",
        "t.conf:2:13: Duplicate 'store_dir' configuration");
    row("lame_duck_duration: \"10s\"", "minimum is 30 seconds");
    row("lame_duck_duration: \"30s\"\nlame_duck_grace_period: \"30s\"",
        "t.conf:2:1: lame_duck_grace_period must be");
    row("max_payload: 65MB", "cannot be higher than max_pending");
    row("jetstream { max_mem: \"10GB\" }", "invalid size \"10GB\"");
    row("jetstream { key: secret }", "encryption at rest is not supported");
    row("jetstream: perhaps", "expected 'enabled' or 'disabled'");
    row("operator: /x", "operator mode is not supported");
    row("resolver: MEMORY", "operator mode is not supported");
    row("tls { cert_file: a, key_file: b, pinned_certs: [xy] }", "error parsing 'pinned_certs'");
    row("websocket { port: 80 }", "websocket requires TLS configuration");
    row("accounts { A { imports: [ {stream: {account: B, subject: x}} ] } }",
        "imports from the unknown account \"B\"");
    row("accounts {\n A { exports: [ {service: x, accounts: [C]} ] }\n"
        " B { imports: [ {service: {account: A, subject: x}} ] } }",
        "Error adding service import \"x\": account \"B\" is not authorized");
    row("accounts { A { exports: [ {stream: a, service: b} ] } }", "either a stream or a service");
    row("accounts { A { exports: [ {service: b, response_type: many} ] } }",
        "Unknown response type: \"many\"");
    row("authorization { auth_callout {} }", "\"auth_callout\" is not supported");
}

void TestConfigFile::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    const QByteArray got = joined(load(text).errors);
    QVERIFY2(got.contains(error), got.constData());
}

void TestConfigFile::allErrorsAreCollected()
{
    const LoadedConfig loaded =
        load("foo: 1\nport: x\njetstream { bar: 1 }\nUSED = 5\nping_max: $USED\n");
    QCOMPARE(loaded.errors.size(), std::size_t{3});
    QCOMPARE(loaded.config.pingMax, 5);
}

void TestConfigFile::warnings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("warning");
    QTest::addColumn<bool>("misused");
    const auto row = [](const char* text, const char* warning, bool misused = false) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(warning) << misused;
    };
    row("cluster {}", "\"cluster\" is not supported and ignored");
    row("leafnodes { listen: \"127.0.0.1:-1\" }", "\"leafnodes\" is not supported and ignored");
    row("gateway { name: x }", "\"gateway\" is not supported and ignored");
    row("mqtt { port: 1 }", "\"mqtt\" is not supported and ignored");
    row("websocket { port: -1, no_tls: true, advertise: x }",
        "\"advertise\" is not supported and ignored");
    row("authorization { timeout: \"2m\" }",
        "invalid use of field \"timeout\": timeout of 2m (120.000000 seconds) is high, consider "
        "keeping it under 60 seconds",
        true);
    row("ping_interval: 20", "should be converted to a duration", true);
    row("max_payload: 9MB", "over 8.00 MB");
}

void TestConfigFile::warnings()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, warning);
    const LoadedConfig loaded = load(text);
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    QVERIFY2(joined(loaded.warnings).contains(warning), joined(loaded.warnings).constData());
    QTEST(loaded.misused, "misused");
}

void TestConfigFile::encryption()
{
    const LoadedConfig loaded = load(R"(tls {
  cert_file: c.pem
  key_file: k.pem
  ca_file: ca.pem
  verify_and_map: true
  timeout: 0.5
  min_version: "1.3"
  cipher_suites: [ TLS_AES_128_GCM_SHA256 ]
  handshake_first: auto
}
allow_non_tls: true
websocket { listen: "0.0.0.0:8080", no_tls: true, compression: true, handshake_timeout: "3s"
  allowed_origins: ["http://a.example"], token_cookie: t, headers { X-A: b } })");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    const TlsConfig& tls = loaded.config.tls;
    QVERIFY(tls.enabled && tls.verify && tls.verifyAndMap && tls.allowPlain);
    QCOMPARE(tls.certFile, std::string("c.pem"));
    QCOMPARE(tls.timeout, std::int64_t{500'000'000});
    QCOMPARE(tls.minVersion, std::string("1.3"));
    QCOMPARE(tls.handshakeFirst.value_or(-1), std::int64_t{50'000'000});
    const WebSocketConfig& web = loaded.config.websocket;
    QVERIFY(web.enabled && web.noTls && web.compression);
    QCOMPARE(web.host, std::string("0.0.0.0"));
    QCOMPARE(web.port, 8080);
    QCOMPARE(web.handshakeTimeout, std::int64_t{3'000'000'000});
    QCOMPARE(web.allowedOrigins, std::vector<std::string>{"http://a.example"});
    QCOMPARE(web.tokenCookie, std::string("t"));
    QCOMPARE(web.headers.at("X-A"), std::string("b"));
    QVERIFY(!load("tls { cert_file: a, key_file: b, handshake_first: false }")
                 .config.tls.handshakeFirst);
    QCOMPARE(load("tls { cert_file: a, key_file: b, first: true }")
                 .config.tls.handshakeFirst.value_or(-1),
        std::int64_t{0});
    QCOMPARE(load("tls { cert_file: a, key_file: b, handshake_first: 300ms }")
                 .config.tls.handshakeFirst.value_or(-1),
        std::int64_t{300'000'000});
}

void TestConfigFile::accountsBlock()
{
    const LoadedConfig loaded = load(R"(accounts {
  A {
    users: [ {user: a, password: a} ]
    jetstream: { max_mem: 1KB, max_file: 2KB, max_streams: 3, max_consumers: 4, max_bytes: true }
    exports: [
      {service: "q.>", response_type: Stream, threshold: "1s"}
      {stream: "ev.*", accounts: [B]}
    ]
    mappings: { "o.*": "n.$1", w: [ {destination: x, weight: 80%}, {destination: y, weight: 20} ] }
  }
  B {
    imports: [
      {service: {account: A, subject: "q.x"}, to: local.q, share: true}
      {stream: {account: A, subject: "ev.*"}, prefix: from.a}
    ]
  }
}
mappings { m: n })");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    QCOMPARE(loaded.config.accounts.size(), std::size_t{2});
    const AccountConfig& a = loaded.config.accounts[0];
    QVERIFY(a.jetstream && a.limits.maxStreamBytesRequired);
    QCOMPARE(a.limits.maxMemory, std::int64_t{1024});
    QCOMPARE(a.limits.maxStore, std::int64_t{2048});
    QCOMPARE(a.limits.maxStreams, std::int64_t{3});
    QCOMPARE(a.limits.maxConsumers, std::int64_t{4});
    QCOMPARE(a.limits.maxAckPending, std::int64_t{-1});
    QCOMPARE(a.exports.size(), std::size_t{2});
    QVERIFY(a.exports[0].service && a.exports[0].response == ExportConfig::Response::Stream);
    QCOMPARE(a.exports[0].threshold, std::int64_t{1'000'000'000});
    QCOMPARE(a.exports[1].accounts.value(), std::vector<std::string>{"B"});
    QCOMPARE(a.mappings.size(), std::size_t{2});
    QCOMPARE(a.mappings[1].destinations[0].weight, 80);
    const AccountConfig& b = loaded.config.accounts[1];
    QVERIFY(!b.jetstream);
    QCOMPARE(b.imports[0].to, std::string("local.q"));
    QVERIFY(b.imports[0].service && b.imports[0].share);
    QCOMPARE(b.imports[1].to, std::string("from.a.ev.*"));
    QCOMPARE(loaded.config.mappings[0].destinations[0].subject, std::string("n"));
}

void TestConfigFile::launcherConfig()
{
    const LoadedConfig loaded = load(R"(jetstream {
  max_file_store: 1048576
  max_mem_store: 1048576
  store_dir: /tmp/js
 }
host: "127.0.0.1"
port: -1
http: "127.0.0.1:-1"
leafnodes {
  listen: "127.0.0.1:-1"
 }
server_tags [
  id:abc
 ]
websocket {
  port: -1
  no_tls: true
 }
ports_file_dir: /tmp)");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    QCOMPARE(loaded.config.port, -1);
    QCOMPARE(loaded.config.httpPort, -1);
    QCOMPARE(loaded.config.tags, std::vector<std::string>{"id:abc"});
    QCOMPARE(loaded.config.jetstream.maxStore, std::int64_t{1048576});
}

void TestConfigFile::emptyFileStarts()
{
    const LoadedConfig loaded = load("");
    QVERIFY(loaded.errors.empty());
    QCOMPARE(loaded.config.port, 4222);
}

QTEST_GUILESS_MAIN(TestConfigFile)
#include "tst_config_file.moc"
