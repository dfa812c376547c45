// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/account.h"

#include "server/account_link.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/message_trace.h"
#include "server/protocol_trace.h"
#include "server/random.h"
#include "server/subscription.h"
#include "subjects/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace jetglass::server {

namespace {

/// So many ended subscriptions leave the tree between two turns: about 1 ms.
constexpr std::size_t kSweepPart = 4000;

/// So many leave it at once in one turn: of more, as of a closing client with many, sweep() takes
/// care.
constexpr std::size_t kRemovedAtOnce = 256;

Subscription& subscriptionOf(subjects::TreeEntry* entry)
{
    return *static_cast<Subscription*>(entry);
}

/// Somebody outside the broker, here or in another account.
bool isLive(const subjects::TreeEntry* entry, std::string_view subject)
{
    const auto& subscription = static_cast<const Subscription&>(*entry);
    if (subscription.isOver())
        return false;
    return subscription.client != nullptr
        || (subscription.link != nullptr && subscription.link->hasInterest(subject));
}

bool hasLive(const std::vector<subjects::TreeEntry*>& entries, std::string_view subject)
{
    return std::any_of(entries.begin(), entries.end(), [subject](const subjects::TreeEntry* entry) {
        return isLive(entry, subject);
    });
}

} // namespace

class Account::Watch final : public streams::Registration
{
public:
    Watch(Account& account, std::string subject, std::function<void()> changed)
        : m_account(account)
        , m_subject(std::move(subject))
        , m_changed(std::move(changed))
    {
    }
    ~Watch() override;
    void call() const { m_changed(); }
    bool noted = false; ///< will be called at the end of the turn

private:
    friend class Account;
    Account& m_account;
    std::string m_subject;
    std::function<void()> m_changed;
};

Account::Watch::~Watch()
{
    const auto it = m_account.m_watches.find(m_subject);
    if (it == m_account.m_watches.end())
        return;
    std::erase_if(it->second, [](const std::weak_ptr<Watch>& watch) { return watch.expired(); });
    if (it->second.empty())
        m_account.m_watches.erase(it);
}

class Account::HandlerRegistration final : public streams::Registration
{
public:
    HandlerRegistration(Account& account, std::unique_ptr<Subscription> subscription)
        : m_account(account)
        , m_subscription(std::move(subscription))
    {
    }
    ~HandlerRegistration() override { m_account.remove(std::move(m_subscription)); }

private:
    Account& m_account;
    std::unique_ptr<Subscription> m_subscription;
};

Account::Account(Engine& engine, std::string name)
    : m_engine(engine)
    , m_name(std::move(name))
{
    m_broker.account = m_name;
}

Account::~Account()
{
    reap(m_ended.size());
}

MatcherCounts Account::matcherCounts() const
{
    const auto& s = m_tree.statistics();
    const auto fanout = m_tree.fanout();
    return {s.subscriptions,
        fanout.entries,
        s.inserts,
        s.removes,
        s.matches,
        s.cacheHits,
        fanout.most,
        fanout.total};
}

void Account::forEachSubscription(const std::function<void(const SubscriptionRecord&)>& visit) const
{
    m_tree.forEach([&](const subjects::TreeEntry& entry) {
        const auto& s = static_cast<const Subscription&>(entry);
        if (s.isOver())
            return;
        visit({m_name,
            s.subject,
            s.queue,
            s.sid,
            s.delivered,
            s.max,
            s.client != nullptr ? s.client->id() : ClientId{}});
    });
}

// --- subscriptions

void Account::insert(Subscription& subscription)
{
    m_tree.insert(subscription);
    if (subscription.client != nullptr)
        touched(subscription.subject);
}

void Account::remove(std::unique_ptr<Subscription> subscription)
{
    subscription->ended = true;
    if (subscription->client != nullptr)
        touched(subscription->subject);
    m_ended.push_back(std::move(subscription));
    if (m_removedAtOnce < kRemovedAtOnce && !m_tree.isHeld()) {
        ++m_removedAtOnce;
        reap(1);
    }
}

void Account::reap(std::size_t limit)
{
    if (m_tree.isHeld())
        return;
    const std::size_t count = std::min(limit, m_ended.size());
    for (std::size_t i = 0; i < count; ++i) {
        m_tree.remove(*m_ended.back());
        m_ended.pop_back();
    }
}

bool Account::sweep()
{
    reap(kSweepPart);
    return !m_ended.empty();
}

void Account::removeLink(AccountLink& link)
{
    std::erase(m_takers, &link);
    std::erase(m_sources, &link);
}

void Account::touched(std::string_view subject)
{
    for (AccountLink* link : m_sources)
        link->touched(subject);
    if (m_watches.empty())
        return;
    const auto it = m_watches.find(subject);
    if (it != m_watches.end())
        note(it->second);
}

void Account::touchedWhere(const std::function<bool(std::string_view)>& concerns)
{
    for (const auto& [subject, watches] : m_watches) {
        if (concerns(subject))
            note(watches);
    }
}

void Account::note(const std::vector<std::weak_ptr<Watch>>& watches)
{
    for (const auto& weak : watches) {
        const auto watch = weak.lock();
        if (watch && !watch->noted) {
            watch->noted = true;
            m_touched.push_back(weak);
        }
    }
}

void Account::endTurn()
{
    m_removedAtOnce = 0;
    if (m_touched.empty())
        return;
    const auto touched = std::exchange(m_touched, {});
    for (const auto& weak : touched) {
        if (const auto watch = weak.lock()) {
            watch->noted = false;
            watch->call();
        }
    }
}

// --- routing

std::size_t Account::route(const Routed& message, ClientId* taker)
{
    subjects::SubjectTree::Match match;
    if (m_cached)
        m_tree.match(message.subject, match);
    else
        m_tree.matchUncached(message.subject, match);
    if (match.isEmpty())
        return 0;
    if (m_heads.size() == m_depth)
        m_heads.push_back(std::make_unique<protocol::MessageHead>());
    Routed routed = message;
    protocol::MessageHead& head = *m_heads[m_depth];
    head.set(message.wireSubject, message.reply, message.headers.size(), message.payload.size());
    routed.head = &head;

    m_tree.hold();
    ++m_depth;
    const std::size_t taken = routeMatched(match, routed, taker);
    --m_depth;
    m_tree.release();
    if (m_depth == 0 && !m_ended.empty())
        reap(16);
    return taken;
}

std::size_t Account::routeMatched(
    const subjects::SubjectTree::Match& match, const Routed& message, ClientId* taker)
{
    std::size_t taken = 0;
    bool groups = false;
    for (std::size_t i = 0; i < match.size(); ++i) {
        const subjects::TreeNode& node = *match[i];
        groups = groups || !node.groups.empty();
        // What a handler subscribes while it is called waits for the next message.
        const std::size_t count = node.plain.size();
        for (std::size_t k = 0; k < count; ++k)
            taken +=
                static_cast<std::size_t>(deliverTo(subscriptionOf(node.plain[k]), message, taker));
    }
    return groups ? taken + routeToGroups(match, message, taker) : taken;
}

std::size_t Account::routeToGroups(
    const subjects::SubjectTree::Match& match, const Routed& message, ClientId* taker)
{
    // A group is one over all subjects that match: its parts at several nodes are put together by
    // name.
    std::array<const subjects::TreeGroup*, 16> few{};
    std::vector<const subjects::TreeGroup*> many;
    std::size_t count = 0;
    for (std::size_t i = 0; i < match.size(); ++i)
        count += match[i]->groups.size();
    if (count > few.size())
        many.resize(count);
    const std::span<const subjects::TreeGroup*> groups =
        count > few.size() ? std::span(many) : std::span(few).first(count);
    std::size_t n = 0;
    for (std::size_t i = 0; i < match.size(); ++i) {
        for (const auto& group : match[i]->groups)
            groups[n++] = group.get();
    }
    if (match.size() > 1) {
        std::sort(groups.begin(), groups.end(), [](const auto* a, const auto* b) {
            return a->name < b->name;
        });
    }
    std::size_t taken = 0;
    for (std::size_t from = 0; from < count;) {
        std::size_t to = from + 1;
        while (to < count && groups[to]->name == groups[from]->name)
            ++to;
        taken +=
            static_cast<std::size_t>(routeToGroup(groups.subspan(from, to - from), message, taker));
        from = to;
    }
    return taken;
}

bool Account::routeToGroup(
    std::span<const subjects::TreeGroup* const> parts, const Routed& message, ClientId* taker)
{
    std::size_t total = 0;
    for (const auto* part : parts)
        total += part->members.size();
    const std::size_t first = total > 1 ? randomBelow(total) : 0;
    for (std::size_t i = 0; i < total; ++i) {
        std::size_t at = (first + i) % total;
        std::size_t part = 0;
        while (part < parts.size() && at >= parts[part]->members.size())
            at -= parts[part++]->members.size();
        if (part < parts.size()
            && deliverTo(subscriptionOf(parts[part]->members[at]), message, taker))
            return true;
    }
    return false;
}

bool Account::deliverTo(Subscription& subscription, const Routed& message, ClientId* taker)
{
    if (subscription.isOver())
        return false;
    if (message.exported != nullptr && tellExport(subscription, message))
        return true;
    if (message.trace != nullptr && message.trace->wayOnly())
        return showWay(subscription, message);
    if (subscription.client != nullptr) {
        if (!subscription.client->deliver(subscription, message))
            return false;
        if (taker != nullptr)
            *taker = subscription.client->id();
        return true;
    }
    if (subscription.link != nullptr) {
        const bool taken = subscription.link->forward(message) > 0;
        subscription.delivered += static_cast<std::uint64_t>(taken);
        return taken;
    }
    if (!message.toHandlers)
        return false;
    if (message.trace != nullptr)
        tellService(subscription, message);
    ++subscription.delivered;
    const streams::Sender* sender = message.from != nullptr ? &message.from->sender() : &m_broker;
    subscription.handler->onMessage(
        {message.subject, message.reply, message.headers, message.payload, sender, message.trace});
    return true;
}

// --- Bus

void Account::publish(const streams::Outbound& message)
{
    Routed routed;
    routed.subject = message.subject;
    routed.wireSubject = message.subject;
    routed.reply = message.reply;
    routed.headers = message.headers;
    routed.payload = message.payload;
    if (m_engine.tracing())
        tracePublish(message);
    route(routed);
}

bool Account::deliver(
    std::string_view routeSubject, const streams::Outbound& message, ClientId* taker)
{
    Routed routed;
    routed.subject = routeSubject;
    routed.wireSubject = message.subject;
    routed.reply = message.reply;
    routed.headers = message.headers;
    routed.payload = message.payload;
    routed.toHandlers = false;
    return route(routed, taker) > 0;
}

bool Account::hasInterest(std::string_view subject) const
{
    subjects::SubjectTree::Match match;
    m_tree.match(subject, match);
    for (std::size_t i = 0; i < match.size(); ++i) {
        if (hasLive(match[i]->plain, subject))
            return true;
        for (const auto& group : match[i]->groups) {
            if (hasLive(group->members, subject))
                return true;
        }
    }
    return false;
}

std::vector<LinkEnd> Account::linkEnds(std::string_view subject) const
{
    std::vector<LinkEnd> ends;
    subjects::SubjectTree::Match match;
    m_tree.match(subject, match);
    for (std::size_t i = 0; i < match.size(); ++i) {
        for (const subjects::TreeEntry* entry : match[i]->plain) {
            const auto* subscription = static_cast<const Subscription*>(entry);
            if (entry->ended || subscription->link == nullptr)
                continue;
            if (auto end = subscription->link->otherEnd(subject))
                ends.push_back(std::move(*end));
        }
    }
    return ends;
}

std::string Account::clientName(ClientId client) const
{
    const Client* found = m_engine.client(client);
    return found != nullptr ? found->options().name : std::string();
}

bool Account::hasExactInterest(std::string_view subject, std::string_view queue) const
{
    if (std::any_of(m_takers.begin(), m_takers.end(), [&](const AccountLink* link) {
            return link->hasExactInterest(subject, queue);
        }))
        return true;
    const subjects::TreeNode* node = m_tree.find(subject);
    if (node == nullptr)
        return false;
    if (queue.empty())
        return hasLive(node->plain, subject);
    return std::any_of(node->groups.begin(), node->groups.end(), [&](const auto& group) {
        return group->name == queue && hasLive(group->members, subject);
    });
}

streams::RegistrationPtr Account::watchInterest(
    std::string_view subject, std::function<void()> changed)
{
    // The table must not own what the caller owns: it holds a weak reference, the caller a strong
    // one.
    struct Holder final : streams::Registration
    {
        std::shared_ptr<Watch> watch;
    };
    auto holder = std::make_unique<Holder>();
    holder->watch = std::make_shared<Watch>(*this, std::string(subject), std::move(changed));
    m_watches[std::string(subject)].push_back(holder->watch);
    return holder;
}

streams::RegistrationPtr Account::subscribe(
    std::string_view subject, std::string_view queue, streams::MessageHandler& handler)
{
    auto subscription = std::make_unique<Subscription>();
    subscription->subject = subject;
    subscription->queue = queue;
    subscription->handler = &handler;
    insert(*subscription);
    return std::make_unique<HandlerRegistration>(*this, std::move(subscription));
}

} // namespace jetglass::server
