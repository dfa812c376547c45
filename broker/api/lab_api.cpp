// SPDX-License-Identifier: GPL-3.0-or-later
// ADVANCE goes from deadline to deadline: at each it moves the clock, lets the loop fire what is
// due and work until nothing is pending, then goes on. So the broker passes through the same states
// as in real time, in order.
#include "api/lab_api.h"

#include "base/json.h"
#include "base/time_text.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace jetglass::api {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr const char* kTypePrefix = "io.jetglass.lab.v1.";

struct Name
{
    const char* text;
    int value;
};
constexpr Name kPlaces[] = {{"publish_in", int(GatePlace::PublishIn)},
    {"pub_ack_out", int(GatePlace::PubAckOut)},
    {"delivery_out", int(GatePlace::DeliveryOut)},
    {"ack_in", int(GatePlace::AckIn)}};
constexpr Name kVerbs[] = {{"pass", int(GateVerb::Pass)},
    {"hold", int(GateVerb::Hold)},
    {"drop", int(GateVerb::Drop)},
    {"delay", int(GateVerb::Delay)},
    {"duplicate", int(GateVerb::Duplicate)},
    {"reorder", int(GateVerb::Reorder)}};

template<std::size_t N>
int valueOf(const Name (&names)[N], const std::string& text)
{
    for (const Name& name : names)
        if (text == name.text)
            return name.value;
    return -1;
}

template<std::size_t N>
std::string namesOf(const Name (&names)[N])
{
    std::string list;
    for (const Name& name : names)
        list += (list.empty() ? "" : ", ") + std::string(name.text);
    return list;
}

template<std::size_t N>
const char* textOf(const Name (&names)[N], int value)
{
    for (const Name& name : names)
        if (name.value == value)
            return name.text;
    return "";
}

ordered_json gateJson(const lab::GateState& state)
{
    const GateRule& rule = state.rule;
    ordered_json json{{"number", rule.number},
        {"place", textOf(kPlaces, int(rule.place))},
        {"verb", textOf(kVerbs, int(rule.verb))}};
    if (!rule.stream.empty())
        json["stream"] = rule.stream;
    if (!rule.consumer.empty())
        json["consumer"] = rule.consumer;
    if (!rule.subject.empty())
        json["subject"] = rule.subject;
    if (rule.firstSeq)
        json["first_seq"] = rule.firstSeq;
    if (rule.lastSeq)
        json["last_seq"] = rule.lastSeq;
    if (rule.client != ClientId{})
        json["client"] = static_cast<std::uint32_t>(rule.client);
    if (rule.probability < 1.0)
        json["probability"] = rule.probability;
    if (rule.count)
        json["count"] = rule.count;
    if (rule.delay)
        json["delay_ms"] = rule.delay / kMillisecond;
    json["acted"] = state.acted;
    json["held"] = state.held;
    return json;
}

} // namespace

/// A request that may be answered turns later.
struct LabApi::Call
{
    std::string subject;
    std::string reply;
    std::string type; ///< of the answer
    ordered_json body = ordered_json::object();
};

struct LabApi::Advance
{
    CallPtr call;
    std::int64_t target = 0;
    std::int64_t fired = 0;
    bool settles = false; ///< clients may react at each stop
    bool unsettled = false; ///< they have not yet at this one
};

LabApi::LabApi(streams::Bus& bus,
    lab::LabClock& clock,
    lab::LabGates& gates,
    base::TimerQueue& timers,
    streams::Turn& turn,
    flow::FlowHub& hub,
    streams::StreamRegistry* registry,
    LabHooks hooks)
    : m_bus(bus)
    , m_clock(clock)
    , m_gates(gates)
    , m_timers(timers)
    , m_turn(turn)
    , m_hub(hub)
    , m_registry(registry)
    , m_hooks(std::move(hooks))
{
    for (const char* subject : {"$LAB.CLOCK.*", "$LAB.GATE.*", "$LAB.RESET"})
        m_registrations.push_back(m_bus.subscribe(subject, {}, *this));
}

LabApi::~LabApi()
{
    *m_alive = false;
}

void LabApi::onMessage(const streams::Inbound& message)
{
    auto call = std::make_shared<Call>();
    call->subject = message.subject;
    call->reply = message.reply;
    std::string name = call->subject.substr(5); // behind "$LAB."
    for (char& c : name)
        c = c == '.' ? '_' : static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    call->type = kTypePrefix + name + "_response";
    if (!message.payload.empty()) {
        call->body = base::parseJson(message.payload);
        if (!call->body.is_object()) {
            fail(*call, "the request must be a JSON object or empty");
            return;
        }
    }
    try {
        if (call->subject.starts_with("$LAB.CLOCK."))
            clockCall(call);
        else if (call->subject.starts_with("$LAB.GATE."))
            gateCall(call);
        else
            reset(call);
    } catch (const nlohmann::json::exception& wrong) { // a member of the wrong type
        fail(*call, wrong.what());
    }
}

void LabApi::clockCall(const CallPtr& call)
{
    const std::string verb = call->subject.substr(11);
    if (verb == "ADVANCE") {
        startAdvance(call);
        return;
    }
    if (verb == "PAUSE") {
        m_clock.pause();
    } else if (verb == "RESUME") {
        m_clock.resume();
    } else if (verb == "RATE") {
        const double rate = call->body.value("rate", 0.0);
        if (!(rate >= 0.01 && rate <= 10'000.0)) {
            fail(*call, "rate must be between 0.01 and 10000");
            return;
        }
        m_clock.setRate(rate);
    } else if (verb != "INFO") {
        fail(*call, "unknown request; there are INFO, PAUSE, RESUME, RATE and ADVANCE");
        return;
    }
    if (verb != "INFO")
        clockChanged();
    answerClock(*call, -1);
}

void LabApi::clockChanged()
{
    if (m_hub.active())
        m_hub.emit({.seq = {}, .deadline = m_clock.wallTime(), .kind = FlowKind::ClockChanged});
    if (m_hooks.clockChanged)
        m_hooks.clockChanged();
}

void LabApi::startAdvance(const CallPtr& call)
{
    const auto ms = call->body.value("ms", std::int64_t{-1});
    if (ms < 0 || ms > std::int64_t{1000} * 365 * 86'400'000) {
        fail(*call, "ms must be a number of milliseconds, 0 or more");
        return;
    }
    if (m_advancing) {
        m_waiting.push_back(call);
        return;
    }
    m_advancing = true;
    auto advance = std::make_shared<Advance>();
    advance->call = call;
    advance->target = m_clock.now() + ms * kMillisecond;
    advance->settles = call->body.value("settle", false);
    advanceStep(advance);
}

void LabApi::advanceStep(const std::shared_ptr<Advance>& advance)
{
    const auto again = [this, advance, alive = m_alive] {
        if (*alive)
            advanceStep(advance);
    };
    const std::int64_t next = m_timers.nextDeadline();
    // What is due or enlisted belongs to this moment: the loop works it off first.
    if (next <= m_clock.now() || m_turn.pending()) {
        m_hooks.post(again);
        return;
    }
    if (advance->unsettled) {
        advance->unsettled = false;
        m_hooks.settle([this, again] { m_hooks.post(again); });
        return;
    }
    if (next <= advance->target) {
        ++advance->fired;
        advance->unsettled = advance->settles;
        m_clock.moveTo(next);
        m_hooks.post(again);
        return;
    }
    m_clock.moveTo(advance->target);
    clockChanged();
    answerClock(*advance->call, advance->fired);
    m_advancing = false;
    if (!m_waiting.empty()) {
        const CallPtr call = m_waiting.front();
        m_waiting.erase(m_waiting.begin());
        startAdvance(call);
    }
}

void LabApi::answerClock(Call& call, std::int64_t fired)
{
    ordered_json json{{"type", call.type},
        {"now", base::rfc3339(m_clock.wallTime())},
        {"offset_ms", m_clock.offset() / kMillisecond},
        {"rate", m_clock.rate()},
        {"paused", m_clock.paused()},
        {"real", m_clock.isReal()}};
    if (fired >= 0)
        json["fired"] = fired;
    answer(call, base::jsonText(json));
}

void LabApi::gateCall(const CallPtr& call)
{
    const std::string verb = call->subject.substr(10);
    ordered_json json{{"type", call->type}};
    if (verb == "ADD") {
        addGate(call);
        return;
    }
    if (verb == "LIST") {
        json["gates"] = ordered_json::array();
        for (const lab::GateState& state : m_gates.list())
            json["gates"].push_back(gateJson(state));
    } else if (verb == "REMOVE") {
        const auto number = call->body.value("number", std::uint32_t{0});
        if (number == 0) {
            m_gates.clear();
        } else if (!m_gates.remove(number)) {
            fail(*call, "there is no gate with this number");
            return;
        }
        json["success"] = true;
    } else if (verb == "STEP") {
        json["moved"] = m_gates.step(call->body.value("number", std::uint32_t{0}),
            call->body.value("count", std::uint64_t{1}));
    } else {
        fail(*call, "unknown request; there are ADD, LIST, REMOVE and STEP");
        return;
    }
    answer(*call, base::jsonText(json));
}

void LabApi::addGate(const CallPtr& call)
{
    const ordered_json& body = call->body;
    const int place = valueOf(kPlaces, body.value("place", std::string()));
    const int verb = valueOf(kVerbs, body.value("verb", std::string()));
    if (place < 0 || verb < 0) {
        fail(*call,
            place < 0 ? "place must be one of " + namesOf(kPlaces)
                      : "verb must be one of " + namesOf(kVerbs));
        return;
    }
    GateRule rule;
    rule.place = static_cast<GatePlace>(place);
    rule.verb = static_cast<GateVerb>(verb);
    rule.stream = body.value("stream", std::string());
    rule.consumer = body.value("consumer", std::string());
    rule.subject = body.value("subject", std::string());
    rule.firstSeq = body.value("first_seq", std::uint64_t{0});
    rule.lastSeq = body.value("last_seq", std::uint64_t{0});
    rule.client = ClientId{body.value("client", std::uint32_t{0})};
    rule.probability = body.value("probability", 1.0);
    rule.count = body.value("count", std::uint64_t{0});
    rule.delay = body.value("delay_ms", std::int64_t{0}) * kMillisecond;
    const auto number = m_gates.add(std::move(rule));
    if (!number) {
        fail(*call, number.error().text);
        return;
    }
    answer(*call, base::jsonText({{"type", call->type}, {"number", *number}}));
}

void LabApi::reset(const CallPtr& call)
{
    m_gates.clear();
    removeNextStream(call, 0);
}

void LabApi::removeNextStream(const CallPtr& call, std::uint64_t removed)
{
    const auto streams = m_registry ? m_registry->sorted() : std::vector<streams::Stream*>{};
    if (streams.empty()) {
        // Only now: while streams live, stamps ahead of the machine's time would look like the
        // future.
        m_clock.reset();
        clockChanged();
        answer(
            *call, base::jsonText({{"type", call->type}, {"success", true}, {"streams", removed}}));
        return;
    }
    m_registry->remove(
        *streams.front(), [this, call, removed, alive = m_alive](const Result<void>& done) {
            if (!*alive)
                return;
            if (!done)
                fail(*call, done.error().text);
            else
                removeNextStream(call, removed + 1);
        });
}

void LabApi::answer(const Call& call, const std::string& body)
{
    if (!call.reply.empty())
        m_bus.publish({call.reply, {}, {}, body});
}

void LabApi::fail(const Call& call, const std::string& text)
{
    answer(call,
        base::jsonText({{"type", call.type},
            {"error", {{"code", 400}, {"err_code", 10003}, {"description", text}}}}));
}

} // namespace jetglass::api
