// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "streams/api_error.h"
#include "streams/json_text.h"
#include "streams/stream_state.h"
#include "subjects/subject.h"

#include <array>
#include <charconv>
#include <memory>
#include <utility>

namespace jetglass::streams {
namespace {

/// A schedule whose product could not be written.
constexpr std::int64_t kFireAgainAfter = 1'000'000'000;

void appendNumber(std::string& text, std::uint64_t number)
{
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

} // namespace

void Stream::commit()
{
    if (m->turn.open && m->broken.empty())
        m->enforceLimits();
    if (m->store->hasStaged())
        if (auto done = m->store->commit(); !done)
            m->rollBack(done.error());
}

void Stream::follow()
{
    if (!m->turn.open || m->following)
        return;
    m->following = true;
    std::swap(m->turn, m->done);
    m->turn.clear();
    m->countUsage();
    if (m->upstreams)
        m->upstreams->settled();
    m->tellFollowers();
    m->announce();
    m->noteSchedules();
    m->announceRemovals();
    std::vector<Private::Waiting> waiting;
    waiting.swap(m->done.waiting);
    const bool synced = m->context.settings.syncAlways && m->config.storage == Storage::File;
    if (synced)
        m->unsynced.push_back({std::move(m->done), std::exchange(waiting, {})});
    else
        m->sendAcks();
    if (synced)
        m->done = {};
    m->done.clear();
    m->following = false;
    m->armTimer();
    if (synced && !m->syncing)
        m->startSync();
    for (Private::Waiting& entry : waiting)
        entry.done(entry.value);
}

void Stream::settle()
{
    if (!m->turn.open || m->following)
        return;
    commit();
    follow();
}

/// The loop goes on; the answers of this turn go out when a sync that began after its write is
/// done. All turns that end while a sync is under way share the next one.
void Stream::Private::startSync()
{
    syncing = true;
    auto held = std::make_shared<std::vector<Unsynced>>(std::exchange(unsynced, {}));
    store->sync([&where = context, name = config.name, id = id, held](const Result<void>& synced) {
        Stream* stream = where.findStream ? where.findStream(name) : nullptr;
        const bool same = stream && stream->id() == id;
        if (same)
            stream->m->synced(*held, synced);
        for (Unsynced& ended : *held)
            for (Waiting& entry : ended.waiting) {
                if (synced)
                    entry.done(entry.value);
                else
                    entry.done(errors::storeFailed(synced.error().text));
            }
        // One of those calls may have removed it.
        stream = same && where.findStream ? where.findStream(name) : nullptr;
        if (stream && stream->id() == id) {
            stream->m->syncing = false;
            if (!stream->m->unsynced.empty())
                stream->m->startSync();
        }
    });
}

void Stream::Private::synced(std::vector<Unsynced>& held, const Result<void>& result)
{
    if (!result && broken.empty()) {
        // What the disk has is not known any more: no write until the stream is opened again.
        broken = result.error().text;
        if (broken.find("until it is opened again") == std::string::npos)
            broken += "; the stream takes no more writes until it is opened again";
        context.log.error("stream '" + config.name + "': " + broken);
    }
    for (Unsynced& turnHeld : held) {
        Round& round = turnHeld.round;
        for (Staged& entry : round.staged) {
            const bool stored = entry.kind == PublishVerdict::Kind::Store
                || entry.kind == PublishVerdict::Kind::Skip
                || entry.kind == PublishVerdict::Kind::Note;
            if (!result && stored) {
                entry.kind = PublishVerdict::Kind::Refuse;
                entry.answer = 0;
                entry.error = static_cast<std::uint32_t>(round.errors.size());
                round.errors.push_back(errors::storeFailed(broken));
            }
        }
        if (!result)
            for (const std::string& batch : round.fastBatches)
                batches.closeFast(batch);
        for (const Staged& entry : round.staged)
            sendAck(round, entry);
    }
}

void Stream::Private::countUsage()
{
    std::uint64_t& used = config.storage == Storage::Memory ? context.memoryUsed : context.fileUsed;
    const std::uint64_t bytes = store->state().bytes;
    used = used - usedBytes + bytes;
    usedBytes = bytes;
}

/// The turn's write failed: nothing of it has happened, and everybody who waits hears why.
void Stream::Private::rollBack(const Error& error)
{
    context.log.error("stream '" + config.name + "': " + error.text);
    for (Staged& entry : turn.staged)
        if (entry.kind == PublishVerdict::Kind::Store || entry.kind == PublishVerdict::Kind::Skip
            || entry.kind == PublishVerdict::Kind::Note) {
            entry.kind = PublishVerdict::Kind::Refuse;
            entry.answer = 0;
            entry.error = static_cast<std::uint32_t>(turn.errors.size());
            turn.errors.push_back(errors::storeFailed(error.text));
        }
    ++failures;
    for (const std::string& batch : turn.fastBatches)
        batches.closeFast(batch);
    schedules.fireAgain(context.clock.wallTime() + kFireAgainAfter);
    armScheduleTimer();
    keepForRetry();
    turn.gone.clear();
    turn.told.clear();
    if (upstreams)
        upstreams->takenBack();
    dedup.removeNewest(turn.ids);
    lastMsgId = turn.lastMsgIdBefore;
    if (turn.indexedTtl)
        ttls.removeFrom(turn.first);
    aging.reset();
    std::vector<Waiting> failed;
    failed.swap(turn.waiting);
    for (Waiting& entry : failed)
        entry.done(errors::storeFailed(error.text));
}

FlowText Stream::Private::textOf(const Staged& entry)
{
    FlowText words;
    words.subject = done.read(entry.subject);
    store::MessageView message;
    if (entry.kind == PublishVerdict::Kind::Store && store->load(entry.seq, message)) {
        words.subject = message.subject;
        words.headers = message.headers;
        words.payload = message.payload;
    }
    return words;
}

void Stream::Private::emitPublish(const Staged& entry)
{
    if (!entry.held && entry.kind != PublishVerdict::Kind::Note) {
        FlowEvent& arrived = beginEvent(FlowKind::Published);
        arrived.client = entry.client;
        arrived.subjectHash = entry.subjectHash;
        context.hub.end([this, &entry] { return textOf(entry); });
    }
    if (entry.kind == PublishVerdict::Kind::Held || entry.kind == PublishVerdict::Kind::Note)
        return emitAnswer(entry);
    FlowEvent& out = beginEvent(FlowKind::Stored);
    out.client = entry.client;
    out.subjectHash = entry.subjectHash;
    out.seq = entry.seq;
    switch (entry.kind) {
    case PublishVerdict::Kind::Store:
        out.second = entry.size;
        break;
    case PublishVerdict::Kind::Skip:
        out.kind = FlowKind::Removed;
        out.cause = Removal::NoInterest;
        out.second = entry.seq.value();
        break;
    case PublishVerdict::Kind::Duplicate:
        out.kind = FlowKind::Duplicate;
        break;
    case PublishVerdict::Kind::Refuse:
        out.kind = FlowKind::Refused;
        out.second = static_cast<std::uint64_t>(done.errors[entry.error].apiErrCode);
        break;
    case PublishVerdict::Kind::Held:
    case PublishVerdict::Kind::Note:
        break; // told above
    }
    context.hub.end([this, &entry] {
        FlowText words = textOf(entry);
        if (entry.kind == PublishVerdict::Kind::Refuse)
            words.detail = done.errors[entry.error].text;
        return words;
    });
    emitAnswer(entry);
}

/// What a batch has come to by this message.
void Stream::Private::emitAnswer(const Staged& entry)
{
    if (entry.answer == 0)
        return;
    const Answer& answer = done.answers[entry.answer - 1];
    if (answer.tells != FlowKind::BatchHeld && answer.tells != FlowKind::BatchCommitted)
        return;
    FlowEvent out = event(answer.tells);
    out.client = entry.client;
    out.seq = entry.seq;
    out.second = answer.second;
    FlowText words;
    words.subject = done.read(entry.subject);
    words.detail = done.read(answer.id);
    context.hub.emit(out, words);
}

/// Flow events, republished copies, and the consumers' news of what was stored.
void Stream::Private::announce()
{
    const bool watched = context.hub.active();
    const bool told = !consumers.empty();
    if (!watched && !told && !copies)
        return;
    for (std::size_t i = 0; i < done.staged.size(); ++i) {
        const Staged entry = done.staged[i];
        if (watched)
            emitPublish(entry);
        if (entry.kind != PublishVerdict::Kind::Store || (!told && !copies))
            continue;
        store::MessageView message;
        if (!store->load(entry.seq, message))
            continue; // a limit has taken it already: nobody ever sees it
        if (copies)
            republish(entry, message);
        for (ConsumerPort* consumer : consumers) {
            if (copies && !store->load(entry.seq, message))
                break;
            consumer->onStored(message);
        }
    }
}

void Stream::Private::announceRemovals()
{
    const bool watched = context.hub.active();
    for (std::size_t i = 0; i < done.gone.size(); ++i) {
        const Gone entry = done.gone[i];
        if (entry.nothing)
            continue;
        remember(entry.row);
        if (watched) {
            FlowEvent out = event(entry.byFilter ? FlowKind::RemovedByFilter : FlowKind::Removed);
            out.cause = entry.row.cause;
            out.client = entry.row.client;
            out.seq = entry.row.first;
            out.second = entry.byFilter ? entry.row.count : entry.row.last.value();
            out.deadline = static_cast<std::int64_t>(entry.row.bytes);
            FlowText words;
            words.subject = done.read(entry.subject);
            context.hub.emit(out, words);
        }
        if (entry.single) {
            const std::string subject(done.read(entry.subject));
            for (ConsumerPort* consumer : consumers)
                consumer->onRemoved(entry.row.first, subject, entry.row.cause);
        }
    }
    for (std::size_t i = 0; i < done.told.size(); ++i) {
        const Told entry = done.told[i];
        const std::string subject(done.read(entry.subject));
        for (ConsumerPort* consumer : consumers)
            consumer->onRemoved(entry.seq, subject, entry.cause);
    }
    // Last: they count anew, and what went singly is not there to be counted.
    for (std::size_t i = 0; i < done.gone.size(); ++i) {
        const Gone entry = done.gone[i];
        if (!entry.purge || entry.single)
            continue;
        subjects::SubjectFilter filter;
        if (entry.byFilter)
            filter = subjects::SubjectFilter({std::string(done.read(entry.subject))});
        for (ConsumerPort* consumer : consumers)
            consumer->onPurged(filter, entry.row.cause);
    }
    if (!done.gone.empty() && (ttls.anyNever() || ttls.next()))
        ttls.forgetBelow(store->state().first);
}

void Stream::Private::republish(const Staged& entry, const store::MessageView& message)
{
    auto target = copies->apply(message.subject);
    if (!target || !subjects::isValidLiteral(*target))
        return;
    std::string block(message.headers.empty() ? "NATS/1.0\r\n\r\n" : message.headers);
    block.resize(block.size() - 2);
    block += "Nats-Stream: " + config.name + "\r\nNats-Subject: ";
    block += message.subject;
    block += "\r\nNats-Sequence: ";
    appendNumber(block, message.seq.value());
    block += "\r\nNats-Time-Stamp: " + base::rfc3339(message.time) + "\r\nNats-Last-Sequence: ";
    appendNumber(block, entry.previous);
    block += "\r\n";
    const bool bare = config.republish->headersOnly;
    if (bare) {
        block += "Nats-Msg-Size: ";
        appendNumber(block, message.payload.size());
        block += "\r\n";
    }
    block += "\r\n";
    const std::string payload(bare ? std::string_view{} : message.payload);
    context.bus.publish({*target, {}, block, payload});
}

std::string Stream::Private::refusal(const Error& error, std::string_view front)
{
    std::string text = "{\"error\":{\"code\":" + std::to_string(error.apiCode) + ",\"err_code\":"
        + std::to_string(error.apiErrCode) + ",\"description\":" + quoteJson(error.text) + "},";
    text.append(front.substr(1)).append("\"seq\":0}");
    return text;
}

void Stream::Private::sendAcks()
{
    for (std::size_t i = 0; i < done.staged.size(); ++i)
        sendAck(done, done.staged[i]);
}

void Stream::Private::sendAck(const Round& round, const Staged& entry)
{
    if (entry.reply.size == 0)
        return;
    const Answer* answer = entry.answer > 0 ? &round.answers[entry.answer - 1] : nullptr;
    if (answer) {
        ack = round.read(answer->text);
    } else if (entry.kind == PublishVerdict::Kind::Refuse) {
        ack = refusal(round.errors[entry.error], ackStart);
    } else {
        ack = ackStart;
        ack += "\"seq\":";
        appendNumber(ack, entry.seq.value());
        if (entry.kind == PublishVerdict::Kind::Duplicate)
            ack += ",\"duplicate\": true";
        else if (entry.value.size > 0)
            ack.append(",\"val\":\"").append(round.read(entry.value)).append("\"");
        ack += '}';
    }
    // The text of the turn can move while the answer travels through the bus.
    scratch = round.read(entry.reply);
    sendPayload(scratch, ack, entry, round.read(entry.subject), answer);
}

void Stream::Private::sendPayload(std::string_view reply,
    std::string_view payload,
    const Staged& entry,
    std::string_view subjectOfMessage,
    const Answer* answer)
{
    if (context.gates.active()) {
        const flow::GateSubject subject{
            GatePlace::PubAckOut, config.name, {}, subjectOfMessage, entry.seq, entry.client};
        const flow::GateDecision decision = context.gates.decide(subject);
        if (decision.verb != GateVerb::Pass) {
            context.gates.act(decision,
                subject,
                [&bus = context.bus, to = std::string(reply), body = std::string(payload)] {
                    bus.publish({to, {}, {}, body});
                });
            return;
        }
    }
    const bool flow = answer && answer->tells == FlowKind::BatchFlowSent;
    const std::uint64_t place = flow ? answer->second : 0;
    const std::uint32_t interval = flow ? answer->deliveries : 0;
    context.bus.publish({reply, {}, {}, payload});
    if (context.hub.active()) {
        FlowEvent& out = beginEvent(flow ? FlowKind::BatchFlowSent : FlowKind::PubAckSent);
        out.second = place;
        out.deliveries = interval;
        out.seq = entry.seq;
        out.client = entry.client;
        context.hub.end();
    }
}

void Stream::Private::addChore(Chore chore)
{
    chores.push_back(std::move(chore));
    context.turn.enlistWork(self);
}

} // namespace jetglass::streams
