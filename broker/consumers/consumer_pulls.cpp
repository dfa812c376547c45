// SPDX-License-Identifier: GPL-3.0-or-later
// Pull requests: admission, service, expiry (consumers.md 5.7 to 5.9).
#include "base/nuid.h"
#include "base/time_text.h"
#include "consumers/advisories.h"
#include "consumers/consumer.h"
#include "consumers/request_headers.h"
#include "streams/stream.h"

#include <charconv>
#include <limits>

namespace jetglass::consumers {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::uint64_t statusCode(std::string_view status)
{
    std::uint64_t code = 0;
    std::from_chars(status.data(), status.data() + status.size(), code);
    return code;
}

std::string pendingText(const PullRequest& request, std::int64_t messages)
{
    return "Nats-Pending-Messages: " + std::to_string(messages) + "\r\nNats-Pending-Bytes: "
        + std::to_string(request.maxBytes > 0 ? request.bytesLeft : 0) + "\r\n";
}

} // namespace

void Consumer::onNext(const streams::Inbound& message)
{
    openPull(message.payload, message.reply, message.headers, message.sender->id);
}

void Consumer::sendStatus(
    std::string_view to, std::string_view status, std::string_view headers, std::string_view reply)
{
    std::string block = "NATS/1.0 ";
    block.append(status).append("\r\n").append(headers).append("\r\n");
    ClientId taker{};
    m_context.bus.deliver(to, {to, reply, block, {}}, &taker);
    if (observed())
        emit({.seq = {},
                 .second = statusCode(status),
                 .client = taker,
                 .kind = FlowKind::StatusSent},
            {{}, {}, {}, status});
}

void Consumer::openPull(
    std::string_view payload, std::string_view reply, std::string_view headers, ClientId client)
{
    if (reply.empty() || m_closed)
        return;
    if (m_config.isPush())
        return sendStatus(reply, "409 Consumer is push based");
    if (!headers.empty() && requiresHigherLevel(headers))
        return sendStatus(reply, "412 Required Api Level");
    auto parsed = parsePullRequest(payload);
    if (!parsed)
        return sendStatus(reply, "400 Bad Request - " + parsed.error().text);
    PullRequest& request = *parsed;
    request.reply = reply;
    request.client = client;
    m_lastPull = m_context.clock.wallTime();
    if (const std::string status = refusal(request); !status.empty()) {
        if (status != "-")
            sendStatus(reply, status);
        return;
    }
    const std::int64_t now = m_context.clock.now();
    if (request.expiresIn != 0)
        request.expires = request.expiresIn > std::numeric_limits<std::int64_t>::max() - now
            ? std::numeric_limits<std::int64_t>::max()
            : now + request.expiresIn;
    if (request.heartbeat > 0)
        request.nextHeartbeat = now + request.heartbeat;
    active();
    if (observed())
        emit({.seq = {},
            .second = static_cast<std::uint64_t>(request.left),
            .deadline = request.expires == 0 ? 0 : toWall(request.expires),
            .client = client,
            .kind = FlowKind::PullOpened});
    armPullTimer(m_pulls.add(std::move(request)));
    wake();
}

/// The status that refuses a new request, empty if it is taken, "-" to say nothing.
std::string Consumer::refusal(const PullRequest& request)
{
    if (m_config.maxBatch > 0 && request.left > m_config.maxBatch)
        return "409 Exceeded MaxRequestBatch of " + std::to_string(m_config.maxBatch);
    // What counts is the time that is left when the reference server looks, a little later: so a
    // bit more passes.
    static constexpr std::int64_t kSlack = 100'000;
    if (m_config.maxExpires > 0 && request.expiresIn > m_config.maxExpires + kSlack)
        return "409 Exceeded MaxRequestExpires of " + base::goDuration(m_config.maxExpires);
    if (m_config.maxBytes > 0 && request.maxBytes > m_config.maxBytes)
        return "409 Exceeded MaxRequestMaxBytes of " + std::to_string(m_config.maxBytes);
    if (request.json) {
        if (const auto text = m_priority.refusal(request); !text.empty())
            return std::string(text);
        if (m_priority.isPinned() && request.pinId == m_priority.pinId())
            m_pinTimer.arm(m_context.clock.now() + m_config.priorityTimeout);
    }
    if (request.noWait) {
        const std::uint64_t there = m_numPending + m_redelivery.size();
        if (there == 0 && request.expiresIn == 0) {
            active();
            return "404 No Messages";
        }
        if (there > 0 && there < m_pulls.wanted()) {
            active();
            return "408 Requests Pending";
        }
    }
    if (static_cast<std::int64_t>(m_pulls.size()) >= m_config.maxWaiting) {
        const std::int64_t now = m_context.clock.now();
        if (now - m_lastPrune >= kSecond) {
            m_lastPrune = now;
            walkPulls();
            pruneUninterested();
        }
        if (static_cast<std::int64_t>(m_pulls.size()) >= m_config.maxWaiting)
            return request.heartbeat > 0 ? "-" : "409 Exceeded MaxWaiting";
    }
    return {};
}

Consumer::Step Consumer::deliverPull(const Candidate& candidate,
    std::string_view ack,
    std::string_view headers,
    std::string_view payload)
{
    const store::MessageView& message = candidate.message;
    const std::uint64_t size = message.subject.size() + ack.size() + payload.size()
        + (m_config.headersOnly ? headers.size() : message.headers.size());
    const std::int64_t now = m_context.clock.now();
    const std::uint64_t pending = m_numPending + m_redelivery.size();
    std::size_t tries = m_pulls.size();
    for (auto at = m_pulls.begin(); at != m_pulls.end() && tries > 0; --tries) {
        if (at->expires != 0 && at->expires <= now) {
            endPull(at, "408 Request Timeout", true);
            continue;
        }
        const PriorityGroup::Answer answer = m_priority.ask(*at, pending, m_tracker.size());
        if (answer == PriorityGroup::Answer::WrongPin) {
            endPull(at, "423 Nats-Wrong-Pin-Id", true);
            continue;
        }
        if (answer == PriorityGroup::Answer::Skip) {
            const auto skipped = at++;
            if (m_priority.policy() != PriorityPolicy::Prioritized)
                m_pulls.moveBack(skipped);
            continue;
        }
        if (at->maxBytes > 0 && size > static_cast<std::uint64_t>(at->bytesLeft)) {
            endPull(at, "409 Message Size Exceeds MaxBytes", true);
            continue;
        }
        if (answer == PriorityGroup::Answer::Pin) {
            if (!m_context.bus.hasInterest(at->reply)) {
                endPull(at, {}, false);
                continue;
            }
            m_priority.pin(base::nuid(), m_context.clock.wallTime(), at->client);
            at->pinId = m_priority.pinId();
            m_pinTimer.arm(now + m_config.priorityTimeout);
            if (observed())
                emit({.seq = {}, .client = at->client, .kind = FlowKind::ConsumerPinned});
            publishPinned(
                m_context, {m_stream.name(), m_birth.name}, m_priority.group(), m_priority.pinId());
            return Step::Again; // the message's header must carry the new pin
        }
        ClientId taker = at->client;
        if (!sendOut(at->reply, {message.subject, ack, headers, payload}, message.seq, &taker)) {
            endPull(at, {}, false);
            continue;
        }
        if (at->maxBytes > 0)
            at->bytesLeft -= static_cast<std::int64_t>(size);
        recordDelivery(candidate, taker, size);
        servedPull(at, candidate, taker);
        return Step::Again;
    }
    // Nobody can take it now. A request that does not wait is told so, as at the end of the stream.
    endNoWaits();
    return Step::Stop;
}

void Consumer::servedPull(PullQueue::Iterator at, const Candidate& candidate, ClientId taker)
{
    PullRequest& request = *at;
    --request.left;
    ++request.delivered;
    if (request.heartbeat > 0)
        request.nextHeartbeat = m_context.clock.now() + request.heartbeat;
    if (observed()) {
        FlowEvent& event = beginEvent(FlowKind::PullServed, candidate.message.seq);
        event.second = static_cast<std::uint64_t>(request.left);
        event.client = taker;
        m_context.hub.end();
    }
    if (request.left <= 0) {
        if (request.maxBytes > 0 && request.bytesLeft > 0) {
            const std::string status = "409 Batch Completed";
            const std::string headers = pendingText(request, request.batch < 1 ? -1 : 0);
            sendStatus(request.reply, status, headers);
        }
        endPull(at, {}, false);
    } else if (request.maxBytes > 0 && request.bytesLeft <= 0) {
        endPull(at, {}, false);
    } else if (m_pulls.size() > 1) {
        m_pulls.moveBack(at);
    }
}

/// Ends a request with a status, or silently without one; moves on to the next.
void Consumer::endPull(PullQueue::Iterator& at, std::string_view status, bool pendingHeaders)
{
    if (!status.empty())
        sendStatus(at->reply,
            status,
            pendingHeaders ? pendingText(*at, at->batch < 1 && at->delivered == 0 ? 0 : at->left)
                           : std::string());
    if (observed())
        emit({.seq = {},
            .second = statusCode(status),
            .client = at->client,
            .kind = FlowKind::PullEnded});
    at = m_pulls.remove(at);
}

void Consumer::endNoWaits()
{
    if (m_pulls.noWaits() == 0)
        return;
    const std::int64_t now = m_context.clock.now();
    for (auto at = m_pulls.begin(); at != m_pulls.end();) {
        const bool expired = at->expires != 0 && at->expires <= now;
        if (at->noWait && !expired && (at->expires == 0 || at->delivered > 0))
            endPull(at, "404 No Messages", false);
        else
            ++at;
    }
}

void Consumer::armPullTimer(const PullRequest& request)
{
    if (request.expires != 0)
        m_pullTimer.armNoLaterThan(request.expires);
    if (request.heartbeat > 0)
        m_pullTimer.armNoLaterThan(request.nextHeartbeat);
}

void Consumer::walkPulls()
{
    const std::int64_t now = m_context.clock.now();
    for (auto at = m_pulls.begin(); at != m_pulls.end();) {
        if (at->expires != 0 && at->expires <= now) {
            endPull(at, "408 Request Timeout", true);
            continue;
        }
        if (at->heartbeat > 0 && at->nextHeartbeat <= now) {
            if (!m_context.bus.hasInterest(at->reply)) {
                endPull(at, {}, false);
                continue;
            }
            at->nextHeartbeat = now + at->heartbeat;
            sendStatus(at->reply, "100 Idle Heartbeat", heartbeatHeaders());
            if (observed())
                emit({.seq = {}, .client = at->client, .kind = FlowKind::HeartbeatSent});
        }
        armPullTimer(*at);
        ++at;
    }
    wake();
}

void Consumer::pruneUninterested()
{
    for (auto at = m_pulls.begin(); at != m_pulls.end();) {
        if (m_context.bus.hasInterest(at->reply))
            ++at;
        else
            endPull(at, {}, false);
    }
}

void Consumer::endAllPulls(std::string_view status, bool pendingHeaders)
{
    for (auto at = m_pulls.begin(); at != m_pulls.end();)
        endPull(at, status, pendingHeaders);
}

std::size_t Consumer::waitingCount()
{
    if (m_config.isPush())
        return 0;
    walkPulls();
    pruneUninterested();
    return m_pulls.size();
}

} // namespace jetglass::consumers
