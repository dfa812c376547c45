// SPDX-License-Identifier: GPL-3.0-or-later
// A stream as the copy of others, and as what others copy from.
#include "streams/stream_state.h"
#include "streams/upstreams.h"
#include "subjects/subject.h"

#include <algorithm>

namespace jetglass::streams {

/// A message from a mirror's or a source's origin: checked and staged as a publish is, but nobody
/// waits for an answer, so the outcome comes back at once.
PublishVerdict::Kind Stream::Private::stageCopy(const Copied& copied)
{
    beginTurn();
    std::string_view subject = copied.subject;
    std::optional<std::string> mapped;
    if (input) {
        mapped = input->apply(subject);
        if (mapped)
            subject = *mapped;
    }
    const PublishHeaders headers =
        copied.headers.empty() ? PublishHeaders{} : PublishHeaders::find(copied.headers);
    PublishFacts facts = factsFor(subject);
    facts.from = config.mirror ? PublishFacts::From::Mirror : PublishFacts::From::Source;
    PublishVerdict verdict;
    if (broken.empty())
        verdict = checkPublish(facts, subject, copied.headers, headers, copied.payload);
    else
        verdict.kind = PublishVerdict::Kind::Refuse;
    const PublishVerdict::Kind kind = verdict.kind;
    if (kind != PublishVerdict::Kind::Store && kind != PublishVerdict::Kind::Skip)
        return kind;
    Staged& entry = turn.staged.emplace_back();
    entry.kind = kind;
    entry.at = copied.at;
    entry.time = copied.time;
    if (context.hub.active())
        entry.subjectHash = subjects::hash(subject);
    stageStored(subject, copied.headers, headers, copied.payload, verdict, entry);
    const StreamSeq seq = entry.seq;
    stageRemovals(verdict, subject, headers, seq);
    return kind;
}

StreamSeq Stream::committed() const
{
    return m->turn.open ? m->turn.first - 1 : m->store->state().last;
}

void Stream::addFollower(Follower& follower)
{
    m->followers.push_back(&follower);
}

void Stream::removeFollower(Follower& follower)
{
    std::erase(m->followers, &follower);
}

std::size_t Stream::followerCount() const
{
    return static_cast<std::size_t>(std::count_if(m->followers.begin(),
        m->followers.end(),
        [](const Follower* follower) { return follower->isHidden(); }));
}

std::vector<UpstreamInfo> Stream::upstreams() const
{
    return m->upstreams ? m->upstreams->infos() : std::vector<UpstreamInfo>();
}

bool Stream::answersForOrigin() const
{
    const UpstreamLink* link = m->upstreams ? m->upstreams->mirror() : nullptr;
    return link && m->config.mirrorDirect && link->caughtUp();
}

void Stream::rememberSources()
{
    if (m->upstreams)
        m->upstreams->save();
}

void Stream::Private::followUpstreams(const StreamConfig& before)
{
    if (!upstreams && (config.mirror || !config.sources.empty()))
        upstreams = std::make_unique<Upstreams>(self, Upstreams::Recall::Written);
    else if (upstreams)
        upstreams->configure(config);
    // Switching it on by request does not wait for messages.
    if (UpstreamLink* link = upstreams ? upstreams->mirror() : nullptr)
        if (before.mirrorDirect != config.mirrorDirect)
            link->setCaughtUp(config.mirrorDirect);
}

void Stream::Private::tellFollowers()
{
    for (Follower* follower : followers)
        follower->onCommitted();
}

} // namespace jetglass::streams
