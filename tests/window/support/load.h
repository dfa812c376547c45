// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <atomic>
#include <cstdint>
#include <thread>

namespace jetglass::tests {

/// A client of few means that fills a stream: plain publishes over a socket of its own, from a
/// thread of its own, without waiting for acks. Subjects load.a to load.d take turns.
class Load
{
public:
    explicit Load(std::uint16_t port);
    ~Load();
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    /// As fast as the broker takes it; returns when all is handed over. \returns false when the
    /// connection broke.
    bool fill(std::uint64_t messages, int payloadBytes);
    /// \a perSecond messages, evenly, until stop().
    void start(int perSecond, int payloadBytes);
    void stop();
    [[nodiscard]] std::uint64_t sent() const { return m_sent; }

private:
    [[nodiscard]] QByteArray block(std::uint64_t messages, int payloadBytes);
    bool write(const QByteArray& bytes);
    void drain() const;

    int m_socket = -1;
    std::uint64_t m_next = 0;
    std::atomic<std::uint64_t> m_sent{0};
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

} // namespace jetglass::tests
