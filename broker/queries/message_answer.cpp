// SPDX-License-Identifier: GPL-3.0-or-later
#include "flow/flow_hub.h"
#include "queries/answers.h"
#include "queries/lookup.h"
#include "streams/message_ttl.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <algorithm>

namespace jetglass::queries {

namespace {

constexpr std::uint32_t kMaxMessages = 1000;

} // namespace

MessageAnswer answer(
    const MessageQuestion& question, streams::StreamRegistry& registry, flow::FlowHub& hub)
{
    MessageAnswer result;
    result.lastEvent = hub.lastNumber();
    streams::Stream* stream = registry.find(question.stream);
    if (!stream)
        return result;
    result.found = true;
    store::MessageStore& store = stream->store();
    const subjects::SubjectFilter filter = filterOf(question.filter);
    const std::uint32_t limit = std::min(question.count, kMaxMessages);
    StreamSeq at = question.first;
    if (question.backwards && at.isZero())
        at = store.state().last;
    std::size_t bytes = 0;
    store::MessageView view;
    for (;;) {
        const bool found = question.backwards ? !at.isZero() && store.loadLast(filter, at, view)
                                              : store.loadNext(filter, at, view);
        if (!found)
            return result;
        if (result.rows.size() >= limit || bytes >= kAnswerBytes) {
            result.next = view.seq;
            return result;
        }
        MessageRow row;
        row.seq = view.seq;
        row.time = view.time;
        row.subject = view.subject;
        row.headers = view.headers;
        row.payload = view.payload.substr(0, question.payloadLimit);
        row.payloadSize = view.payload.size();
        const streams::TimedEnd end = streams::timedEnd(stream->config(), view.time, view.headers);
        row.endsAt = end.at;
        row.endsBy = end.cause;
        row.firesAt = stream->firesAt(view.subject, view.seq);
        bytes += sizeof(MessageRow) + row.subject.size() + row.headers.size() + row.payload.size();
        result.rows.push_back(std::move(row));
        at = question.backwards ? view.seq - 1 : view.seq + 1;
    }
}

} // namespace jetglass::queries
