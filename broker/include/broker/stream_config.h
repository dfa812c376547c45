// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jetglass {

enum class Retention : std::uint8_t
{
    Limits,
    Interest,
    WorkQueue
};
enum class Discard : std::uint8_t
{
    Old,
    New
};
enum class Storage : std::uint8_t
{
    File,
    Memory
};
enum class Compression : std::uint8_t
{
    None,
    S2
};
enum class PersistMode : std::uint8_t
{
    Default,
    Async
};

/// A mapping of subjects, see streams.md 7.1. Empty src means ">".
struct SubjectTransform
{
    std::string src;
    std::string dest;
    bool operator==(const SubjectTransform&) const = default;
};

/// Where a mirror or a source copies from.
struct StreamSource
{
    struct External
    {
        std::string api;
        std::string deliver;
        bool operator==(const External&) const = default;
    };
    struct ConsumerRef
    {
        std::string name;
        std::string deliverSubject;
        bool operator==(const ConsumerRef&) const = default;
    };

    std::string name;
    std::uint64_t optStartSeq = 0;
    std::optional<std::string> optStartTime; ///< RFC 3339 as the client wrote it
    std::string filterSubject;
    std::vector<SubjectTransform> subjectTransforms;
    std::optional<External> external;
    std::optional<ConsumerRef> consumer;
    bool operator==(const StreamSource&) const = default;
};

struct RePublish
{
    std::string src;
    std::string dest;
    bool headersOnly = false;
    bool operator==(const RePublish&) const = default;
};

struct Placement
{
    std::string cluster;
    std::vector<std::string> tags;
    std::string preferred;
    bool operator==(const Placement&) const = default;
};

/// A stream's configuration with every field of the 2.15 API. Counts and sizes: -1 means no limit.
/// Times in ns.
struct StreamConfig
{
    std::string name; ///< up to 255 bytes; no blank . * > / or backslash
    std::string description; ///< up to 4096 bytes
    std::vector<std::string> subjects;
    Retention retention = Retention::Limits;
    std::int64_t maxConsumers = -1;
    std::int64_t maxMsgs = -1;
    std::int64_t maxBytes = -1; ///< bytes as counted in streams.md 4.1
    std::int64_t maxAge = 0; ///< ns, 0 = no limit
    std::int64_t maxMsgsPerSubject = -1;
    std::int32_t maxMsgSize = -1; ///< headers and payload
    Discard discard = Discard::Old;
    Storage storage = Storage::File;
    int replicas = 1;
    bool noAck = false;
    std::int64_t duplicateWindow = 0; ///< ns; 0 after normalization = off
    std::optional<Placement> placement;
    std::optional<StreamSource> mirror;
    std::vector<StreamSource> sources;
    Compression compression = Compression::None;
    std::uint64_t firstSeq = 0;
    std::optional<SubjectTransform> subjectTransform;
    std::optional<RePublish> republish;
    bool allowDirect = false;
    bool mirrorDirect = false;
    bool discardNewPerSubject = false;
    bool sealed = false;
    bool denyDelete = false;
    bool denyPurge = false;
    bool allowRollup = false;
    std::int64_t limitInactiveThreshold = 0; ///< consumer_limits.inactive_threshold, ns
    std::int64_t limitMaxAckPending = 0; ///< consumer_limits.max_ack_pending
    bool allowMsgTtl = false;
    std::int64_t subjectDeleteMarkerTtl = 0; ///< ns
    bool allowMsgCounter = false;
    bool allowAtomic = false;
    bool allowMsgSchedules = false;
    PersistMode persistMode = PersistMode::Default;
    bool allowBatched = false;
    std::map<std::string, std::string>
        metadata; ///< user's keys and _nats.req.level; never _nats.ver or _nats.level
    bool operator==(const StreamConfig&) const = default;
};

} // namespace jetglass
