// SPDX-License-Identifier: GPL-3.0-or-later
// What survives a restart (consumers.md 9): a snapshot in the catalog, then the records of
// consumers.log. The snapshot is a version byte and numbers of 7 bits a byte, lowest first:
//     delivered consumer, delivered stream, floor consumer, floor stream, begin,
//     count of pending, for each: stream sequence, first consumer sequence, wall time of delivery,
//     deliveries, count of given-up messages, for each: stream sequence, deliveries.
#include "consumers/consumer.h"
#include "streams/stream.h"

#include <map>

namespace jetglass::consumers {

namespace {

constexpr char kVersion = 1;
constexpr std::uint64_t kMostDeliveries = 1'000'000'000;

class Writer
{
public:
    explicit Writer(std::size_t expected)
    {
        m_text.reserve(expected);
        m_text.push_back(kVersion);
    }
    void put(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7U)
            m_text.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
        m_text.push_back(static_cast<char>(value));
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

class Reader
{
public:
    explicit Reader(std::string_view text)
        : m_text(text)
        , m_ok(!text.empty() && text.front() == kVersion)
        , m_at(1)
    {
    }
    std::uint64_t get()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; m_ok; shift += 7) {
            if (m_at >= m_text.size() || shift > 63) {
                m_ok = false;
                break;
            }
            const auto byte = static_cast<unsigned char>(m_text[m_at++]);
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if ((byte & 0x80U) == 0)
                return value;
        }
        return 0;
    }
    [[nodiscard]] bool ok() const { return m_ok; }

private:
    std::string_view m_text;
    bool m_ok;
    std::size_t m_at;
};

} // namespace

std::string Consumer::snapshot()
{
    static constexpr std::size_t kPerMessage = 24;
    Writer out(64 + kPerMessage * (m_tracker.size() + m_tracker.givenUpAll().size()));
    out.put(m_tracker.delivered.consumer.value());
    out.put(m_tracker.delivered.stream.value());
    out.put(m_tracker.floor.consumer.value());
    out.put(m_tracker.floor.stream.value());
    out.put(m_cursor.begin().value());
    out.put(m_tracker.size());
    m_tracker.forEach([&](const PendingMessage& pending) {
        out.put(pending.seq.value());
        out.put(pending.first.value());
        out.put(static_cast<std::uint64_t>(toWall(pending.sentAt)));
        out.put(pending.deliveries);
    });
    out.put(m_tracker.givenUpAll().size());
    for (const auto& [seq, deliveries] : m_tracker.givenUpAll()) {
        out.put(seq);
        out.put(deliveries);
    }
    m_dirty = false;
    return out.take();
}

bool Consumer::restore(std::string_view snapshot)
{
    Reader in(snapshot);
    m_tracker.delivered.consumer = ConsumerSeq(in.get());
    m_tracker.delivered.stream = StreamSeq(in.get());
    m_tracker.floor.consumer = ConsumerSeq(in.get());
    m_tracker.floor.stream = StreamSeq(in.get());
    m_cursor.setBegin(StreamSeq(in.get()));
    for (std::uint64_t left = in.get(); left > 0 && in.ok(); --left) {
        const StreamSeq seq(in.get());
        const ConsumerSeq first(in.get());
        const auto wall = static_cast<std::int64_t>(in.get());
        const auto deliveries = static_cast<std::uint32_t>(in.get());
        if (!in.ok())
            break;
        PendingMessage& pending = m_tracker.add(seq, first);
        pending.sentAt = toNow(wall);
        m_tracker.setDeliveries(pending, deliveries);
    }
    for (std::uint64_t left = in.get(); left > 0 && in.ok(); --left) {
        const StreamSeq seq(in.get());
        m_tracker.giveUp(seq, static_cast<std::uint32_t>(in.get()));
    }
    return in.ok();
}

/// Written as a snapshot first: so both ways to a state are one.
void Consumer::restore(const archive::ConsumerProgress& progress)
{
    place();
    const StreamSeq begin = std::min(m_cursor.begin(), StreamSeq(progress.floorStream + 1));
    std::map<std::uint64_t, std::uint64_t> again;
    for (const auto& item : progress.redelivered)
        again[item.seq] = std::min<std::uint64_t>(item.count, kMostDeliveries);
    Writer out(64);
    out.put(progress.deliveredConsumer);
    out.put(progress.deliveredStream);
    out.put(progress.floorConsumer);
    out.put(progress.floorStream);
    out.put(begin.value());
    out.put(progress.pending.size());
    for (const auto& pending : progress.pending) {
        const auto found = again.find(pending.seq);
        out.put(pending.seq);
        out.put(pending.consumerSeq);
        out.put(static_cast<std::uint64_t>(pending.time));
        out.put(found == again.end() ? 1 : found->second + 1);
        if (found != again.end())
            again.erase(found);
    }
    // What is not pending any more has been given up after so many deliveries.
    out.put(again.size());
    for (const auto& [seq, deliveries] : again) {
        out.put(seq);
        out.put(deliveries);
    }
    m_tracker.clear();
    restore(out.take());
    recovered();
}

void Consumer::replay(const store::ConsumerRecord& record)
{
    using Kind = store::ConsumerRecord::Kind;
    PendingMessage* pending = m_tracker.find(record.seq);
    switch (record.kind) {
    case Kind::Delivered:
        if (record.consumerSeq > m_tracker.delivered.consumer) {
            m_tracker.delivered.consumer = record.consumerSeq;
            m_tracker.delivered.stream = std::max(m_tracker.delivered.stream, record.seq);
            if (!tracksAcks())
                m_tracker.floor = m_tracker.delivered;
            else if (!pending)
                pending = &m_tracker.add(record.seq, record.consumerSeq);
        }
        if (pending) {
            pending->sentAt = toNow(record.time);
            m_tracker.setDeliveries(*pending, record.count);
        }
        break;
    case Kind::Acked:
    case Kind::Terminated:
        if (!settleGone(record.seq))
            m_tracker.forgetGivenUp(record.seq);
        break;
    case Kind::AckedUpTo:
        if (record.seq > m_tracker.floor.stream)
            m_tracker.settleUpTo(record.seq, record.consumerSeq);
        m_tracker.forgetGivenUpIf([&](StreamSeq seq) { return seq <= record.seq; });
        break;
    case Kind::Naked:
    case Kind::InProgress:
        if (pending)
            pending->sentAt = toNow(record.time);
        break;
    case Kind::Exhausted:
        if (pending) {
            m_tracker.remove(record.seq);
            m_tracker.giveUp(record.seq, record.count);
        }
        break;
    case Kind::Floor:
        m_tracker.floor = {record.consumerSeq, record.seq};
        break;
    case Kind::Reset:
        m_tracker.clear();
        m_tracker.forgetGivenUpIf([](StreamSeq) { return true; });
        m_tracker.delivered = {ConsumerSeq(), record.seq - 1};
        m_tracker.floor = m_tracker.delivered;
        break;
    }
}

StreamSeq Consumer::givenOut() const
{
    // A start sequence that lies ahead has been asked for, not seen.
    const Position& delivered = m_tracker.delivered;
    return delivered.consumer.isZero() || delivered.stream < m_cursor.begin() ? StreamSeq()
                                                                              : delivered.stream;
}

void Consumer::recovered()
{
    store::MessageStore& store = m_stream.store();
    const store::StoreState state = store.state();
    std::vector<StreamSeq> gone;
    m_tracker.forEach([&](const PendingMessage& pending) {
        if (!store.contains(pending.seq))
            gone.push_back(pending.seq);
    });
    const bool lost = state.last < m_tracker.delivered.stream;
    for (const StreamSeq seq : gone) {
        if (seq > state.last)
            m_tracker.remove(seq);
        else
            settleGone(seq);
    }
    m_tracker.forgetGivenUpIf([&](StreamSeq seq) { return !store.contains(seq); });
    if (lost && m_cursor.begin() <= m_tracker.delivered.stream) {
        m_tracker.delivered.stream = state.last;
        m_tracker.floor.stream = std::min(m_tracker.floor.stream, state.last);
    }
    m_cursor.restore(std::max(m_tracker.delivered.stream + 1, state.first), m_cursor.begin());
    m_tracker.renewDeadlines([this](const PendingMessage& m) { return ackDeadline(m); });
    m_visible = state.last;
    recount();
    m_dirty = true;
}

} // namespace jetglass::consumers
