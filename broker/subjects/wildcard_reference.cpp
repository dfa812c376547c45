// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/wildcard_reference.h"

namespace jetglass::subjects {

bool isWildcardReference(std::string_view token)
{
    return token.size() > 1 && token[0] == '$' && token[1] >= '1' && token[1] <= '9';
}

std::string patternOfReferences(std::string_view subject)
{
    return withTokensReplaced(subject, [](std::string_view token) {
        return isWildcardReference(token) ? std::string_view("*") : token;
    });
}

} // namespace jetglass::subjects
