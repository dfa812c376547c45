// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/batch_rules.h"

#include "streams/api_error.h"
#include "streams/context.h"
#include "streams/message_ttl.h"
#include "streams/publish_checks.h"
#include "streams/schedule_rules.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace jetglass::streams {
namespace {

Error wrongSequence()
{
    return Error::api(400, 10164, "wrong last sequence");
}

std::string lowerCase(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + 32);
    return out;
}

} // namespace

bool needsHigherLevel(std::string_view block)
{
    const std::string_view text = headerValue(block, kRequiredLevel);
    int level = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
    return !text.empty()
        && (error != std::errc{} || end != text.data() + text.size() || level > kApiLevel);
}

PublishVerdict BatchCheck::add(std::string_view subject,
    std::string_view block,
    const PublishHeaders& headers,
    std::string_view payload)
{
    PublishVerdict verdict;
    store::NewMessage message{subject, block, payload, 0};
    if (auto refusal = check(message, headers, verdict)) {
        verdict.kind = PublishVerdict::Kind::Refuse;
        verdict.error = std::move(*refusal);
        return verdict;
    }
    Written& written = m_written.try_emplace(std::string(subject)).first->second;
    ++written.count;
    written.schedule = verdict.schedule;
    ++m_messages;
    m_bytes += m_facts.store.sizeOf(message);
    const bool rollup = !headers.rollup.empty() || verdict.schedule;
    if (auto refusal = checkLimits(message, rollup)) {
        verdict.kind = PublishVerdict::Kind::Refuse;
        verdict.error = std::move(*refusal);
    }
    return verdict;
}

std::optional<Error> BatchCheck::check(
    store::NewMessage& message, const PublishHeaders& headers, PublishVerdict& verdict)
{
    const StreamConfig& config = m_facts.config;
    if (config.storage == Storage::File
        && message.subject.size() + message.headers.size() + message.payload.size() > kMaxRecord)
        return errors::storeFailed("message too large");
    if (message.headers.size() > kMaxHeaders)
        return Error::api(400, 10097, "header size exceeds maximum allowed of 64k");
    if (auto refusal = checkIncrement(m_facts, headers, message.payload))
        return refusal;
    if (!headers.expectedStream.empty() && headers.expectedStream != config.name)
        return Error::api(400, 10060, "expected stream does not match");
    if (!headers.ttl.empty() && !config.allowMsgTtl)
        return Error::api(400, 10166, "per-message TTL is disabled");
    if (auto refusal = checkTtl(config, headers, verdict))
        return refusal;
    if (auto refusal = checkIds(headers, verdict))
        return refusal;
    if (!headers.streamSource.empty())
        return Error::api(400, 10227, "message stream source header is not allowed");
    if (auto refusal = checkValue(message, headers, verdict))
        return refusal;
    if (message.headers.empty())
        return {};
    if (auto refusal = checkExpected(message.subject, headers))
        return refusal;
    if (auto refusal = checkSchedules(message, headers, verdict))
        return refusal;
    const std::string rollup = verdict.block ? "sub" : lowerCase(headers.rollup);
    return checkRollup(message.subject, rollup, verdict);
}

std::optional<Error> BatchCheck::checkIds(const PublishHeaders& headers, PublishVerdict& verdict)
{
    if (headers.msgId.empty())
        return {};
    if (m_facts.dedup.on())
        verdict.original = m_facts.dedup.find(headers.msgId);
    if (!verdict.original.isZero() || !m_ids.insert(std::string(headers.msgId)).second)
        return Error::api(400, 10201, "atomic publish batch contains duplicate message id");
    return {};
}

/// A counter goes on from where the batch has left it.
std::optional<Error> BatchCheck::checkValue(
    store::NewMessage& message, const PublishHeaders& headers, PublishVerdict& verdict)
{
    const StreamConfig& config = m_facts.config;
    if (!config.allowMsgCounter)
        return {};
    if (headers.increment.empty())
        return Error::api(400, 10169, "message counter increment is missing");
    store::MessageView last;
    const auto before = m_counts.find(message.subject);
    bool found = before != m_counts.end();
    if (found) {
        last.headers = before->second.headers;
        last.payload = before->second.payload;
    } else if (const auto totals = m_facts.store.subject(message.subject)) {
        found = totals->count > 0 && m_facts.store.load(totals->last, last);
    }
    auto count = countUp(found ? &last : nullptr,
        {message.subject, message.headers, message.payload, headers.increment, {}});
    if (!count)
        return count.error();
    verdict.count = *count;
    Count& kept = m_counts[std::string(message.subject)];
    kept = std::move(*count);
    message.headers = kept.headers;
    message.payload = kept.payload;
    std::int64_t most = m_facts.maxPayload;
    if (config.maxMsgSize >= 0 && (most <= 0 || config.maxMsgSize < most))
        most = config.maxMsgSize;
    const std::size_t size = message.headers.size() + message.payload.size();
    if (most > 0 && size > static_cast<std::size_t>(most))
        return Error::api(400, 10054, "message size exceeds maximum allowed");
    return {};
}

std::optional<Error> BatchCheck::checkExpected(
    std::string_view subject, const PublishHeaders& headers)
{
    if (!headers.expectedLastSeq.empty()) {
        const std::uint64_t last = m_facts.store.state().last.value() + m_messages;
        if (sequenceOf(headers.expectedLastSeq) != last)
            return errors::wrongLastSequence(last);
        if (m_messages > 0) // only the first one can know
            return wrongSequence();
    }
    const std::string_view other = headers.expectedLastSubjectSeqSubject;
    if (headers.expectedLastSubjectSeq.empty()) {
        if (!other.empty())
            return Error::api(
                400, 10193, "missing sequence for expected last sequence per subject");
        return {};
    }
    const std::string_view asked = other.empty() ? subject : other;
    if (m_written.contains(asked))
        return wrongSequence();
    auto known = m_expected.find(asked);
    const bool first = known == m_expected.end();
    const std::uint64_t actual = first ? lastSequenceOf(m_facts.store, asked) : known->second;
    if (sequenceOf(headers.expectedLastSubjectSeq) != actual)
        return errors::wrongLastSequence(actual);
    if (first)
        m_expected.emplace(std::string(asked), actual);
    return {};
}

std::optional<Error> BatchCheck::checkSchedules(
    store::NewMessage& message, const PublishHeaders& headers, PublishVerdict& verdict)
{
    if (!headers.scheduleZone.data() && headers.schedule.empty() && headers.scheduleNext.empty()
        && headers.scheduler.empty())
        return {};
    const ScheduleFacts facts{m_facts.config,
        message.subject,
        m_facts.now,
        [this](std::string_view subject) -> std::optional<bool> {
            if (const auto written = m_written.find(subject); written != m_written.end())
                return written->second.schedule;
            return lastIsSchedule(m_facts.store, subject);
        }};
    ScheduleVerdict outcome = checkSchedule(facts, message.headers, headers);
    if (outcome.error)
        return std::move(outcome.error);
    verdict.schedule = outcome.schedule;
    if (outcome.addRollup) {
        verdict.block = withHeader(message.headers, "Nats-Rollup", "sub");
        message.headers = *verdict.block;
    }
    return {};
}

std::optional<Error> BatchCheck::checkRollup(
    std::string_view subject, std::string_view rollup, PublishVerdict& verdict) const
{
    if (rollup.empty())
        return {};
    if (!m_facts.config.allowRollup || m_facts.config.denyPurge)
        return Error::api(500, 10111, "rollup not permitted");
    if (rollup == "sub") {
        if (m_written.contains(subject))
            return Error::api(500, 10111, "batch rollup sub invalid");
        verdict.rollup = PublishVerdict::Rollup::Subject;
    } else if (rollup == "all") {
        if (m_messages > 0)
            return Error::api(500, 10111, "batch rollup all invalid");
        verdict.rollup = PublishVerdict::Rollup::All;
    } else {
        return Error::api(500, 10111, "rollup value invalid: \"" + std::string(rollup) + "\"");
    }
    return {};
}

/// Discard new, with all of the batch so far counted in.
std::optional<Error> BatchCheck::checkLimits(const store::NewMessage& message, bool rollup) const
{
    const StreamConfig& config = m_facts.config;
    if (config.discard != Discard::New)
        return {};
    const store::StoreState state = m_facts.store.state();
    if (config.maxMsgs > 0
        && state.messages + m_messages > static_cast<std::uint64_t>(config.maxMsgs))
        return errors::storeFailed("maximum messages exceeded");
    if (config.maxBytes > 0 && state.bytes + m_bytes > static_cast<std::uint64_t>(config.maxBytes))
        return errors::storeFailed("maximum bytes exceeded");
    if (!config.discardNewPerSubject || config.maxMsgsPerSubject <= 0 || rollup)
        return {};
    const auto totals = m_facts.store.subject(message.subject);
    const std::uint64_t count =
        (totals ? totals->count : 0) + m_written.find(message.subject)->second.count;
    if (count > static_cast<std::uint64_t>(config.maxMsgsPerSubject))
        return errors::storeFailed("maximum messages per subject exceeded");
    return {};
}

} // namespace jetglass::streams
