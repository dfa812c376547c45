// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/header_values.h"

#include <algorithm>

namespace jetglass::server {

HeaderValues headerValues(std::string_view block)
{
    constexpr std::string_view kBlanks = " \t";
    HeaderValues found;
    block.remove_prefix(std::min(block.find("\r\n"), block.size()));
    while (block.size() > 2) {
        block.remove_prefix(2);
        const auto end = std::min(block.find("\r\n"), block.size());
        const std::string_view line = block.substr(0, end);
        block.remove_prefix(end);
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0)
            continue;
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(kBlanks), value.size()));
        found[std::string(line.substr(0, colon))].emplace_back(
            value.substr(0, value.find_last_not_of(kBlanks) + 1));
    }
    return found;
}

bool sameLetter(char a, char b)
{
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    };
    return lower(a) == lower(b);
}

} // namespace jetglass::server
