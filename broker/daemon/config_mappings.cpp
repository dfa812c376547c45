// SPDX-License-Identifier: GPL-3.0-or-later
// Subjects that are rewritten on their way in (core.md 2.8).
#include "daemon/config_number.h"
#include "daemon/config_sections.h"
#include "subjects/subject.h"
#include "subjects/subject_transform.h"

#include <set>
#include <utility>

namespace jetglass::daemon {

namespace {

constexpr int kAll = 100;

/// A number, or text as "80%".
std::optional<int> readWeight(ConfigReader& reader, const ConfigEntry& item)
{
    std::int64_t weight = 0;
    if (item.value.isInteger()) {
        weight = item.value.integer;
    } else if (item.value.isString()) {
        std::string text = item.value.text;
        if (text.ends_with('%'))
            text.pop_back();
        const auto number = wholeNumber(text);
        if (!number) {
            reader.error(item.position, "Invalid weight \"" + text + "\" for mapping destination");
            return std::nullopt;
        }
        weight = *number;
    } else {
        const std::string given = item.value.isBool() ? (item.value.flag ? "true" : "false")
                                                      : std::string(item.value.kindText());
        reader.error(item.position, "Unknown entry type for weight of " + given);
        return std::nullopt;
    }
    if (weight < 0 || weight > kAll) {
        reader.error(
            item.position, "Invalid weight " + std::to_string(weight) + " for mapping destination");
        return std::nullopt;
    }
    return static_cast<int>(weight);
}

std::optional<MappingConfig::Destination> readDestination(
    ConfigReader& reader, const Position& position, const ConfigValue& value)
{
    if (!value.isMap()) {
        reader.error(position, "Expected an entry for the mapping destination");
        return std::nullopt;
    }
    MappingConfig::Destination destination;
    bool weighed = false;
    bool sound = true;
    for (const ConfigEntry& item : value.entries) {
        const std::string key = lowered(item.key);
        if (key == "destination" || key == "dest") {
            reader.read(item, destination.subject);
        } else if (key == "weight") {
            weighed = true;
            const auto weight = readWeight(reader, item);
            sound = sound && weight;
            destination.weight = weight.value_or(0);
        } else if (key != "cluster") { // there is none
            reader.error(
                item.position, "Unknown field \"" + item.key + "\" for mapping destination");
            sound = false;
        }
    }
    if (sound && !weighed)
        reader.error(value.position,
            "Missing weight for mapping destination \"" + destination.subject + '"');
    return sound && weighed ? std::optional(destination) : std::nullopt;
}

/// What is wrong with the destinations of one subject; empty if nothing is.
std::string complaint(const MappingConfig& mapping)
{
    std::set<std::string> seen;
    int sum = 0;
    for (const auto& destination : mapping.destinations) {
        if (!seen.insert(destination.subject).second)
            return "duplicate entry for \"" + destination.subject + '"';
        sum += destination.weight;
        if (sum > kAll)
            return "total weight needs to be <= 100";
        if (auto made = subjects::Transform::compileChecked(mapping.source, destination.subject);
            !made)
            return made.error().text;
    }
    return {};
}

} // namespace

void readMappings(
    ConfigReader& reader, const ConfigEntry& entry, std::vector<MappingConfig>& mappings)
{
    if (!reader.expectMap(entry))
        return;
    for (const ConfigEntry& item : entry.value.entries) {
        if (!subjects::isValidSubscription(item.key)) {
            reader.error(entry.position, "Subject \"" + item.key + "\" is not a valid subject");
            continue;
        }
        MappingConfig mapping;
        mapping.source = item.key;
        std::string about = '"' + item.key + '"';
        if (item.value.isString()) {
            mapping.destinations.push_back({item.value.text});
            about += " to \"" + item.value.text + '"';
        } else if (item.value.isArray()) {
            for (const ConfigValue& one : item.value.items) {
                if (const auto destination = readDestination(reader, one.position, one))
                    mapping.destinations.push_back(*destination);
            }
        } else if (const auto destination = readDestination(reader, item.position, item.value)) {
            mapping.destinations.push_back(*destination);
        } else {
            continue;
        }
        if (const std::string wrong = complaint(mapping); !wrong.empty())
            reader.error(
                item.position, ("Error adding mapping for " + about).append(" : ").append(wrong));
        else
            mappings.push_back(std::move(mapping));
    }
}

} // namespace jetglass::daemon
