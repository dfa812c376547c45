// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>

namespace jetglass::streams {

/// The text of a value as it goes out: broken UTF-8 replaced, and < > & escaped as the reference
/// server does.
[[nodiscard]] std::string encodeJson(const nlohmann::ordered_json& value);
/// A member of one of an object's objects, whose text was made apart, part by part.
struct MadeMember
{
    std::string parent; ///< name of the object, itself a member of the outermost one
    std::string name;
    std::string text; ///< JSON
};
/// As above, with these members at the end of their parents.
[[nodiscard]] std::string encodeJson(
    const nlohmann::ordered_json& object, std::span<const MadeMember> made);
/// A string as JSON, quotes included; for sources that need no more of JSON than this.
[[nodiscard]] std::string quoteJson(std::string_view text);

} // namespace jetglass::streams
