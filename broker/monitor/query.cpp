// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/query.h"

#include <charconv>
#include <utility>

namespace jetglass::monitor {

Query::Query(std::map<std::string, std::string> values)
    : m_values(std::move(values))
{
}

bool Query::has(const std::string& name) const
{
    return m_values.count(name) != 0;
}

std::string Query::text(const std::string& name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::string() : found->second;
}

void Query::fail(std::string text)
{
    if (m_error.empty())
        m_error = std::move(text);
}

bool Query::flag(const std::string& name)
{
    const std::string value = text(name);
    if (value == "1" || value == "t" || value == "T" || value == "true" || value == "TRUE"
        || value == "True")
        return true;
    if (!value.empty() && value != "0" && value != "f" && value != "F" && value != "false"
        && value != "FALSE" && value != "False")
        fail("Error decoding boolean for '" + name + "': strconv.ParseBool: parsing \"" + value
            + "\": invalid syntax");
    return false;
}

std::int64_t Query::number(const std::string& name, std::int64_t fallback)
{
    const std::string value = text(name);
    if (value.empty())
        return fallback;
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure != std::errc{} || end != value.data() + value.size()) {
        fail("Error decoding int for '" + name + "': strconv.Atoi: parsing \"" + value
            + "\": invalid syntax");
        return fallback;
    }
    return number;
}

} // namespace jetglass::monitor
