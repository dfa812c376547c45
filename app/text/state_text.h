// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "broker/flow_event.h"
#include "broker/ids.h"
#include "broker/message_state.h"
#include "broker/stream_config.h"

#include <QString>

namespace jetglass::text {

/// The words of the window for the broker's enums, in the reader's language. NATS's own terms stay
/// as they are.
QString stateName(DeliveryState state);
/// The message was purged, deleted or aged out, and no client is known to have ended it: a delivery
/// was open (no client refused it, which tells it from +TERM), or it was never delivered, or nobody
/// remembers. \a removal: why it is not stored any more.
[[nodiscard]] bool leftUnsettled(DeliveryState state, ClientId client, Removal removal);
QString removalName(Removal cause);
QString eventName(FlowKind kind);

/// Names as they stand in the API ("work_queue" is "workqueue" there), never translated.
QString term(Retention value);
QString term(Discard value);
QString term(Storage value);
QString term(Compression value);
QString term(PersistMode value);
QString term(DeliverPolicy value);
QString term(AckPolicy value);
QString term(ReplayPolicy value);
QString term(PriorityPolicy value);

} // namespace jetglass::text
