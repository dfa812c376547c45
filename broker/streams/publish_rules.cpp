// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/publish_rules.h"

#include "streams/api_error.h"
#include "streams/decimal.h"
#include "streams/message_ttl.h"
#include "streams/publish_checks.h"
#include "streams/retention.h"
#include "streams/schedule_rules.h"
#include "subjects/subject.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace jetglass::streams {

std::uint64_t sequenceOf(std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::numeric_limits<std::uint64_t>::max();
    return value;
}

std::uint64_t lastSequenceOf(store::MessageStore& store, std::string_view subject)
{
    if (subjects::hasWildcard(subject)) {
        store::MessageView message;
        const subjects::SubjectFilter filter({std::string(subject)});
        return store.loadLast(filter, StreamSeq{}, message) ? message.seq.value() : 0;
    }
    const auto totals = store.subject(subject);
    return totals && totals->count > 0 ? totals->last.value() : 0;
}

std::optional<bool> lastIsSchedule(store::MessageStore& store, std::string_view subject)
{
    const auto totals = store.subject(subject);
    store::MessageView message;
    if (!totals || totals->count == 0 || !store.load(totals->last, message))
        return {};
    return !headerValue(message.headers, "Nats-Schedule").empty();
}

namespace {

Refusal checkExpected(const PublishFacts& facts,
    std::string_view subject,
    const PublishHeaders& headers,
    PublishVerdict& verdict)
{
    if (!headers.expectedStream.empty() && headers.expectedStream != facts.config.name)
        return Error::api(400, 10060, "expected stream does not match");
    if (!headers.ttl.empty() && !facts.config.allowMsgTtl && parseTtl(headers.ttl)
        && facts.from == PublishFacts::From::Client)
        return Error::api(400, 10166, "per-message TTL is disabled");
    if (!headers.expectedLastSubjectSeq.empty()) {
        const bool other = !headers.expectedLastSubjectSeqSubject.empty();
        std::uint64_t actual = 0;
        if (other) {
            actual = lastSequenceOf(facts.store, headers.expectedLastSubjectSeqSubject);
        } else {
            verdict.subject = facts.store.subject(subject).value_or(store::SubjectTotals{});
            actual = verdict.subject->count > 0 ? verdict.subject->last.value() : 0;
        }
        if (sequenceOf(headers.expectedLastSubjectSeq) != actual)
            return errors::wrongLastSequence(actual);
    } else if (!headers.expectedLastSubjectSeqSubject.empty()) {
        return Error::api(400, 10193, "missing sequence for expected last sequence per subject");
    }
    if (!headers.expectedLastSeq.empty()) {
        const std::uint64_t last = facts.store.state().last.value();
        if (sequenceOf(headers.expectedLastSeq) != last)
            return errors::wrongLastSequence(last);
    }
    return {};
}

} // namespace

Refusal checkIncrement(
    const PublishFacts& facts, const PublishHeaders& headers, std::string_view payload)
{
    if (headers.increment.empty())
        return {};
    const auto invalid = Error::api(400, 10171, "message counter increment is invalid");
    if (!Decimal::parse(headers.increment))
        return invalid;
    if (facts.from != PublishFacts::From::Client)
        return {};
    if (!facts.config.allowMsgCounter)
        return Error::api(400, 10168, "message counters is disabled");
    if (!payload.empty())
        return Error::api(400, 10170, "message counter has payload");
    for (const std::string_view other : {headers.rollup,
             headers.expectedStream,
             headers.expectedLastMsgId,
             headers.expectedLastSeq,
             headers.expectedLastSubjectSeq,
             headers.expectedLastSubjectSeqSubject})
        if (!other.empty())
            return invalid;
    return {};
}

namespace {

/// Rows 19 and 20: what is stored is the new value.
Refusal checkCount(const PublishFacts& facts,
    const PublishHeaders& headers,
    store::NewMessage& message,
    PublishVerdict& verdict)
{
    if (!facts.config.allowMsgCounter)
        return {};
    if (headers.increment.empty())
        return Error::api(400, 10169, "message counter increment is missing");
    store::MessageView last;
    const subjects::SubjectFilter filter({std::string(message.subject)});
    const bool found = facts.store.loadLast(filter, StreamSeq{}, last);
    auto count = countUp(found ? &last : nullptr,
        {message.subject,
            message.headers,
            message.payload,
            headers.increment,
            headers.streamSource});
    if (!count)
        return count.error();
    verdict.count = std::move(*count);
    message.headers = verdict.count->headers;
    message.payload = verdict.count->payload;
    const std::size_t size = message.headers.size() + message.payload.size();
    if (facts.maxPayload > 0 && size > static_cast<std::size_t>(facts.maxPayload))
        return Error::api(400, 10054, "message size exceeds maximum allowed");
    return {};
}

Refusal checkForeignHeaders(const PublishFacts& facts,
    std::string_view subject,
    std::string_view block,
    const PublishHeaders& headers,
    PublishVerdict& verdict)
{
    if (headers.scheduleZone.data() || !headers.schedule.empty() || !headers.scheduleNext.empty()
        || !headers.scheduler.empty()) {
        const ScheduleFacts schedules{
            facts.config, subject, facts.now, [&facts](std::string_view other) {
                return lastIsSchedule(facts.store, other);
            }};
        ScheduleVerdict outcome = checkSchedule(schedules, block, headers);
        if (outcome.error)
            return std::move(outcome.error);
        verdict.schedule = outcome.schedule;
        if (outcome.addRollup) {
            verdict.block = withHeader(block, "Nats-Rollup", "sub");
            verdict.rollup = PublishVerdict::Rollup::Subject;
        }
    }
    if (!headers.streamSource.empty())
        return Error::api(400, 10227, "message stream source header is not allowed");
    return {};
}

Refusal checkRollup(
    const PublishFacts& facts, const PublishHeaders& headers, PublishVerdict& verdict)
{
    if (headers.rollup.empty())
        return {};
    const bool permitted = facts.config.allowRollup && !facts.config.denyPurge;
    if (!permitted && facts.from == PublishFacts::From::Client)
        return Error::api(500, 10111, "rollup not permitted");
    std::string value(headers.rollup);
    for (char& c : value)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + 32);
    if (value == "sub")
        verdict.rollup = PublishVerdict::Rollup::Subject;
    else if (value == "all")
        verdict.rollup = PublishVerdict::Rollup::All;
    else
        return Error::api(500, 10111, "rollup value invalid: \"" + value + "\"");
    if (!permitted)
        verdict.rollup = PublishVerdict::Rollup::None;
    return {};
}

/// The checks that only messages with headers can fail, up to the size (rows 4 to 18).
Refusal checkHeaders(const PublishFacts& facts,
    std::string_view subject,
    std::string_view block,
    const PublishHeaders& headers,
    std::string_view payload,
    PublishVerdict& verdict)
{
    const bool copied = facts.from != PublishFacts::From::Client;
    if (Refusal refusal = checkIncrement(facts, headers, payload))
        return refusal;
    if (Refusal refusal = checkExpected(facts, subject, headers, verdict))
        return refusal;
    if (Refusal refusal =
            copied ? Refusal() : checkForeignHeaders(facts, subject, block, headers, verdict))
        return refusal;
    if (!headers.msgId.empty() && facts.dedup.on() && facts.from != PublishFacts::From::Mirror) {
        verdict.original = facts.dedup.find(headers.msgId);
        if (!verdict.original.isZero()) {
            verdict.kind = PublishVerdict::Kind::Duplicate;
            return {};
        }
    }
    if (!headers.expectedLastMsgId.empty() && headers.expectedLastMsgId != facts.lastMsgId)
        return Error::api(400, 10070, "wrong last msg ID: " + std::string(facts.lastMsgId));
    return checkRollup(facts, headers, verdict);
}

} // namespace

Refusal checkTtl(const StreamConfig& config, const PublishHeaders& headers, PublishVerdict& verdict)
{
    if (headers.ttl.empty())
        return {};
    const auto ttl = parseTtl(headers.ttl);
    if (!ttl)
        return Error::api(400, 10165, "invalid per-message TTL");
    verdict.ttl = *ttl;
    if (*ttl != kTtlNever && *ttl < config.subjectDeleteMarkerTtl
        && config.maxMsgsPerSubject != 1) {
        verdict.ttl = config.subjectDeleteMarkerTtl;
        verdict.ttlRaised = true;
    }
    return {};
}

namespace {

Refusal checkLimits(
    const PublishFacts& facts, const store::NewMessage& message, PublishVerdict& verdict)
{
    const StreamConfig& config = facts.config;
    if (config.maxMsgsPerSubject > 0 && !verdict.subject)
        verdict.subject = facts.store.subject(message.subject).value_or(store::SubjectTotals{});
    verdict.subjectFull = verdict.subject && subjectIsFull(config, verdict.subject->count);
    if (config.discard != Discard::New)
        return {};
    Arrival arrival;
    arrival.size = facts.store.sizeOf(message);
    arrival.subjectCount = verdict.subject ? verdict.subject->count : 0;
    arrival.rollup = verdict.rollup != PublishVerdict::Rollup::None;
    if (verdict.subjectFull && config.maxBytes > 0) {
        store::MessageView oldest;
        if (facts.store.load(facts.store.firstOf(message.subject), oldest))
            arrival.oldestOfSubject =
                facts.store.sizeOf({oldest.subject, oldest.headers, oldest.payload, oldest.time});
    }
    if (const char* text = refusedByLimits(config, facts.store.state(), arrival))
        return errors::storeFailed(text);
    return {};
}

/// Rows 19 to 28, without the size of the message, which comes first.
Refusal checkStorage(const PublishFacts& facts,
    const store::NewMessage& message,
    const PublishHeaders& headers,
    PublishVerdict& verdict)
{
    const StreamConfig& config = facts.config;
    if (message.headers.size() > kMaxHeaders)
        return Error::api(400, 10097, "header size exceeds maximum allowed of 64k");
    if (serverIsFull(facts))
        return Error::api(503, 10023, "insufficient resources");
    if (config.retention == Retention::Interest && !facts.interest) {
        verdict.kind = PublishVerdict::Kind::Skip;
        return {};
    }
    if (accountHasNoRoom(facts, facts.store.sizeOf(message)))
        return Error::api(400, 10002, "resource limits exceeded for account");
    if (Refusal refusal = checkTtl(config, headers, verdict))
        return refusal;
    return checkLimits(facts, message, verdict);
}

bool isTooLarge(const StreamConfig& config, const store::NewMessage& message)
{
    const std::size_t size = message.headers.size() + message.payload.size();
    return config.maxMsgSize >= 0 && size > static_cast<std::size_t>(config.maxMsgSize);
}

} // namespace

PublishVerdict checkPublish(const PublishFacts& facts,
    std::string_view subject,
    std::string_view block,
    const PublishHeaders& headers,
    std::string_view payload)
{
    PublishVerdict verdict;
    store::NewMessage message{subject, block, payload, 0};
    Refusal refusal;
    if (facts.config.storage == Storage::File
        && subject.size() + block.size() + payload.size() > kMaxRecord)
        refusal = errors::storeFailed("message too large");
    else if (facts.config.sealed)
        refusal = errors::streamSealed();
    else if (isTooLarge(facts.config, message)) // before any header is looked at (2.15.2)
        refusal = Error::api(400, 10054, "message size exceeds maximum allowed");
    else if (!block.empty())
        refusal = checkHeaders(facts, subject, block, headers, payload, verdict);
    if (verdict.block)
        message.headers = *verdict.block;
    if (!refusal && verdict.kind == PublishVerdict::Kind::Store)
        refusal = checkCount(facts, headers, message, verdict);
    if (!refusal && (verdict.count || verdict.block) && isTooLarge(facts.config, message))
        refusal = Error::api(400, 10054, "message size exceeds maximum allowed");
    if (!refusal && verdict.kind == PublishVerdict::Kind::Store)
        refusal = checkStorage(facts, message, headers, verdict);
    if (refusal) {
        verdict.kind = PublishVerdict::Kind::Refuse;
        verdict.error = std::move(*refusal);
    }
    return verdict;
}

} // namespace jetglass::streams
