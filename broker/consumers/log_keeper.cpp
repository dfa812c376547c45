// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/log_keeper.h"

#include "consumers/consumer.h"
#include "streams/context.h"
#include "streams/stream.h"

namespace jetglass::consumers {

namespace {

constexpr std::int64_t kSnapshotEvery = 1'000'000'000;
constexpr std::uint64_t kSnapshotBytes = std::uint64_t{4} << 20U;
/// Pending messages that a snapshot may hold before it becomes rarer, so that it never costs much
/// of the loop.
constexpr std::uint64_t kCheapSnapshot = 50'000;
/// Confirmations that wait while nothing can be written.
constexpr std::size_t kMostWaiting = 10'000;

} // namespace

LogKeeper::LogKeeper(streams::Stream& stream)
    : m_stream(stream)
    , m_context(stream.context())
    , m_snapshotTimer(m_context.timers, [this] { snapshot(false); })
{
}

LogKeeper::~LogKeeper()
{
    m_context.turn.forget(*this);
}

void LogKeeper::numberUsed(std::uint32_t number)
{
    m_nextNumber = std::max(m_nextNumber, number + 1);
}

void LogKeeper::stage(const store::ConsumerRecord& record)
{
    if (!m_behind)
        m_stream.consumerLog().stage(record);
    if (m_snapshotRunning)
        m_sinceSnapshot.push_back(record);
    m_context.turn.enlist(*this);
}

void LogKeeper::confirmWhenWritten(std::string_view reply)
{
    m_confirm.emplace_back(reply);
    m_context.turn.enlist(*this);
}

/// Acks come in at the start of a turn and deliveries at its end. While nobody waits for a
/// confirmation the write is put off by one round, so that both go out in one.
void LogKeeper::commit()
{
    m_written = false;
    if (m_confirm.empty() && !m_deferred) {
        m_deferred = true;
        m_context.turn.enlist(*this);
        return;
    }
    write();
}

void LogKeeper::writeNow()
{
    if (!m_confirm.empty())
        writeStaged();
}

void LogKeeper::writeStaged()
{
    m_written = false;
    write();
    follow();
}

Result<void> LogKeeper::writeFirst(const store::ConsumerRecord& record)
{
    if (m_behind)
        return m_failure;
    m_stream.consumerLog().stage(record);
    m_written = false;
    write();
    if (m_behind)
        return m_failure;
    if (m_snapshotRunning)
        m_sinceSnapshot.push_back(record);
    follow();
    return {};
}

void LogKeeper::write()
{
    m_deferred = false;
    if (m_behind)
        return;
    if (auto done = m_stream.consumerLog().commit(); !done)
        return fellBehind(done.error());
    m_written = true;
    const std::uint64_t size = m_stream.consumerLog().size();
    const std::uint64_t weight = 1 + m_pendingAtSnapshot / kCheapSnapshot;
    if (size >= kSnapshotBytes * weight)
        m_snapshotTimer.armNoLaterThan(m_context.clock.now());
    else if (size > 0)
        m_snapshotTimer.armNoLaterThan(
            m_context.clock.now() + kSnapshotEvery * static_cast<std::int64_t>(weight));
}

void LogKeeper::follow()
{
    if (!m_written || m_confirm.empty())
        return;
    if (!m_context.settings.syncAlways) {
        sendConfirmations();
        return;
    }
    m_stream.consumerLog().sync(
        [keeper = weak_from_this(), context = &m_context, replies = std::exchange(m_confirm, {})](
            const Result<void>& done) mutable {
            if (done) {
                for (const std::string& reply : replies)
                    context->bus.publish({reply, {}, {}, {}});
                return;
            }
            const auto self = keeper.lock();
            if (!self)
                return;
            self->m_confirm.insert(self->m_confirm.begin(), replies.begin(), replies.end());
            self->fellBehind(done.error());
        });
}

/// What waits for a confirmation goes on waiting, up to a number: who gets none asks again.
void LogKeeper::fellBehind(const Error& error)
{
    m_context.log.error("consumers of stream " + m_stream.name() + ": " + error.text);
    m_behind = true;
    m_failure = error;
    m_written = false;
    if (m_confirm.size() > kMostWaiting)
        m_confirm.clear();
    startAnew();
    m_snapshotTimer.armNoLaterThan(m_context.clock.now());
}

/// The next snapshot must hold all states again.
void LogKeeper::startAnew()
{
    for (streams::ConsumerPort* port : m_stream.consumers())
        static_cast<Consumer*>(port)->markDirty();
}

void LogKeeper::sendConfirmations()
{
    // By index: a confirmation may be captured by a stream, whatever follows from that.
    for (std::size_t i = 0; i < m_confirm.size(); ++i)
        m_context.bus.publish({m_confirm[i], {}, {}, {}});
    m_confirm.clear();
}

void LogKeeper::snapshot(bool wait)
{
    if (m_snapshotRunning && !wait) {
        m_snapshotTimer.armNoLaterThan(m_context.clock.now() + kSnapshotEvery);
        return;
    }
    std::vector<std::pair<std::string, std::string>> states;
    m_pendingAtSnapshot = 0;
    for (streams::ConsumerPort* port : m_stream.consumers()) {
        auto* consumer = static_cast<Consumer*>(port);
        if (consumer->isPersistent() && consumer->isDirty())
            states.emplace_back(consumer->name(), consumer->snapshot());
        m_pendingAtSnapshot += consumer->tracker().size();
    }
    if (states.empty() && m_stream.consumerLog().size() == 0)
        return;
    // What is staged now is in the snapshots; written first, it also stands before the cut.
    write();
    if (m_context.settings.syncAlways) {
        // A loss of power may spare the snapshots and take the cut back: then the log must reach as
        // far as they do. And what they have dropped must be gone from the stream.
        m_stream.store().sync([](const Result<void>&) {});
        syncLog();
    }
    m_snapshotRunning = true;
    m_sinceSnapshot.clear();
    m_context.stores.catalog().saveSnapshots(m_stream.name(),
        std::move(states),
        [keeper = weak_from_this(), number = ++m_snapshots](const Result<void>& done) {
            if (const auto self = keeper.lock())
                self->snapshotDone(number, done);
        });
    if (wait)
        m_context.stores.catalog().flush();
}

void LogKeeper::syncLog()
{
    m_stream.consumerLog().sync([](const Result<void>&) {});
}

void LogKeeper::snapshotDone(std::uint64_t number, const Result<void>& done)
{
    if (!done) {
        m_context.log.error("consumers of stream " + m_stream.name() + ": " + done.error().text);
        startAnew();
    }
    if (number != m_snapshots)
        return; // what the newest one holds is not in this one
    m_snapshotRunning = false;
    if (done)
        cutLog();
    else // the log keeps everything that it has
        m_snapshotTimer.armNoLaterThan(m_context.clock.now() + kSnapshotEvery);
    m_sinceSnapshot.clear();
}

void LogKeeper::cutLog()
{
    store::ConsumerLog& log = m_stream.consumerLog();
    if (auto done = log.cutKeeping(m_sinceSnapshot); !done) {
        m_context.log.error("consumers of stream " + m_stream.name() + ": " + done.error().text);
        if (!m_behind)
            return;
        startAnew();
        m_snapshotTimer.armNoLaterThan(m_context.clock.now() + kSnapshotEvery);
        return;
    }
    // Numbers are given away again: what the log says of an earlier consumer may not come back.
    if (m_context.settings.syncAlways)
        syncLog();
    if (std::exchange(m_behind, false)) {
        m_written = true;
        follow();
    }
}

} // namespace jetglass::consumers
