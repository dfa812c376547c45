// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include <nlohmann/json.hpp>

namespace jetglass::base {

namespace {

using Json = nlohmann::ordered_json;

std::string textOf(const Json& json, int indent)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace

nlohmann::ordered_json parseJson(std::string_view text)
{
    return Json::parse(text, nullptr, false);
}

std::string jsonText(const nlohmann::ordered_json& json)
{
    return textOf(json, -1);
}

std::string indentedJsonText(const nlohmann::ordered_json& json)
{
    return textOf(json, 2);
}

} // namespace jetglass::base
