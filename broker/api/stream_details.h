// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/stream.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace jetglass::api {

/// state.deleted: every sequence between first and last that is not stored.
void addDeleted(const streams::Stream& stream, nlohmann::ordered_json& state);
/// state.subjects and the paging members for a subjects_filter (streams.md 1.6).
void addSubjects(const streams::Stream& stream,
    const std::string& filter,
    std::int64_t offset,
    nlohmann::ordered_json& info);

} // namespace jetglass::api
