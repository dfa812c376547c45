// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <cstddef>
#include <vector>

namespace jetglass::consumers {
class Consumer;
}
namespace jetglass::streams {
class Stream;
}

namespace jetglass::queries {

inline constexpr std::size_t kAnswerBytes = 256 * 1024;

/// The consumer of that number, null if the stream has none.
[[nodiscard]] consumers::Consumer* findConsumer(streams::Stream& stream, ConsumerId id);
/// Those asked for, in that order, or all by name. A number that is not there is left out.
[[nodiscard]] std::vector<consumers::Consumer*> selectConsumers(
    streams::Stream& stream, const std::vector<ConsumerId>& ids);

} // namespace jetglass::queries
