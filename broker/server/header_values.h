// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::server {

/// The values of all headers of a block by name, without blanks around them.
using HeaderValues = std::map<std::string, std::vector<std::string>, std::less<>>;
[[nodiscard]] HeaderValues headerValues(std::string_view block);

/// Names are told apart by their letters, whatever their capitals.
[[nodiscard]] bool sameLetter(char a, char b);

} // namespace jetglass::server
