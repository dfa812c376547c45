// SPDX-License-Identifier: GPL-3.0-or-later
// Encrypted connections, with certificates made on the spot.
#include "certificates.h"
#include "secure_client.h"
#include "server_run.h"
#include "test_client.h"

#include <QFile>
#include <QJsonArray>
#include <QSslCertificate>
#include <QSslCipher>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QTest>
#include <QUrl>

using jetglass::test::bytes;
using jetglass::test::Certificate;
using jetglass::test::makeCertificate;
using jetglass::test::SecureClient;
using jetglass::test::ServerRun;
using jetglass::test::TestClient;

class TestTls : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void classic();
    void plainClient();
    void silentClient();
    void plainAllowed();
    void webSocket_data();
    void webSocket();
    void handshakeFirst_data();
    void handshakeFirst();
    void clientCertificates();
    void pinned();
    void certificateNamesUser_data();
    void certificateNamesUser();
    void oldProtocol();
    void cipherSuites();
    void flags();
    void badFiles_data();
    void badFiles();
    void reload();

private:
    QByteArray block(const ServerRun& server, const QByteArray& more = {}) const;

    Certificate m_authority;
    Certificate m_server;
    Certificate m_client;
};

void TestTls::initTestCase()
{
    QVERIFY(QSslSocket::supportsSsl());
    m_authority = makeCertificate("test authority", {}, {}, true);
    m_server = makeCertificate("localhost", "DNS:localhost,IP:127.0.0.1", m_authority);
    m_client = makeCertificate("client", "email:me@jetglass.test,DNS:me.test", m_authority);
}

/// A tls block with the files of this test.
QByteArray TestTls::block(const ServerRun& server, const QByteArray& more) const
{
    server.write(QStringLiteral("ca.pem"), bytes(m_authority.pem));
    server.write(QStringLiteral("server.pem"), bytes(m_server.pem));
    server.write(QStringLiteral("server-key.pem"), bytes(m_server.key));
    const auto file = [&](const char* name) {
        return '"' + server.path(QString::fromLatin1(name)).toUtf8() + '"';
    };
    return "tls {\n cert_file: " + file("server.pem") + "\n key_file: " + file("server-key.pem")
        + "\n ca_file: " + file("ca.pem") + '\n' + more + "\n}\n";
}

void TestTls::classic()
{
    ServerRun server;
    QVERIFY(server.start(block(server) + "http: \"127.0.0.1:-1\"\n"));
    QVERIFY(server.ports()
                .value(QStringLiteral("nats"))
                .toArray()
                .first()
                .toString()
                .startsWith(QStringLiteral("tls://")));
    SecureClient client(server.port(), m_authority);
    const QByteArray info = client.line();
    QVERIFY2(info.contains("\"tls_required\":true"), info.constData());
    QVERIFY(!info.contains("tls_verify") && !info.contains("tls_available"));
    QVERIFY2(client.encrypt(), qPrintable(client.socket().errorString()));
    QCOMPARE(client.hello(), QByteArray("PONG"));
    // More than one record in both directions, in one piece.
    const QByteArray payload = QByteArray(700'000, 'x') + "end";
    client.send(
        "SUB big 1\r\nPUB big " + QByteArray::number(payload.size()) + "\r\n" + payload + "\r\n");
    QCOMPARE(client.line(), "MSG big 1 " + QByteArray::number(payload.size()));
    QVERIFY(client.read(payload.size() + 2) == payload + "\r\n");
    const QByteArray connz = bytes(jetglass::test::httpGet(server.httpPort(), "/connz"));
    QVERIFY2(connz.contains("\"tls_version\": \"1.3\""), connz.constData());
    QVERIFY2(connz.contains("\"tls_cipher_suite\": \"TLS_AES_"), connz.constData());
    const QByteArray varz = bytes(jetglass::test::httpGet(server.httpPort(), "/varz"));
    QVERIFY(varz.contains("\"tls_required\": true"));
    QCOMPARE(server.stop(), 0);
}

void TestTls::plainClient()
{
    ServerRun server;
    QVERIFY(server.start(block(server)));
    TestClient client(server.port());
    QVERIFY(client.line().starts_with("INFO "));
    client.send("CONNECT {}\r\nPING\r\n");
    QVERIFY(client.closedByPeer());
    QVERIFY(server.waitForLog("TLS handshake error"));
    SecureClient other(server.port(), m_authority);
    other.line();
    QVERIFY(other.encrypt());
    QCOMPARE(other.hello(), QByteArray("PONG"));
}

void TestTls::silentClient()
{
    ServerRun server;
    QVERIFY(server.start(block(server, "timeout: 0.2")));
    TestClient client(server.port());
    client.line();
    QCOMPARE(client.line(), std::string("-ERR 'Secure Connection - TLS Required'"));
    QVERIFY(client.closedByPeer());
    QVERIFY(server.waitForLog("TLS handshake timeout"));
}

void TestTls::plainAllowed()
{
    ServerRun server;
    QVERIFY(server.start(block(server) + "allow_non_tls: true\n"));
    TestClient plain(server.port());
    const std::string info = plain.line();
    QVERIFY(info.find("\"tls_available\":true") != std::string::npos);
    QVERIFY(info.find("tls_required") == std::string::npos);
    plain.send("CONNECT {\"verbose\":false}\r\nPING\r\n");
    QCOMPARE(plain.line(), std::string("PONG"));
    SecureClient secure(server.port(), m_authority);
    secure.line();
    QVERIFY(secure.encrypt());
    QCOMPARE(secure.hello(), QByteArray("PONG"));
}

void TestTls::webSocket_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::newRow("tls") << QByteArray();
    QTest::newRow("certificates win over no_tls") << QByteArray("no_tls: true\n");
}

void TestTls::webSocket()
{
    QFETCH(QByteArray, more);
    ServerRun server;
    QVERIFY(server.start("websocket {\n port: -1\n " + more + block(server) + "}\n"));
    const QUrl url(server.ports().value(QStringLiteral("websocket")).toArray().first().toString());
    QCOMPARE(url.scheme(), QStringLiteral("wss"));
    SecureClient client(static_cast<quint16>(url.port()), m_authority);
    QVERIFY2(client.encrypt(), qPrintable(client.socket().errorString()));
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    QCOMPARE(client.line(), QByteArray("HTTP/1.1 101 Switching Protocols"));
    QCOMPARE(server.stop(), 0);
    QVERIFY2(server.log().contains("Listening for websocket clients on wss://"),
        server.log().constData());
}

void TestTls::handshakeFirst_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("first");
    QTest::addColumn<bool>("infoFirst");
    QTest::newRow("true") << QByteArray("true") << true << false;
    QTest::newRow("auto, client first") << QByteArray("auto") << true << false;
    QTest::newRow("auto, INFO first") << QByteArray("auto") << false << true;
    QTest::newRow("time, INFO first") << QByteArray("30ms") << false << true;
}

void TestTls::handshakeFirst()
{
    QFETCH(QByteArray, value);
    QFETCH(bool, first);
    QFETCH(bool, infoFirst);
    ServerRun server;
    QVERIFY(server.start(block(server, "handshake_first: " + value) + "http: \"127.0.0.1:-1\"\n"));
    SecureClient client(server.port(), m_authority);
    if (infoFirst)
        QVERIFY(client.line().startsWith("INFO "));
    QVERIFY2(client.encrypt(), qPrintable(client.socket().errorString()));
    if (first)
        QVERIFY(client.line().startsWith("INFO "));
    QCOMPARE(client.hello(), QByteArray("PONG"));
    const QByteArray connz = bytes(jetglass::test::httpGet(server.httpPort(), "/connz"));
    QCOMPARE(connz.contains("\"tls_first\": true"), first);
    if (value == "true") { // others never see an INFO
        TestClient plain(server.port());
        plain.send("CONNECT {}\r\n");
        QVERIFY(plain.closedByPeer());
    }
}

void TestTls::clientCertificates()
{
    ServerRun server;
    QVERIFY(server.start(block(server, "verify: true")));
    SecureClient good(server.port(), m_authority);
    QVERIFY(good.line().contains("\"tls_verify\":true"));
    good.show(m_client);
    QVERIFY2(good.encrypt(), qPrintable(good.socket().errorString()));
    QCOMPARE(good.hello(), QByteArray("PONG"));

    SecureClient none(server.port(), m_authority);
    none.line();
    none.encrypt(); // with TLS 1.3 the refusal comes after the client's side of the handshake
    QVERIFY(none.hello() != QByteArray("PONG"));

    const Certificate strangers = makeCertificate("strangers", {}, {}, true);
    SecureClient stranger(server.port(), m_authority);
    stranger.line();
    stranger.show(makeCertificate("stranger", {}, strangers));
    stranger.encrypt();
    QVERIFY(stranger.hello() != QByteArray("PONG"));
    QVERIFY(server.waitForLog("TLS handshake error"));
}

void TestTls::pinned()
{
    const Certificate other = makeCertificate("other", {}, m_authority);
    ServerRun server;
    QVERIFY(server.start(block(
        server, "verify: true\npinned_certs: [\"" + bytes(publicKeyDigest(m_client)) + "\"]")));
    SecureClient good(server.port(), m_authority);
    good.line();
    good.show(m_client);
    QVERIFY(good.encrypt());
    QCOMPARE(good.hello(), QByteArray("PONG"));
    SecureClient bad(server.port(), m_authority);
    bad.line();
    bad.show(other);
    bad.encrypt();
    QVERIFY(bad.hello() != QByteArray("PONG"));
    QVERIFY(server.waitForLog("not pinned"));
}

void TestTls::certificateNamesUser_data()
{
    QTest::addColumn<QByteArray>("user");
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("mail") << QByteArray("me@jetglass.test") << QByteArray("PONG");
    QTest::newRow("host") << QByteArray("me.test") << QByteArray("PONG");
    QTest::newRow("subject") << QByteArray("CN=client,O=Jetglass") << QByteArray("PONG");
    QTest::newRow("unknown") << QByteArray("somebody")
                             << QByteArray("-ERR 'Authorization Violation'");
}

void TestTls::certificateNamesUser()
{
    QFETCH(QByteArray, user);
    QFETCH(QByteArray, answer);
    ServerRun server;
    QVERIFY(
        server.start(block(server, "verify_and_map: true") + "authorization { users: [ {user: \""
            + user + "\", permissions: { publish: \"mine.>\" }} ] }\n"));
    SecureClient client(server.port(), m_authority);
    client.line();
    client.show(m_client);
    QVERIFY2(client.encrypt(), qPrintable(client.socket().errorString()));
    QCOMPARE(client.hello(), answer);
    if (answer != "PONG")
        return;
    client.send("PUB yours 0\r\n\r\n");
    QVERIFY(client.line().contains("Permissions Violation for Publish to \"yours\""));
}

void TestTls::oldProtocol()
{
    ServerRun server;
    QVERIFY(server.start(block(server, "min_version: \"1.3\"")));
    SecureClient old(server.port(), m_authority);
    old.line();
    old.setNewest(QSsl::TlsV1_2);
    QVERIFY(!old.encrypt());
    SecureClient good(server.port(), m_authority);
    good.line();
    good.setNewest(QSsl::TlsV1_3);
    QVERIFY(good.encrypt());
}

void TestTls::cipherSuites()
{
    ServerRun server;
    QVERIFY(server.start(block(server,
        "cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]\ncurve_preferences: "
        "[CurveP384]")));
    SecureClient client(server.port(), m_authority);
    client.line();
    client.setNewest(QSsl::TlsV1_2);
    QVERIFY2(client.encrypt(), qPrintable(client.socket().errorString()));
    QCOMPARE(
        client.socket().sessionCipher().name(), QStringLiteral("ECDHE-ECDSA-AES256-GCM-SHA384"));
}

void TestTls::flags()
{
    ServerRun server;
    block(server);
    QVERIFY(server.start({},
        {QStringLiteral("--tls"),
            QStringLiteral("--tlscert=") + server.path(QStringLiteral("server.pem")),
            QStringLiteral("-tlskey"),
            server.path(QStringLiteral("server-key.pem")),
            QStringLiteral("--tlscacert"),
            server.path(QStringLiteral("ca.pem")),
            QStringLiteral("--tlsverify")}));
    SecureClient client(server.port(), m_authority);
    client.line();
    client.show(m_client);
    QVERIFY(client.encrypt());
    QCOMPARE(client.hello(), QByteArray("PONG"));
}

void TestTls::badFiles_data()
{
    QTest::addColumn<QByteArray>("file"); // that is spoilt
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("certificate") << QByteArray("server.pem") << QByteArray("rubbish");
    QTest::newRow("key") << QByteArray("server-key.pem") << QByteArray("rubbish");
    QTest::newRow("authorities") << QByteArray("ca.pem") << QByteArray("rubbish");
    QTest::newRow("another key") << QByteArray("server-key.pem")
                                 << bytes(makeCertificate("other").key);
}

void TestTls::badFiles()
{
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, content);
    ServerRun server;
    const QByteArray config = block(server);
    server.write(QString::fromLatin1(file), content);
    QCOMPARE(server.runToEnd(config), 1);
    QVERIFY2(server.log().contains(server.path(QString::fromLatin1(file)).toUtf8()),
        server.log().constData());
    QCOMPARE(server.runToEnd(config, {QStringLiteral("-t")}), 1);
}

void TestTls::reload()
{
    ServerRun server;
    QVERIFY(server.start(block(server)));
    // A new authority signs a new certificate; who trusts only the old one stays out from now on.
    const Certificate authority = makeCertificate("new authority", {}, {}, true);
    const Certificate renewed = makeCertificate("localhost", "IP:127.0.0.1", authority);
    server.write(QStringLiteral("server.pem"), bytes(renewed.pem));
    server.write(QStringLiteral("server-key.pem"), bytes(renewed.key));
    server.signal(SIGHUP);
    QVERIFY(server.waitForLog("Reloaded server configuration"));
    SecureClient client(server.port(), authority);
    client.line();
    QVERIFY2(client.encrypt(), qPrintable(client.socket().errorString()));
    QCOMPARE(client.hello(), QByteArray("PONG"));

    // What cannot be read changes nothing.
    server.write(QStringLiteral("server.pem"), "rubbish");
    server.signal(SIGHUP);
    QVERIFY(server.waitForLog("Failed to reload server configuration"));
    SecureClient again(server.port(), authority);
    again.line();
    QVERIFY(again.encrypt());
}

QTEST_GUILESS_MAIN(TestTls)
#include "tst_tls.moc"
