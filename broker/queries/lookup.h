// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "subjects/subject_filter.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jetglass::consumers {
class Consumer;
}
namespace jetglass::streams {
class Stream;
}

namespace jetglass::queries {

inline constexpr std::size_t kAnswerBytes = std::size_t{256} * 1024;

/// The consumer of that number, null if the stream has none.
[[nodiscard]] consumers::Consumer* findConsumer(streams::Stream& stream, ConsumerId id);
/// Those asked for, in that order, or all by name. A number that is not there is left out.
[[nodiscard]] std::vector<consumers::Consumer*> selectConsumers(
    streams::Stream& stream, const std::vector<ConsumerId>& ids);
/// An empty pattern matches everything.
[[nodiscard]] subjects::SubjectFilter filterOf(const std::string& pattern);

} // namespace jetglass::queries
