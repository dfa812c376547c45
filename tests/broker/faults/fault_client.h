// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "box.h"
#include "fault_at_call.h"
#include "memory_file_system.h"
#include "network.h"
#include "sim_clock.h"
#include "sim_random.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jetglass::faults {

using Json = nlohmann::ordered_json;
using simulation::Wire;

struct Answer
{
    bool came = false;
    Json body;
    [[nodiscard]] bool refused() const { return came && body.contains("error"); }
    [[nodiscard]] bool good() const { return came && !body.contains("error"); }
    [[nodiscard]] std::string error() const
    {
        return refused() ? body["error"].value("description", std::string()) : std::string();
    }
    /// A sync has failed: what was written before may be on the disk or not.
    [[nodiscard]] bool leavesOpen() const
    {
        return error().find("until it is opened again") != std::string::npos;
    }
};

/// One client of one broker after another on the same disk, which fails when it is told to. Without
/// network and threads: the same seed does the same.
class Client
{
public:
    Client(std::uint64_t seed, bool syncAlways);
    ~Client();

    FaultAtCall& disk() { return m_disk; }
    [[nodiscard]] bool up() const { return m_up; }
    bool start();
    void stop();
    void kill();

    /// Waits a second or two if the answer does not come at once. Silence is a complaint.
    Answer ask(
        const std::string& subject, const std::string& body = {}, const std::string& headers = {});
    void tell(
        const std::string& subject, const std::string& body = {}, const std::string& headers = {});
    std::vector<Wire> fetch(const std::string& stream, const std::string& consumer, int most);
    /// An ack that wants to be confirmed. \a name appears in confirmed() as soon as it is.
    void ack(const Wire& message, const std::string& name);
    [[nodiscard]] const std::set<std::string>& confirmed() const { return m_confirmed; }
    void wait(int milliseconds);
    void complain(std::string text) { complaints.push_back(std::move(text)); }
    std::vector<std::string> complaints;

private:
    std::string send(const std::string& subject,
        const std::string& body,
        const std::string& headers,
        bool* taken = nullptr);
    void settle();

    simulation::Random m_random;
    simulation::SimClock m_clock;
    simulation::MemoryFileSystem m_files;
    FaultAtCall m_disk;
    simulation::Network m_network;
    simulation::Box m_box;
    bool m_up = false;
    int m_requests = 0;
    std::map<std::string, std::string> m_answers; ///< by reply subject
    std::map<std::string, std::string> m_acks; ///< reply subject to name
    std::set<std::string> m_confirmed;
    std::vector<Wire> m_fetched;
};

} // namespace jetglass::faults
