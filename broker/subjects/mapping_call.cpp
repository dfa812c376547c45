// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/mapping_call.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jetglass::subjects {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kBlanks = "\t\n\f\r ";

/// In the order in which a token is asked for them: it may hold the text of several. Capitals may
/// be small, small letters may not be capitals.
constexpr std::array<std::pair<std::string_view, MappingFunction>, 10> kNames{{
    {"Wildcard", MappingFunction::Wildcard},
    {"Partition", MappingFunction::Partition},
    {"SplitFromLeft", MappingFunction::SplitFromLeft},
    {"SplitFromRight", MappingFunction::SplitFromRight},
    {"SliceFromLeft", MappingFunction::SliceFromLeft},
    {"SliceFromRight", MappingFunction::SliceFromRight},
    {"Right", MappingFunction::Right},
    {"Left", MappingFunction::Left},
    {"Split", MappingFunction::Split},
    {"Random", MappingFunction::Random},
}};

std::string_view withoutBlanks(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

bool startsWithName(std::string_view text, std::string_view name)
{
    if (text.size() < name.size())
        return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool capital = name[i] >= 'A' && name[i] <= 'Z';
        if (text[i] != name[i] && !(capital && text[i] == name[i] + ('a' - 'A')))
            return false;
    }
    return true;
}

/// "(arguments)", with blanks around it and the end of the call behind it: what is between the
/// brackets, of which the last that can be one closes.
std::optional<std::string_view> between(std::string_view text)
{
    text = withoutBlanks(text);
    if (!text.starts_with('('))
        return {};
    for (std::size_t at = text.rfind(')'); at != std::string_view::npos && at > 0;
         at = text.rfind(')', at - 1)) {
        const std::string_view inner = text.substr(1, at - 1);
        if (withoutBlanks(text.substr(at + 1)).starts_with(kClose)
            && inner.find('\n') == std::string_view::npos)
            return inner;
    }
    return {};
}

std::optional<std::string_view> argumentsOf(std::string_view token, std::string_view name)
{
    for (std::size_t at = token.find(kOpen); at != std::string_view::npos;
         at = token.find(kOpen, at + 1)) {
        const std::string_view rest = withoutBlanks(token.substr(at + kOpen.size()));
        if (!startsWithName(rest, name))
            continue;
        if (const auto inner = between(rest.substr(name.size())))
            return inner;
    }
    return {};
}

std::vector<std::string> splitArguments(std::string_view text)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t comma = text.find(',');
        parts.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos)
            return parts;
        text = withoutBlanks(text.substr(comma + 1));
    }
}

} // namespace

bool looksLikeCall(std::string_view token)
{
    return token.size() > kOpen.size() + kClose.size() && token.starts_with(kOpen)
        && token.ends_with(kClose);
}

std::optional<MappingCall> findCall(std::string_view token)
{
    for (const auto& [name, function] : kNames)
        if (const auto inner = argumentsOf(token, name))
            return MappingCall{function, splitArguments(*inner)};
    return {};
}

} // namespace jetglass::subjects
