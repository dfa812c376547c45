// SPDX-License-Identifier: GPL-3.0-or-later
// The consumer part of broker/config_rules.h: defaults (consumers.md 2.2), checks (2.3, 8.1),
// updates (1.5).
#include "base/time_text.h"
#include "broker/config_rules.h"
#include "subjects/subject.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace jetglass {

namespace {

constexpr std::int64_t kAckWait = 30'000'000'000;
constexpr std::int64_t kMaxWaiting = 512;
constexpr std::int64_t kMaxAckPending = 1000;
constexpr std::int64_t kPinTimeout = 120'000'000'000;
constexpr std::int64_t kFlowHeartbeat = 1'000'000'000;
constexpr std::int64_t kLeastHeartbeat = 100'000'000;
constexpr std::int64_t kLeastExpires = 1'000'000;
constexpr std::size_t kMaxDescription = 4096;
constexpr std::size_t kMaxMetadata = 131072;
constexpr std::size_t kMaxGroupName = 16;

Error bad(int errCode, std::string text)
{
    return Error::api(400, errCode, std::move(text));
}

Error pedanticError(std::string_view text)
{
    return bad(10157, "pedantic mode: " + std::string(text));
}

/// Lifts a negative value to zero, which pedantic requests may not ask for.
Result<void> lift(std::int64_t& value, bool pedantic, const char* name)
{
    if (value >= 0)
        return {};
    if (pedantic)
        return pedanticError(std::string(name) + " must not be negative");
    value = 0;
    return {};
}

Result<void> liftAll(ConsumerConfig& config, bool pedantic)
{
    if (config.maxDeliver == 0) {
        config.maxDeliver = -1;
    } else if (config.maxDeliver < -1) {
        if (pedantic)
            return pedanticError("max_deliver must be set to -1");
        config.maxDeliver = -1;
    }
    if (auto done = lift(config.maxWaiting, pedantic, "max_waiting"); !done)
        return done;
    if (config.maxAckPending < -1) {
        if (pedantic)
            return pedanticError("max_ack_pending must be set to -1");
        config.maxAckPending = -1;
    }
    for (const auto& [value, name] : {std::pair{&config.maxBatch, "max_batch"},
             {&config.maxExpires, "max_expires"},
             {&config.maxBytes, "max_bytes"},
             {&config.idleHeartbeat, "idle_heartbeat"},
             {&config.inactiveThreshold, "inactive_threshold"},
             {&config.priorityTimeout, "priority_timeout"}})
        if (auto done = lift(*value, pedantic, name); !done)
            return done;
    return {};
}

Result<void> fillDefaults(
    ConsumerConfig& config, const StreamConfig& stream, bool pedantic, const ConfigLimits& limits)
{
    if (auto done = liftAll(config, pedantic); !done)
        return done;
    if (!config.isPush() && config.maxWaiting == 0)
        config.maxWaiting = kMaxWaiting;
    const bool waits =
        config.ackPolicy == AckPolicy::Explicit || config.ackPolicy == AckPolicy::All;
    if (!config.backoff.empty()) {
        if (pedantic && config.ackWait != config.backoff.front())
            return pedanticError("first backoff value has to equal batch AckWait");
        if (config.backoff.front() >= 0)
            config.ackWait = config.backoff.front();
    } else if (config.ackWait == 0 && waits) {
        config.ackWait = kAckWait;
    }
    if (config.maxAckPending == 0 && stream.limitMaxAckPending > 0) {
        if (pedantic)
            return pedanticError("max_ack_pending must be set if it's configured in stream limits");
        config.maxAckPending = stream.limitMaxAckPending;
    }
    if (config.inactiveThreshold == 0 && stream.limitInactiveThreshold > 0) {
        if (pedantic)
            return pedanticError(
                "inactive_threshold must be set if it's configured in stream limits");
        config.inactiveThreshold = stream.limitInactiveThreshold;
    }
    if (config.maxAckPending == 0 && config.ackPolicy != AckPolicy::None) {
        config.maxAckPending = kMaxAckPending;
        for (const std::int64_t limit : {limits.maxAckPending, limits.accountMaxAckPending})
            if (limit > 0)
                config.maxAckPending = std::min(config.maxAckPending, limit);
    }
    if (!config.isPush() && config.maxBatch == 0 && limits.maxRequestBatch > 0) {
        if (pedantic)
            return pedanticError("max_request_batch must be set if it's JetStream limits are set");
        config.maxBatch = limits.maxRequestBatch;
    }
    if (config.priorityPolicy == PriorityPolicy::PinnedClient && config.priorityTimeout == 0)
        config.priorityTimeout = kPinTimeout;
    if (config.ackPolicy == AckPolicy::FlowControl && !pedantic) {
        config.flowControl = true;
        config.idleHeartbeat = kFlowHeartbeat;
    }
    return {};
}

bool isBadName(std::string_view name)
{
    return name.find_first_of(" \t\r\n\f.*>/\\") != std::string_view::npos;
}

Result<void> checkNames(const ConsumerConfig& config)
{
    static constexpr const char* kRest = "name can not contain '.', '*', '>', '\\', '/'";
    if (isBadName(config.name))
        return Error::api(500, 10052, std::string("consumer ") + kRest);
    if (isBadName(config.durableName))
        return Error::api(500, 10052, std::string("consumer durable ") + kRest);
    return {};
}

Result<void> checkReplicas(const ConsumerConfig& config, const StreamConfig& stream)
{
    if (config.replicas > stream.replicas)
        return bad(10126, "consumer config replica count exceeds parent stream");
    if (config.replicas < 0)
        return bad(10133, "replicas count cannot be negative");
    if (stream.retention != Retention::Limits && config.replicas != 0
        && config.replicas != stream.replicas)
        return bad(
            10134, "consumer config replicas must match interest retention stream's replicas");
    return {};
}

Result<void> checkFlowAcks(const ConsumerConfig& config)
{
    if (!config.isPush())
        return bad(10218, "flow control ack policy requires a push based consumer");
    if (!config.flowControl)
        return bad(10219, "flow control ack policy requires flow control");
    if (config.idleHeartbeat != kFlowHeartbeat)
        return Error::api(500, 10052, "flow control ack policy heartbeat needs to be 1s");
    if (config.maxAckPending <= 0)
        return bad(10220, "flow control ack policy requires max ack pending");
    if (config.ackWait != 0 || !config.backoff.empty())
        return bad(10221, "flow control ack policy requires unset ack wait");
    if (config.maxDeliver > 0)
        return bad(10222, "flow control ack policy requires unset max deliver");
    return {};
}

Result<void> checkBackoffLength(const ConsumerConfig& config)
{
    if (!config.backoff.empty() && config.maxDeliver != -1
        && static_cast<std::int64_t>(config.backoff.size()) > config.maxDeliver)
        return bad(10116, "max deliver is required to be > length of backoff values");
    return {};
}

Result<void> checkTiming(const ConsumerConfig& config)
{
    for (const std::int64_t step : config.backoff)
        if (step < 0)
            return bad(10184, "consumer backoff needs to be positive");
    if (config.ackWait < 0)
        return bad(10183, "consumer ack wait needs to be positive");
    if (config.ackPolicy == AckPolicy::FlowControl)
        if (auto done = checkFlowAcks(config); !done)
            return done;
    if (auto done = checkBackoffLength(config); !done)
        return done;
    if (config.description.size() > kMaxDescription)
        return bad(10107, "consumer description is too long, maximum allowed is 4096");
    return {};
}

Result<void> checkPush(const ConsumerConfig& config, const StreamConfig& stream)
{
    if (subjects::hasWildcard(config.deliverSubject))
        return bad(10079, "consumer deliver subject has wildcards");
    if (!subjects::isValidStreamSubject(config.deliverSubject))
        return bad(10112, "invalid push consumer deliver subject");
    for (const std::string& subject : stream.subjects)
        if (subjects::matches(subject, config.deliverSubject))
            return bad(10081, "consumer deliver subject forms a cycle");
    if (config.maxWaiting != 0)
        return bad(10080, "consumer in push mode can not set max waiting");
    if (config.maxAckPending > 0 && config.ackPolicy == AckPolicy::None)
        return bad(10082, "consumer requires ack policy for max ack pending");
    if (config.idleHeartbeat > 0 && config.idleHeartbeat < kLeastHeartbeat)
        return bad(10083, "consumer idle heartbeat needs to be >= 100ms");
    return {};
}

Result<void> checkPull(
    const ConsumerConfig& config, const StreamConfig& stream, const ConfigLimits& limits)
{
    if (config.ackPolicy == AckPolicy::None && stream.retention == Retention::WorkQueue)
        return bad(10084, "consumer in pull mode requires explicit ack policy on workqueue stream");
    if (config.rateLimitBps > 0)
        return bad(10086, "consumer in pull mode can not have rate limit set");
    if (config.idleHeartbeat > 0)
        return bad(10088, "consumer idle heartbeat requires a push based consumer");
    if (config.flowControl)
        return bad(10089, "consumer flow control requires a push based consumer");
    if (config.maxExpires > 0 && config.maxExpires < kLeastExpires)
        return bad(10115, "consumer max request expires needs to be >= 1ms");
    if (limits.maxRequestBatch > 0 && config.maxBatch > limits.maxRequestBatch)
        return bad(10125,
            "consumer max request batch exceeds server limit of "
                + std::to_string(limits.maxRequestBatch));
    return {};
}

Result<void> checkLimits(
    const ConsumerConfig& config, const StreamConfig& stream, const ConfigLimits& limits)
{
    for (const std::int64_t limit :
        {limits.maxAckPending, limits.accountMaxAckPending, stream.limitMaxAckPending})
        if (limit > 0 && config.maxAckPending > limit)
            return bad(
                10121, "consumer max ack pending exceeds system limit of " + std::to_string(limit));
    if (stream.limitInactiveThreshold > 0
        && config.inactiveThreshold > stream.limitInactiveThreshold)
        return bad(10153,
            "consumer inactive threshold exceeds system limit of "
                + base::goDuration(stream.limitInactiveThreshold));
    if (config.direct && !config.isPush())
        return bad(10090, "consumer direct requires a push based consumer");
    if (config.direct && config.isDurable())
        return bad(10091, "consumer direct requires an ephemeral consumer");
    return {};
}

Result<void> checkFilters(const ConsumerConfig& config)
{
    static constexpr std::string_view kInvalid = "invalid subject";
    const bool several = config.filterSubjects && !config.filterSubjects->empty();
    if (!config.filterSubject.empty() && several)
        return bad(10136, "consumer cannot have both FilterSubject and FilterSubjects specified");
    if (!config.filterSubject.empty() && !subjects::isValidStreamSubject(config.filterSubject))
        return Error::api(500, 10052, std::string(kInvalid));
    if (!several)
        return {};
    const std::vector<std::string>& all = *config.filterSubjects;
    for (const std::string& filter : all)
        if (!filter.empty() && !subjects::isValidStreamSubject(filter))
            return Error::api(500, 10052, std::string(kInvalid));
    for (const std::string& filter : all)
        if (filter.empty())
            return bad(10139, "consumer filter in FilterSubjects cannot be empty");
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all.size(); ++j)
            if (i != j && subjects::isSubset(all[i], all[j]))
                return bad(10138, "consumer subject filters cannot overlap");
    return {};
}

Result<void> checkStart(const ConsumerConfig& config)
{
    const auto wrong = [](std::string text) {
        return Result<void>(bad(10094, "consumer delivery policy is deliver " + std::move(text)));
    };
    const auto unexpected = [&](const char* policy) {
        return wrong(std::string(policy) + ", but optional start "
            + (config.optStartSeq != 0 ? "sequence" : "time") + " is also set");
    };
    const bool filtered =
        !config.filterSubject.empty() || (config.filterSubjects && !config.filterSubjects->empty());
    const bool any = config.optStartSeq != 0 || config.optStartTime.has_value();
    switch (config.deliverPolicy) {
    case DeliverPolicy::All:
        return any ? unexpected("all") : Result<void>();
    case DeliverPolicy::Last:
        return any ? unexpected("last") : Result<void>();
    case DeliverPolicy::New:
        return any ? unexpected("new") : Result<void>();
    case DeliverPolicy::LastPerSubject:
        if (any)
            return unexpected("last per subject");
        return filtered ? Result<void>()
                        : wrong("last per subject, but optional filter subject is not set");
    case DeliverPolicy::ByStartSequence:
        if (config.optStartSeq == 0)
            return wrong("by start sequence, but optional start sequence is not set");
        if (config.optStartTime)
            return wrong("by start sequence, but optional start time is also set");
        return {};
    case DeliverPolicy::ByStartTime:
        if (!config.optStartTime)
            return wrong("by start time, but optional start time is not set");
        if (config.optStartSeq != 0)
            return wrong("by start time, but optional start start sequence is also set");
        return {};
    }
    return {};
}

Result<void> checkSampling(const std::string& text)
{
    if (text.empty())
        return {};
    std::string_view digits = text;
    if (digits.ends_with('%'))
        digits.remove_suffix(1);
    int value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    static constexpr const char* kFront = "failed to parse consumer sampling configuration: ";
    if (digits.empty() || error != std::errc() || stop != end)
        return bad(10095,
            std::string(kFront) + "strconv.Atoi: parsing \"" + std::string(digits)
                + "\": invalid syntax");
    if (value < 0)
        return bad(10095, std::string(kFront) + "sampling percentage must be positive");
    return {};
}

bool isGroupName(std::string_view name)
{
    if (name.size() > kMaxGroupName)
        return false;
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '/' || c == '_' || c == '=' || c == '-';
    });
}

Result<void> checkPriority(const ConsumerConfig& config)
{
    if (config.priorityPolicy == PriorityPolicy::None) {
        if (!config.priorityGroups.empty())
            return bad(10196, "consumer can not have priority groups when policy is none");
        if (config.priorityTimeout > 0)
            return bad(10197, "PinnedTTL cannot be set when PriorityPolicy is none");
        return {};
    }
    if (config.isPush())
        return bad(10178, "priority groups can not be used with push consumers");
    if (config.priorityGroups.empty())
        return bad(10159, "Setting PriorityPolicy requires at least one PriorityGroup to be set");
    for (const std::string& group : config.priorityGroups) {
        if (group.empty())
            return bad(10161, "Group name cannot be an empty string");
        if (!isGroupName(group))
            return bad(10162,
                "Valid priority group name must match A-Z, a-z, 0-9, -_/=)+ and may not exceed "
                "16 characters");
    }
    return {};
}

Result<void> checkRest(const ConsumerConfig& config)
{
    if (auto done = checkStart(config); !done)
        return done;
    if (auto done = checkSampling(config.sampleFreq); !done)
        return done;
    if (config.flowControl && config.idleHeartbeat == 0)
        return bad(10108, "consumer with flow control also needs heartbeats");
    if (!config.durableName.empty() && !config.name.empty() && config.durableName != config.name)
        return bad(10132, "Consumer Durable and Name have to be equal if both are provided");
    std::size_t size = 0;
    for (const auto& [key, value] : config.metadata)
        size += key.size() + value.size();
    if (size > kMaxMetadata)
        return bad(10135, "consumer metadata exceeds maximum size of 128KB");
    return checkPriority(config);
}

bool sameInstant(const std::optional<std::string>& a, const std::optional<std::string>& b)
{
    if (!a || !b)
        return a.has_value() == b.has_value();
    return base::parseRfc3339(*a) == base::parseRfc3339(*b);
}

} // namespace

Result<void> normalizeConsumerConfig(
    ConsumerConfig& config, const StreamConfig& stream, bool pedantic, const ConfigLimits& limits)
{
    if (auto done = fillDefaults(config, stream, pedantic, limits); !done)
        return done;
    if (auto done = checkNames(config); !done)
        return done;
    if (auto done = checkReplicas(config, stream); !done)
        return done;
    if (auto done = checkTiming(config); !done)
        return done;
    if (auto done = config.isPush() ? checkPush(config, stream) : checkPull(config, stream, limits);
        !done)
        return done;
    if (auto done = checkLimits(config, stream, limits); !done)
        return done;
    if (auto done = checkFilters(config); !done)
        return done;
    return checkRest(config);
}

Result<void> checkConsumerUpdate(const ConsumerConfig& from, const ConsumerConfig& to)
{
    const auto refuse = [](const char* text) { return Result<void>(Error::api(500, 10012, text)); };
    if (from.deliverPolicy != to.deliverPolicy)
        return refuse("deliver policy can not be updated");
    if (from.memStorage != to.memStorage)
        return refuse("storage type can not be updated");
    if (from.direct != to.direct)
        return refuse("direct can not be updated");
    if (from.sourcing != to.sourcing)
        return refuse("sourcing can not be updated");
    if (from.optStartSeq != to.optStartSeq)
        return refuse("start sequence can not be updated");
    if (!sameInstant(from.optStartTime, to.optStartTime))
        return refuse("start time can not be updated");
    if (from.ackPolicy != to.ackPolicy)
        return refuse("ack policy can not be updated");
    if (from.replayPolicy != to.replayPolicy)
        return refuse("replay policy can not be updated");
    if (from.idleHeartbeat != to.idleHeartbeat)
        return refuse("heart beats can not be updated");
    if (from.flowControl != to.flowControl)
        return refuse("flow control can not be updated");
    if (!from.isPush() && to.isPush())
        return refuse("can not update pull consumer to push based");
    if (from.isPush() && !to.isPush())
        return refuse("can not update push consumer to pull based");
    if (from.maxWaiting != to.maxWaiting)
        return refuse("max waiting can not be updated");
    return checkBackoffLength(to);
}

} // namespace jetglass
