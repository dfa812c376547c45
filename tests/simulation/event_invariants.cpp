// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the broker: answers are facts, deliveries follow the rules.
#include "invariants.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace jetglass::simulation {

namespace {

using Json = nlohmann::json;

class EventCheck
{
public:
    explicit EventCheck(World& world)
        : m_world(world)
    {
    }
    void delivery(const Event& event);
    void answer(const Event& event);

private:
    void published(const Json& answer, Operation& op);
    void confirmed(const Operation& op);
    void removed(const Operation& op);
    void wasReset(const Json& answer, const Operation& op);
    [[nodiscard]] bool removalAsked(const Operation& made) const;
    void content(const Event& event, const StreamModel& stream);

    World& m_world;
};

void EventCheck::content(const Event& event, const StreamModel& stream)
{
    const auto it = stream.live.find(event.seq);
    const bool stored = it != stream.live.end();
    if (!stored && m_world.lostPower)
        return; // nobody was told that it is there
    if (!stored && !stream.gone.contains(event.seq))
        return m_world.fail(
            "message " + std::to_string(event.seq) + " was delivered and never stored");
    if (!stored)
        return;
    const Operation* op = m_world.operation(it->second.operation);
    if (op == nullptr)
        return;
    if (event.text != op->payload || event.subject != subjectOf(stream.number, op->subject)
        || event.headers != op->headers)
        m_world.fail(
            "message " + std::to_string(event.seq) + " was delivered with another content");
}

void EventCheck::delivery(const Event& event)
{
    StreamModel* stream = m_world.model.stream(event.stream);
    ConsumerModel* consumer = m_world.model.consumer(event.stream, event.consumer);
    if (consumer == nullptr)
        return; // it went in this step
    const std::string what = "consumer " + event.stream + "." + event.consumer + ": message "
        + std::to_string(event.seq) + " ";
    content(event, *stream);
    const auto live = stream->live.find(event.seq);
    Fate& fate = consumer->fate(event.seq);
    if (!m_world.crashed && live != stream->live.end() && live->second.subject >= 0
        && !fate.anything && !fate.offFilter
        && !consumer->selects[static_cast<std::size_t>(live->second.subject)])
        m_world.fail(what + "does not match its filter");
    if (event.seq < consumer->begin)
        m_world.fail(what + "is before its start");
    if (fate.confirmed || fate.settled)
        m_world.fail(what + "comes again after its ack");
    // Of what the dead process did last nobody can tell how much is remembered.
    const bool loose = m_world.crashed || fate.anything;
    if (!loose && event.deliveries != fate.deliveries + 1)
        m_world.fail(what + "is delivery " + std::to_string(event.deliveries) + ", was "
            + std::to_string(fate.deliveries));
    if (consumer->config.maxDeliver > 0
        && event.deliveries > static_cast<std::uint64_t>(consumer->config.maxDeliver))
        m_world.fail(what + "is delivered more often than max_deliver says");
    if (!m_world.crashed && event.number <= consumer->lastNumber)
        m_world.fail(what + "has delivery number " + std::to_string(event.number) + " after "
            + std::to_string(consumer->lastNumber));
    if (event.deliveries == 1 && event.seq <= consumer->lastFirst && !loose)
        m_world.fail(what + "comes behind " + std::to_string(consumer->lastFirst));
    const std::int64_t now = m_world.clock.wallTime();
    if (event.deliveries > 1 && !fate.nakked && !fate.anything && !m_world.restarted
        && now - fate.lastSent < consumer->leastAckWait)
        m_world.fail(
            what + "comes again " + std::to_string(now - fate.lastSent) + " ns after it was sent");
    fate.deliveries = static_cast<std::uint32_t>(event.deliveries);
    if (!m_world.crashed)
        fate.lastSent = now;
    fate.nakked = false;
    fate.anything = m_world.lostPower; // perhaps it left before, and nobody remembers
    if (m_world.crashed)
        return; // whether that is remembered is not promised
    consumer->lastNumber = event.number;
    if (event.deliveries == 1)
        consumer->lastFirst = std::max(consumer->lastFirst, event.seq);
}

void EventCheck::published(const Json& answer, Operation& op)
{
    StreamModel* stream = m_world.model.stream(op.stream);
    if (stream == nullptr)
        return;
    const std::uint64_t seq = answer.value("seq", std::uint64_t{0});
    const std::string what = "the answer to publish " + std::to_string(op.id) + " ";
    const auto it = stream->live.find(seq);
    if (it == stream->live.end()) {
        if (!stream->gone.contains(seq))
            m_world.fail(what + "says " + std::to_string(seq) + ", which is not there");
        return;
    }
    it->second.acked = true;
    const Operation* stored = m_world.operation(it->second.operation);
    const bool duplicate = answer.value("duplicate", false);
    if (stored == nullptr)
        return;
    if (duplicate ? stored->msgId != op.msgId || op.msgId.empty() : stored->id != op.id)
        m_world.fail(what + "says " + std::to_string(seq) + ", which is another message");
    if (op.batch != 0)
        for (std::uint64_t i = 1; i <= op.inBatch; ++i)
            if (const auto one = stream->live.find(seq - op.inBatch + i); one != stream->live.end())
                one->second.acked = true;
}

void EventCheck::confirmed(const Operation& op)
{
    ConsumerModel* consumer = m_world.model.consumer(op.stream, op.consumer);
    if (consumer == nullptr || op.ignored || (op.ack != AckKind::Ack && op.ack != AckKind::Term))
        return;
    // Answered behind a reset that came behind it: what it settled is open again.
    if (op.id < consumer->resetBy)
        return;
    auto it = consumer->config.ackPolicy == AckPolicy::All ? consumer->fates.begin()
                                                           : consumer->fates.lower_bound(op.seq);
    for (; it != consumer->fates.end() && it->first <= op.seq; ++it)
        if (it->second.deliveries > 0 && !it->second.anything)
            it->second.confirmed = true;
}

void EventCheck::removed(const Operation& op)
{
    StreamModel* stream = m_world.model.stream(op.stream);
    if (stream == nullptr)
        return;
    std::uint64_t left = 0;
    for (const auto& [seq, message] : stream->live) {
        if (seq > op.lastWhenHanded)
            break;
        if (op.kind == Kind::MessageDelete ? seq == op.seq
                                           : (op.seq == 0 || seq < op.seq)
                    && (op.filter.empty()
                        || op.filter == subjectOf(stream->number, message.subject)))
            ++left;
    }
    if (left > op.keep)
        m_world.fail("removal " + std::to_string(op.id) + " has been answered, and leaves "
            + std::to_string(left) + " messages");
    for (auto& [seq, gone] : stream->gone)
        gone.sure = true;
    std::erase(stream->removals, op.id);
}

void EventCheck::wasReset(const Json& answer, const Operation& op)
{
    ConsumerModel* consumer = m_world.model.consumer(op.stream, op.consumer);
    StreamModel* stream = m_world.model.stream(op.stream);
    if (consumer == nullptr || answer.contains("error"))
        return;
    forget(*stream, *consumer);
    consumer->skipped = answer.value("reset_seq", std::uint64_t{0});
    consumer->resetBy = std::max(consumer->resetBy, op.id);
}

/// Of what an earlier operation has made: both may be done in one step.
bool EventCheck::removalAsked(const Operation& made) const
{
    for (std::uint64_t id = made.id + 1U; id <= m_world.operationCount(); ++id) {
        const Operation& op = *m_world.operation(id);
        if (op.handedAt != 0 && op.stream == made.stream
            && (op.kind == Kind::StreamDelete
                || (op.kind == Kind::ConsumerDelete && op.consumer == made.consumer)))
            return true;
    }
    return false;
}

void EventCheck::answer(const Event& event)
{
    Operation& op = *event.operation;
    op.answered = true;
    if (op.kind == Kind::Ack)
        return confirmed(op);
    if (op.kind == Kind::Publish && event.text.empty())
        return; // one of a batch
    const Json answer = Json::parse(event.text, nullptr, false);
    if (answer.is_discarded())
        return m_world.fail("an answer that cannot be read: " + event.text);
    if (op.kind == Kind::Reset)
        return wasReset(answer, op);
    if (answer.contains("error")) {
        op.refused = op.kind == Kind::Publish;
        if (op.storedAs != 0 && op.batch == 0 && op.refused && op.msgId.empty())
            m_world.fail("publish " + std::to_string(op.id) + " is stored and was refused");
        if (StreamModel* stream = m_world.model.stream(op.stream))
            std::erase(stream->removals, op.id);
        return;
    }
    if (op.kind == Kind::Publish)
        return published(answer, op);
    if (op.kind == Kind::Pause)
        if (ConsumerModel* consumer = m_world.model.consumer(op.stream, op.consumer))
            consumer->resumedByRequest = !answer.value("paused", false);
    if (op.kind == Kind::Purge || op.kind == Kind::MessageDelete)
        return removed(op);
    const bool stream = m_world.model.stream(op.stream) != nullptr;
    if (m_world.calm || removalAsked(op))
        return; // much at once, perhaps the removal too
    if (op.kind == Kind::StreamCreate && !stream && !(op.inMemory && m_world.restarted))
        m_world.fail("stream " + op.stream + " was made and is not there");
    if (op.kind == Kind::ConsumerCreate && stream
        && m_world.model.consumer(op.stream, op.consumer) == nullptr)
        m_world.fail("consumer " + op.consumer + " was made and is not there");
}

} // namespace

void checkEvents(World& world)
{
    EventCheck check(world);
    for (const Event& event : world.events)
        if (event.kind == Event::Kind::Delivery)
            check.delivery(event);
        else
            check.answer(event);
    for (auto& [name, stream] : world.model.streams) {
        if (world.restarted)
            stream.removals.clear();
        for (auto& [consumerName, consumer] : stream.consumers) {
            consumer.wasReset = false;
            if (consumer.resetOpen != 0
                && (world.restarted || world.operation(consumer.resetOpen)->answered))
                consumer.resetOpen = 0;
        }
    }
}

} // namespace jetglass::simulation
