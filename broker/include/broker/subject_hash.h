// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace jetglass {

/// FlowEvent::subjectHash of a subject: the same for all who show it, for colour only, never
/// stored.
[[nodiscard]] std::uint32_t subjectHash(std::string_view subject);

} // namespace jetglass
