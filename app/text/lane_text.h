// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/overview_query.h"

#include <QString>

namespace jetglass::text {

/// The lines beside a lane and in headers: configuration and state in a few words.

QString streamSummary(const StreamConfig& config); ///< "orders.> · limits · file · max_age 1 d"
QString consumerSummary(const ConsumerConfig& config); ///< "pull · explicit · ack_wait 30 s"
/// What retention removes next, empty if nothing is due.
QString nextOut(const StreamOverview& stream, qint64 nowNs);
/// How far a mirror or a stream with sources has copied: "12 behind ORDERS (lag)"; empty if it
/// copies nothing.
QString upstreams(const StreamOverview& stream);
QString schedules(const StreamOverview& stream, qint64 nowNs); ///< "3 schedules, next in 12 s"
/// "pinned to worker-1 (group)"; empty if nobody has the consumer to himself.
QString pinned(const ConsumerOverview& consumer, const QString& client);
/// Why nothing moves, from the consumer's point of view; empty = it moves or has nothing to do.
QString stall(const ConsumerConfig& config, const ConsumerCounts& counts, qint64 nowNs);
/// One line of numbers: "4 of 5 slots held", "3 ack pending", "all done".
QString slotLine(const ConsumerConfig& config, const ConsumerCounts& counts);
QString subjects(const StreamConfig& config, int atMost = 3); ///< "orders.>, returns.* and 2 more"
QString filters(const ConsumerConfig& config); ///< "orders.created", "everything"

} // namespace jetglass::text
