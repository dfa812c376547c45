// SPDX-License-Identifier: GPL-3.0-or-later
// WebSocket clients, as bytes on the wire: the upgrade, frames, compression, the good-bye.
#include "server_run.h"
#include "test_client.h"
#include "web_client.h"

#include <QTest>

#include <cstdint>
#include <memory>
#include <utility>

using jetglass::test::frame;
using jetglass::test::packed;
using jetglass::test::ServerRun;
using jetglass::test::TestClient;
using jetglass::test::WebClient;

namespace {

const QByteArray kPlain = "websocket { port: -1, no_tls: true }\n";

} // namespace

class TestWebSocket : public QObject
{
    Q_OBJECT
private slots:
    void conversation();
    void requests_data();
    void requests();
    void origins_data();
    void origins();
    void frames_data();
    void frames();
    void fragments();
    void compression();
    void bomb();
    void unmasked();
    void closeCodes_data();
    void closeCodes();
    void credentials();
    void slowRequest();
    void shutdown();
};

void TestWebSocket::conversation()
{
    ServerRun server;
    QVERIFY(server.start(kPlain + "http: \"127.0.0.1:-1\"\n"));
    QVERIFY(server.log().contains("Listening for websocket clients on ws://127.0.0.1:"
        + QByteArray::number(server.webSocketPort())));
    WebClient web(server.webSocketPort());
    const std::string answer = web.upgrade("X-Forwarded-For: 10.1.2.3, 10.0.0.1\r\n");
    QVERIFY2(answer.find("HTTP/1.1 101 ") == 0, answer.c_str());
    QVERIFY(answer.find("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") != std::string::npos);
    const std::string info = web.line();
    QVERIFY2(info.find("\"port\":" + std::to_string(server.webSocketPort())) != std::string::npos,
        info.c_str());
    QVERIFY(info.find("\"client_ip\":\"10.1.2.3\"") != std::string::npos);
    QCOMPARE(web.hello(), std::string("PONG"));

    TestClient plain(server.port());
    QVERIFY(plain.handshake());
    plain.send("SUB from.web 1\r\n");
    plain.flush();
    web.say("SUB from.tcp 7\r\nPUB from.web 5\r\nhel"); // cut anywhere
    web.say("lo\r\n");
    QCOMPARE(plain.line(), std::string("MSG from.web 1 5"));
    QCOMPARE(plain.line(), std::string("hello"));
    const std::string large(200'000, 'x');
    plain.send("PUB from.tcp 200000\r\n" + large + "\r\n");
    QCOMPARE(web.line(), std::string("MSG from.tcp 7 200000"));
    QVERIFY(web.line() == large);
    const std::string connz = jetglass::test::httpGet(server.httpPort(), "/connz");
    QVERIFY(connz.find("\"type\": \"websocket\"") != std::string::npos);
}

void TestWebSocket::requests_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    const QByteArray upgrade = "Upgrade: websocket\r\n";
    const QByteArray connection = "Connection: Upgrade\r\n";
    const QByteArray key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    const QByteArray version = "Sec-WebSocket-Version: 13\r\n";
    const QByteArray get = "GET /any/path HTTP/1.1\r\nHost: x\r\n";
    const auto row = [](const char* name, const QByteArray& request, int status) {
        QTest::newRow(name) << request + "\r\n" << status;
    };
    row("good", get + upgrade + connection + key + version, 101);
    row("lower case", get + "upgrade: WebSocket\r\nconnection: upgrade\r\n" + key + version, 101);
    row("post", "POST / HTTP/1.1\r\nHost: x\r\n" + upgrade + connection + key + version, 405);
    row("no host", "GET / HTTP/1.1\r\n" + upgrade + connection + key + version, 400);
    row("no upgrade", get + connection + key + version, 400);
    row("no connection", get + upgrade + key + version, 400);
    row("no key", get + upgrade + connection + version, 400);
    row("short key", get + upgrade + connection + "Sec-WebSocket-Key: YQ==\r\n" + version, 400);
    row("version 8", get + upgrade + connection + key + "Sec-WebSocket-Version: 8\r\n", 400);
}

void TestWebSocket::requests()
{
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    ServerRun server;
    QVERIFY(server.start(kPlain));
    WebClient web(server.webSocketPort());
    web.sendRaw(request.toStdString());
    const std::string answer = web.head();
    QVERIFY2(answer.starts_with("HTTP/1.1 " + std::to_string(status) + ' '), answer.c_str());
    if (status != 101)
        QVERIFY(web.closed());
}

void TestWebSocket::origins_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<QByteArray>("origin");
    QTest::addColumn<bool>("welcome");
    const QByteArray same = "same_origin: true";
    const QByteArray some = "allowed_origins: [\"http://good.test\", \"https://other.test:8443\"]";
    QTest::newRow("no rules") << QByteArray() << QByteArray("http://evil.test") << true;
    QTest::newRow("same") << same << QByteArray("http://localhost") << true;
    QTest::newRow("same, port said") << same << QByteArray("http://localhost:80") << true;
    QTest::newRow("other port") << same << QByteArray("http://localhost:81") << false;
    QTest::newRow("other host") << same << QByteArray("http://evil.test") << false;
    QTest::newRow("no page") << same << QByteArray() << true;
    QTest::newRow("allowed") << some << QByteArray("http://good.test") << true;
    QTest::newRow("allowed with port") << some << QByteArray("https://other.test:8443") << true;
    QTest::newRow("other scheme") << some << QByteArray("https://good.test") << false;
    QTest::newRow("not allowed") << some << QByteArray("http://evil.test") << false;
    QTest::newRow("no origin at all") << some << QByteArray("nonsense") << false;
}

void TestWebSocket::origins()
{
    QFETCH(QByteArray, rules);
    QFETCH(QByteArray, origin);
    QFETCH(bool, welcome);
    ServerRun server;
    QVERIFY(server.start("websocket { port: -1, no_tls: true\n" + rules + "\n}\n"));
    WebClient web(server.webSocketPort());
    const std::string answer =
        web.upgrade(origin.isEmpty() ? std::string() : "Origin: " + origin.toStdString() + "\r\n");
    QVERIFY2(answer.starts_with(welcome ? "HTTP/1.1 101" : "HTTP/1.1 403"), answer.c_str());
}

void TestWebSocket::frames_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("opcode"); // of the answer
    QTest::addColumn<QByteArray>("payload"); // or what it begins with
    const auto row =
        [](const char* name, const std::string& bytes, int opcode, std::string payload) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << opcode
                                << QByteArray::fromStdString(payload);
        };
    const std::string protocolError("\x03\xea", 2);
    const std::string normal("\x03\xe8", 2);
    row("ping", frame(9, "data"), 10, "data");
    row("empty ping", frame(9, ""), 10, "");
    row("text frame", frame(1, "PING\r\n"), 2, "PONG\r\n");
    row("close", frame(8, normal + "bye"), 8, normal);
    row("close without code", frame(8, ""), 8, normal);
    row("not masked", frame(2, "PING\r\n", false), 8, protocolError + "mask bit missing");
    row("long ping", frame(9, std::string(126, 'x')), 8, protocolError);
    row("ping in parts", frame(9, "x", true, 0), 8, protocolError);
    row("reserved bit", frame(2, "x", true, 0x90), 8, protocolError);
    row("packed, not agreed", frame(2, "x", true, 0xC0), 8, protocolError);
    row("unknown opcode", frame(3, "x"), 8, protocolError);
    row("unknown control", frame(11, "x"), 8, protocolError);
    row("continuation of nothing", frame(0, "x"), 8, protocolError);
    row("new message inside another", frame(2, "P", true, 0) + frame(2, "ING"), 8, protocolError);
}

void TestWebSocket::frames()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, opcode);
    QFETCH(QByteArray, payload);
    ServerRun server;
    QVERIFY(server.start(kPlain));
    WebClient web(server.webSocketPort());
    QVERIFY(web.connect());
    QCOMPARE(web.hello(), std::string("PONG"));
    web.sendRaw(bytes.toStdString());
    const WebClient::Frame answer = web.read();
    QCOMPARE(answer.opcode, opcode);
    QVERIFY2(answer.payload.starts_with(payload.toStdString()), answer.payload.c_str());
    if (opcode == 8)
        QVERIFY(web.closed());
}

void TestWebSocket::fragments()
{
    ServerRun server;
    QVERIFY(server.start(kPlain));
    WebClient web(server.webSocketPort());
    QVERIFY(web.connect());
    QCOMPARE(web.hello(), std::string("PONG"));
    // A message in three frames with a ping between them, and all of it byte by byte.
    const std::string all = frame(2, "SUB a 1\r\nPUB", true, 0) + frame(9, "p")
        + frame(0, " a 2\r", true, 0) + frame(0, "\nhi\r\n");
    for (const char byte : all)
        web.sendRaw(std::string(1, byte));
    QCOMPARE(web.read().opcode, 10);
    QCOMPARE(web.line(), std::string("MSG a 1 2"));
    QCOMPARE(web.line(), std::string("hi"));
}

void TestWebSocket::compression()
{
    ServerRun server;
    QVERIFY(server.start("websocket { port: -1, no_tls: true, compression: true }\n"));
    const std::string offer =
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n";
    WebClient web(server.webSocketPort());
    const std::string answer = web.upgrade(offer);
    QVERIFY(answer.find("Sec-WebSocket-Extensions: permessage-deflate; "
                        "server_no_context_takeover; client_no_context_takeover")
        != std::string::npos);
    QVERIFY(web.line().starts_with("INFO "));
    QCOMPARE(web.hello(), std::string("PONG"));
    QVERIFY(web.sawPacked()); // INFO is long enough to be worth it
    const std::string body(50'000, 'z');
    const std::string message = "SUB a 1\r\nPUB a 50000\r\n" + body + "\r\n";
    const std::string small = packed(message);
    QVERIFY(small.size() < 1000);
    for (int i = 0; i < 2; ++i) { // each message stands for itself
        web.sendRaw(frame(2, small, true, 0xC0));
        QCOMPARE(web.line(), std::string("MSG a 1 50000"));
        QVERIFY(web.line() == body);
    }
    web.sendRaw(frame(2, small.substr(0, 20), true, 0x40) + frame(0, small.substr(20)));
    QCOMPARE(web.line(), std::string("MSG a 1 50000"));
    QVERIFY(web.line() == body);
    web.sendRaw(frame(2, "nonsense", true, 0xC0));
    QCOMPARE(web.read().opcode, 8);

    // Who does not offer it does not get it.
    WebClient plain(server.webSocketPort());
    QVERIFY(plain.upgrade().find("permessage-deflate") == std::string::npos);
}

void TestWebSocket::bomb()
{
    ServerRun server;
    QVERIFY(server.start(
        "max_payload: 10000\nwebsocket { port: -1, no_tls: true, compression: true }\n"));
    WebClient web(server.webSocketPort());
    QVERIFY(web.connect("Sec-WebSocket-Extensions: permessage-deflate\r\n"));
    web.sendRaw(frame(2, packed(std::string(900'000, '\n')), true, 0xC0));
    const WebClient::Frame answer = web.read();
    QCOMPARE(answer.opcode, 8);
    QVERIFY(answer.payload.starts_with(std::string("\x03\xf1", 2)));
}

void TestWebSocket::unmasked()
{
    ServerRun server;
    QVERIFY(server.start(kPlain));
    WebClient web(server.webSocketPort());
    QVERIFY(web.upgrade("Nats-No-Masking: true\r\n").find("Nats-No-Masking: true")
        != std::string::npos);
    QVERIFY(web.line().starts_with("INFO "));
    web.sendRaw(frame(2, "CONNECT {\"verbose\":false}\r\nPING\r\n", false));
    QCOMPARE(web.line(), std::string("PONG"));
}

void TestWebSocket::closeCodes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    QTest::newRow("protocol") << QByteArray("FOO\r\n") << 1002;
    QTest::newRow("payload") << QByteArray("PUB a 2000000\r\n") << 1009;
    QTest::newRow("authorization") << QByteArray("CONNECT {\"account\":\"x\"}\r\n") << 1008;
}

void TestWebSocket::closeCodes()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, code);
    ServerRun server;
    QVERIFY(server.start(kPlain));
    WebClient web(server.webSocketPort());
    QVERIFY(web.connect());
    QCOMPARE(web.hello(), std::string("PONG"));
    web.say(bytes.toStdString());
    WebClient::Frame answer = web.read();
    QCOMPARE(answer.opcode, 2);
    QVERIFY2(answer.payload.starts_with("-ERR '"), answer.payload.c_str());
    answer = web.read();
    QCOMPARE(answer.opcode, 8);
    QVERIFY(answer.payload.size() >= 2);
    const int got = static_cast<std::uint8_t>(answer.payload[0]) << 8
        | static_cast<std::uint8_t>(answer.payload[1]);
    QCOMPARE(got, code);
    QVERIFY(web.closed());
}

void TestWebSocket::credentials()
{
    ServerRun server;
    QVERIFY(server.start("authorization { users: [ {user: a, password: b}, {user: anybody} ] }\n"
                         "websocket { port: -1, no_tls: true, user_cookie: u, pass_cookie: p\n"
                         "  no_auth_user: anybody }\n"));
    WebClient cookies(server.webSocketPort());
    QVERIFY(cookies.connect("Cookie: x=1; u=a; p=b\r\n"));
    QCOMPARE(cookies.hello(), std::string("PONG"));
    WebClient wrong(server.webSocketPort());
    QVERIFY(wrong.connect("Cookie: u=a; p=c\r\n"));
    QCOMPARE(wrong.hello(), std::string("-ERR 'Authorization Violation'"));
    WebClient nobody(server.webSocketPort());
    QVERIFY(nobody.connect());
    QCOMPARE(nobody.hello(), std::string("PONG"));
    TestClient plain(server.port());
    QVERIFY(!plain.handshake());
}

void TestWebSocket::slowRequest()
{
    ServerRun server;
    QVERIFY(server.start("websocket { port: -1, no_tls: true, handshake_timeout: \"100ms\" }\n"));
    WebClient web(server.webSocketPort());
    web.sendRaw("GET / HTTP/1.1\r\nHost: x\r\n");
    QVERIFY(web.closed());
    QVERIFY(server.waitForLog("handshake timeout"));
    WebClient endless(server.webSocketPort());
    endless.sendRaw("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x'));
    QVERIFY(endless.closed());
    QVERIFY(server.waitForLog("request too large"));
}

void TestWebSocket::shutdown()
{
    ServerRun server;
    QVERIFY(server.start(kPlain));
    WebClient web(server.webSocketPort());
    QVERIFY(web.connect());
    QCOMPARE(web.hello(), std::string("PONG"));
    QCOMPARE(server.stop(), 0);
    const WebClient::Frame last = web.read();
    QCOMPARE(last.opcode, 8);
    QVERIFY(last.payload.starts_with(std::string("\x03\xe9", 2)));
}

QTEST_GUILESS_MAIN(TestWebSocket)
#include "tst_web_socket.moc"
