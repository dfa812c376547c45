// SPDX-License-Identifier: GPL-3.0-or-later
// What a stream holds: nothing that was not published, nothing twice, and nothing is gone but by a
// rule.
#include "invariants.h"
#include "store/message_store.h"
#include "streams/stream.h"
#include "subjects/subject.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace jetglass::simulation {

namespace {

const subjects::SubjectFilter kAll;

struct Seen
{
    std::uint64_t seq = 0;
    std::int64_t time = 0;
    std::uint32_t size = 0;
};

/// Messages that have gone in this step.
struct Lost
{
    std::uint64_t seq = 0;
    MessageModel message;
    Removal cause{};
};

class MessageCheck
{
public:
    MessageCheck(World& world, StreamModel& known, streams::Stream& stream)
        : m_world(world)
        , m_known(known)
        , m_stream(stream)
    {
    }
    void run();

private:
    void fail(const std::string& what) { m_world.fail("stream " + m_known.name + ": " + what); }
    void fail(std::uint64_t seq, const std::string& what)
    {
        fail("message " + std::to_string(seq) + " " + what);
    }
    void afterPowerLoss();
    void count();
    void findLost();
    void takeNew();
    void take(std::uint64_t seq);
    void checkId(std::uint64_t seq, const Operation& op, std::int64_t time);
    void checkExpectations(std::uint64_t seq, const Operation& op);
    void checkGap(std::uint64_t first, std::uint64_t last);
    void explain(const Lost& lost);
    bool asked(const Lost& lost, Kind kind);
    bool settledByAll(const Lost& lost);
    bool settledBySome(const Lost& lost);
    [[nodiscard]] std::uint64_t sameSubjectAbove(const Lost& lost) const;

    World& m_world;
    StreamModel& m_known;
    streams::Stream& m_stream;
    std::vector<Seen> m_seen;
    std::vector<Lost> m_lost;
    store::StoreState m_state;
};

void MessageCheck::run()
{
    m_state = m_stream.store().state();
    m_seen.reserve(m_state.messages);
    m_stream.store().visit(kAll, StreamSeq(), [this](const store::IndexedMessage& message) {
        m_seen.push_back({message.seq.value(), message.time, message.size});
        return true;
    });
    count();
    if (m_world.lostPower)
        return afterPowerLoss();
    if (m_state.last.value() < m_known.last)
        fail("its last sequence went back from " + std::to_string(m_known.last) + " to "
            + std::to_string(m_state.last.value()));
    findLost();
    m_known.cameAndWent = false;
    if (m_world.restarted)
        // Who starts anew knows the ids of the messages that are there.
        std::erase_if(m_known.ids,
            [this](const auto& entry) { return !m_known.live.contains(entry.second.first); });
    takeNew();
    // A change of limits that was not answered may have been forgotten, and what it took is gone.
    if (m_world.restarted && m_known.limitsChanged)
        m_lost.clear();
    for (const Lost& lost : m_lost)
        explain(lost);
}

/// What was acknowledged is there or went by a rule; all else is learnt anew.
void MessageCheck::afterPowerLoss()
{
    const std::map<std::uint64_t, MessageModel> before = std::move(m_known.live);
    m_known.live.clear();
    m_known.ids.clear();
    m_known.cameAndWent = true;
    for (const Seen& one : m_seen)
        take(one.seq);
    std::uint64_t promised = 0;
    for (const auto& [seq, message] : before) {
        if (message.acked)
            promised = seq;
        const auto now = m_known.live.find(seq);
        if (now != m_known.live.end() && now->second.operation == message.operation) {
            now->second.acked = message.acked;
            continue;
        }
        m_known.gone[seq] = {message.subject, false};
        if (!message.acked)
            continue;
        if (now != m_known.live.end())
            fail(seq, "was acknowledged, and is another one after power was lost");
        const auto gaps = m_stream.store().gaps(StreamSeq(seq), StreamSeq(seq));
        m_lost.push_back({seq, message, gaps.empty() ? Removal::Unknown : gaps.front().cause});
    }
    if (m_state.last.value() < promised)
        fail("its last sequence went back behind an acknowledged one, to "
            + std::to_string(m_state.last.value()));
    m_known.last = m_state.last.value();
    for (auto it = m_known.gone.upper_bound(m_known.last); it != m_known.gone.end();)
        it = m_known.gone.erase(it);
    // What came, was answered and went within the step has never been seen.
    constexpr std::uint64_t kAStep = 100;
    for (std::uint64_t seq = m_known.last - std::min(m_known.last, kAStep) + 1; seq <= m_known.last;
         ++seq)
        if (!m_known.live.contains(seq))
            m_known.gone.try_emplace(seq);
    if (m_known.limitsChanged)
        m_lost.clear();
    for (const Lost& lost : m_lost)
        explain(lost);
    for (auto& [name, consumer] : m_known.consumers) {
        consumer.lastFirst = 0;
        consumer.lastNumber = 0;
        for (auto it = consumer.fates.begin(); it != consumer.fates.end();) {
            Fate& fate = it->second;
            const bool keep =
                m_known.live.contains(it->first) && (fate.confirmed || fate.offFilter);
            fate = Fate{.deliveries = fate.confirmed ? fate.deliveries : 0,
                .settledMaybe = fate.confirmed,
                .confirmed = fate.confirmed,
                .offFilter = fate.offFilter};
            it = keep ? std::next(it) : consumer.fates.erase(it);
        }
        for (const auto& [seq, message] : m_known.live)
            if (Fate& fate = consumer.fate(seq); !fate.confirmed)
                fate.anything = true;
    }
}

void MessageCheck::count()
{
    std::uint64_t bytes = 0;
    std::uint64_t before = 0;
    for (const Seen& one : m_seen) {
        if (one.seq <= before)
            fail("sequence " + std::to_string(one.seq) + " follows " + std::to_string(before));
        before = one.seq;
        bytes += one.size;
    }
    if (m_state.messages != m_seen.size() || m_state.bytes != bytes)
        fail("it counts " + std::to_string(m_state.messages) + " messages of "
            + std::to_string(m_state.bytes) + " bytes and has " + std::to_string(m_seen.size())
            + " of " + std::to_string(bytes));
    if (m_seen.empty())
        return;
    if (m_state.first.value() != m_seen.front().seq || m_state.last.value() < m_seen.back().seq)
        fail("its ends " + std::to_string(m_state.first.value()) + " and "
            + std::to_string(m_state.last.value()) + " are not those of its messages");
    const std::uint64_t inside = m_state.last.value() - m_state.first.value() + 1;
    if (m_stream.store().deletedCount() != inside - m_seen.size())
        fail("it counts " + std::to_string(m_stream.store().deletedCount())
            + " deleted messages, not " + std::to_string(inside - m_seen.size()));
}

void MessageCheck::findLost()
{
    auto seen = m_seen.begin();
    for (auto it = m_known.live.begin(); it != m_known.live.end();) {
        while (seen != m_seen.end() && seen->seq < it->first) {
            fail(seen->seq, "has come back");
            ++seen;
        }
        if (seen != m_seen.end() && seen->seq == it->first) {
            if (seen->time != it->second.time || seen->size != it->second.size)
                fail(it->first, "has changed");
            ++it;
            ++seen;
            continue;
        }
        const auto gaps = m_stream.store().gaps(StreamSeq(it->first), StreamSeq(it->first));
        m_lost.push_back(
            {it->first, it->second, gaps.empty() ? Removal::Unknown : gaps.front().cause});
        m_known.gone[it->first] = {it->second.subject, false};
        it = m_known.live.erase(it);
    }
}

void MessageCheck::takeNew()
{
    const std::uint64_t last = m_state.last.value();
    auto seen = std::find_if(
        m_seen.begin(), m_seen.end(), [this](const Seen& one) { return one.seq > m_known.last; });
    std::uint64_t at = m_known.last + 1;
    for (; seen != m_seen.end(); ++seen) {
        if (seen->seq > at)
            checkGap(at, seen->seq - 1);
        take(seen->seq);
        at = seen->seq + 1;
    }
    if (last >= at)
        checkGap(at, last);
    m_known.last = std::max(last, m_known.last);
}

/// Sequences that were used in this step, and of which nothing is stored.
void MessageCheck::checkGap(std::uint64_t first, std::uint64_t last)
{
    m_known.cameAndWent = true;
    if (last - first > 1000)
        return;
    for (std::uint64_t seq = first; seq <= last; ++seq)
        m_known.gone[seq] = {};
}

void MessageCheck::take(std::uint64_t seq)
{
    store::MessageView view;
    if (!m_stream.store().load(StreamSeq(seq), view))
        return fail(seq, "cannot be read");
    MessageModel message;
    message.time = view.time;
    for (int i = 0; i < kSubjects; ++i)
        if (view.subject == subjectOf(m_known.number, i))
            message.subject = i;
    const auto size = m_stream.store().sizeOf({view.subject, view.headers, view.payload, 0});
    message.size = static_cast<std::uint32_t>(size);
    Operation* op = nullptr;
    if (view.payload.starts_with('#')) {
        std::uint64_t id = 0;
        std::from_chars(view.payload.data() + 1, view.payload.data() + view.payload.size(), id);
        op = m_world.operation(id);
    }
    if (op == nullptr || op->stream != m_known.name || op->handedAt == 0
        || op->payload != view.payload || op->subject != message.subject)
        return fail(seq, "was never published as it is: " + std::string(view.payload));
    if (op->refused)
        fail(seq, "was refused, and is stored");
    message.operation = op->id;
    message.ttl = op->ttl;
    checkId(seq, *op, view.time);
    checkExpectations(seq, *op);
    if (op->rollsUpAll || op->rollsUpSubject)
        m_known.rollups.push_back({seq, op->rollsUpAll ? -1 : op->subject});
    op->storedAs = seq;
    m_known.live[seq] = message;
}

void MessageCheck::checkId(std::uint64_t seq, const Operation& op, std::int64_t time)
{
    if (op.msgId.empty())
        return;
    const auto it = m_known.ids.find(op.msgId);
    // After a loss of power all are taken anew, by a window that may have been shorter for some.
    if (!m_world.lostPower && it != m_known.ids.end()
        && time - it->second.second < m_known.config.duplicateWindow)
        fail(seq, "has the id " + op.msgId + " of message " + std::to_string(it->second.first));
    m_known.ids[op.msgId] = {seq, time};
}

void MessageCheck::checkExpectations(std::uint64_t seq, const Operation& op)
{
    if (op.expectedLast && *op.expectedLast != seq - 1)
        fail(seq, "was to come behind " + std::to_string(*op.expectedLast));
    if (op.expectedLastOfSubject && !m_world.restarted) {
        std::uint64_t last = 0;
        for (const auto& [one, message] : m_known.live)
            if (message.subject == op.subject)
                last = one;
        for (const Lost& lost : m_lost)
            if (lost.message.subject == op.subject)
                last = std::max(last, lost.seq);
        if (last != *op.expectedLastOfSubject)
            fail(seq,
                "was to be the next of its subject behind "
                    + std::to_string(*op.expectedLastOfSubject) + ", not " + std::to_string(last));
    }
    if (op.batch == 0)
        return;
    if (op.abandoned)
        fail(seq, "is of a batch that was never committed");
    if (seq - op.inBatch + op.batchSize > m_state.last.value())
        fail(seq, "is of a batch of which the rest is missing");
    if (op.inBatch == 1 || m_world.lostPower)
        return;
    // All of a batch lie one behind the other: the one before is there, or went in this same step.
    const auto before = m_known.live.find(seq - 1);
    if (before != m_known.live.end()) {
        const Operation* other = m_world.operation(before->second.operation);
        if (other == nullptr || other->batch != op.batch || other->inBatch + 1 != op.inBatch)
            fail(seq, "of a batch does not come behind the others");
    } else if (!m_known.gone.contains(seq - 1)) {
        fail(seq, "of a batch is alone");
    }
}

std::uint64_t MessageCheck::sameSubjectAbove(const Lost& lost) const
{
    std::uint64_t count = 0;
    for (auto it = m_known.live.upper_bound(lost.seq); it != m_known.live.end(); ++it)
        count += it->second.subject == lost.message.subject ? 1U : 0U;
    for (const Lost& other : m_lost)
        count += other.seq > lost.seq && other.message.subject == lost.message.subject ? 1U : 0U;
    return count;
}

bool MessageCheck::asked(const Lost& lost, Kind kind)
{
    return std::any_of(m_known.removals.begin(), m_known.removals.end(), [&](std::uint64_t id) {
        const Operation& op = *m_world.operation(id);
        if (op.kind != kind)
            return false;
        if (kind == Kind::MessageDelete)
            return op.seq == lost.seq;
        if (op.seq > 0 && lost.seq >= op.seq)
            return false;
        return op.filter.empty() || op.filter == subjectOf(m_known.number, lost.message.subject);
    });
}

bool MessageCheck::settledByAll(const Lost& lost)
{
    const auto subject = static_cast<std::size_t>(lost.message.subject);
    return std::all_of(m_known.consumers.begin(), m_known.consumers.end(), [&](auto& entry) {
        ConsumerModel& consumer = entry.second;
        // It counts from its answer on: what the others let go of before was not for it.
        if (consumer.seenFirst == m_world.step)
            return true;
        if (!consumer.selects[subject] || lost.seq < consumer.begin || consumer.wasReset
            || lost.seq < consumer.skipped)
            return true;
        const auto it = consumer.fates.find(lost.seq);
        if (it == consumer.fates.end())
            return consumer.config.ackPolicy == AckPolicy::None;
        return it->second.settledMaybe || it->second.anything
            || consumer.config.ackPolicy == AckPolicy::None;
    });
}

bool MessageCheck::settledBySome(const Lost& lost)
{
    // One that has gone in this step may have acknowledged it before.
    if (m_known.settledByGone.contains(lost.seq))
        return true;
    return std::any_of(m_known.consumers.begin(), m_known.consumers.end(), [&](auto& entry) {
        const auto it = entry.second.fates.find(lost.seq);
        return lost.seq < entry.second.skipped || entry.second.wasReset
            || (it != entry.second.fates.end() && (it->second.settledMaybe || it->second.anything))
            || entry.second.config.ackPolicy == AckPolicy::None;
    });
}

void MessageCheck::explain(const Lost& lost)
{
    const StreamConfig& config = m_known.config;
    const MessageModel& message = lost.message;
    const std::int64_t now = m_world.clock.wallTime();
    bool right = false;
    std::string rule;
    switch (lost.cause) {
    case Removal::MaxMsgs:
        rule = "max_msgs";
        right = config.maxMsgs > 0
            && m_known.live.size() + m_lost.size() > static_cast<std::uint64_t>(config.maxMsgs);
        break;
    case Removal::MaxBytes: {
        rule = "max_bytes";
        std::uint64_t bytes = m_state.bytes;
        for (const Lost& other : m_lost)
            bytes += other.message.size;
        right = config.maxBytes > 0 && bytes > static_cast<std::uint64_t>(config.maxBytes);
        break;
    }
    case Removal::MaxPerSubject:
        rule = "max_msgs_per_subject";
        right = config.maxMsgsPerSubject > 0
            && sameSubjectAbove(lost) >= static_cast<std::uint64_t>(config.maxMsgsPerSubject);
        break;
    case Removal::MaxAge:
        rule = "max_age";
        right = config.maxAge > 0 && now - message.time >= config.maxAge;
        break;
    case Removal::Ttl:
        rule = "its TTL";
        right = message.ttl > 0 && now - message.time >= message.ttl;
        break;
    case Removal::Purge:
        rule = "a purge";
        right = asked(lost, Kind::Purge);
        for (auto& [name, consumer] : m_known.consumers)
            consumer.wasPurged = consumer.floorPassed = true;
        break;
    case Removal::Delete:
        rule = "a request to delete it";
        right = asked(lost, Kind::MessageDelete);
        break;
    case Removal::WorkQueueAck:
        rule = "an ack";
        right = config.retention == Retention::WorkQueue && settledBySome(lost);
        break;
    case Removal::InterestGone:
        rule = "lost interest";
        right = config.retention == Retention::Interest && settledByAll(lost);
        break;
    case Removal::Rollup:
        rule = "a rollup";
        right = std::any_of(m_known.rollups.begin(), m_known.rollups.end(), [&](const Rollup& one) {
            return one.seq > lost.seq && (one.subject < 0 || one.subject == message.subject);
        });
        break;
    default:
        rule = "cause " + std::to_string(static_cast<int>(lost.cause));
        break;
    }
    const bool byLimit = lost.cause == Removal::MaxMsgs || lost.cause == Removal::MaxBytes
        || lost.cause == Removal::MaxPerSubject;
    // A message that came and went within the step has pushed others out before.
    if (!right && !(byLimit && m_known.cameAndWent))
        fail(lost.seq, "went by " + rule + ", which does not say so");
}

} // namespace

void checkMessages(World& world, StreamModel& known, streams::Stream& stream)
{
    MessageCheck(world, known, stream).run();
}

} // namespace jetglass::simulation
