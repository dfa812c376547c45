// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "world.h"

namespace jetglass::simulation {

/// Takes over which streams and consumers there are and how they are configured; each difference
/// needs a request that asked for it.
void takeOverConfigs(World& world);
/// It may begin anew: nothing is known of its messages any more.
void forget(const StreamModel& stream, ConsumerModel& consumer);
/// Compares the messages of a stream with what was there before: what is new was published, what is
/// missing went by a rule, and the counts are right.
void checkMessages(World& world, StreamModel& known, streams::Stream& stream);
/// What has left the broker in this step, in order.
void checkEvents(World& world);
/// The state that each consumer gives each message.
void checkConsumers(World& world, StreamModel& known, streams::Stream& stream);

} // namespace jetglass::simulation
