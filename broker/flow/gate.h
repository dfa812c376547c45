// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/gate_rule.h"
#include "broker/ids.h"

#include <functional>
#include <string_view>

namespace jetglass::flow {

/// What stands before a gate. Views live for the call.
struct GateSubject
{
    GatePlace place{};
    std::string_view stream;
    std::string_view consumer;
    std::string_view subject;
    StreamSeq seq; ///< 0 before it is known
    ClientId client{};
};

/// What a gate says. Hold is only said at PublishIn and DeliveryOut.
struct GateDecision
{
    GateVerb verb = GateVerb::Pass;
    std::int64_t delay = 0; ///< ns, for Delay
    std::uint32_t rule = 0;
};

/// What streams and consumers ask at the four places; the lab implements it. Broker thread only.
/// With no rule a gate costs one branch:  if (gates.active()) { decision = gates.decide({...}); ...
/// } Protocol of the callers:
///  - Hold at PublishIn: the caller copies the publish into park(); the gate calls it back to go on
///  when it is stepped.
///  - Hold at DeliveryOut: if holds() says so, the caller stops delivering for that consumer before
///  any state changes and registers wake().
///  - Drop, Delay, Duplicate, Reorder: the caller changes its state as usual, then hands the way
///  out (sending the ack,
///    the delivery, processing the ack, taking the publish in) as a function to act(), which calls
///    it never, later, twice or in another order.
class Gates
{
public:
    virtual ~Gates() = default;
    [[nodiscard]] bool active() const { return m_active; }
    virtual GateDecision decide(const GateSubject& subject) = 0;
    /// Asked at DeliveryOut before anything else: such a message may be asked about again and
    /// again, so it is not an act of the gate; decide() speaks of the other verbs.
    virtual bool holds(const GateSubject& subject) = 0;
    virtual void park(
        const GateSubject& subject, std::size_t bytes, std::function<void()> goOn) = 0;
    virtual void wake(const GateSubject& subject, std::function<void()> tryAgain) = 0;
    virtual void act(
        const GateDecision& decision, const GateSubject& subject, std::function<void()> wayOut) = 0;

protected:
    bool m_active = false; ///< some rule exists
};

/// The gates of a broker without a lab: never active.
class OpenGates final : public Gates
{
public:
    GateDecision decide(const GateSubject&) override { return {}; }
    bool holds(const GateSubject&) override { return false; }
    void park(const GateSubject&, std::size_t, std::function<void()> goOn) override { goOn(); }
    void wake(const GateSubject&, std::function<void()> tryAgain) override { tryAgain(); }
    void act(const GateDecision&, const GateSubject&, std::function<void()> wayOut) override
    {
        wayOut();
    }
};

} // namespace jetglass::flow
