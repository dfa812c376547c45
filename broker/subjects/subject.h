// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jetglass::subjects {

/// Tokens separated by '.', none empty, '>' only last (core.md 2.1). Wildcards are whole tokens
/// only.
[[nodiscard]] bool isValidSubscription(std::string_view subject);
/// JetStream's stricter rule: as above, and no space, tab, CR, LF or FF (streams.md 2.5).
[[nodiscard]] bool isValidStreamSubject(std::string_view subject);
/// Valid and without wildcard tokens: what a message may be published to.
[[nodiscard]] bool isValidLiteral(std::string_view subject);
/// Some token is exactly "*" or ">".
[[nodiscard]] bool hasWildcard(std::string_view subject);
/// A whole token that is a wildcard.
[[nodiscard]] inline bool isAny(std::string_view token)
{
    return token.size() == 1 && token[0] == '*';
}
[[nodiscard]] inline bool isRest(std::string_view token)
{
    return token.size() == 1 && token[0] == '>';
}
/// Does the published (literal) subject match the pattern? A literal pattern must be equal.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view subject);
/// Some literal subject matches both patterns.
[[nodiscard]] bool collide(std::string_view a, std::string_view b);
/// Every literal that matches \a part matches \a whole.
[[nodiscard]] bool isSubset(std::string_view part, std::string_view whole);
[[nodiscard]] std::size_t tokenCount(std::string_view subject);
/// The n-th token, from 0; empty beyond the end.
[[nodiscard]] std::string_view token(std::string_view subject, std::size_t n);
/// The subject hash of flow events (colour only): the same for all who show a subject.
[[nodiscard]] std::uint32_t hash(std::string_view subject);

} // namespace jetglass::subjects
