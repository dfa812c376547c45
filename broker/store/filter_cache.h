// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/subject_table.h"
#include "subjects/subject_filter.h"

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace jetglass::store {

/// Remembers for the filters in use which subject numbers match, so that a scan compares numbers
/// instead of text.
class FilterCache
{
public:
    /// Answers for one filter and one table. Valid until the next matcher() of the cache.
    class Matcher
    {
    public:
        [[nodiscard]] bool all() const { return m_all; }
        [[nodiscard]] bool none() const
        {
            return !m_all && !m_filter && m_literal == SubjectTable::kNone;
        }
        [[nodiscard]] SubjectTable::Id literal() const
        {
            return m_literal;
        } ///< kNone: not a literal
        [[nodiscard]] bool operator()(SubjectTable::Id id) const
        {
            if (m_all)
                return true;
            return m_filter ? known(id) : id == m_literal;
        }

        /// The numbers of all subjects that match, perhaps some more; null: they are many, or not
        /// all subjects have been looked at yet.
        [[nodiscard]] const std::vector<SubjectTable::Id>* few() const { return m_few; }

    private:
        friend class FilterCache;
        [[nodiscard]] bool known(SubjectTable::Id id) const;
        const std::vector<SubjectTable::Id>* m_few = nullptr;
        bool m_all = false;
        SubjectTable::Id m_literal = SubjectTable::kNone;
        const subjects::SubjectFilter* m_filter = nullptr;
        const SubjectTable* m_table = nullptr;
        std::vector<std::uint8_t>* m_answers = nullptr;
    };

    Matcher matcher(const subjects::SubjectFilter& filter, const SubjectTable& table);
    /// The number now stands for another subject.
    void forget(SubjectTable::Id id);
    void clear() { m_memos.clear(); }

private:
    struct Memo
    {
        std::vector<std::string> patterns;
        std::vector<std::uint8_t> answers; ///< 0 not asked yet, 1 no, 2 yes
        std::vector<SubjectTable::Id> matching; ///< of those below looked; cut short when many
        SubjectTable::Id looked = 0;
    };
    static void lookFurther(Memo& memo, Matcher& matcher);
    std::list<Memo> m_memos; ///< most recently used first
};

} // namespace jetglass::store
