// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/stream.h"

#include "broker/overview_query.h"
#include "streams/json_text.h"
#include "streams/stream_removing.h"

#include <algorithm>
#include <utility>

namespace jetglass::streams {

Stream::Private::Private(Stream& stream,
    Context& theContext,
    StreamConfig theConfig,
    std::int64_t theCreated,
    std::unique_ptr<store::MessageStore> theStore,
    std::unique_ptr<store::ConsumerLog> theLog)
    : self(stream)
    , context(theContext)
    , config(std::move(theConfig))
    , created(theCreated)
    , store(std::move(theStore))
    , log(std::move(theLog))
    , dedup(config.duplicateWindow)
    , ledger(&context.memoriesUsed, Context::kMemoriesBudget)
    , timer(context.timers, [this] { onTimer(); })
    , historyTimer(context.timers, [this] { self.writeHistory(); })
{
    if (context.nextStreamId)
        id = StreamId{++*context.nextStreamId};
    ackStart = "{\"stream\":" + quoteJson(config.name) + ",";
    if (!context.settings.domain.empty())
        ackStart += "\"domain\":" + quoteJson(context.settings.domain) + ",";
}

Stream::Private::~Private() = default;

Stream::Stream(Context& context,
    StreamConfig config,
    std::int64_t created,
    std::unique_ptr<store::MessageStore> store,
    std::unique_ptr<store::ConsumerLog> log,
    bool fresh)
    : m(std::make_unique<Private>(
        *this, context, std::move(config), created, std::move(store), std::move(log)))
{
    m->compile();
    m->openHistory();
    noteLost();
    m->recoverIndexes();
    m->resubscribe();
    m->countUsage();
    m->armTimer();
    if (m->config.allowMsgSchedules)
        m->recoverSchedules();
    if (m->config.mirror || !m->config.sources.empty())
        m->upstreams = std::make_unique<Upstreams>(
            *this, fresh ? Upstreams::Recall::Nothing : Upstreams::Recall::Everything);
}

Stream::~Stream()
{
    m->upstreams.reset();
    for (Follower* follower : std::exchange(m->followers, {}))
        follower->onOriginGone();
    m->subscriptions.clear();
    m->consumers.clear();
    m->owned.clear();
    m->context.turn.forget(*this);
    std::uint64_t& used =
        m->config.storage == Storage::Memory ? m->context.memoryUsed : m->context.fileUsed;
    used -= std::min(used, m->usedBytes);
    if (!m->leaving)
        return;
    m->store->retire();
    m->ledger.release();
    struct Remains
    {
        std::unique_ptr<store::MessageStore> store;
        DedupWindow dedup;
        RemovalLedger ledger;
        TtlIndex ttls;
    };
    m->context.stores.dispose(std::make_shared<Remains>(Remains{
        std::move(m->store), std::move(m->dedup), std::move(m->ledger), std::move(m->ttls)}));
}

StreamId Stream::id() const
{
    return m->id;
}
const std::string& Stream::name() const
{
    return m->config.name;
}
const StreamConfig& Stream::config() const
{
    return m->config;
}
std::int64_t Stream::created() const
{
    return m->created;
}
Context& Stream::context() const
{
    return m->context;
}
store::MessageStore& Stream::store() const
{
    return *m->store;
}
store::ConsumerLog& Stream::consumerLog() const
{
    return *m->log;
}
const std::vector<std::string>& Stream::pastClients() const
{
    return m->pastClients;
}

const RemovalLedger& Stream::removals() const
{
    return m->ledger;
}
const DedupWindow& Stream::dedup() const
{
    return m->dedup;
}
ScheduleCounts Stream::schedules() const
{
    return {m->schedules.size(), m->schedules.next().value_or(0)};
}

std::int64_t Stream::firesAt(std::string_view subject, StreamSeq seq) const
{
    return m->schedules.firesAt(subject, seq);
}

std::optional<std::pair<StreamSeq, std::int64_t>> Stream::nextTtl() const
{
    return m->ttls.first([this](StreamSeq seq) { return m->store->contains(seq); });
}

std::optional<std::pair<StreamSeq, std::int64_t>> Stream::nextByAge() const
{
    if (m->config.maxAge <= 0)
        return std::nullopt;
    auto oldest = m->oldestAging();
    if (oldest)
        oldest->second += m->config.maxAge;
    return oldest;
}

void Stream::adopt(std::unique_ptr<ConsumerPort> consumer)
{
    std::string name = consumer->name();
    m->owned[name] = std::move(consumer);
    m->consumers.clear();
    for (const auto& [key, owned] : m->owned)
        m->consumers.push_back(owned.get());
    m->noteCopying();
}

void Stream::removeConsumer(std::string_view name)
{
    const auto found = m->owned.find(name);
    if (found == m->owned.end())
        return;
    found->second->onDeleted();
    std::erase(m->consumers, found->second.get());
    m->owned.erase(found);
    m->noteCopying();
    if (m->config.retention != Retention::Interest || m->leaving)
        return;
    const store::StoreState state = m->store->state();
    if (!m->owned.empty() || followerCount() > 0)
        recheckInterest(state.first, state.last);
    else if (state.messages > 0)
        m->startRemoving({.cause = Removal::InterestGone});
}

ConsumerPort* Stream::consumer(std::string_view name) const
{
    const auto found = m->owned.find(name);
    return found == m->owned.end() ? nullptr : found->second.get();
}

const std::vector<ConsumerPort*>& Stream::consumers() const
{
    return m->consumers;
}

void Stream::onMessage(const Inbound& message)
{
    flow::Gates& gates = m->context.gates;
    if (message.tracer && m->mayWait()) {
        // Nobody follows it any longer when its turn comes.
        if (m->toldTracer(message, m->transformed(message.subject), {}))
            return;
        Inbound untold = message;
        untold.tracer = nullptr;
        return onMessage(untold);
    }
    if (gates.active()) {
        const flow::GateSubject subject{
            GatePlace::PublishIn, m->config.name, {}, message.subject, {}, message.sender->id};
        const flow::GateDecision decision = gates.decide(subject);
        if (decision.verb != GateVerb::Pass) {
            // Nothing of the message has been looked at yet; it is kept as it came.
            auto goOn = [context = &m->context,
                            name = m->config.name,
                            find = m->context.findStream,
                            topic = std::string(message.subject),
                            reply = std::string(message.reply),
                            headers = std::string(message.headers),
                            payload = std::string(message.payload),
                            client = message.sender->id] {
                Stream* stream = find ? find(name) : nullptr;
                if (!stream)
                    return;
                Sender sender;
                sender.id = client;
                sender.account = context->account;
                const Inbound held{topic, reply, headers, payload, &sender};
                if (stream->m->line.holdsAll())
                    stream->m->park(held);
                else
                    stream->m->publish(held);
            };
            if (decision.verb == GateVerb::Hold)
                gates.park(
                    subject, message.headers.size() + message.payload.size(), std::move(goOn));
            else
                gates.act(decision, subject, std::move(goOn));
            return;
        }
    }
    if (m->line.holdsAll())
        m->park(message);
    else
        m->publish(message);
}

void Stream::Private::resubscribe()
{
    subscriptions.clear();
    for (const std::string& subject : config.subjects)
        subscriptions.push_back(context.bus.subscribe(subject, {}, self));
}

void Stream::Private::compile()
{
    input.reset();
    copies.reset();
    if (config.subjectTransform)
        if (auto made = subjects::Transform::compile(
                config.subjectTransform->src, config.subjectTransform->dest))
            input = std::move(*made);
    if (config.republish)
        if (auto made = subjects::Transform::compile(config.republish->src, config.republish->dest))
            copies = std::move(*made);
}

} // namespace jetglass::streams
