// SPDX-License-Identifier: GPL-3.0-or-later
#include "broker/config_rules.h"
#include "consumers/consumer.h"
#include "flow/flow_hub.h"
#include "queries/answers.h"
#include "queries/inquiry.h"
#include "queries/lookup.h"
#include "streams/retention.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <algorithm>
#include <limits>

namespace jetglass::queries {

namespace {

constexpr std::size_t kSample = 10;
constexpr std::size_t kSamplePayload = 256;
constexpr std::size_t kLookStride = 64;
constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

const subjects::SubjectFilter kEverything;

} // namespace

PreviewInquiry::PreviewInquiry(PreviewQuestion question, streams::StreamRegistry& registry)
    : m_question(std::move(question))
    , m_registry(registry)
    , m_most(kNoBound)
{
}

void PreviewInquiry::begin(streams::Stream& stream)
{
    m_answer.found = true;
    store::MessageStore& store = stream.store();
    const store::StoreState state = store.state();
    m_answer.stays = state.messages;
    m_at = state.first;
    m_below = state.last + 1;
    m_phase = Phase::CountBlocks;
    for (const consumers::Consumer* consumer : selectConsumers(stream, {})) {
        PreviewConsumer row;
        row.consumer = consumer->id();
        row.name = consumer->name();
        m_answer.consumers.push_back(std::move(row));
    }
    if (m_question.config)
        return beginConfig(stream, *m_question.config);
    if (m_question.purge && (stream.config().denyPurge || stream.config().sealed)) {
        m_answer.error = stream.config().sealed ? "invalid operation on sealed stream"
                                                : "stream purge not permitted";
        m_phase = Phase::Finished;
        return;
    }
    if (m_question.purge)
        beginPurge(store, *m_question.purge);
}

void PreviewInquiry::beginPurge(store::MessageStore& store, const PreviewQuestion::Purge& purge)
{
    m_filter = filterOf(purge.filter);
    if (purge.seq != 0)
        m_below = std::min(m_below, StreamSeq(purge.seq));
    else
        m_keep = purge.keep;
    if (!m_filter.matchesAll())
        m_phase = m_keep > 0 ? Phase::CountAll : Phase::Look;
    else if (m_keep > 0)
        m_below = store.firstOfNewest(m_keep);
}

void PreviewInquiry::beginConfig(streams::Stream& stream, StreamConfig config)
{
    auto checked = normalizeStreamConfig(config, false);
    if (checked)
        checked = checkStreamUpdate(stream.config(), config);
    if (!checked) {
        m_answer.error = checked.error().text;
        m_phase = Phase::Finished;
        return;
    }
    m_config = std::move(config);
    if (m_config->maxMsgsPerSubject > 0)
        m_phase = Phase::FindSubjects;
    else
        cutByLimits(stream);
}

/// The oldest that the limits of the whole stream take.
void PreviewInquiry::cutByLimits(streams::Stream& stream)
{
    store::MessageStore& store = stream.store();
    const store::StoreState state = store.state();
    m_below = state.first;
    if (const auto excess = streams::excessMessages(*m_config, state.messages); excess > 0)
        m_below = std::max(m_below, store.firstOfNewest(state.messages - excess));
    if (const auto excess = streams::excessBytes(*m_config, state.bytes); excess > 0)
        m_below = std::max(m_below, store.firstBehind(excess));
    if (const auto cutoff = streams::ageCutoff(*m_config, stream.context().clock.wallTime()))
        m_below = std::max(m_below, store.seqAtTime(*cutoff + 1));
    m_phase = Phase::CountBlocks;
}

void PreviewInquiry::findSubjects(streams::Stream& stream, const base::Slice& slice)
{
    const bool all = stream.store().walkSubjects(
        m_position, kEverything, slice, [this](std::string_view subject, std::uint64_t count) {
            if (const auto excess = streams::excessOfSubject(*m_config, count); excess > 0)
                m_excess.emplace(subject, excess);
        });
    if (!all)
        return;
    m_left = m_excess;
    m_phase = Phase::WeighSubjects;
    if (m_excess.empty())
        cutByLimits(stream);
}

void PreviewInquiry::weighSubjects(streams::Stream& stream, const base::Slice& slice)
{
    store::MessageStore& store = stream.store();
    std::size_t looked = 0;
    bool stopped = false;
    store.visit(kEverything, m_at, [&](const store::IndexedMessage& message) {
        if (message.seq >= m_below)
            return false;
        m_at = message.seq + 1;
        const auto left = m_left.find(std::string(message.subject));
        if (left != m_left.end() && left->second > 0) {
            --left->second;
            m_subjectBytes += message.size;
        }
        stopped = ++looked % kLookStride == 0 && slice.over();
        return !stopped;
    });
    if (stopped)
        return;
    const store::StoreState state = store.state();
    std::uint64_t gone = 0;
    for (const auto& [subject, excess] : m_excess)
        gone += excess;
    m_excessMessages =
        streams::excessMessages(*m_config, state.messages - std::min(state.messages, gone));
    m_excessBytes =
        streams::excessBytes(*m_config, state.bytes - std::min(state.bytes, m_subjectBytes));
    m_cutoff = streams::ageCutoff(*m_config, stream.context().clock.wallTime()).value_or(0);
    m_left = m_excess;
    m_at = state.first;
    m_phase = Phase::Look;
}

/// As the stream does it: first what subjects hold too many of, then the oldest of what is left.
bool PreviewInquiry::goes(const store::IndexedMessage& message)
{
    if (m_excess.empty())
        return m_answer.count < m_most;
    const auto left = m_left.find(std::string(message.subject));
    if (left != m_left.end() && left->second > 0) {
        --left->second;
        return true;
    }
    if (m_excessMessages == 0 && m_excessBytes == 0 && message.time > m_cutoff)
        return false;
    m_excessMessages -= std::min<std::uint64_t>(m_excessMessages, 1);
    m_excessBytes -= std::min<std::uint64_t>(m_excessBytes, message.size);
    return true;
}

void PreviewInquiry::take(streams::Stream& stream, const store::IndexedMessage& message)
{
    ++m_answer.count;
    m_answer.bytes += message.size;
    if (m_answer.first.isZero())
        m_answer.first = message.seq;
    m_answer.last = message.seq;
    auto& ranges = m_answer.ranges;
    if (!ranges.empty() && ranges.back().last + 1 == message.seq)
        ranges.back().last = message.seq;
    else if (ranges.size() < PreviewAnswer::kMostRanges)
        ranges.push_back({message.seq, message.seq});
    else
        m_answer.moreRanges = true;
    if (m_answer.sample.size() < kSample)
        m_answer.sample.emplace_back().seq = message.seq;
    const auto consumers = selectConsumers(stream, {});
    for (PreviewConsumer& row : m_answer.consumers)
        for (const consumers::Consumer* consumer : consumers) {
            if (consumer->id() != row.consumer)
                continue;
            if (message.seq >= consumer->nextSeq())
                row.losesPending += consumer->matches(message.subject) ? 1U : 0U;
            else
                row.losesAckPending += consumer->tracker().find(message.seq) ? 1U : 0U;
        }
}

void PreviewInquiry::look(streams::Stream& stream, const base::Slice& slice)
{
    std::size_t looked = 0;
    bool stopped = false;
    stream.store().visit(m_filter, m_at, [&](const store::IndexedMessage& message) {
        if (message.seq >= m_below || (m_excess.empty() && m_answer.count >= m_most))
            return false;
        m_at = message.seq + 1;
        if (goes(message))
            take(stream, message);
        stopped = ++looked % kLookStride == 0 && slice.over();
        return !stopped;
    });
    if (!stopped)
        finish(stream);
}

void PreviewInquiry::countConsumers(streams::Stream& stream, const base::Slice& slice)
{
    const auto consumers = selectConsumers(stream, {});
    while (m_consumer < m_answer.consumers.size()) {
        PreviewConsumer& row = m_answer.consumers[m_consumer];
        const consumers::Consumer* consumer = findConsumer(stream, row.consumer);
        if (consumer && consumer->nextSeq() < m_below) {
            m_count.filter = consumer->filter();
            m_count.from = std::max(m_count.from, consumer->nextSeq());
            m_count.below = m_below;
            stream.store().advance(m_count, slice);
            if (!m_count.finished)
                return;
            row.losesPending = m_count.found.count;
        }
        m_count = {};
        if (consumer)
            consumer->tracker().forEach([&](const consumers::PendingMessage& pending) {
                row.losesAckPending += pending.seq < m_below ? 1U : 0U;
            });
        ++m_consumer;
        if (slice.over())
            return;
    }
    finish(stream);
}

void PreviewInquiry::step(streams::Stream& stream, const base::Slice& slice)
{
    store::MessageStore& store = stream.store();
    switch (m_phase) {
    case Phase::Begin:
        return begin(stream);
    case Phase::CountAll:
        m_count.filter = m_filter;
        store.advance(m_count, slice);
        if (m_count.finished) {
            m_most = m_count.found.count - std::min(m_keep, m_count.found.count);
            m_phase = Phase::Look;
        }
        return;
    case Phase::FindSubjects:
        return findSubjects(stream, slice);
    case Phase::WeighSubjects:
        return weighSubjects(stream, slice);
    case Phase::Look:
        return look(stream, slice);
    case Phase::CountBlocks:
        m_count.below = m_below;
        m_count.bytes = true;
        if (m_below > m_at)
            store.advance(m_count, slice);
        if (m_below > m_at && !m_count.finished)
            return;
        m_answer.count = m_count.found.count;
        m_answer.bytes = m_count.found.bytes;
        m_answer.first = m_count.first;
        m_answer.last = m_count.last;
        if (m_answer.count > 0)
            m_answer.ranges.push_back({m_count.first, m_count.last});
        m_count = {};
        m_phase = Phase::CountConsumers;
        return;
    case Phase::CountConsumers:
        return countConsumers(stream, slice);
    case Phase::Finished:
        return;
    }
}

void PreviewInquiry::finish(streams::Stream& stream)
{
    store::MessageStore& store = stream.store();
    const std::uint64_t messages = store.state().messages;
    m_answer.stays = messages - std::min(messages, m_answer.count);
    if (m_answer.sample.empty() && m_answer.count > 0)
        store.visit(kEverything, m_answer.first, [this](const store::IndexedMessage& message) {
            if (message.seq > m_answer.last || m_answer.sample.size() >= kSample)
                return false;
            m_answer.sample.emplace_back().seq = message.seq;
            return true;
        });
    for (MessageRow& row : m_answer.sample) {
        store::MessageView view;
        if (!store.load(row.seq, view))
            continue;
        row.time = view.time;
        row.subject = view.subject;
        row.headers = view.headers;
        row.payload = view.payload.substr(0, kSamplePayload);
        row.payloadSize = view.payload.size();
    }
    m_phase = Phase::Finished;
}

bool PreviewInquiry::advance(const base::Slice& slice)
{
    streams::Stream* stream = m_registry.find(m_question.stream);
    if (!stream) {
        m_answer.found = false;
        return true;
    }
    do
        step(*stream, slice);
    while (m_phase != Phase::Finished && !slice.over());
    return m_phase == Phase::Finished;
}

PreviewAnswer answer(
    const PreviewQuestion& question, streams::StreamRegistry& registry, flow::FlowHub&)
{
    PreviewInquiry inquiry(question, registry);
    while (!inquiry.advance({})) { }
    return inquiry.take();
}

} // namespace jetglass::queries
