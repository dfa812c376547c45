// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/flow_event.h"

#include <span>
#include <string_view>

namespace jetglass {

/// Text that belongs to an event; views that live for the observer's call only. Empty where there
/// is none.
struct FlowText
{
    std::string_view subject;
    std::string_view headers;
    std::string_view payload;
    std::string_view detail; ///< error text of Refused, reason of Terminated
};

/// The hook out of the broker: the ring, the recorder, the wire trace, tests. Called on the broker
/// thread, after the turn's write. Must not block, throw or call the broker.
class FlowObserver
{
public:
    virtual ~FlowObserver() = default;
    virtual void onFlow(const FlowEvent& event, const FlowText& text) noexcept = 0;
    /// Several events that happened one after another, for an observer without wantsText(): how it
    /// is called, since most of what watching costs is calls. Never later than onTurnEnd().
    virtual void onFlows(std::span<const FlowEvent> events) noexcept
    {
        for (const FlowEvent& event : events)
            onFlow(event, {});
    }
    /// The turn is over and its events are complete: the moment to hand on what was gathered.
    virtual void onTurnEnd() noexcept { }
    /// False spares the broker from looking up texts that nobody reads, and brings events by
    /// onFlows(). Asked when the observer is added.
    [[nodiscard]] virtual bool wantsText() const noexcept { return true; }
};

} // namespace jetglass
