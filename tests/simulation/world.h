// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "box.h"
#include "memory_file_system.h"
#include "model.h"
#include "network.h"
#include "operation.h"
#include "sim_clock.h"
#include "sim_random.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::simulation {

/// Something that left the broker, in the order in which it did.
struct Event
{
    enum class Kind : std::uint8_t
    {
        Delivery,
        Answer
    };
    Kind kind{};
    Operation* operation = nullptr; ///< of an answer
    std::string text; ///< of an answer; payload of a delivery
    std::string subject;
    std::string headers;
    // --- a delivery
    std::string stream;
    std::string consumer;
    std::uint64_t deliveries = 0;
    std::uint64_t seq = 0;
    std::uint64_t number = 0;
};

/// Everything of one simulation: chance, time, disk, network, the broker, its clients, and the
/// model of what they know.
class World
{
public:
    World(std::uint64_t seed, bool power, bool trace);
    ~World();

    /// Empty, or what was wrong.
    std::string run(std::uint64_t steps);
    [[nodiscard]] const std::deque<std::string>& lastLines() const { return m_lines; }
    /// The same for every run of a seed.
    [[nodiscard]] std::uint64_t digest() const { return m_digest; }
    [[nodiscard]] std::uint64_t crashes() const { return m_crashes; }

    // --- for clients and invariants
    void note(std::string line); ///< what happens, for people who look at a failure
    void fail(const std::string& what);
    [[nodiscard]] bool failed() const { return !m_failure.empty(); }
    Operation& begin(Kind kind, const std::string& stream, const std::string& consumer = {});
    Operation* operation(std::uint64_t id)
    {
        return id == 0 || id > m_operations.size() ? nullptr : &m_operations[id - 1];
    }
    [[nodiscard]] std::uint64_t operationCount() const { return m_operations.size(); }
    /// The step in which the broker was started.
    [[nodiscard]] std::uint64_t runningSince() const { return m_runningSince; }
    /// By the connection of \a peer, now or later.
    void send(Peer& peer, Wire wire);
    [[nodiscard]] std::string replyFor(const Operation& operation) const
    {
        return "_R." + std::to_string(operation.id);
    }
    Peer& anyPeer() { return random.pick(network.peers); }

    Random random;
    SimClock clock;
    MemoryFileSystem files;
    Network network;
    std::unique_ptr<Box> box;
    Model model;
    std::vector<Event> events; ///< of this step
    std::uint64_t step = 0;
    bool restarted = false; ///< the broker was started anew in this step
    bool crashed = false; ///< and the one before it died in the middle of it
    bool lostPower = false; ///< only what was promised is still there
    bool calm = false; ///< no more faults: everything is to come to its end

private:
    void act();
    void endStep();
    void handOne(Peer& peer);
    void hand(Peer& peer, Wire wire);
    void acknowledge(Operation& op);
    void left(std::string_view route, const streams::Outbound& message);
    void restart(bool orderly);
    void passTime();
    void comeToRest();
    void startBox();
    void describe(const char* when) const;

    const bool m_trace;
    std::string m_failure;
    std::deque<std::string> m_lines;
    std::deque<Operation> m_operations;
    std::uint64_t m_digest = 0xcbf29ce484222325U;
    std::uint64_t m_crashes = 0;
    std::uint64_t m_runningSince = 0;
};

} // namespace jetglass::simulation
