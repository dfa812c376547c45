// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/snapshot_session.h"

#include "api/backup_state.h"
#include "archive/entry_codec.h"
#include "base/nuid.h"
#include "consumers/consumer.h"

#include <algorithm>
#include <utility>

namespace jetglass::api {

namespace {

constexpr std::int64_t kDefaultChunk = std::int64_t{128} * 1024;
constexpr std::int64_t kSmallestChunk = 1024;
constexpr std::int64_t kLargestChunk = std::int64_t{1024} * 1024;
constexpr std::int64_t kDefaultWindow = std::int64_t{8} * 1024 * 1024;
constexpr std::int64_t kLargestWindow = std::int64_t{32} * 1024 * 1024;
constexpr std::int64_t kInterestPatience = 2'000'000'000;
constexpr std::int64_t kAckPatience = 5'000'000'000;

} // namespace

SnapshotSession::SnapshotSession(
    streams::Stream& stream, SnapshotRequest request, std::string state, Done done)
    : m_context(stream.context())
    , m_stream(stream.name())
    , m_streamId(stream.id())
    , m_request(std::move(request))
    , m_done(std::move(done))
    , m_state(std::move(state))
    , m_interestTimer(m_context.flowTimers(), [this] { beginSending(); })
    , m_ackTimer(m_context.flowTimers(), [this] {
        if (m_slots == 0)
            fail("408 No Flow Response", "no flow response");
        else
            armAckTimer(); // it is us who are slow
    })
{
    const auto size = [](std::int64_t asked, std::int64_t usual, std::int64_t most) {
        return std::clamp(asked == 0 ? usual : asked, kSmallestChunk, most);
    };
    const std::int64_t chunk = size(m_request.chunkSize, kDefaultChunk, kLargestChunk);
    const std::int64_t window =
        std::max(chunk, size(m_request.windowSize, kDefaultWindow, kLargestWindow));
    m_chunkSize = static_cast<std::size_t>(chunk);
    m_maxSlots = static_cast<std::size_t>(window / chunk);
    m_slots = m_maxSlots;
    const store::StoreState held = stream.store().state();
    m_next = std::max(held.first, StreamSeq(1));
    m_last = held.last;
    if (m_request.noConsumers)
        return;
    for (const streams::ConsumerPort* port : stream.consumers()) {
        m_names.push_back("consumers/" + port->name());
        m_consumers.push_back(
            encodeBackupConsumer(*static_cast<const consumers::Consumer*>(port), m_last));
    }
}

SnapshotSession::~SnapshotSession()
{
    m_context.turn.forget(*this);
}

void SnapshotSession::start()
{
    const std::string& to = m_request.deliverSubject;
    m_watch = m_context.bus.watchInterest(to, [this] { interestChanged(); });
    m_interest = m_context.bus.hasExactInterest(to, {});
    if (m_interest)
        beginSending();
    else
        m_interestTimer.arm(m_context.flowTimers().clock().now() + kInterestPatience);
}

/// As the reference server: once data flows, every change of interest ends it, even a subscription
/// that comes late.
void SnapshotSession::interestChanged()
{
    const bool now = m_context.bus.hasExactInterest(m_request.deliverSubject, {});
    if (m_phase == Phase::Ended || now == std::exchange(m_interest, now))
        return;
    if (m_phase == Phase::Waiting)
        beginSending();
    else
        fail("408 No Interest", "no interest");
}

void SnapshotSession::beginSending()
{
    if (m_phase != Phase::Waiting)
        return;
    m_phase = Phase::Sending;
    m_interestTimer.disarm();
    m_ackSubject = "$JS.SNAPSHOT.ACK." + m_stream + "." + base::nuid();
    m_acks = m_context.bus.subscribe(m_ackSubject + ".>", {}, *this);
    armAckTimer();
    m_context.turn.enlistWork(*this);
}

void SnapshotSession::armAckTimer()
{
    m_ackTimer.arm(m_context.flowTimers().clock().now() + kAckPatience);
}

void SnapshotSession::onMessage(const streams::Inbound& /*message*/)
{
    if (m_phase != Phase::Sending || m_slots == m_maxSlots)
        return;
    ++m_slots;
    m_context.turn.enlistWork(*this);
}

void SnapshotSession::work(const base::Slice& slice)
{
    while (m_phase == Phase::Sending) {
        if (!step())
            return;
        if (slice.over())
            return m_context.turn.enlistWork(*this);
    }
}

/// Whatever is sent takes a slot first, the last piece too.
bool SnapshotSession::step()
{
    if (m_phase != Phase::Sending || m_slots == 0)
        return false;
    const std::size_t ready = m_writer.out().size() - m_sentOf;
    if (ready < m_chunkSize && !m_complete) {
        produce();
        return true;
    }
    return sendChunk();
}

bool SnapshotSession::sendChunk()
{
    std::string& out = m_writer.out();
    const std::string_view ready = std::string_view(out).substr(m_sentOf);
    --m_slots;
    if (ready.size() < m_chunkSize) {
        if (!ready.empty())
            publish({}, ready, {});
        finish(m_sentFull ? "NATS/1.0 204\r\n\r\n" : "", {});
        return false;
    }
    const std::string reply =
        m_ackSubject + "." + std::to_string(m_chunkSize) + "." + std::to_string(m_index++);
    publish({}, ready.substr(0, m_chunkSize), reply);
    m_sentFull = true;
    m_sentOf += m_chunkSize;
    if (m_sentOf * 2 >= out.size()) {
        out.erase(0, m_sentOf);
        m_sentOf = 0;
    }
    armAckTimer();
    return true;
}

/// The next entry: state, consumers, messages, end.
void SnapshotSession::produce()
{
    const std::int64_t now = m_context.clock.wallTime();
    if (!std::exchange(m_begun, true)) {
        m_writer.add(archive::kEntryMagic);
        return putEntry("state.json", now, m_state);
    }
    if (m_nextConsumer < m_consumers.size()) {
        putEntry(m_names[m_nextConsumer], now, m_consumers[m_nextConsumer]);
        m_consumers[m_nextConsumer++].clear();
        return;
    }
    if (m_next > m_last)
        return putEnd();
    const auto cannotLoad = [this] {
        fail("500 couldn't load next message after seq " + std::to_string(m_next.value())
                + ": store is closed",
            "couldn't load next message after seq " + std::to_string(m_next.value())
                + ": store is closed");
    };
    streams::Stream* stream = m_context.findStream(m_stream);
    if (!stream || stream->id() != m_streamId)
        return cannotLoad();
    store::MessageView message;
    store::MessageStore& store = stream->store();
    // A removal that cannot be written is taken back: what it takes belongs to the backup until
    // then.
    if (store.hasStaged())
        stream->settle();
    if (store.loadNext({}, m_next, message)) {
        if (message.seq > m_last)
            return putEnd();
        m_next = message.seq + 1;
        return putMessage(message);
    }
    const StreamSeq there = store.findNext({}, m_next);
    if (!there.isZero() && there <= m_last)
        return cannotLoad(); // the system would not read it
    putEnd();
}

void SnapshotSession::putEntry(std::string_view name, std::int64_t time, std::string_view body)
{
    m_head.clear();
    archive::putEntryHead(m_head, name, time, 0, 0, body.size());
    m_writer.add(m_head);
    m_writer.add(body);
}

void SnapshotSession::putMessage(const store::MessageView& message)
{
    m_head.clear();
    archive::putEntryHead(m_head,
        message.subject,
        message.time,
        message.seq.value(),
        message.headers.size(),
        message.payload.size());
    m_writer.add(m_head);
    m_writer.add(message.headers);
    m_writer.add(message.payload);
}

void SnapshotSession::putEnd()
{
    m_head.clear();
    archive::putEntryHead(m_head, {}, 0, 0, 0, 0);
    m_writer.add(m_head);
    m_writer.finish();
    m_complete = true;
}

void SnapshotSession::fail(std::string_view status, const std::string& error)
{
    if (m_phase != Phase::Ended)
        finish("NATS/1.0 " + std::string(status) + "\r\n\r\n", error);
}

void SnapshotSession::finish(std::string_view headers, const std::string& error)
{
    m_phase = Phase::Ended;
    m_ackTimer.disarm();
    m_interestTimer.disarm();
    publish(headers, {}, {});
    m_acks.reset();
    m_writer = archive::S2Writer();
    m_consumers.clear();
    if (const Done done = std::exchange(m_done, nullptr))
        done(error);
}

void SnapshotSession::publish(
    std::string_view headers, std::string_view payload, std::string_view reply)
{
    m_context.bus.publish({m_request.deliverSubject, reply, headers, payload});
}

} // namespace jetglass::api
