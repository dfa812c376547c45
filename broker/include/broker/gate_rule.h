// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <cstdint>
#include <string>

namespace jetglass {

/// The four places where a message passes a gate.
enum class GatePlace : std::uint8_t
{
    PublishIn,
    PubAckOut,
    DeliveryOut,
    AckIn
};

/// Hold stops before any state changes; the others act after the state change, as a network would.
enum class GateVerb : std::uint8_t
{
    Pass,
    Hold,
    Drop,
    Delay,
    Duplicate,
    Reorder
};

/// One rule; empty and zero members match everything. The first rule that matches acts.
struct GateRule
{
    std::uint32_t number = 0; ///< given by the broker
    GatePlace place = GatePlace::PublishIn;
    GateVerb verb = GateVerb::Pass;
    std::string stream;
    std::string consumer;
    std::string subject; ///< pattern
    std::uint64_t firstSeq = 0;
    std::uint64_t lastSeq = 0;
    ClientId client{};
    double probability = 1.0;
    std::uint64_t count = 0; ///< acts this often, then ends; 0 = without end
    std::int64_t delay = 0; ///< ns, for Delay
};

} // namespace jetglass
