// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "broker/config_rules.h"
#include "streams/api_error.h"
#include "streams/source_rules.h"
#include "subjects/subject.h"
#include "subjects/subject_transform.h"

#include <array>

namespace jetglass {
namespace {

using namespace streams;

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMillisecond;
constexpr std::int64_t kDefaultWindow = 120 * kSecond;
constexpr std::size_t kMaxName = 255;
constexpr std::size_t kMaxDescription = 4096;
constexpr std::size_t kMaxMetadata = 131072;

Result<void> checkTexts(const StreamConfig& config)
{
    if (!isValidAssetName(config.name))
        return errors::invalidConfig(
            R"(stream name is required and can not contain '.', '*', '>', '\', '/')");
    if (config.name.size() > kMaxName)
        return errors::invalidConfig("stream name is too long, maximum allowed is 255");
    if (config.description.size() > kMaxDescription)
        return errors::invalidConfig("stream description is too long, maximum allowed is 4096");
    std::size_t metadata = 0;
    for (const auto& [key, value] : config.metadata)
        metadata += key.size() + value.size();
    if (metadata > kMaxMetadata)
        return errors::invalidConfig("stream metadata exceeds maximum size of 131072 bytes");
    return {};
}

template<class Int>
Result<void> limitOrUnlimited(Int& value, const char* name, bool pedantic)
{
    if (value < -1 && pedantic)
        return errors::pedantic(std::string(name) + " must be set to -1");
    if (value <= 0)
        value = -1;
    return {};
}

Result<void> fillLimits(StreamConfig& config, bool pedantic)
{
    if (config.replicas == 0)
        config.replicas = 1;
    if (config.replicas > 5)
        return errors::invalidConfig("maximum replicas is 5");
    if (config.replicas < 0)
        return Error::api(400, 10133, "replicas count cannot be negative");
    if (auto done = limitOrUnlimited(config.maxMsgs, "max_msgs", pedantic); !done)
        return done;
    if (auto done = limitOrUnlimited(config.maxMsgsPerSubject, "max_msgs_per_subject", pedantic);
        !done)
        return done;
    if (auto done = limitOrUnlimited(config.maxBytes, "max_bytes", pedantic); !done)
        return done;
    if (auto done = limitOrUnlimited(config.maxMsgSize, "max_msg_size", pedantic); !done)
        return done;
    if (auto done = limitOrUnlimited(config.maxConsumers, "max_consumers", pedantic); !done)
        return done;
    if (config.maxAge < 0)
        return errors::invalidConfig("max age can not be negative");
    if (config.maxAge != 0 && config.maxAge < 100 * kMillisecond)
        return errors::invalidConfig("max age needs to be >= 100ms");
    return {};
}

Result<void> fillWindow(StreamConfig& config, bool pedantic, std::int64_t serverLimit)
{
    if (config.duplicateWindow == 0 && !config.mirror && config.sources.empty()) {
        config.duplicateWindow = kDefaultWindow;
        if (serverLimit > 0 && config.duplicateWindow > serverLimit) {
            if (pedantic)
                return errors::pedantic("duplicate window limits are higher than current limits");
            config.duplicateWindow = serverLimit;
        }
        if (config.maxAge != 0 && config.maxAge < config.duplicateWindow) {
            if (pedantic)
                return errors::pedantic("duplicate window cannot be bigger than max age");
            config.duplicateWindow = config.maxAge;
        }
    }
    if (config.duplicateWindow < 0)
        return errors::invalidConfig("duplicates window can not be negative");
    if (config.maxAge != 0 && config.duplicateWindow > config.maxAge)
        return errors::invalidConfig("duplicates window can not be larger then max age");
    if (serverLimit > 0 && config.duplicateWindow > serverLimit)
        return errors::invalidConfig("duplicates window can not be larger then server limit of "
            + base::goDuration(serverLimit));
    if (config.duplicateWindow != 0 && config.duplicateWindow < 100 * kMillisecond)
        return errors::invalidConfig("duplicates window needs to be >= 100ms");
    return {};
}

Result<void> checkCounter(const StreamConfig& config)
{
    if (!config.allowMsgCounter)
        return {};
    if (config.discard == Discard::New)
        return errors::invalidConfig("counter stream cannot use discard new");
    if (config.allowMsgTtl)
        return errors::invalidConfig("counter stream cannot use message TTLs");
    if (config.allowMsgSchedules)
        return errors::invalidConfig("counter stream cannot use message schedules");
    if (config.retention != Retention::Limits)
        return errors::invalidConfig("counter stream can only use limits retention");
    return {};
}

Result<void> checkDiscard(const StreamConfig& config)
{
    if (!config.discardNewPerSubject)
        return {};
    if (config.discard != Discard::New)
        return errors::invalidConfig(
            "discard new per subject requires discard new policy to be set");
    if (config.maxMsgsPerSubject <= 0)
        return errors::invalidConfig("discard new per subject requires max msgs per subject > 0");
    return {};
}

Result<void> fillMarkers(StreamConfig& config, bool pedantic)
{
    const std::int64_t ttl = config.subjectDeleteMarkerTtl;
    if (ttl == 0)
        return {};
    if (ttl < 0)
        return errors::invalidConfig("subject delete marker TTL must not be negative");
    if (ttl < kSecond)
        return errors::invalidConfig("subject delete marker TTL must be at least 1 second");
    if (config.mirror)
        return {}; // refused with the mirror's own rules
    if (!config.allowMsgTtl) {
        if (pedantic)
            return errors::invalidConfig(
                "subject delete marker cannot be set if message TTLs are disabled");
        config.allowMsgTtl = true;
    }
    if (!config.allowRollup) {
        if (pedantic)
            return errors::invalidConfig(
                "subject delete marker cannot be set if roll-ups are disabled");
        config.allowRollup = true;
        config.denyPurge = false;
    }
    return {};
}

Result<void> fillSchedules(StreamConfig& config, bool pedantic)
{
    if (config.allowMsgSchedules && !config.mirror && config.sources.empty()) {
        if (config.discard == Discard::New)
            return errors::invalidConfig("message scheduling cannot use discard new");
        if (!config.allowRollup) {
            if (pedantic)
                return errors::invalidConfig(
                    "message scheduling cannot be set if roll-ups are disabled");
            config.allowRollup = true;
            config.denyPurge = false;
        }
    }
    if (config.persistMode == PersistMode::Async) {
        if (config.storage != Storage::File)
            return errors::invalidConfig("async persist mode is only supported on file storage");
        if (config.replicas > 1)
            return errors::invalidConfig(
                "async persist mode is not supported on replicated streams");
        if (config.allowAtomic)
            return errors::invalidConfig(
                "async persist mode is not supported with atomic batch publish");
    }
    return {};
}

bool isReserved(
    std::string_view subject, std::initializer_list<std::string_view> spaces, std::string_view open)
{
    for (const std::string_view space : spaces)
        if (subjects::collide(subject, space) && !subjects::isSubset(subject, open))
            return true;
    return false;
}

Result<void> checkSubject(const StreamConfig& config, std::size_t n)
{
    const std::string& subject = config.subjects[n];
    if (!subjects::isValidStreamSubject(subject))
        return errors::invalidConfig("invalid subject");
    if (subject == ">" && !config.noAck)
        return errors::invalidConfig("capturing all subjects requires no-ack to be true");
    if (subject == ">" && config.replicas != 1)
        return errors::invalidConfig("capturing all subjects requires replicas of 1");
    if (!config.noAck && isReserved(subject, {"$JS.>", "$JSC.>", "$NRG.>"}, "$JS.EVENT.>"))
        return errors::invalidConfig(
            "subjects that overlap with jetstream api require no-ack to be true");
    if (!config.noAck && isReserved(subject, {"$SYS.>"}, "$SYS.ACCOUNT.>"))
        return errors::invalidConfig(
            "subjects that overlap with system api require no-ack to be true");
    for (std::size_t other = n + 1; other < config.subjects.size(); ++other)
        if (subjects::isValidStreamSubject(config.subjects[other])
            && subjects::collide(subject, config.subjects[other]))
            return errors::invalidConfig(
                "subject \"" + subject + "\" overlaps with \"" + config.subjects[other] + "\"");
    return {};
}

Result<void> fillSubjects(StreamConfig& config)
{
    if (config.subjects.empty()) {
        if (!config.mirror && config.sources.empty())
            config.subjects.push_back(config.name);
        return {};
    }
    for (std::size_t n = 0; n < config.subjects.size(); ++n)
        if (auto done = checkSubject(config, n); !done)
            return done;
    return {};
}

Result<void> checkMaxBytes(const StreamConfig& config, const ConfigLimits& limits)
{
    const std::int64_t most = config.storage == Storage::Memory ? limits.memoryMaxStreamBytes
                                                                : limits.storeMaxStreamBytes;
    if (limits.maxBytesRequired && config.maxBytes <= 0)
        return Error::api(400, 10113, "account requires a stream config to have max bytes set");
    if (most > 0 && config.maxBytes > most)
        return Error::api(400, 10122, "stream max bytes exceeds account limit max stream bytes");
    return {};
}

Result<void> checkInputTransform(const StreamConfig& config)
{
    if (!config.subjectTransform)
        return {};
    const SubjectTransform& transform = *config.subjectTransform;
    if (!transform.src.empty() && !subjects::isValidStreamSubject(transform.src))
        return Error::api(400, 10155, "stream transform source: invalid subject " + transform.src);
    if (auto done = subjects::Transform::compileChecked(transform.src, transform.dest); !done)
        return Error::api(400, 10156, "stream transform: " + done.error().text);
    return {};
}

Result<void> fillRepublish(StreamConfig& config, bool pedantic)
{
    if (!config.republish)
        return {};
    RePublish& republish = *config.republish;
    if (republish.src.empty()) {
        if (pedantic)
            return errors::pedantic("republish source can not be empty");
        republish.src = ">";
    }
    if (republish.src == ">" && republish.dest == ">" && config.subjectTransform
        && config.subjects.size() == 1 && config.subjectTransform->src == config.subjects.front()) {
        if (pedantic)
            return errors::pedantic("republish source and destination can not both be '>'");
        republish.src = config.subjectTransform->dest;
        republish.dest = config.subjectTransform->dest;
    }
    for (const std::string& subject : config.subjects)
        if (!republish.dest.empty() && subjects::collide(subject, republish.dest))
            return errors::invalidConfig(
                "stream configuration for republish destination forms a cycle");
    if (!subjects::Transform::compile(republish.src, republish.dest))
        return errors::invalidConfig("stream configuration for republish with transform from '"
            + republish.src + "' to '" + republish.dest + "' not valid");
    return {};
}

Result<void> fillPlacement(StreamConfig& config)
{
    if (!config.placement)
        return {};
    if (!config.placement->preferred.empty())
        return errors::invalidConfig("preferred server not permitted in placement");
    if (*config.placement == Placement{})
        config.placement.reset();
    return {};
}

Result<void> checkFeatures(StreamConfig& config, bool pedantic, const ConfigLimits& limits)
{
    if (auto done = fillWindow(config, pedantic, limits.maxDuplicateWindow); !done)
        return done;
    if (config.denyPurge && config.allowRollup)
        return errors::invalidConfig("roll-ups require the purge permission");
    if (!config.mirror)
        if (auto done = checkCounter(config); !done)
            return done;
    if (auto done = checkDiscard(config); !done)
        return done;
    if (auto done = fillMarkers(config, pedantic); !done)
        return done;
    return fillSchedules(config, pedantic);
}

} // namespace

Result<void> normalizeStreamConfig(StreamConfig& config, bool pedantic, const ConfigLimits& limits)
{
    if (auto done = checkTexts(config); !done)
        return done;
    if (auto done = fillLimits(config, pedantic); !done)
        return done;
    if (auto done = checkFeatures(config, pedantic, limits); !done)
        return done;
    if (auto done = checkUpstreams(config, pedantic, limits.findStream); !done)
        return done;
    if (auto done = fillSubjects(config); !done)
        return done;
    if (auto done = checkMaxBytes(config, limits); !done)
        return done;
    if (auto done = checkInputTransform(config); !done)
        return done;
    if (auto done = fillRepublish(config, pedantic); !done)
        return done;
    if (auto done = fillPlacement(config); !done)
        return done;
    if (config.replicas > 1)
        return Error::api(500, 10074, "replicas > 1 not supported in non-clustered mode");
    return {};
}

Result<void> checkStreamUpdate(const StreamConfig& from, StreamConfig& to)
{
    const auto refuse = [](const char* text) {
        return Result<void>(
            errors::invalidConfig("stream configuration update can not " + std::string(text)));
    };
    if (from.storage != to.storage)
        return refuse("change storage type");
    if (from.retention != to.retention
        && (from.retention == Retention::WorkQueue || to.retention == Retention::WorkQueue))
        return refuse("change retention policy to/from workqueue");
    if (from.sealed && !to.sealed)
        return refuse("unseal a sealed stream");
    if (from.denyDelete && !to.denyDelete)
        return refuse("cancel deny message deletes");
    if (from.denyPurge && !to.denyPurge)
        return refuse("cancel deny purge");
    if (to.mirror && from.mirror != to.mirror)
        return Error::api(400, 10055, "stream mirror configuration can not be updated");
    if (from.allowMsgTtl && !to.allowMsgTtl)
        return errors::invalidConfig("message TTL status can not be disabled");
    if (from.allowMsgCounter != to.allowMsgCounter)
        return refuse("change message counter setting");
    if (from.allowMsgSchedules && !to.allowMsgSchedules)
        return errors::invalidConfig("message schedules can not be disabled");
    if (from.persistMode != to.persistMode)
        return refuse("change persist mode");
    if (to.sealed) {
        to.maxAge = 0;
        to.discard = Discard::New;
        to.denyDelete = true;
        to.denyPurge = true;
        to.allowRollup = false;
    }
    return {};
}

} // namespace jetglass
