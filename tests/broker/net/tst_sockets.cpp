// SPDX-License-Identifier: GPL-3.0-or-later
// The engine behind real loopback sockets, on a thread of its own as in the program.
#include "accounts/authenticator.h"
#include "base/real_clock.h"
#include "flow/flow_hub.h"
#include "net/event_loop.h"
#include "net/listener.h"
#include "server/engine.h"

#include <QTest>

#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace jetglass;

namespace {

class QuietLog final : public base::Log
{
public:
    void write(base::LogLevel, std::string_view) override { }
    [[nodiscard]] bool wants(base::LogLevel) const override { return false; }
    void reopen() override { }
    void configure(const LogConfig&) override { }
};

class RunningBroker
{
public:
    explicit RunningBroker(const std::string& host = "127.0.0.1")
    {
        auto opened = net::Listener::open(m_loop, host, -1);
        m_listener = std::move(*opened);
        m_engine.setIdentity({"NTEST", "test", "127.0.0.1", m_listener->port()});
        m_loop.setEngine(&m_engine);
        m_listener->start(m_engine);
        m_thread = std::thread([this] { m_loop.run(); });
    }
    ~RunningBroker()
    {
        m_loop.stop();
        m_thread.join();
    }
    [[nodiscard]] std::uint16_t port() const { return m_listener->port(); }
    [[nodiscard]] std::string host() const { return m_listener->host(); }
    [[nodiscard]] net::EventLoop& loop() { return m_loop; }

private:
    base::RealClock m_clock;
    base::RealClock m_realClock;
    base::TimerQueue m_timers{m_clock};
    base::TimerQueue m_realTimers{m_realClock};
    flow::FlowHub m_hub{m_clock};
    streams::Turn m_turn;
    QuietLog m_log;
    net::EventLoop m_loop{m_timers, m_realTimers};
    server::Engine m_engine{{m_clock, m_realTimers, m_hub, m_turn, m_log},
        BrokerConfig{},
        {"NTEST", "test", "127.0.0.1", 0},
        std::make_shared<accounts::Authenticator>(AuthConfig{})};
    std::unique_ptr<net::Listener> m_listener;
    std::thread m_thread;
};

bool hasIpv6()
{
    const int socket = ::socket(AF_INET6, SOCK_STREAM, 0);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_loopback;
    const bool bound = socket >= 0
        && ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    if (socket >= 0)
        ::close(socket);
    return bound;
}

class TestSocket
{
public:
    explicit TestSocket(std::uint16_t port, int family = AF_INET)
        : m_socket(::socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0))
    {
        if (family == AF_INET6) {
            sockaddr_in6 address{};
            address.sin6_family = AF_INET6;
            address.sin6_port = htons(port);
            address.sin6_addr = in6addr_loopback;
            ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
            return;
        }
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    ~TestSocket() { ::close(m_socket); }
    TestSocket(const TestSocket&) = delete;
    TestSocket& operator=(const TestSocket&) = delete;

    /// Sends what the kernel takes now; true when all has been sent.
    bool push()
    {
        while (!out.empty()) {
            const ssize_t n = ::send(m_socket, out.data(), out.size(), MSG_NOSIGNAL);
            if (n <= 0)
                return false;
            out.erase(0, static_cast<std::size_t>(n));
        }
        return true;
    }
    /// Reads what is there.
    const std::string& pull()
    {
        char bytes[65536];
        for (;;) {
            const ssize_t n = ::recv(m_socket, bytes, sizeof bytes, 0);
            if (n == 0 || (n < 0 && errno != EAGAIN && errno != ENOTCONN))
                ended = true;
            if (n <= 0)
                return in;
            in.append(bytes, static_cast<std::size_t>(n));
        }
    }
    [[nodiscard]] bool has(std::string_view text) { return pull().find(text) != std::string::npos; }

    std::string out;
    std::string in;
    bool ended = false;

private:
    int m_socket;
};

} // namespace

class TestSockets : public QObject
{
    Q_OBJECT
private slots:
    void dialogue();
    void manyMessagesThroughSmallWindows();
    void errorLineIsNotLost();
    void portInUse();
    void everyAddress_data();
    void everyAddress();
    void takenAtOneLoopback();
    void namedAddress_data();
    void namedAddress();
    void postedTasks();
};

void TestSockets::dialogue()
{
    RunningBroker broker;
    TestSocket a(broker.port());
    QTRY_VERIFY(a.has("INFO {"));
    a.out = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB foo 1\r\nPUB foo "
            "2\r\nhi\r\nPING\r\n";
    QTRY_VERIFY(a.push());
    QTRY_VERIFY(a.has("MSG foo 1 2\r\nhi\r\nPONG\r\n"));
    TestSocket b(broker.port());
    b.out = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nPUB foo 5\r\nthere\r\n";
    QTRY_VERIFY(b.push());
    QTRY_VERIFY(a.has("MSG foo 1 5\r\nthere\r\n"));
}

void TestSockets::manyMessagesThroughSmallWindows()
{
    RunningBroker broker;
    TestSocket a(broker.port());
    a.out = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB foo 1\r\nPING\r\n";
    QTRY_VERIFY(a.push());
    QTRY_VERIFY(a.has("PONG"));
    a.in.clear();
    constexpr int kCount = 20'000;
    TestSocket b(broker.port());
    b.out = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\n";
    for (int i = 0; i < kCount; ++i)
        b.out += "PUB foo 1000\r\n" + std::string(1000, static_cast<char>('a' + i % 26)) + "\r\n";
    // 20 MB through both sockets: many partial writes and reads on either side.
    const std::size_t expected = kCount * (std::string("MSG foo 1 1000\r\n").size() + 1002);
    QTRY_VERIFY_WITH_TIMEOUT((b.push(), a.pull().size() >= expected), 30'000);
    QCOMPARE_EQ(a.in.size(), expected);
    for (int i = 0; i < kCount; i += 997) {
        const std::size_t at = static_cast<std::size_t>(i) * (expected / kCount);
        QVERIFY(a.in.compare(at, 16, "MSG foo 1 1000\r\n") == 0);
        QCOMPARE(a.in[at + 16], static_cast<char>('a' + i % 26));
    }
}

void TestSockets::errorLineIsNotLost()
{
    RunningBroker broker;
    TestSocket a(broker.port());
    // The peer goes on sending after the line that ends it.
    a.out = "CONNECT {\"verbose\":false}\r\nPUB foo 2000000\r\n" + std::string(2'000'000, 'x');
    QTRY_VERIFY((a.push(), a.has("-ERR 'Maximum Payload Violation'\r\n")));
    QTRY_VERIFY((a.pull(), a.ended));
}

void TestSockets::portInUse()
{
    RunningBroker broker;
    const auto second = net::Listener::open(broker.loop(), "127.0.0.1", broker.port());
    QVERIFY(!second.ok());
    QVERIFY(second.error().code == Errc::InUse);
    QVERIFY(second.error().text.find("address already in use") != std::string::npos);
    QVERIFY(!net::Listener::open(broker.loop(), "no such host.invalid", 0).ok());
}

void TestSockets::everyAddress_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("shown");
    QTest::newRow("0.0.0.0") << "0.0.0.0"
                             << "0.0.0.0";
    QTest::newRow("none") << ""
                          << "127.0.0.1";
    if (hasIpv6())
        QTest::newRow("::") << "::"
                            << "::";
}

/// Clients try all addresses of a name, whichever family the configuration's own was written in.
void TestSockets::everyAddress()
{
    QFETCH(QString, host);
    QFETCH(QString, shown);
    RunningBroker broker(host.toStdString());
    QCOMPARE(QString::fromStdString(broker.host()), shown);
    TestSocket four(broker.port());
    QTRY_VERIFY(four.has("\"client_ip\":\"127.0.0.1\""));
    if (!hasIpv6())
        return;
    TestSocket six(broker.port(), AF_INET6);
    QTRY_VERIFY(six.has("\"client_ip\":\"::1\""));
}

/// The names of both families' loopback addresses may be the same: nobody else gets one of them.
void TestSockets::takenAtOneLoopback()
{
    if (!hasIpv6())
        return;
    RunningBroker broker("::1");
    const auto second = net::Listener::open(broker.loop(), "", broker.port());
    QVERIFY(!second.ok());
    QVERIFY(second.error().code == Errc::InUse);
    QVERIFY2(second.error().text.find("[::1]:") != std::string::npos, second.error().text.c_str());
}

/// An address that is named is the only one.
void TestSockets::namedAddress_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("other");
    QTest::newRow("127.0.0.1") << "127.0.0.1" << AF_INET6;
    if (hasIpv6())
        QTest::newRow("::1") << "::1" << AF_INET;
    QTest::newRow("localhost") << "localhost" << AF_INET6;
}

void TestSockets::namedAddress()
{
    QFETCH(QString, host);
    QFETCH(int, other);
    RunningBroker broker(host.toStdString());
    QCOMPARE(QString::fromStdString(broker.host()), host);
    TestSocket reached(broker.port(), other == AF_INET ? AF_INET6 : AF_INET);
    QTRY_VERIFY(reached.has("INFO "));
    TestSocket refused(broker.port(), other);
    QTRY_VERIFY((refused.pull(), refused.ended));
}

void TestSockets::postedTasks()
{
    RunningBroker broker;
    std::atomic<int> ran = 0;
    for (int i = 0; i < 100; ++i)
        broker.loop().post([&ran] { ++ran; });
    QTRY_COMPARE(ran.load(), 100);
}

QTEST_GUILESS_MAIN(TestSockets)
#include "tst_sockets.moc"
