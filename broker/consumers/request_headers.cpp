// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/request_headers.h"

#include "streams/context.h"
#include "streams/publish_headers.h"

#include <charconv>

namespace jetglass::consumers {

namespace {

template<class Number>
std::optional<Number> number(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

std::string_view trimmed(std::string_view text)
{
    static constexpr std::string_view kWhite = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kWhite);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kWhite) - first + 1);
}

bool requiresHigherLevel(std::string_view headers)
{
    const std::string_view text = streams::headerValue(headers, "Nats-Required-Api-Level");
    if (text.empty())
        return false;
    const auto level = number<std::int64_t>(text);
    return !level || *level > streams::kApiLevel;
}

std::optional<std::uint64_t> headerNumber(std::string_view headers, std::string_view name)
{
    return number<std::uint64_t>(streams::headerValue(headers, name));
}

} // namespace jetglass::consumers
