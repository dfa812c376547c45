// SPDX-License-Identifier: GPL-3.0-or-later
// What a connection waits for, always on the machine's own time: keep-alive, the end of patience
// with a client that does not say who it is, and the moment a publisher that was too fast may go
// on.
#include "base/log.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/random.h"

#include <algorithm>

namespace jetglass::server {

namespace {

constexpr std::int64_t kRttAge = 3'600'000'000'000; ///< measure the round trip again after that
constexpr std::int64_t kStall = 4'000'000;
constexpr std::int64_t kFirstPing = 2'000'000'000;

} // namespace

std::int64_t Client::pingInterval() const
{
    const std::int64_t own = linkFacts().pingInterval;
    return own > 0 ? own : m_engine.config().pingInterval;
}

void Client::startTimers()
{
    if (m_auth == Auth::Waiting)
        m_authTimer.arm(realNow()
            + (linkFacts().authTimeout > 0 ? linkFacts().authTimeout
                                           : m_engine.authenticator()->config().timeout));
    const std::int64_t first = std::min(kFirstPing, pingInterval());
    armPing(
        first + static_cast<std::int64_t>(randomBelow(static_cast<std::size_t>(first / 5 + 1))));
}

void Client::secured()
{
    if (m_closed)
        return;
    m_authTimer.disarm();
    startTimers();
    flush();
}

void Client::armPing(std::int64_t delay)
{
    m_pingTimer.arm(realNow() + delay);
}

void Client::sendPing()
{
    ++m_pings;
    if (m_trace)
        trace("->> [PING]");
    send("PING\r\n");
}

bool Client::sound()
{
    m_soundedPing = 0; // who did not answer the last time is not waited for any more
    if (m_closed || m_auth != Auth::Done || m_out.messages == m_soundedMessages)
        return false;
    m_soundedMessages = m_out.messages;
    sendPing();
    m_soundedPing = m_pings;
    return true;
}

void Client::onPingTimer()
{
    const std::int64_t now = realNow();
    const bool wantsRtt = m_rttAt == 0 || now - m_rttAt > kRttAge;
    if (!m_active || wantsRtt) {
        if (m_pingsOut + 1 > m_engine.config().pingMax) {
            m_engine.noteStaleConnection();
            fail("Stale Connection", CloseReason::StaleConnection);
            return;
        }
        ++m_pingsOut;
        m_pingSent = now;
        sendPing();
    }
    m_active = false;
    armPing(pingInterval());
}

void Client::handlePong()
{
    m_pingsOut = 0;
    ++m_pongs;
    if (m_soundedPing != 0 && m_pongs >= m_soundedPing) {
        m_soundedPing = 0;
        m_engine.sounded();
    }
    if (m_pingSent == 0)
        return;
    m_rttAt = realNow();
    m_rtt = std::max<std::int64_t>(1, m_rttAt - m_pingSent);
    m_sender.rtt = m_rtt;
    m_pingSent = 0;
}

void Client::onAuthTimer()
{
    if (linkFacts().awaitsTls) {
        log(base::LogLevel::Error, "TLS handshake timeout");
        fail("Secure Connection - TLS Required", CloseReason::TlsHandshakeFailure);
        return;
    }
    if (m_auth == Auth::Waiting)
        fail("Authentication Timeout", CloseReason::AuthenticationTimeout);
}

void Client::holdBack(std::function<bool()> still)
{
    m_heldBack = std::move(still);
    stall();
}

void Client::onStallTimer()
{
    if (m_heldBack && m_heldBack()) {
        m_stallTimer.arm(realNow() + kStall);
        return;
    }
    m_heldBack = {};
    m_stalled = false;
    if (m_auth != Auth::Checking)
        m_link->resumeReading();
}

void Client::stall()
{
    if (m_stalled || m_closed)
        return;
    m_stalled = true;
    m_engine.noteStalledClient();
    m_link->pauseReading();
    m_stallTimer.arm(realNow() + kStall);
}

} // namespace jetglass::server
