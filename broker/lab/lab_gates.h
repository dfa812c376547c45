// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "broker/result.h"
#include "flow/flow_hub.h"
#include "flow/gate.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace jetglass::lab {

/// One rule with what it has done.
struct GateState
{
    GateRule rule;
    std::uint64_t acted = 0;
    std::uint64_t held = 0; ///< waiting at this gate now
};

/// The gates of contracts.md section 6. Broker thread only.
/// A publish is parked as a function that goes on; a consumer that is held at delivery-out
/// registers how to try again and is let through for as many deliveries as were stepped.
class LabGates final : public flow::Gates
{
public:
    static constexpr std::size_t kMaxHeld = 10'000;
    static constexpr std::size_t kMaxHeldBytes = 64U << 20U;

    LabGates(base::TimerQueue& timers, flow::FlowHub& hub, std::uint64_t seed = 1);
    ~LabGates() override;

    // --- the lab's side
    /// Returns the rule's number. InvalidArgument with a text that says what would be right.
    Result<std::uint32_t> add(GateRule rule);
    /// Lets go what the rule holds. False if there is no such rule.
    bool remove(std::uint32_t number);
    void clear();
    [[nodiscard]] std::vector<GateState> list() const;
    /// Lets \a count messages through that the rule holds (all rules if 0); returns how many moved.
    std::uint64_t step(std::uint32_t number, std::uint64_t count);
    /// Told of each publisher whose message is held while there is too much: it has to wait as long
    /// as full() says.
    void setOnFull(std::function<void(ClientId)> holdBack) { m_onFull = std::move(holdBack); }
    [[nodiscard]] bool full() const
    {
        return m_heldCount >= kMaxHeld || m_heldBytes >= kMaxHeldBytes;
    }

    // --- flow::Gates
    bool holds(const flow::GateSubject& subject) override;
    flow::GateDecision decide(const flow::GateSubject& subject) override;
    void park(
        const flow::GateSubject& subject, std::size_t bytes, std::function<void()> goOn) override;
    void wake(const flow::GateSubject& subject, std::function<void()> tryAgain) override;
    void act(const flow::GateDecision& decision,
        const flow::GateSubject& subject,
        std::function<void()> wayOut) override;

private:
    struct Parked
    {
        std::size_t bytes = 0;
        std::function<void()> goOn;
    };
    struct Sleeper
    {
        std::string stream;
        std::string consumer;
        std::function<void()> tryAgain;
    };
    struct Rule
    {
        GateState state;
        std::deque<Parked> parked;
        std::vector<Sleeper> sleepers;
        std::uint64_t passes = 0; ///< deliveries stepped and not yet used
        std::function<void()> reordered; ///< the one that waits to be overtaken
    };
    class Delayed;

    Rule* find(std::uint32_t number);
    bool applies(const Rule& rule, const flow::GateSubject& subject);
    bool matches(const GateRule& rule, const flow::GateSubject& subject) const;
    void release(Rule& rule);
    void report(const Rule& rule, const flow::GateSubject& subject);
    void reap();

    base::TimerQueue& m_timers;
    flow::FlowHub& m_hub;
    std::mt19937_64 m_random;
    std::vector<std::unique_ptr<Rule>> m_rules;
    std::vector<std::unique_ptr<Delayed>> m_delayed;
    std::uint32_t m_nextNumber = 1;
    std::uint32_t m_deciding =
        0; ///< rule of the last Hold decision: park() and wake() belong to it
    std::size_t m_heldCount = 0;
    std::size_t m_heldBytes = 0;
    std::function<void(ClientId)> m_onFull;
};

} // namespace jetglass::lab
