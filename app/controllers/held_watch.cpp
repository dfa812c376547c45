// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/held_watch.h"

#include <algorithm>

namespace jetglass::controllers {

namespace {

constexpr quint64 kMostAtOnce = 4096; // of a range question

/// Whether what is said of it could be wrong once its message has left the stream.
bool isOpen(const HeldMessage& held)
{
    return held.canAnswer() || held.state == HeldMessage::State::Naked;
}

bool touches(const FlowEvent& event, const HeldMessage& held)
{
    if (event.stream != held.terms.streamId || !isOpen(held))
        return false;
    const quint64 first = event.seq.value();
    const quint64 last = std::max<quint64>(event.second, first);
    return event.kind == FlowKind::RemovedByFilter
        || (held.info.streamSeq >= first && held.info.streamSeq <= last);
}

} // namespace

HeldWatch::HeldWatch(ConsumeController& controller, sources::FlowSource& source, QObject* parent)
    : QObject(parent)
    , m_controller(controller)
    , m_source(source)
{
    using sources::FlowSource;
    connect(&source, &FlowSource::eventsReady, this, &HeldWatch::takeEvents);
    connect(&source, &FlowSource::overviewChanged, this, &HeldWatch::takeOverview);
    connect(&source, &FlowSource::eventsSkipped, this, [this] {
        for (const HeldMessage& held : m_controller.held()) {
            if (isOpen(held))
                want(held.terms.streamId);
        }
    });
    // An answer may have crossed a removal, and an ack wait that is over says "it comes again".
    connect(&controller, &ConsumeController::changed, this, [this](qsizetype at) {
        if (isOpen(m_controller.held()[at]))
            want(m_controller.held()[at].terms.streamId);
    });
}

void HeldWatch::takeEvents(const std::vector<FlowEvent>& events)
{
    for (const FlowEvent& event : events) {
        if (event.kind != FlowKind::Removed && event.kind != FlowKind::RemovedByFilter)
            continue;
        const auto& held = m_controller.held();
        if (std::any_of(held.begin(), held.end(), [&event](const HeldMessage& one) {
                return touches(event, one);
            }))
            want(event.stream);
    }
}

/// A consumer that was deleted and made again is another one, whatever its name. What came from the
/// new one before the overview knew it is the new one's.
void HeldWatch::takeOverview()
{
    m_controller.forgetIf([this](HeldMessage& held) {
        ConsumerTerms& terms = held.terms;
        if (terms.consumerId == ConsumerId{} || m_source.consumer(terms.streamId, terms.consumerId))
            return false;
        const StreamOverview* stream = m_source.stream(terms.stream);
        if (!stream)
            return true;
        const auto same = std::find_if(stream->consumers.begin(),
            stream->consumers.end(),
            [name = terms.consumer.toStdString()](
                const ConsumerOverview& one) { return one.name == name; });
        if (same == stream->consumers.end() || held.receivedAt < same->created)
            return true;
        terms.streamId = stream->id;
        terms.consumerId = same->id;
        return false;
    });
}

void HeldWatch::want(StreamId stream)
{
    if (stream == StreamId{})
        return;
    m_wanted.insert(stream);
    if (!m_asking)
        askNext();
}

void HeldWatch::askNext()
{
    m_asking = false;
    if (m_wanted.empty())
        return;
    const StreamId stream = *m_wanted.begin();
    m_wanted.erase(m_wanted.begin());
    askFrom(stream, 0);
}

void HeldWatch::askFrom(StreamId stream, quint64 first)
{
    std::set<quint64> open;
    RangeQuestion question;
    for (const HeldMessage& held : m_controller.held()) {
        if (held.terms.streamId != stream || held.info.streamSeq < first || !isOpen(held))
            continue;
        open.insert(held.info.streamSeq);
        question.consumers = {held.terms.consumerId};
    }
    if (open.empty())
        return askNext();
    m_asking = true;
    question.stream = stream;
    question.first = StreamSeq(*open.begin());
    question.last = StreamSeq(*std::prev(open.upper_bound(*open.begin() + kMostAtOnce - 1)));
    m_source.ask(question, this, [this, stream](const RangeAnswer& answer) {
        if (!answer.found || answer.rows.empty())
            return askNext(); // the next overview tells that the stream has gone
        takeAnswer(stream, answer);
        askFrom(stream, answer.rows.back().seq.value() + 1);
    });
}

void HeldWatch::takeAnswer(StreamId stream, const RangeAnswer& answer)
{
    const quint64 first = answer.rows.front().seq.value();
    for (qsizetype at = 0; at < m_controller.held().size(); ++at) {
        const HeldMessage& held = m_controller.held()[at];
        const quint64 seq = held.info.streamSeq;
        if (held.terms.streamId != stream || !isOpen(held) || seq < first
            || seq - first >= answer.rows.size())
            continue;
        if (const RangeRow& row = answer.rows[seq - first]; !row.stored)
            m_controller.markRemoved(at, row.removal);
    }
}

} // namespace jetglass::controllers
