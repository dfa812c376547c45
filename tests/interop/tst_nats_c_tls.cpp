// SPDX-License-Identifier: GPL-3.0-or-later
// The C client over TLS: the server's certificate, one of its own, and a handshake before INFO.
#include "c_client.h"
#include "certificates.h"
#include "server_run.h"

#include <openssl/crypto.h>

using interop::Owned;
using jetglass::test::Certificate;
using jetglass::test::makeCertificate;
using jetglass::test::ServerRun;

namespace {

struct DestroyOptions
{
    void operator()(natsOptions* p) const { natsOptions_Destroy(p); }
};

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

} // namespace

class TestNatsCTls : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase() { nats_Close(); }
    void connects_data();
    void connects();

private:
    QByteArray block(const QByteArray& more) const;
    [[nodiscard]] QByteArray path(const char* name) const
    {
        return m_server->path(QString::fromLatin1(name)).toUtf8();
    }
    /// Connected as the options say, or the status that it ended with.
    natsStatus open(natsOptions* options, Owned<natsConnection>& into);

    std::unique_ptr<ServerRun> m_server;
    Certificate m_authority;
    Certificate m_certificate;
    Certificate m_client;
};

void TestNatsCTls::initTestCase()
{
    // nats_Close() has freed some of what OpenSSL would free again when the program ends.
    QCOMPARE(OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr), 1);
    m_authority = makeCertificate("test authority", {}, {}, true);
    m_certificate = makeCertificate("server", "DNS:localhost,IP:127.0.0.1", m_authority);
    m_client = makeCertificate("client", "DNS:client.test", m_authority);
}

/// Files for a server that is about to start, and its tls block.
QByteArray TestNatsCTls::block(const QByteArray& more) const
{
    const auto write = [this](const char* name, const std::string& text) {
        m_server->write(QString::fromLatin1(name), bytes(text));
    };
    write("ca.pem", m_authority.pem);
    write("server.pem", m_certificate.pem);
    write("server-key.pem", m_certificate.key);
    write("client.pem", m_client.pem);
    write("client-key.pem", m_client.key);
    return "jetstream { store_dir: \"" + path("js") + "\" }\ntls {\n ca_file: \"" + path("ca.pem")
        + "\"\n cert_file: \"" + path("server.pem") + "\"\n key_file: \"" + path("server-key.pem")
        + "\"\n" + more + "\n}\n";
}

natsStatus TestNatsCTls::open(natsOptions* options, Owned<natsConnection>& into)
{
    const QByteArray url = "tls://127.0.0.1:" + QByteArray::number(m_server->port());
    natsOptions_SetURL(options, url.constData());
    natsOptions_SetTimeout(options, 5000);
    natsOptions_LoadCATrustedCertificates(options, path("ca.pem").constData());
    natsConnection* connection = nullptr;
    const natsStatus status = natsConnection_Connect(&connection, options);
    into.reset(connection);
    return status;
}

void TestNatsCTls::connects_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<bool>("shows"); // a certificate of the client's own
    QTest::addColumn<bool>("first"); // the handshake
    QTest::addColumn<bool>("works");
    const auto row = [](const char* name, const char* rules, bool shows, bool first, bool works) {
        QTest::newRow(name) << QByteArray(rules) << shows << first << works;
    };
    row("server certificate", "", false, false, true);
    row("verify", "verify: true", true, false, true);
    row("verify, none shown", "verify: true", false, false, false);
    row("INFO first after all", "handshake_first: auto", false, false, true);
    row("handshake first, INFO awaited", "handshake_first: true", false, false, false);
#if NATS_VERSION_NUMBER >= 0x030900 // older ones cannot
    row("handshake first", "handshake_first: true", false, true, true);
    row("handshake first by itself", "handshake_first: auto", false, true, true);
    row("all of it", "verify: true\nhandshake_first: true", true, true, true);
#endif
}

void TestNatsCTls::connects()
{
    QFETCH(QByteArray, rules);
    QFETCH(bool, shows);
    QFETCH(bool, first);
    QFETCH(bool, works);
    m_server = std::make_unique<ServerRun>();
    QVERIFY(m_server->start(block(rules)));
    natsOptions* made = nullptr;
    QVERIFY_OK(natsOptions_Create(&made));
    const std::unique_ptr<natsOptions, DestroyOptions> options(made);
    if (shows)
        QVERIFY_OK(natsOptions_LoadCertificatesChain(
            made, path("client.pem").constData(), path("client-key.pem").constData()));
    QVERIFY_OK(natsOptions_SetSecure(made, true));
#if NATS_VERSION_NUMBER >= 0x030900
    if (first)
        QVERIFY_OK(natsOptions_TLSHandshakeFirst(made));
#else
    QVERIFY(!first);
#endif
    Owned<natsConnection> connection;
    QCOMPARE(open(made, connection) == NATS_OK, works);
    if (!works)
        return;
    jsCtx* context = nullptr;
    QVERIFY_OK(natsConnection_JetStream(&context, connection.get(), nullptr));
    const Owned<jsCtx> js(context);
    const char* subjects[] = {"s.>"};
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = "S";
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    QVERIFY_OK(js_AddStream(nullptr, context, &config, nullptr, nullptr));
    const QByteArray large(100'000, 'x'); // several records
    jsPubAck* published = nullptr;
    QVERIFY_OK(js_Publish(&published,
        context,
        "s.a",
        large.constData(),
        static_cast<int>(large.size()),
        nullptr,
        nullptr));
    const Owned<jsPubAck> ack(published);
    QCOMPARE(ack->Sequence, std::uint64_t{1});
    natsMsg* got = nullptr;
    QVERIFY_OK(js_GetMsg(&got, context, "S", 1, nullptr, nullptr));
    const Owned<natsMsg> message(got);
    QVERIFY(interop::dataOf(got) == large);
}

QTEST_GUILESS_MAIN(TestNatsCTls)
#include "tst_nats_c_tls.moc"
