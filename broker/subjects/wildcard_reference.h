// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace jetglass::subjects {

/// A token as "$2": what the second wildcard of another subject stands for.
bool isWildcardReference(std::string_view token);
/// The pattern of all subjects that a text with such references can become.
std::string patternOfReferences(std::string_view subject);

/// Calls back for each token; what it gives takes the token's place.
template<class Replace>
std::string withTokensReplaced(std::string_view subject, Replace replace)
{
    std::string out;
    for (std::size_t at = 0; at <= subject.size();) {
        const auto found = subject.find('.', at);
        const std::size_t dot = found == std::string_view::npos ? subject.size() : found;
        out.append(at == 0 ? "" : ".").append(replace(subject.substr(at, dot - at)));
        at = dot + 1;
    }
    return out;
}

} // namespace jetglass::subjects
