// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/load.h"

#include <QStringBuilder>

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace jetglass::tests {

namespace {

constexpr std::uint64_t kBlock = 500; ///< messages in one write

} // namespace

Load::Load(std::uint16_t port)
    : m_socket(::socket(AF_INET, SOCK_STREAM, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // The socket call takes every kind of address by this type.
    const auto* any = reinterpret_cast<const sockaddr*>(&address);
    if (m_socket >= 0 && ::connect(m_socket, any, sizeof address) != 0) {
        ::close(m_socket);
        m_socket = -1;
    }
    write(QByteArrayLiteral("CONNECT {\"verbose\":false,\"name\":\"load\"}\r\n"));
}

Load::~Load()
{
    stop();
    if (m_socket >= 0)
        ::close(m_socket);
}

bool Load::write(const QByteArray& bytes)
{
    qsizetype done = 0;
    while (m_socket >= 0 && done < bytes.size()) {
        const ssize_t n = ::send(m_socket,
            bytes.constData() + done,
            static_cast<std::size_t>(bytes.size() - done),
            MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        done += n;
    }
    drain();
    return m_socket >= 0;
}

/// INFO and PING come in; a ping that is never answered would end the connection.
void Load::drain() const
{
    char buffer[4096];
    ssize_t n = 0;
    while (m_socket >= 0 && (n = ::recv(m_socket, buffer, sizeof buffer, MSG_DONTWAIT)) > 0) {
        if (QByteArray::fromRawData(buffer, n).contains("PING"))
            ::send(m_socket, "PONG\r\n", 6, MSG_NOSIGNAL);
    }
}

QByteArray Load::block(std::uint64_t messages, int payloadBytes)
{
    static constexpr char kNames[] = {'a', 'b', 'c', 'd'};
    QByteArray bytes;
    bytes.reserve(static_cast<qsizetype>(messages) * (payloadBytes + 32));
    for (std::uint64_t i = 0; i < messages; ++i, ++m_next) {
        bytes += "PUB load.";
        bytes += kNames[m_next % 4];
        bytes += ' ' + QByteArray::number(payloadBytes) + "\r\n";
        const QByteArray head = "{\"n\":" + QByteArray::number(m_next) + ",\"text\":\"";
        bytes += head + QByteArray(std::max<qsizetype>(0, payloadBytes - head.size() - 2), 'x')
            + "\"}\r\n";
    }
    return bytes;
}

bool Load::fill(std::uint64_t messages, int payloadBytes)
{
    while (messages > 0) {
        const std::uint64_t now = std::min(messages, kBlock);
        if (!write(block(now, payloadBytes)))
            return false;
        m_sent += now;
        messages -= now;
    }
    return true;
}

void Load::start(int perSecond, int payloadBytes)
{
    stop();
    m_stop = false;
    m_thread = std::thread([this, perSecond, payloadBytes] {
        using namespace std::chrono;
        const auto begin = steady_clock::now();
        std::uint64_t done = 0;
        while (!m_stop) {
            const auto passed = duration<double>(steady_clock::now() - begin).count();
            const auto due = static_cast<std::uint64_t>(passed * perSecond);
            // After a stall the rate goes on; what was missed is not caught up in one blow.
            if (due > done
                && !write(block(std::min<std::uint64_t>(due - done, 1000), payloadBytes)))
                return;
            m_sent += std::min<std::uint64_t>(due - done, 1000);
            done = due;
            std::this_thread::sleep_for(milliseconds(2));
        }
    });
}

void Load::stop()
{
    m_stop = true;
    if (m_thread.joinable())
        m_thread.join();
}

} // namespace jetglass::tests
