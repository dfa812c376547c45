// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::test {

/// A NATS client in its barest form: a blocking TCP socket. What it reads keeps its order; every
/// wait has an end.
class TestClient
{
public:
    static constexpr std::chrono::seconds kPatience{5};

    /// \a host is a numeric address of either family.
    explicit TestClient(std::uint16_t port, const char* host = "127.0.0.1");
    ~TestClient();
    TestClient(const TestClient&) = delete;
    TestClient& operator=(const TestClient&) = delete;

    [[nodiscard]] bool connected() const { return m_socket >= 0; }
    void send(std::string_view bytes);
    /// The next line without its end; empty when the peer closed or patience ended.
    std::string line();
    /// Exactly \a size bytes, fewer if the peer closed.
    std::string bytes(std::size_t size);
    /// Lines up to and including the one that begins with \a prefix, joined with '\n'.
    std::string until(std::string_view prefix);
    /// True if the peer closes the connection; eats what comes before.
    bool closedByPeer();
    /// INFO read, CONNECT and PING sent, up to the PONG. \a options are more members of CONNECT.
    bool handshake(const std::string& options = {});
    /// PING, then everything up to its PONG.
    std::string flush();
    void close();

private:
    bool fill();

    int m_socket = -1;
    std::string m_buffer;
};

/// One HTTP GET; the whole answer, head included.
std::string httpGet(std::uint16_t port, const std::string& path, const char* host = "127.0.0.1");

} // namespace jetglass::test
