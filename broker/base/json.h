// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace jetglass::base {

/// \name JSON text
/// Read and written in one place: nlohmann's parser and serializer are templates that cost each
/// file which uses them seconds to compile.
/// @{

/// Members keep their order. What is no JSON gives a discarded value (is_discarded()).
nlohmann::ordered_json parseJson(std::string_view text);

/// On one line. What is no UTF-8 (a subject may be any bytes) becomes U+FFFD.
std::string jsonText(const nlohmann::ordered_json& json);

/// On many lines, two spaces deeper a level.
std::string indentedJsonText(const nlohmann::ordered_json& json);

/// @}

} // namespace jetglass::base
