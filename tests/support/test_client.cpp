// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_client.h"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace jetglass::test {

TestClient::TestClient(std::uint16_t port, const char* host)
{
    const bool six = std::string_view(host).find(':') != std::string_view::npos;
    m_socket = ::socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // What is sent leaves at once, also while an answer is outstanding.
    const int on = 1;
    ::setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    ::inet_pton(AF_INET, host, &address.sin_addr);
    sockaddr_in6 address6{};
    address6.sin6_family = AF_INET6;
    address6.sin6_port = htons(port);
    ::inet_pton(AF_INET6, host, &address6.sin6_addr);
    const int connected = six
        ? ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address6), sizeof address6)
        : ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    if (connected != 0)
        close();
}

TestClient::~TestClient()
{
    close();
}

void TestClient::close()
{
    if (m_socket >= 0)
        ::close(m_socket);
    m_socket = -1;
}

void TestClient::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

bool TestClient::fill()
{
    pollfd waiting{m_socket, POLLIN, 0};
    const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(kPatience).count();
    if (::poll(&waiting, 1, static_cast<int>(patience)) != 1)
        return false;
    std::array<char, 65536> chunk{};
    const ssize_t got = ::recv(m_socket, chunk.data(), chunk.size(), 0);
    if (got <= 0)
        return false;
    m_buffer.append(chunk.data(), static_cast<std::size_t>(got));
    return true;
}

std::string TestClient::line()
{
    std::size_t end = 0;
    while ((end = m_buffer.find('\n')) == std::string::npos) {
        if (!fill())
            return {};
    }
    std::string text = m_buffer.substr(0, end);
    m_buffer.erase(0, end + 1);
    if (!text.empty() && text.back() == '\r')
        text.pop_back();
    return text;
}

std::string TestClient::bytes(std::size_t size)
{
    while (m_buffer.size() < size && fill()) { }
    std::string text = m_buffer.substr(0, size);
    m_buffer.erase(0, text.size());
    return text;
}

std::string TestClient::until(std::string_view prefix)
{
    std::string all;
    while (true) {
        const std::string next = line();
        if (next.empty() && m_buffer.empty())
            return all;
        all += next + '\n';
        if (next.compare(0, prefix.size(), prefix) == 0)
            return all;
    }
}

bool TestClient::closedByPeer()
{
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (fill()) {
        m_buffer.clear();
    }
    return std::chrono::steady_clock::now() < end;
}

bool TestClient::handshake(const std::string& options)
{
    if (line().compare(0, 5, "INFO ") != 0)
        return false;
    send("CONNECT "
         "{\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true,"
         "\"protocol\":1"
        + (options.empty() ? std::string() : ',' + options) + "}\r\nPING\r\n");
    return until("PONG").find("PONG") != std::string::npos;
}

std::string TestClient::flush()
{
    send("PING\r\n");
    return until("PONG");
}

std::string httpGet(std::uint16_t port, const std::string& path, const char* host)
{
    TestClient client(port, host);
    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    std::string all;
    while (true) {
        const std::string part = client.bytes(1);
        if (part.empty())
            return all;
        all += part;
    }
}

} // namespace jetglass::test
