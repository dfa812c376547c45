// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/api_error.h"
#include "streams/retention.h"
#include "streams/stream_removing.h"

namespace jetglass::streams {

void Stream::purge(
    std::uint64_t below, std::uint64_t keep, const std::string& filter, ClientId by, Done done)
{
    Private::Removing purging{.cause = Removal::Purge, .by = by, .done = std::move(done)};
    if (!filter.empty() && filter != ">") {
        purging.filter = filter;
        purging.below = StreamSeq(below);
        purging.keep = keep;
    } else if (below > 0) {
        purging.below = StreamSeq(below);
        purging.forward = true;
    } else {
        purging.keep = keep;
    }
    m->startRemoving(std::move(purging));
}

void Stream::removeMessage(StreamSeq seq, bool erase, ClientId by, Done done)
{
    const bool file = m->config.storage == Storage::File;
    const store::StoreState state = m->store->state();
    m->beginTurn();
    if (m->removeOne(seq, Removal::Delete, by, erase)) {
        m->turn.waiting.push_back({std::move(done), 1});
        return;
    }
    if (!file)
        return done(errors::sequenceNotFound(seq.value()));
    if (seq > state.last)
        return done(errors::messageDeleteFailed("stream store EOF"));
    if (seq < state.first || seq.isZero())
        return done(errors::messageDeleteFailed("no message found"));
    done(errors::sequenceNotFound(seq.value()));
}

void Stream::applyConfig(StreamConfig config)
{
    const StreamConfig before = std::exchange(m->config, std::move(config));
    const StreamConfig& now = m->config;
    m->compile();
    if (before.subjects != now.subjects)
        m->resubscribe();
    m->dedup.setWindow(now.duplicateWindow);
    m->dedup.expire(m->context.clock.wallTime());
    if (before.compression != now.compression)
        m->store->setCompression(now.compression == Compression::S2);
    m->beginTurn();
    if (now.maxMsgsPerSubject > 0
        && (before.maxMsgsPerSubject <= 0 || now.maxMsgsPerSubject < before.maxMsgsPerSubject))
        m->startSubjectLimit();
    m->startLimits();
    m->startExpiry();
    m->dropBatches();
    if (now.allowMsgSchedules && !before.allowMsgSchedules)
        m->recoverSchedules();
    if (before.retention != now.retention && now.retention == Retention::Interest) {
        const store::StoreState state = m->store->state();
        // What no consumer asks for was stored for its own sake and stays, unless there is none,
        // nor a mirror or a source that has read here while the limits ruled.
        const bool none = m->consumers.empty() && followerCount() == 0;
        recheckInterest(state.first, state.last, none ? Recheck::All : Recheck::Selected);
    }
    m->followUpstreams(before);
    for (ConsumerPort* consumer : m->consumers)
        consumer->onStreamChanged();
    m->armTimer();
}

} // namespace jetglass::streams
