// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>

namespace jetglass::host {

class BrokerCore;

/// The member "server" of answers and events of the system account, with a number that grows with
/// each of them.
class ServerCard
{
public:
    explicit ServerCard(BrokerCore& core)
        : m_core(core)
    {
    }
    nlohmann::ordered_json next();
    /// For an event that nobody wants: its number is used up.
    void skip() { ++m_sequence; }

private:
    BrokerCore& m_core;
    std::uint64_t m_sequence = 0;
};

} // namespace jetglass::host
