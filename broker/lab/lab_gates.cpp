// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_gates.h"

#include "subjects/subject.h"

#include <algorithm>
#include <utility>

namespace jetglass::lab {

/// A way out that waits for its time.
class LabGates::Delayed
{
public:
    Delayed(base::TimerQueue& timers, std::function<void()> wayOut)
        : m_wayOut(std::move(wayOut))
        , m_timer(timers, [this] {
            done = true;
            m_wayOut();
        })
    {
    }
    void arm(std::int64_t deadline) { m_timer.arm(deadline); }
    bool done = false;

private:
    std::function<void()> m_wayOut;
    base::Timer m_timer;
};

LabGates::LabGates(base::TimerQueue& timers, flow::FlowHub& hub, std::uint64_t seed)
    : m_timers(timers)
    , m_hub(hub)
    , m_random(seed)
{
}

LabGates::~LabGates() = default;

Result<std::uint32_t> LabGates::add(GateRule rule)
{
    const auto wrong = [](std::string text) {
        return Error{Errc::InvalidArgument, std::move(text)};
    };
    const bool holds = rule.verb == GateVerb::Hold;
    if (holds && rule.place != GatePlace::PublishIn && rule.place != GatePlace::DeliveryOut)
        return wrong("hold works at publish_in and delivery_out only");
    if (rule.verb == GateVerb::Delay && rule.delay <= 0)
        return wrong("delay needs delay_ms above 0");
    if (!(rule.probability > 0.0 && rule.probability <= 1.0))
        return wrong("probability must be above 0 and at most 1");
    if (rule.lastSeq != 0 && rule.lastSeq < rule.firstSeq)
        return wrong("last_seq must not be below first_seq");
    if (!rule.subject.empty() && !subjects::isValidStreamSubject(rule.subject))
        return wrong("subject must be a subject or a pattern, for example orders.>");
    rule.number = m_nextNumber++;
    auto added = std::make_unique<Rule>();
    added->state.rule = std::move(rule);
    const std::uint32_t number = added->state.rule.number;
    m_rules.push_back(std::move(added));
    m_active = true;
    return number;
}

LabGates::Rule* LabGates::find(std::uint32_t number)
{
    for (const auto& rule : m_rules)
        if (rule->state.rule.number == number)
            return rule.get();
    return nullptr;
}

bool LabGates::remove(std::uint32_t number)
{
    const auto at = std::find_if(m_rules.begin(), m_rules.end(), [number](const auto& rule) {
        return rule->state.rule.number == number;
    });
    if (at == m_rules.end())
        return false;
    const std::unique_ptr<Rule> rule = std::move(*at); // lives until what it held is gone
    m_rules.erase(at);
    m_active = !m_rules.empty();
    release(*rule);
    return true;
}

void LabGates::clear()
{
    while (!m_rules.empty())
        remove(m_rules.front()->state.rule.number);
}

void LabGates::release(Rule& rule)
{
    std::deque<Parked> parked;
    parked.swap(rule.parked);
    for (Parked& one : parked) {
        --m_heldCount;
        m_heldBytes -= one.bytes;
        one.goOn();
    }
    std::vector<Sleeper> sleepers;
    sleepers.swap(rule.sleepers);
    for (Sleeper& sleeper : sleepers)
        sleeper.tryAgain();
    if (rule.reordered)
        std::exchange(rule.reordered, nullptr)();
}

std::vector<GateState> LabGates::list() const
{
    std::vector<GateState> states;
    for (const auto& rule : m_rules) {
        states.push_back(rule->state);
        states.back().held =
            rule->parked.size() + rule->sleepers.size() + (rule->reordered ? 1U : 0U);
    }
    return states;
}

std::uint64_t LabGates::step(std::uint32_t number, std::uint64_t count)
{
    std::uint64_t moved = 0;
    for (std::size_t i = 0; i < m_rules.size() && moved < count; ++i) {
        Rule& rule = *m_rules[i];
        if (number != 0 && rule.state.rule.number != number)
            continue;
        while (moved < count && !rule.parked.empty()) {
            Parked one = std::move(rule.parked.front());
            rule.parked.pop_front();
            --m_heldCount;
            m_heldBytes -= one.bytes;
            ++moved;
            one.goOn();
        }
        if (moved < count && !rule.sleepers.empty()) {
            // Deliveries are let through as the consumers try again.
            const std::uint64_t wanted = count - moved;
            rule.passes += wanted;
            moved = count;
            std::vector<Sleeper> sleepers;
            sleepers.swap(rule.sleepers);
            for (Sleeper& sleeper : sleepers)
                sleeper.tryAgain();
        }
    }
    return moved;
}

bool LabGates::matches(const GateRule& rule, const flow::GateSubject& subject) const
{
    return rule.place == subject.place && (rule.stream.empty() || rule.stream == subject.stream)
        && (rule.consumer.empty() || rule.consumer == subject.consumer)
        && (rule.subject.empty() || subjects::matches(rule.subject, subject.subject))
        && (rule.firstSeq == 0 || subject.seq.value() >= rule.firstSeq)
        && (rule.lastSeq == 0 || (subject.seq.value() != 0 && subject.seq.value() <= rule.lastSeq))
        && (rule.client == ClientId{} || rule.client == subject.client);
}

flow::GateDecision LabGates::decide(const flow::GateSubject& subject)
{
    for (const auto& candidate : m_rules) {
        Rule& rule = *candidate;
        const GateRule& what = rule.state.rule;
        // Whether a delivery is held was asked before: holds().
        if (what.verb == GateVerb::Hold && what.place == GatePlace::DeliveryOut)
            continue;
        if (!applies(rule, subject))
            continue;
        m_deciding = what.number;
        ++rule.state.acted;
        report(rule, subject);
        return {what.verb, what.delay, what.number};
    }
    return {};
}

bool LabGates::applies(const Rule& rule, const flow::GateSubject& subject)
{
    const GateRule& what = rule.state.rule;
    if ((what.count != 0 && rule.state.acted >= what.count) || !matches(what, subject))
        return false;
    return what.probability >= 1.0
        || std::uniform_real_distribution<double>(0, 1)(m_random) < what.probability;
}

bool LabGates::holds(const flow::GateSubject& subject)
{
    for (const auto& candidate : m_rules) {
        Rule& rule = *candidate;
        if (rule.state.rule.verb != GateVerb::Hold || !applies(rule, subject))
            continue;
        if (rule.passes > 0) {
            --rule.passes;
            return false;
        }
        m_deciding = rule.state.rule.number;
        return true;
    }
    return false;
}

void LabGates::park(const flow::GateSubject& subject, std::size_t bytes, std::function<void()> goOn)
{
    Rule* rule = find(m_deciding);
    if (!rule) {
        goOn();
        return;
    }
    ++m_heldCount;
    m_heldBytes += bytes;
    rule->parked.push_back({bytes, std::move(goOn)});
    if (full() && m_onFull)
        m_onFull(subject.client);
}

void LabGates::wake(const flow::GateSubject& subject, std::function<void()> tryAgain)
{
    Rule* rule = find(m_deciding);
    if (!rule) {
        tryAgain();
        return;
    }
    for (Sleeper& sleeper : rule->sleepers) {
        if (sleeper.stream == subject.stream && sleeper.consumer == subject.consumer) {
            sleeper.tryAgain = std::move(tryAgain);
            return;
        }
    }
    ++rule->state.acted;
    report(*rule, subject);
    rule->sleepers.push_back(
        {std::string(subject.stream), std::string(subject.consumer), std::move(tryAgain)});
}

void LabGates::act(
    const flow::GateDecision& decision, const flow::GateSubject&, std::function<void()> wayOut)
{
    reap();
    switch (decision.verb) {
    case GateVerb::Pass:
    case GateVerb::Hold:
        wayOut();
        return;
    case GateVerb::Drop:
        return;
    case GateVerb::Duplicate:
        wayOut();
        wayOut();
        return;
    case GateVerb::Delay:
        m_delayed.push_back(std::make_unique<Delayed>(m_timers, std::move(wayOut)));
        m_delayed.back()->arm(m_timers.clock().now() + decision.delay);
        return;
    case GateVerb::Reorder: {
        Rule* rule = find(decision.rule);
        if (rule && !rule->reordered) {
            rule->reordered = std::move(wayOut);
            return;
        }
        wayOut();
        if (rule && rule->reordered)
            std::exchange(rule->reordered, nullptr)();
        return;
    }
    }
}

void LabGates::report(const Rule& rule, const flow::GateSubject& subject)
{
    if (m_hub.active())
        m_hub.emit({.seq = subject.seq,
            .second = rule.state.rule.number,
            .client = subject.client,
            .kind = FlowKind::GateActed});
}

void LabGates::reap()
{
    std::erase_if(m_delayed, [](const auto& one) { return one->done; });
}

} // namespace jetglass::lab
