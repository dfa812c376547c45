// SPDX-License-Identifier: GPL-3.0-or-later
// What a stream remembers of messages that are gone, and removals that are still owed.
#include "streams/stream_state.h"

#include <algorithm>

namespace jetglass::streams {
namespace {

constexpr std::int64_t kWriteAfter = 1'000'000'000;
constexpr std::size_t kMostPastClients = 1000; ///< programs, not connections
constexpr std::size_t kMostOutcomes = 250'000; ///< of one consumer

} // namespace

void Stream::Private::openHistory()
{
    auto opened = context.stores.openHistoryLog(config);
    if (!opened) {
        context.log.error("stream '" + config.name + "': " + opened.error().text);
        return;
    }
    history = std::move(*opened);
    if (!history)
        return;
    history->replay(
        [this](RemovalRow row, std::string_view by) {
            row.client = pastClient(by);
            ledger.add(row);
        },
        [this](store::OutcomeRow row) {
            row.client = {};
            std::deque<store::OutcomeRow>& rows = recalled[row.consumer];
            if (row.seq.isZero())
                return rows.clear(); // it was reset
            rows.push_back(row);
            if (rows.size() > kMostOutcomes)
                rows.pop_front();
        });
}

/// Connections of an earlier start had other numbers, but a name says who it was.
ClientId Stream::Private::pastClient(std::string_view name)
{
    if (name.empty())
        return {};
    auto at = std::find(pastClients.begin(), pastClients.end(), name);
    if (at == pastClients.end()) {
        if (pastClients.size() == kMostPastClients)
            return {};
        at = pastClients.emplace(at, name);
    }
    return ClientId{kPastClient | static_cast<std::uint32_t>(at - pastClients.begin())};
}

/// What damage has taken stands in the list of removals, too, once, at the time it was found.
void Stream::noteLost()
{
    const std::uint64_t count = m->store->lost().count;
    if (count == std::exchange(m->lostNoted, count))
        return;
    const store::StoreState state = m->store->state();
    for (const store::GapRange& gap : m->store->gaps(StreamSeq(1), state.last)) {
        if (gap.cause != Removal::Lost)
            continue;
        const std::vector<RemovalRow> known =
            m->ledger.find(gap.first, gap.last, RemovalLedger::kCapacity);
        const bool noted = std::any_of(known.begin(), known.end(), [&gap](const RemovalRow& row) {
            return row.cause == Removal::Lost && row.first <= gap.first && row.last >= gap.last;
        });
        if (!noted)
            m->remember({.first = gap.first,
                .last = gap.last,
                .count = gap.last - gap.first + 1,
                .bytes = 0,
                .cause = Removal::Lost,
                .client = {},
                .time = m->context.clock.wallTime()});
    }
}

void Stream::Private::remember(const RemovalRow& row)
{
    ledger.add(row);
    if (!history)
        return;
    history->add(
        row, history->wantsName(row.client) ? context.bus.clientName(row.client) : std::string());
    historyGrew();
}

void Stream::Private::historyGrew()
{
    if (history->wantsWrite())
        self.writeHistory();
    else
        historyTimer.armNoLaterThan(context.clock.now() + kWriteAfter);
}

void Stream::writeHistory()
{
    if (!m->history || !m->history->hasStaged())
        return;
    if (auto done = m->history->write(); !done)
        m->context.log.error("history of stream '" + m->config.name + "': " + done.error().text);
}

void Stream::noteOutcome(const store::OutcomeRow& row)
{
    if (!m->history)
        return;
    m->history->add(row);
    m->historyGrew();
}

std::vector<store::OutcomeRow> Stream::takeOutcomes(std::uint32_t consumer)
{
    const auto found = m->recalled.find(consumer);
    if (found == m->recalled.end())
        return {};
    std::vector<store::OutcomeRow> rows(found->second.begin(), found->second.end());
    m->recalled.erase(found);
    return rows;
}

/// The turn's write failed. An ack has been counted and a deadline has passed all the same: what
/// they remove would stay for ever, since nobody asks for it again.
void Stream::Private::keepForRetry()
{
    for (const Gone& entry : turn.gone) {
        const Removal cause = entry.row.cause;
        if (!entry.purge
            && (cause == Removal::WorkQueueAck || cause == Removal::InterestGone
                || cause == Removal::Ttl))
            unremoved.push_back(entry.row);
    }
}

void Stream::Private::retryRemovals()
{
    if (unremoved.empty() || !broken.empty() || line.busy())
        return;
    // A failure of this try puts them back.
    for (const RemovalRow& row : std::exchange(unremoved, {}))
        for (StreamSeq seq = row.first; seq <= row.last; ++seq)
            if (store->contains(seq))
                removeOne(seq, row.cause, row.client);
}

void Stream::Private::dropIfSettled(StreamSeq seq, std::string_view subject, Removal cause)
{
    bool matched = false;
    for (const ConsumerPort* consumer : consumers) {
        if (consumer->needs(seq, subject))
            return;
        matched = matched || consumer->matches(subject);
    }
    // On a work queue what no consumer wants waits for one that does.
    if (matched)
        removeOne(seq, cause, ClientId{});
}

void Stream::consumersOpened()
{
    m->recalled.clear();
    if (m->config.retention == Retention::Limits || m->consumers.empty())
        return;
    const Removal cause =
        m->config.retention == Retention::WorkQueue ? Removal::WorkQueueAck : Removal::InterestGone;
    m->addChore(
        [this, cause, at = m->store->state().first, last = m->store->state().last]() mutable {
            constexpr std::size_t kSome = 200;
            std::vector<std::pair<StreamSeq, std::string>> some;
            m->store->visit({}, at, [&some, last](const store::IndexedMessage& message) {
                if (message.seq > last)
                    return false;
                some.emplace_back(message.seq, message.subject);
                return some.size() < kSome;
            });
            for (const auto& [seq, subject] : some)
                m->dropIfSettled(seq, subject, cause);
            if (some.size() < kSome)
                return true;
            at = some.back().first + 1;
            return false;
        });
}

} // namespace jetglass::streams
