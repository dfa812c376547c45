// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/restore_session.h"

#include "streams/stream.h"

#include <utility>

namespace jetglass::api {

namespace {

constexpr std::int64_t kStallPatience = 5'000'000'000;
/// What may be staged before it is written, so that one write does not take long.
constexpr std::uint64_t kWriteAfter = 1U << 20U;

} // namespace

RestoreSession::RestoreSession(streams::Context& context,
    streams::StreamRegistry& registry,
    StreamConfig config,
    std::string subject,
    Done done)
    : m_context(context)
    , m_subject(std::move(subject))
    , m_done(std::move(done))
    , m_target(std::make_unique<RestoreTarget>(context, registry, std::move(config)))
    , m_reader(std::make_unique<RestoreReader>(*m_target))
    , m_stallTimer(context.flowTimers(), [this] { stalled(); })
{
}

RestoreSession::~RestoreSession()
{
    m_context.turn.forget(*this);
}

void RestoreSession::start()
{
    m_registration = m_context.bus.subscribe(m_subject, {}, *this);
    armStallTimer();
}

void RestoreSession::armStallTimer()
{
    m_stallTimer.arm(m_context.flowTimers().clock().now() + kStallPatience);
}

/// Given up without a word to anybody.
void RestoreSession::stalled()
{
    if (m_ended || m_finishing || !m_chunks.empty())
        return;
    m_context.log.warn("restore for stream '" + m_context.account + " > " + m_target->config().name
        + "' is stalled");
    m_ended = true;
    release();
}

void RestoreSession::release()
{
    m_registration.reset(); // whoever sends on hears that nobody is there
    m_reader.reset();
    m_target.reset();
    m_chunks.clear();
    m_stallTimer.disarm();
}

void RestoreSession::onMessage(const streams::Inbound& message)
{
    if (m_ended || m_finishing)
        return;
    if (message.reply.empty()) {
        m_failed = true;
        m_error = {Errc::InvalidArgument,
            "restore for stream '" + m_context.account + " > " + m_target->config().name
                + "' requires reply subject for each chunk",
            0,
            0};
        m_chunks.clear();
        return finish(m_error, {});
    }
    m_chunks.push_back({std::string(message.payload), std::string(message.reply)});
    armStallTimer();
    m_context.turn.enlistWork(*this);
}

void RestoreSession::work(const base::Slice& slice)
{
    while (!m_ended && !m_finishing && !m_chunks.empty()) {
        if (m_reader)
            readOn(slice);
        else if (m_chunks.front().payload.empty())
            complete();
        else
            answerChunk();
        if (slice.over())
            break;
    }
    if (!m_ended && !m_finishing && !m_chunks.empty())
        m_context.turn.enlistWork(*this);
}

/// Works on the chunk in front until the slice is over or the reader wants the next one.
void RestoreSession::readOn(const base::Slice& slice)
{
    if (!std::exchange(m_fed, true)) {
        if (m_chunks.front().payload.empty())
            m_reader->finish();
        else
            m_reader->feed(m_chunks.front().payload);
    }
    const std::uint64_t before = m_target->begun() ? m_target->state().bytes : 0;
    for (;;) {
        const RestoreReader::Step step = m_reader->step();
        const std::uint64_t now = m_target->begun() ? m_target->state().bytes : 0;
        if (step == RestoreReader::Step::More && !slice.over() && now < before + kWriteAfter)
            continue;
        const auto written = m_target->commit();
        if (step == RestoreReader::Step::More && written)
            return;
        m_fed = false;
        if (step == RestoreReader::Step::NeedInput && written)
            return answerChunk();
        if (step != RestoreReader::Step::Done || !written) {
            m_failed = true;
            m_error = written ? m_reader->error() : written.error();
            m_target = nullptr;
        }
        // The front chunk is answered on the way, the end with the outcome.
        m_reader.reset();
        return;
    }
}

void RestoreSession::answerChunk()
{
    const Chunk chunk = std::move(m_chunks.front());
    m_chunks.pop_front();
    m_bytes += chunk.payload.size();
    armStallTimer();
    m_context.bus.publish({chunk.reply, {}, {}, {}});
}

void RestoreSession::complete()
{
    const std::string reply = std::move(m_chunks.front().reply);
    m_chunks.clear();
    m_stallTimer.disarm();
    if (m_failed)
        return finish(m_error, reply);
    m_finishing = true;
    m_target->finish(
        [this, reply, alive = std::weak_ptr<int>(m_alive)](Result<streams::Stream*> made) {
            if (!alive.expired())
                finish(std::move(made), reply);
        });
}

void RestoreSession::finish(Result<streams::Stream*> outcome, const std::string& reply)
{
    m_ended = true;
    if (const Done done = std::exchange(m_done, nullptr))
        done({std::move(outcome), m_bytes, reply});
    release();
}

} // namespace jetglass::api
