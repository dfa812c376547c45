// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/subject_filter.h"

#include "subjects/subject.h"

#include <algorithm>
#include <utility>

namespace jetglass::subjects {

SubjectFilter::SubjectFilter(std::vector<std::string> patterns)
    : m_patterns(std::move(patterns))
    , m_all(m_patterns.empty()
          || std::find(m_patterns.begin(), m_patterns.end(), ">") != m_patterns.end())
    , m_literal(m_patterns.size() == 1 && !hasWildcard(m_patterns.front()))
{
}

bool SubjectFilter::matches(std::string_view subject) const
{
    if (m_all)
        return true;
    if (m_literal)
        return m_patterns.front() == subject;
    return std::any_of(m_patterns.begin(), m_patterns.end(), [subject](const std::string& pattern) {
        return subjects::matches(pattern, subject);
    });
}

} // namespace jetglass::subjects
