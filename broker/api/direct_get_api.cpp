// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/direct_get_api.h"

#include "api/api_router.h"
#include "base/time_text.h"
#include "streams/json_decode.h"
#include "streams/publish_headers.h"
#include "subjects/subject_filter.h"

#include <algorithm>
#include <charconv>

namespace jetglass::api {
namespace {

using namespace streams;

constexpr std::string_view kQueue = "_sys_";
constexpr std::size_t kMaxMulti = 1024;
constexpr std::uint64_t kMaxBytes = 64U << 20U;

constexpr std::string_view kLevel = "412 Required Api Level";
constexpr std::string_view kEmpty = "408 Empty Request";
constexpr std::string_view kMalformed = "408 Malformed Request";
constexpr std::string_view kBad = "408 Bad Request";
constexpr std::string_view kNotFound = "404 Message Not Found";
constexpr std::string_view kNoResults = "404 No Results";
constexpr std::string_view kTooMany = "413 Too Many Results";

/// The status for a request that contradicts itself, empty if it does not.
std::string_view contradiction(const MessageRequest& request, bool bySubject)
{
    const bool seq = request.seq > 0;
    const bool last = !request.lastBySubject.empty();
    const bool next = !request.nextBySubject.empty();
    const bool time = request.startTime.has_value();
    const bool multi = !request.multiLast.empty();
    const bool bound = request.upToSeq > 0 || request.upToTime;
    if (bySubject)
        return seq || last || next || multi || request.batch > 0 || time || bound
            ? kBad
            : std::string_view{};
    if (!seq && !last && !next && !multi && !time)
        return kEmpty;
    if ((seq && last) || (seq && time) || (time && last)
        || (last && (next || request.batch > 0 || multi)) || (next && multi)
        || (request.upToSeq > 0 && request.upToTime))
        return kBad;
    return {};
}

std::uint64_t budgetOf(const MessageRequest& request)
{
    return request.maxBytes > 0 ? static_cast<std::uint64_t>(request.maxBytes) : kMaxBytes;
}

std::uint64_t sizeOf(const store::MessageView& message)
{
    return message.subject.size() + message.headers.size() + message.payload.size();
}

} // namespace

DirectGet::DirectGet(Context& context, std::string stream, const std::string& asked)
    : m_context(context)
    , m_stream(std::move(stream))
{
    m_prefixes.push_back("$JS.API.DIRECT.GET." + asked);
    if (!context.settings.domain.empty())
        m_prefixes.push_back("$JS." + context.settings.domain + ".API.DIRECT.GET." + asked);
    for (const std::string& prefix : m_prefixes) {
        m_registrations.push_back(context.bus.subscribe(prefix, kQueue, *this));
        m_registrations.push_back(context.bus.subscribe(prefix + ".>", kQueue, *this));
    }
}

std::string_view DirectGet::keyOf(std::string_view subject) const
{
    for (const std::string& prefix : m_prefixes)
        if (subject.starts_with(prefix) && subject.size() > prefix.size())
            return subject.substr(prefix.size() + 1);
    return {};
}

void DirectGet::onMessage(const Inbound& message)
{
    Stream* stream = m_context.findStream ? m_context.findStream(m_stream) : nullptr;
    if (message.reply.empty() || !stream)
        return;
    if (levelTooHigh(message.headers))
        return sendStatus(message.reply, kLevel);
    const std::string_view key = keyOf(message.subject);
    if (key.empty() && message.payload.empty())
        return sendStatus(message.reply, kEmpty);
    MessageRequest request;
    JsonFields fields(false);
    request.declare(fields);
    if (!decodeJson(message.payload, fields))
        return sendStatus(message.reply, kMalformed);
    if (const std::string_view status = contradiction(request, !key.empty()); !status.empty())
        return sendStatus(message.reply, status);
    if (!key.empty())
        request.lastBySubject = key;
    stream->inOrder([this,
                        alive = std::weak_ptr<char>(m_alive),
                        request = std::move(request),
                        reply = std::string(message.reply)] {
        if (alive.expired())
            return;
        if (Stream* asked = m_context.findStream(m_stream)) {
            asked->settle();
            answer(*asked, request, reply);
        }
    });
}

void DirectGet::answer(Stream& stream, const MessageRequest& request, std::string_view reply)
{
    if (!request.multiLast.empty())
        return answerMulti(stream, request, reply);
    if (request.batch > 0)
        return answerBatch(stream, request, reply);
    store::MessageView message;
    if (!request.find(stream.store(), message))
        return sendStatus(reply, kNotFound);
    sendMessage(message, reply, !request.noHeaders, nullptr);
}

void DirectGet::answerBatch(Stream& stream, const MessageRequest& request, std::string_view reply)
{
    store::MessageStore& store = stream.store();
    subjects::SubjectFilter filter;
    if (!request.nextBySubject.empty())
        filter = subjects::SubjectFilter({request.nextBySubject});
    StreamSeq at = std::max(request.start(store), StreamSeq(1));
    Progress progress;
    progress.pending = store.count(filter, at);
    const std::uint64_t budget = budgetOf(request);
    std::uint64_t bytes = 0;
    store::MessageView message;
    for (std::int64_t left = request.batch; left > 0 && bytes < budget; --left) {
        if (!store.loadNext(filter, at, message)) {
            if (progress.last == 0)
                return sendStatus(reply, kNotFound);
            break;
        }
        at = message.seq + 1;
        bytes += sizeOf(message);
        if (!request.noHeaders && progress.pending > 0)
            --progress.pending;
        const std::uint64_t seq = message.seq.value();
        sendMessage(message, reply, !request.noHeaders, &progress);
        progress.last = seq;
    }
    sendEnd(reply, progress, 0);
}

void DirectGet::answerMulti(Stream& stream, const MessageRequest& request, std::string_view reply)
{
    store::MessageStore& store = stream.store();
    const store::StoreState state = store.state();
    StreamSeq upTo = state.last;
    StreamSeq bound; // as told at the end: a memory stream repeats what was asked for
    if (request.upToSeq > 0) {
        if (StreamSeq(request.upToSeq) > state.last && stream.config().storage == Storage::File)
            return sendStatus(reply, kNoResults);
        bound = StreamSeq(request.upToSeq);
        upTo = std::min(bound, state.last);
    } else if (request.upToTime) {
        upTo = store.seqAtTime(base::parseRfc3339(*request.upToTime).value_or(0));
        if (upTo <= state.first)
            return sendStatus(reply, kNoResults);
        upTo = upTo - 1;
    }
    std::vector<StreamSeq> found;
    std::vector<std::string> older;
    store.forEachSubject(subjects::SubjectFilter(request.multiLast),
        [&](std::string_view subject, const store::SubjectTotals& totals) {
            if (totals.last <= upTo)
                found.push_back(totals.last);
            else
                older.emplace_back(subject);
            return found.size() <= kMaxMulti;
        });
    store::MessageView message;
    for (const std::string& subject : older)
        if (store.loadLast(subjects::SubjectFilter({subject}), upTo, message))
            found.push_back(message.seq);
    if (found.empty())
        return sendStatus(reply, kNoResults);
    if (found.size() > kMaxMulti)
        return sendStatus(reply, kTooMany);
    std::sort(found.begin(), found.end());
    Progress progress;
    progress.pending = found.size();
    const std::uint64_t budget = budgetOf(request);
    std::uint64_t bytes = 0;
    std::int64_t sent = 0;
    for (const StreamSeq seq : found) {
        if (bytes >= budget || (request.batch > 0 && sent >= request.batch))
            break;
        if (seq.value() >= request.seq && store.load(seq, message)) {
            --progress.pending;
            bytes += sizeOf(message);
            sendMessage(message, reply, true, &progress);
            progress.last = seq.value();
            ++sent;
        } else {
            --progress.pending;
        }
    }
    sendEnd(reply, progress, std::max(bound, upTo).value());
}

void DirectGet::sendMessage(const store::MessageView& message,
    std::string_view reply,
    bool headers,
    const Progress* progress)
{
    if (!headers)
        return m_context.bus.publish({reply, {}, {}, message.payload});
    std::string block(message.headers.empty() ? "NATS/1.0\r\n\r\n" : message.headers);
    block.resize(block.size() - 2);
    block += "Nats-Stream: " + m_stream + "\r\nNats-Subject: ";
    block += message.subject;
    block += "\r\nNats-Sequence: " + std::to_string(message.seq.value())
        + "\r\nNats-Time-Stamp: " + base::rfc3339(message.time) + "\r\n";
    if (progress)
        block += "Nats-Num-Pending: " + std::to_string(progress->pending)
            + "\r\nNats-Last-Sequence: " + std::to_string(progress->last) + "\r\n";
    block += "\r\n";
    m_context.bus.publish({reply, {}, block, message.payload});
}

void DirectGet::sendStatus(std::string_view reply, std::string_view status)
{
    const std::string block = "NATS/1.0 " + std::string(status) + "\r\n\r\n";
    m_context.bus.publish({reply, {}, block, {}});
}

void DirectGet::sendEnd(std::string_view reply, const Progress& progress, std::uint64_t upTo)
{
    std::string block = "NATS/1.0 204 EOB\r\nNats-Num-Pending: " + std::to_string(progress.pending)
        + "\r\nNats-Last-Sequence: " + std::to_string(progress.last) + "\r\n";
    if (upTo > 0)
        block += "Nats-UpTo-Sequence: " + std::to_string(upTo) + "\r\n";
    block += "\r\n";
    m_context.bus.publish({reply, {}, block, {}});
}

} // namespace jetglass::api
