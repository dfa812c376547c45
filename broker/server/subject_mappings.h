// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "broker/result.h"
#include "subjects/subject_transform.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::server {

/// Subjects of published messages rewritten on their way in (core.md 2.8).
class SubjectMappings
{
public:
    static Result<SubjectMappings> compile(const std::vector<MappingConfig>& mappings);
    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }
    /// The subject that the message goes to: nothing = its own, empty = it is lost.
    [[nodiscard]] std::optional<std::string> apply(std::string_view subject) const;

private:
    struct Destination
    {
        subjects::Transform transform;
        int weight = 100;
    };
    struct Entry
    {
        std::string source;
        std::vector<Destination> destinations;
        bool loses = false; ///< what its destinations leave of 100 goes nowhere
    };
    std::vector<Entry> m_entries;
};

} // namespace jetglass::server
