// SPDX-License-Identifier: GPL-3.0-or-later
// What a server with TLS chooses: one of several certificates, whom it lets encrypt now, and how
// its monitor is read.
#include "certificates.h"
#include "secure_client.h"
#include "server_run.h"
#include "test_client.h"

#include <QJsonArray>
#include <QTest>
#include <QUrl>

#include <csignal>

using jetglass::test::bytes;
using jetglass::test::Certificate;
using jetglass::test::makeCertificate;
using jetglass::test::SecureClient;
using jetglass::test::ServerRun;
using jetglass::test::TestClient;

class TestTlsChoices : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { m_authority = makeCertificate("test authority", {}, {}, true); }
    void severalCertificates_data();
    void severalCertificates();
    void rateLimit_data();
    void rateLimit();
    void monitoring();

private:
    /// A file with a certificate and one with its key; what a configuration says of them.
    static QByteArray files(
        const ServerRun& server, const char* name, const Certificate& certificate);
    QByteArray block(const ServerRun& server, const QByteArray& more) const;

    Certificate m_authority;
};

QByteArray TestTlsChoices::files(
    const ServerRun& server, const char* name, const Certificate& certificate)
{
    const QString file = QString::fromLatin1(name);
    server.write(file + QStringLiteral(".pem"), bytes(certificate.pem));
    server.write(file + QStringLiteral(".key"), bytes(certificate.key));
    const QByteArray path = server.path(file).toUtf8();
    return "cert_file: \"" + path + ".pem\", key_file: \"" + path + ".key\"";
}

QByteArray TestTlsChoices::block(const ServerRun& server, const QByteArray& more) const
{
    return "tls {\n "
        + files(server, "server", makeCertificate("server", "IP:127.0.0.1", m_authority)) + '\n'
        + more + "\n}\n";
}

void TestTlsChoices::severalCertificates_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("answers");
    const auto row = [](const char* host, const char* answers) {
        QTest::newRow(host) << QString::fromLatin1(host) << QString::fromLatin1(answers);
    };
    row("one.test", "one");
    row("TWO.test", "two");
    row("a.wild", "two");
    row("a.b.wild", "one"); // a star is one label
    row("two", "one"); // the common name is none
    row("unknown.test", "one"); // the first
}

void TestTlsChoices::severalCertificates()
{
    QFETCH(QString, host);
    QFETCH(QString, answers);
    ServerRun server;
    const Certificate one = makeCertificate("one", "DNS:one.test", m_authority);
    const Certificate two = makeCertificate("two", "DNS:two.test,DNS:*.wild", m_authority);
    QVERIFY(server.start("tls { certs: [\n { " + files(server, "one", one) + " },\n { "
        + files(server, "two", two) + " }\n] }\n"));
    SecureClient client(server.port(), m_authority);
    client.line();
    client.ask(host);
    QVERIFY2(client.encrypt(), qPrintable(client.socket().errorString()));
    const QStringList names =
        client.socket().peerCertificate().subjectInfo(QSslCertificate::CommonName);
    QCOMPARE(names, QStringList{answers});
    QCOMPARE(client.hello(), QByteArray("PONG"));
}

void TestTlsChoices::rateLimit_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<QByteArray>("outside"); // of the block
    QTest::addColumn<bool>("infoFirst");
    QTest::newRow("classic") << QByteArray() << QByteArray() << true;
    QTest::newRow("handshake first")
        << QByteArray("handshake_first: true") << QByteArray() << false;
    QTest::newRow("plain allowed") << QByteArray() << QByteArray("allow_non_tls: true") << true;
}

/// Of those that want to encrypt within a second only so many may.
void TestTlsChoices::rateLimit()
{
    QFETCH(QByteArray, rules);
    QFETCH(QByteArray, outside);
    QFETCH(bool, infoFirst);
    ServerRun server;
    QVERIFY(server.start(block(server, rules + "\nconnection_rate_limit: 1") + outside + '\n'));
    SecureClient good(server.port(), m_authority);
    if (infoFirst)
        good.line();
    QVERIFY(good.encrypt());
    TestClient late(server.port());
    if (infoFirst)
        QVERIFY(late.line().starts_with("INFO "));
    if (!outside.isEmpty()) { // who does not encrypt is not counted
        TestClient plain(server.port());
        plain.line();
        plain.send("CONNECT {\"verbose\":false}\r\nPING\r\n");
        QCOMPARE(plain.line(), std::string("PONG"));
        late.send(std::string("\x16\x03\x01", 3));
    }
    QCOMPARE(late.line(),
        std::string("-ERR 'Connection throttling is active. Please try again later.'"));
    QVERIFY(late.closedByPeer());
    QVERIFY(server.waitForLog("Rejected 1 connections due to TLS rate limiting"));
    SecureClient again(server.port(), m_authority);
    if (infoFirst)
        again.line();
    QVERIFY(again.encrypt());
}

void TestTlsChoices::monitoring()
{
    ServerRun server;
    QVERIFY(server.start("https: \"127.0.0.1:-1\"\n" + block(server, "verify: true")));
    const QUrl url(server.ports().value(QStringLiteral("monitoring")).toArray().first().toString());
    QCOMPARE(url.scheme(), QStringLiteral("https"));
    SecureClient client(static_cast<quint16>(url.port()), m_authority);
    QVERIFY2(client.encrypt(), qPrintable(client.socket().errorString()));
    client.send("GET /varz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const QByteArray answer = client.read(1'000'000);
    QVERIFY2(answer.startsWith("HTTP/1.1 200"), answer.left(200).constData());
    QVERIFY(answer.contains("\"https_port\": " + QByteArray::number(url.port())));
    QVERIFY(answer.contains("\"http_port\": 0,"));
    // It shows the certificate of the last reload.
    const Certificate other = makeCertificate("other authority", {}, {}, true);
    files(server, "server", makeCertificate("server", "IP:127.0.0.1", other));
    server.signal(SIGHUP);
    QVERIFY(server.waitForLog("Reloaded server configuration"));
    SecureClient stranger(static_cast<quint16>(url.port()), m_authority);
    QVERIFY(!stranger.encrypt());
    SecureClient renewed(static_cast<quint16>(url.port()), other);
    QVERIFY2(renewed.encrypt(), qPrintable(renewed.socket().errorString()));
    QCOMPARE(server.stop(), 0);
    QVERIFY(server.log().contains("Starting https monitor on "));
}

QTEST_GUILESS_MAIN(TestTlsChoices)
#include "tst_tls_choices.moc"
