// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/upstream_link.h"

#include "base/time_text.h"
#include "streams/api_error.h"
#include "streams/publish_headers.h"
#include "streams/source_name.h"
#include "streams/stream_state.h"

#include <algorithm>

namespace jetglass::streams {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMs;
constexpr std::int64_t kFirstDelay = 100 * kMs;
constexpr std::int64_t kBetweenTries = 2 * kSecond;
constexpr std::int64_t kBackOff = 10 * kSecond;
constexpr std::int64_t kMaxBackOff = 120 * kSecond;
/// So long nothing is heard of an origin that has gone before it is looked for again.
constexpr std::int64_t kStalled = 10 * kSecond;
constexpr std::int64_t kHeartbeat = kSecond;
constexpr std::uint64_t kCaughtUp = 10; ///< a mirror with fewer to copy answers for its origin
constexpr int kBetweenLooks = 16; ///< messages between two looks at the time

subjects::SubjectFilter filterOf(const StreamSource& source)
{
    if (!source.filterSubject.empty())
        return subjects::SubjectFilter({source.filterSubject});
    std::vector<std::string> patterns;
    for (const SubjectTransform& transform : source.subjectTransforms)
        patterns.push_back(transform.src.empty() ? ">" : transform.src);
    return subjects::SubjectFilter(std::move(patterns));
}

} // namespace

UpstreamLink::UpstreamLink(Stream& copy, StreamSource source, bool mirror, SourcePosition position)
    : m_copy(copy)
    , m_source(std::move(source))
    , m_mirror(mirror)
    , m_index(sourceIndex(m_source))
    , m_filter(filterOf(m_source))
    , m_stored(std::move(position))
    , m_staged(m_stored)
    , m_timer(copy.context().timers, [this] { connect(); })
{
    for (const SubjectTransform& transform : m_source.subjectTransforms)
        if (!transform.dest.empty()) // without one it only selects
            if (auto made = subjects::Transform::compile(transform.src, transform.dest))
                m_transforms.push_back(std::move(*made));
    m_timer.arm(copy.context().clock.now() + kFirstDelay);
}

UpstreamLink::~UpstreamLink()
{
    detach();
    m_copy.context().turn.forget(*this);
}

UpstreamInfo UpstreamLink::info() const
{
    UpstreamInfo out;
    out.source = m_source;
    if (!m_mirror && (m_stored.identity.empty() || m_stored.identity == m_staged.identity))
        out.seq = m_stored.seq;
    out.lag = m_lag;
    if (m_origin) {
        const std::uint64_t left = pending();
        out.lag = left > 0 ? left - 1 : 0;
    }
    out.error = m_error;
    if (m_heard == 0)
        return out;
    // While the link is up the origin is heard of at least once a heartbeat.
    const std::int64_t since = m_copy.context().clock.now() - m_heard;
    out.active = m_origin ? since % kHeartbeat : since;
    return out;
}

ExternalOrigin UpstreamLink::findOrigin() const
{
    const Context& context = m_copy.context();
    if (m_source.external)
        return context.findExternal ? context.findExternal(*m_source.external, m_source.name)
                                    : ExternalOrigin{};
    return {true, context.findStream ? context.findStream(m_source.name) : nullptr, false};
}

void UpstreamLink::connect()
{
    m_tried = m_copy.context().clock.now();
    detach();
    m_error.reset();
    const auto [answered, origin, silent] = findOrigin();
    if (!origin) {
        // Where nobody answers for an external one, nothing is known of why.
        if (silent)
            m_heard = *m_tried;
        else if (answered)
            m_error = errors::streamNotFound();
        countRequest(true);
        ++m_fails;
        return retry();
    }
    const std::string identity = streamIdentity(origin->created());
    if (!m_mirror && !m_staged.identity.empty() && m_staged.identity != identity) {
        m_copy.context().log.warn("source stream '" + m_source.name + "' for stream '"
            + m_copy.name() + "' was recreated, resetting source state");
        m_staged.seq = 0;
        m_again = true;
    }
    if (!m_mirror)
        m_staged.identity = identity;
    if (origin->config().retention != Retention::Limits)
        return askForConsumer(*origin);
    m_consumer.clear();
    countRequest(false);
    attach(*origin);
}

void UpstreamLink::attach(Stream& origin)
{
    m_origin = &origin;
    m_next = startAt(origin);
    if (m_mirror)
        moveMirrorTo(m_next);
    m_again = false;
    m_fails = 0;
    m_heard = m_copy.context().clock.now();
    origin.addFollower(*this);
    m_copy.context().turn.enlistWork(*this);
    tellConsumer();
    // What was copied before its consumer was made does not stay for it.
    if (!m_consumer.empty() && m_origin != nullptr && m_next > StreamSeq(1))
        m_origin->recheckInterest(StreamSeq(1), m_next - 1, Stream::Recheck::Selected);
}

void UpstreamLink::detach()
{
    if (!m_origin)
        return;
    const std::uint64_t left = pending();
    m_lag = left > 0 ? left - 1 : 0;
    m_origin->removeFollower(*this);
    m_origin = nullptr;
}

void UpstreamLink::retry()
{
    const std::int64_t now = m_copy.context().clock.now();
    std::int64_t wait = m_tried ? std::max<std::int64_t>(kBetweenTries - (now - *m_tried), 0) : 0;
    wait += std::min(kBackOff * m_fails, kMaxBackOff);
    m_timer.arm(now + wait + kFirstDelay);
}

void UpstreamLink::onOriginGone()
{
    m_origin = nullptr;
    m_timer.arm(std::max(m_copy.context().clock.now(), m_heard + kStalled));
}

bool UpstreamLink::matches(std::string_view subject) const
{
    return m_filter.matches(subject);
}

void UpstreamLink::onCommitted()
{
    m_copy.context().turn.enlistWork(*this);
}

/// The first sequence that is looked at, as a consumer with the same options would begin.
StreamSeq UpstreamLink::startAt(Stream& origin) const
{
    const store::StoreState state = origin.store().state();
    const StreamSeq begin = std::max(state.first, StreamSeq(1));
    const auto from = [begin](StreamSeq seq) { return std::max(seq, begin); };
    if (m_mirror) {
        const store::StoreState own = m_copy.store().state();
        if (own.messages > 0 || !own.first.isZero())
            return from(own.last + 1);
        if (m_source.optStartSeq > 0)
            return from(StreamSeq(m_source.optStartSeq));
        if (const auto time =
                m_source.optStartTime ? base::parseRfc3339(*m_source.optStartTime) : std::nullopt)
            return startByTime(origin, *time);
        return begin;
    }
    if (m_staged.seq > 0)
        return from(StreamSeq(m_staged.seq + 1));
    if (m_source.optStartSeq > 0)
        return from(StreamSeq(m_source.optStartSeq));
    if (const auto time = sourceStartTime())
        return startByTime(origin, *time);
    return begin;
}

/// A stream that has something does not go back in time for a new source.
std::optional<std::int64_t> UpstreamLink::sourceStartTime() const
{
    const store::StoreState own = m_copy.store().state();
    if (m_source.optStartTime) {
        const std::int64_t asked = base::parseRfc3339(*m_source.optStartTime).value_or(0);
        return own.lastTime != 0 ? std::max(asked, own.lastTime) : asked;
    }
    if (own.first.value() > 1 && own.lastTime != 0 && !m_again)
        return own.lastTime;
    return {};
}

StreamSeq UpstreamLink::startByTime(Stream& origin, std::int64_t time) const
{
    if (origin.store().state().first.isZero())
        return StreamSeq(1);
    return origin.store().seqAtTime(time);
}

/// A mirror keeps the origin's sequences: what lies before the start counts as passed.
void UpstreamLink::moveMirrorTo(StreamSeq next)
{
    const store::StoreState own = m_copy.store().state();
    if (own.last + 1 >= next)
        return;
    m_copy.m->beginTurn();
    if (own.messages == 0)
        m_copy.store().removeBelow(next, Removal::Skipped);
    else
        m_copy.store().skip(next.value() - own.last.value() - 1, own.lastTime, Removal::Skipped);
}

std::uint64_t UpstreamLink::pending() const
{
    return m_next > m_origin->committed() ? 0 : m_origin->store().count(m_filter, m_next);
}

std::string UpstreamLink::mapped(std::string_view subject) const
{
    for (const subjects::Transform& transform : m_transforms)
        if (auto made = transform.apply(subject))
            return *made;
    return std::string(subject);
}

/// Checks and batches have been the origin's business; a source says where the message comes from.
std::string UpstreamLink::headersFor(const store::MessageView& message) const
{
    std::string block(message.headers);
    if (!block.empty()) {
        if (!m_mirror)
            block = withoutHeader(block, "Nats-Stream-Source");
        block = withoutHeadersLike(block, "Nats-Expected-");
        block = withoutHeadersLike(block, "Nats-Batch-");
    }
    if (!m_mirror)
        block = withHeader(block,
            "Nats-Stream-Source",
            sourceHeader(m_index, message.seq.value(), message.subject, m_staged.identity));
    return block;
}

UpstreamLink::Outcome UpstreamLink::copyOne(const store::MessageView& message)
{
    const std::string subject = mapped(message.subject);
    const std::string headers = headersFor(message);
    // The copy may be its own origin, whose views end with the next change.
    std::string kept;
    std::string_view payload = message.payload;
    if (m_origin == &m_copy) {
        kept = payload;
        payload = kept;
    }
    const StreamSeq seq = message.seq;
    Stream::Private::Copied copied{subject, headers, payload, {}, 0};
    if (m_mirror) {
        copied.at = seq;
        copied.time = message.time;
    }
    const auto kind = m_copy.m->stageCopy(copied);
    if (kind == PublishVerdict::Kind::Refuse)
        return Outcome::Refused;
    if (!m_mirror && kind == PublishVerdict::Kind::Store)
        m_staged = {seq.value(), std::move(m_staged.identity), m_copy.store().state().last};
    return Outcome::Copied;
}

void UpstreamLink::work(const base::Slice& slice)
{
    if (!m_origin)
        return;
    // What is copied without its consumer would stay at the origin: it is made again first.
    if (!m_consumer.empty() && !m_origin->consumer(m_consumer)) {
        detach();
        return retry();
    }
    pull(slice);
}

/// While its stream is busy with long work nothing is handed over; it calls when that is done.
void UpstreamLink::pull(const base::Slice& slice)
{
    const StreamSeq committed = m_origin->committed();
    store::MessageView message;
    bool any = false;
    for (int n = 1; m_next <= committed && !m_copy.holdsAll(); ++n) {
        if (!m_origin->store().loadNext(m_filter, m_next, message) || message.seq > committed) {
            m_next = committed + 1;
            break;
        }
        const StreamSeq seq = message.seq;
        if (copyOne(message) == Outcome::Refused) {
            // Full, perhaps: tried again from this one on.
            m_next = seq + 1;
            detach();
            return retry();
        }
        m_next = seq + 1;
        any = true;
        if (n % kBetweenLooks == 0 && m_next <= committed && slice.over()) {
            m_copy.context().turn.enlistWork(*this);
            break;
        }
    }
    if (any)
        noteProgress();
}

void UpstreamLink::noteProgress()
{
    Context& context = m_copy.context();
    m_heard = context.clock.now();
    if (!m_caughtUp && m_mirror && pending() < kCaughtUp) {
        m_caughtUp = true;
        if (context.streamChanged)
            context.streamChanged(m_copy);
    }
    if (!context.hub.active())
        return;
    FlowEvent event;
    event.kind = FlowKind::MirrorProgress;
    event.stream = m_copy.id();
    event.seq = m_next - 1;
    event.second = pending();
    context.hub.emit(event);
}

void UpstreamLink::settled()
{
    if (m_staged.seq != m_stored.seq || m_staged.identity != m_stored.identity)
        m_stored = m_staged;
    tellConsumer();
}

/// The copy could not be written; what was handed over comes again.
void UpstreamLink::takenBack()
{
    m_staged = m_stored;
    if (!m_origin)
        return;
    detach();
    retry();
}

} // namespace jetglass::streams
