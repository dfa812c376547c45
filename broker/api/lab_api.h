// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/lab_clock.h"
#include "lab/lab_gates.h"
#include "streams/bus.h"
#include "streams/turn.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetglass::streams {
class StreamRegistry;
}

namespace jetglass::api {

/// What the lab needs of the loop it runs in.
struct LabHooks
{
    std::function<void(std::function<void()>)> post; ///< run in a later turn
    std::function<void()> clockChanged; ///< keep it in the catalog, wake the loop
    /// Calls back when all clients have answered to what they got, or did not in time.
    std::function<void(std::function<void()>)> settle;
};

/// Lab control on subjects of one account (contracts.md 5):
/// $LAB.CLOCK.INFO|PAUSE|RESUME|RATE|ADVANCE, $LAB.GATE.ADD|LIST|REMOVE|STEP, $LAB.RESET. Requests
/// and replies are JSON (broker/lab/schemas); errors have NATS's shape. Made only by a broker that
/// was started with --lab.
class LabApi final : public streams::MessageHandler
{
public:
    LabApi(streams::Bus& bus,
        lab::LabClock& clock,
        lab::LabGates& gates,
        base::TimerQueue& timers,
        streams::Turn& turn,
        flow::FlowHub& hub,
        streams::StreamRegistry* registry,
        LabHooks hooks);
    ~LabApi() override;

    void onMessage(const streams::Inbound& message) override;

private:
    struct Call;
    struct Advance;
    using CallPtr = std::shared_ptr<Call>;

    void clockCall(const CallPtr& call);
    void gateCall(const CallPtr& call);
    void addGate(const CallPtr& call);
    void reset(const CallPtr& call);
    void removeNextStream(const CallPtr& call, std::uint64_t removed);
    void startAdvance(const CallPtr& call);
    void advanceStep(const std::shared_ptr<Advance>& advance);
    void clockChanged();
    void answerClock(Call& call, std::int64_t fired);
    void answer(const Call& call, const std::string& body);
    void fail(const Call& call, const std::string& text);

    streams::Bus& m_bus;
    lab::LabClock& m_clock;
    lab::LabGates& m_gates;
    base::TimerQueue& m_timers;
    streams::Turn& m_turn;
    flow::FlowHub& m_hub;
    streams::StreamRegistry* m_registry; ///< null without JetStream
    LabHooks m_hooks;
    std::vector<streams::RegistrationPtr> m_registrations;
    std::shared_ptr<bool> m_alive =
        std::make_shared<bool>(true); ///< for posted steps that outlive this
    bool m_advancing = false;
    std::vector<CallPtr> m_waiting; ///< ADVANCE requests that came while another ran
};

} // namespace jetglass::api
