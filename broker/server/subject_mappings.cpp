// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/subject_mappings.h"

#include "server/random.h"
#include "subjects/subject.h"

#include <fmt/format.h>

#include <utility>

namespace jetglass::server {

Result<SubjectMappings> SubjectMappings::compile(const std::vector<MappingConfig>& mappings)
{
    SubjectMappings compiled;
    for (const MappingConfig& mapping : mappings) {
        Entry entry;
        entry.source = mapping.source;
        for (const auto& destination : mapping.destinations) {
            auto transform =
                subjects::Transform::compileChecked(mapping.source, destination.subject);
            if (!transform)
                return Error{Errc::InvalidArgument,
                    fmt::format("Error adding mapping for \"{}\" to \"{}\" : {}",
                        mapping.source,
                        destination.subject,
                        transform.error().text)};
            entry.destinations.push_back({std::move(*transform), destination.weight});
            // Whoever names the source itself says how much of it is to stay.
            entry.loses = entry.loses || destination.subject == mapping.source;
        }
        compiled.m_entries.push_back(std::move(entry));
    }
    return compiled;
}

std::optional<std::string> SubjectMappings::apply(std::string_view subject) const
{
    for (const Entry& entry : m_entries) {
        if (!subjects::matches(entry.source, subject))
            continue;
        int at = entry.destinations.size() == 1 && entry.destinations.front().weight == 100
            ? 0
            : static_cast<int>(randomBelow(100));
        for (const Destination& destination : entry.destinations) {
            if (at < destination.weight)
                return destination.transform.apply(subject);
            at -= destination.weight;
        }
        return entry.loses ? std::optional<std::string>(std::string()) : std::nullopt;
    }
    return {};
}

} // namespace jetglass::server
