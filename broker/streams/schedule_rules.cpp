// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/schedule_rules.h"

#include "base/time_text.h"
#include "streams/message_ttl.h"
#include "subjects/subject.h"

#include <algorithm>

namespace jetglass::streams {
namespace {

Error disabled()
{
    return Error::api(400, 10188, "message schedules is disabled");
}
Error badScheduler()
{
    return Error::api(400, 10212, "message schedules invalid scheduler");
}
Error badTarget()
{
    return Error::api(400, 10190, "message schedules target is invalid");
}
Error badSource()
{
    return Error::api(400, 10203, "message schedules source is invalid");
}
Error badRollup()
{
    return Error::api(400, 10192, "message schedules invalid rollup");
}

/// A zone that is named but not known.
bool findZone(std::string_view name, std::optional<TimeZone>& zone)
{
    if (!name.data())
        return true;
    zone = TimeZone::find(name);
    return zone.has_value();
}

bool isCaptured(const StreamConfig& config, std::string_view subject)
{
    return std::any_of(config.subjects.begin(),
        config.subjects.end(),
        [subject](const std::string& pattern) { return subjects::collide(pattern, subject); });
}

/// Go's zero time counts as no schedule.
bool isZero(const Firing& firing)
{
    return firing.at == base::kZeroTime;
}

std::optional<Error> checkPattern(
    const ScheduleFacts& facts, const PublishHeaders& headers, bool& schedule)
{
    std::optional<TimeZone> zone;
    if (!findZone(headers.scheduleZone, zone))
        return facts.config.allowMsgSchedules
            ? Error::api(400, 10223, "message schedules time zone is invalid")
            : disabled();
    if (headers.schedule.empty())
        return {};
    const auto firing = nextFiring(headers.schedule, zone, facts.now, facts.now);
    schedule = firing && !isZero(*firing);
    if ((schedule || !firing) && !facts.config.allowMsgSchedules)
        return disabled();
    if (!firing)
        return Error::api(400, 10189, "message schedules pattern is invalid");
    return {};
}

std::optional<Error> checkProduct(const ScheduleFacts& facts, std::string_view block)
{
    const std::string_view ttl = headerValue(block, "Nats-Schedule-TTL");
    if (!ttl.empty() && !parseTtl(ttl))
        return Error::api(400, 10191, "message schedules invalid per-message TTL");
    const std::string_view rollup = headerValue(block, "Nats-Schedule-Rollup");
    if (!rollup.empty() && rollup != "sub")
        return badRollup();
    if (!ttl.empty() && !facts.config.allowMsgTtl)
        return Error::api(400, 10166, "per-message TTL is disabled");
    const std::string_view target = headerValue(block, "Nats-Schedule-Target");
    if (target.empty() || !subjects::isValidLiteral(target) || target == facts.subject)
        return badTarget();
    const std::string_view source = headerValue(block, "Nats-Schedule-Source");
    if (!source.empty()
        && (source == target || source == facts.subject || !subjects::isValidLiteral(source)))
        return badSource();
    if (!isCaptured(facts.config, target))
        return badTarget();
    if (!source.empty() && !isCaptured(facts.config, source))
        return badSource();
    return {};
}

/// A client may end a schedule by what it stores elsewhere, and nothing more.
std::optional<Error> checkEnding(const ScheduleFacts& facts, const PublishHeaders& headers)
{
    if (headers.scheduleNext.empty())
        return headers.scheduler.empty() ? std::nullopt : std::optional(badScheduler());
    if (headers.scheduleNext != kSchedulePurge || headers.scheduler.empty()
        || headers.scheduler == facts.subject || !subjects::isValidLiteral(headers.scheduler))
        return badScheduler();
    if (!facts.config.allowMsgSchedules)
        return disabled();
    if (!facts.isSchedule(headers.scheduler).value_or(true))
        return badScheduler();
    return {};
}

} // namespace

std::optional<Schedule> readSchedule(std::string_view block, std::int64_t from, std::int64_t now)
{
    const std::string_view pattern = headerValue(block, "Nats-Schedule");
    std::optional<TimeZone> zone;
    if (pattern.empty() || !findZone(headerValue(block, "Nats-Schedule-Time-Zone"), zone))
        return {};
    const auto firing = nextFiring(pattern, zone, from, now);
    Schedule schedule;
    schedule.target = headerValue(block, "Nats-Schedule-Target");
    schedule.source = headerValue(block, "Nats-Schedule-Source");
    schedule.ttl = headerValue(block, "Nats-Schedule-TTL");
    schedule.rollup = headerValue(block, "Nats-Schedule-Rollup");
    if (!firing || isZero(*firing) || schedule.target.empty()
        || (!schedule.ttl.empty() && !parseTtl(schedule.ttl)))
        return {};
    schedule.firing = *firing;
    return schedule;
}

ScheduleVerdict checkSchedule(
    const ScheduleFacts& facts, std::string_view block, const PublishHeaders& headers)
{
    ScheduleVerdict verdict;
    verdict.error = checkPattern(facts, headers, verdict.schedule);
    if (verdict.error)
        return verdict;
    if (verdict.schedule) {
        verdict.error = checkProduct(facts, block);
        verdict.addRollup = headers.rollup.empty();
        std::string rollup(headers.rollup);
        for (char& c : rollup)
            if (c >= 'A' && c <= 'Z')
                c = static_cast<char>(c + 32);
        if (!verdict.error && !verdict.addRollup && rollup != "sub")
            verdict.error = badRollup();
    }
    if (!verdict.error)
        verdict.error = checkEnding(facts, headers);
    return verdict;
}

std::string productHeaders(
    std::string_view block, std::string_view scheduler, const Schedule& schedule, std::int64_t next)
{
    std::string out;
    if (!block.empty()) {
        out = withoutHeadersLike(block, "Nats-Schedule");
        // What could keep the product from being stored, or belongs to the other message alone.
        for (const char* prefix : {"Nats-Expected-", "Nats-Msg-Id:", "Nats-TTL:", "Nats-Rollup:"})
            if (!out.empty())
                out = withoutHeadersLike(out, prefix);
    }
    out = withHeader(out, "Nats-Scheduler", scheduler);
    out = withHeader(
        out, "Nats-Schedule-Next", next == 0 ? std::string(kSchedulePurge) : base::rfc3339(next));
    if (!schedule.ttl.empty())
        out = withHeader(out, "Nats-TTL", schedule.ttl);
    if (!schedule.rollup.empty())
        out = withHeader(out, "Nats-Rollup", schedule.rollup);
    return out;
}

} // namespace jetglass::streams
