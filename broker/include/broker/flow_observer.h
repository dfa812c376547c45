// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/flow_event.h"

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
    /// The turn is over and its events are complete: the moment to hand on what was gathered.
    virtual void onTurnEnd() noexcept {}
    /// False spares the broker from looking up texts that nobody reads. Asked when the observer is
    /// added.
    [[nodiscard]] virtual bool wantsText() const noexcept { return true; }
};

} // namespace jetglass
