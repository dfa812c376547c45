// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jetglass::subjects {

/// A set of patterns of which one must match. No pattern, or ">", matches everything.
class SubjectFilter
{
public:
    SubjectFilter() = default;
    explicit SubjectFilter(std::vector<std::string> patterns);

    [[nodiscard]] bool matchesAll() const { return m_all; }
    /// Exactly one pattern, without wildcards.
    [[nodiscard]] bool isLiteral() const { return m_literal; }
    [[nodiscard]] bool matches(std::string_view subject) const;
    [[nodiscard]] const std::vector<std::string>& patterns() const { return m_patterns; }

private:
    std::vector<std::string> m_patterns;
    bool m_all = true;
    bool m_literal = false;
};

} // namespace jetglass::subjects
