// SPDX-License-Identifier: GPL-3.0-or-later
// Who makes, changes and removes streams and consumers.
#include "base/time_text.h"
#include "clients.h"

#include <array>
#include <utility>

namespace jetglass::simulation {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::string number(std::int64_t n)
{
    return std::to_string(n);
}

/// Members that may be changed later too.
std::string someLimits(World& world, bool interest)
{
    Random& random = world.random;
    std::string text;
    if (random.chance(30))
        text += ",\"max_msgs\":" + number(random.between(3, 40));
    if (random.chance(20))
        text += ",\"max_bytes\":" + number(random.between(500, 6000));
    if (random.chance(20))
        text += ",\"max_age\":" + number(random.between(1, 60) * kSecond)
            + ",\"duplicate_window\":" + number(kSecond);
    else
        text += ",\"duplicate_window\":" + number(random.between(1, 30) * kSecond);
    if (random.chance(25))
        text += ",\"max_msgs_per_subject\":" + number(random.between(1, 8));
    if (random.chance(15))
        text += ",\"discard\":\"new\"";
    if (random.chance(10))
        text += ",\"max_msg_size\":" + number(random.between(40, 200));
    text += ",\"allow_atomic\":true,\"allow_direct\":true,\"allow_rollup_hdrs\":true";
    if (!interest && random.chance(5))
        text += ",\"description\":\"changed\"";
    return text;
}

void request(World& world, Operation& op, const std::string& subject, std::string body)
{
    world.send(
        world.anyPeer(), {"$JS.API." + subject, world.replyFor(op), {}, std::move(body), op.id});
}

void createStream(World& world, int n)
{
    static constexpr std::array<const char*, 3> kRetentions{"limits", "interest", "workqueue"};
    Random& random = world.random;
    const std::string name = "S" + std::to_string(n);
    Operation& op = world.begin(Kind::StreamCreate, name);
    op.inMemory = random.chance(15);
    std::string body = "{\"name\":\"" + name + "\",\"subjects\":[\"s" + std::to_string(n)
        + ".>\"],\"storage\":\"" + (op.inMemory ? "memory" : "file") + "\",\"retention\":\""
        + random.pick(kRetentions) + "\"" + (random.chance(50) ? ",\"allow_msg_ttl\":true" : "")
        + (random.chance(15) ? ",\"compression\":\"s2\"" : "")
        + (random.chance(10) ? ",\"first_seq\":" + number(random.between(2, 900)) : "")
        + someLimits(world, false) + "}";
    request(world, op, "STREAM.CREATE." + name, std::move(body));
}

std::string retentionOf(const StreamConfig& config)
{
    return config.retention == Retention::Limits  ? "limits"
        : config.retention == Retention::Interest ? "interest"
                                                  : "workqueue";
}

void updateStream(World& world, const StreamModel& stream)
{
    Operation& op = world.begin(Kind::StreamUpdate, stream.name);
    std::string body = "{\"name\":\"" + stream.name + "\",\"subjects\":[\"s"
        + std::to_string(stream.number) + ".>\"],\"storage\":\""
        + (stream.config.storage == Storage::File ? "file" : "memory") + "\",\"retention\":\""
        + retentionOf(stream.config) + "\""
        + (stream.config.allowMsgTtl ? ",\"allow_msg_ttl\":true" : "")
        + (stream.config.compression == Compression::S2 ? ",\"compression\":\"s2\"" : "")
        + (stream.config.firstSeq > 0 ? ",\"first_seq\":" + std::to_string(stream.config.firstSeq)
                                      : "")
        + someLimits(world, false) + "}";
    request(world, op, "STREAM.UPDATE." + stream.name, std::move(body));
}

std::uint64_t someSeq(World& world, const StreamModel& stream)
{
    if (stream.live.empty() || world.random.chance(10))
        return stream.last + world.random.below(3);
    return world.random.pick(stream.live).first;
}

void purge(World& world, const StreamModel& stream)
{
    Operation& op = world.begin(Kind::Purge, stream.name);
    std::string body = "{";
    const auto member = [&body](const std::string& text) {
        body += (body.size() > 1 ? "," : "") + text;
    };
    if (world.random.chance(50)) {
        op.filter = subjectOf(stream.number, static_cast<int>(world.random.below(kSubjects)));
        member("\"filter\":\"" + op.filter + "\"");
    }
    if (world.random.chance(40)) {
        op.seq = someSeq(world, stream);
        if (op.seq > 0)
            member("\"seq\":" + std::to_string(op.seq));
    } else if (world.random.chance(40)) {
        op.keep = 1 + world.random.below(5);
        member("\"keep\":" + std::to_string(op.keep));
    }
    request(world, op, "STREAM.PURGE." + stream.name, body + "}");
}

void removeMessage(World& world, const StreamModel& stream)
{
    Operation& op = world.begin(Kind::MessageDelete, stream.name);
    op.seq = someSeq(world, stream);
    request(world,
        op,
        "STREAM.MSG.DELETE." + stream.name,
        "{\"seq\":" + std::to_string(op.seq)
            + (world.random.chance(50) ? ",\"no_erase\":true}" : "}"));
}

std::string someFilters(World& world, const StreamModel& stream)
{
    const int first = static_cast<int>(world.random.below(kSubjects));
    const std::string a = subjectOf(stream.number, first);
    const std::string b = subjectOf(stream.number,
        (first + 1 + static_cast<int>(world.random.below(kSubjects - 1))) % kSubjects);
    const std::uint64_t what = world.random.below(100);
    if (what < 50)
        return {};
    if (what < 75)
        return ",\"filter_subject\":\"" + a + "\"";
    return ",\"filter_subjects\":[\"" + a + "\",\"" + b + "\"]";
}

void createConsumer(World& world, const StreamModel& stream, const std::string& name)
{
    static constexpr std::array<const char*, 3> kAcks{"explicit", "all", "none"};
    Random& random = world.random;
    Operation& op = world.begin(Kind::ConsumerCreate, stream.name, name);
    const bool queue = stream.config.retention == Retention::WorkQueue;
    const bool push = random.chance(30);
    const std::string acks = queue || random.chance(60) ? "explicit" : random.pick(kAcks);
    std::string config = "{\"durable_name\":\"" + name + "\",\"ack_policy\":\"" + acks + "\"";
    if (push)
        config += ",\"deliver_subject\":\"push." + stream.name + "." + name + "\"";
    if (acks != "none") {
        if (random.chance(20)) {
            config += ",\"backoff\":[1000000000,3000000000],\"max_deliver\":"
                + number(random.between(3, 5));
        } else {
            config += ",\"ack_wait\":" + number(random.between(1, 30) * kSecond);
            if (random.chance(30))
                config += ",\"max_deliver\":" + number(random.between(1, 4));
        }
        config += ",\"max_ack_pending\":" + number(random.between(1, 30));
    }
    const std::uint64_t policy = random.below(100);
    if (!queue && policy < 15)
        config += ",\"deliver_policy\":\"new\"";
    else if (!queue && policy < 25)
        config += ",\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":"
            + std::to_string(std::max<std::uint64_t>(someSeq(world, stream), 1));
    else if (!queue && policy < 30)
        config += ",\"deliver_policy\":\"last\"";
    config += someFilters(world, stream) + "}";
    request(world,
        op,
        "CONSUMER.CREATE." + stream.name + "." + name,
        "{\"stream_name\":\"" + stream.name + "\",\"config\":" + config + "}");
}

/// What may be changed, with all that may not as it is.
void updateConsumer(World& world, const StreamModel& stream, const ConsumerModel& consumer)
{
    Random& random = world.random;
    const ConsumerConfig& was = consumer.config;
    static constexpr std::array<const char*, 4> kAcks{"none", "all", "explicit", "flow_control"};
    Operation& op = world.begin(Kind::ConsumerCreate, stream.name, consumer.name);
    std::string config = "{\"durable_name\":\"" + consumer.name + "\",\"ack_policy\":\""
        + kAcks[static_cast<std::size_t>(was.ackPolicy)] + "\"";
    if (was.isPush())
        config += ",\"deliver_subject\":\"" + was.deliverSubject + "\"";
    if (was.ackPolicy != AckPolicy::None) {
        config += ",\"ack_wait\":" + number(random.between(1, 30) * kSecond)
            + ",\"max_ack_pending\":" + number(random.between(1, 30));
        if (random.chance(30))
            config += ",\"max_deliver\":" + number(random.between(1, 4));
    }
    if (was.deliverPolicy == DeliverPolicy::New)
        config += ",\"deliver_policy\":\"new\"";
    else if (was.deliverPolicy == DeliverPolicy::Last)
        config += ",\"deliver_policy\":\"last\"";
    else if (was.deliverPolicy == DeliverPolicy::ByStartSequence)
        config += ",\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":"
            + std::to_string(was.optStartSeq);
    std::string filters = someFilters(world, stream);
    // As the reference, the broker lets a consumer of a work queue take everything then.
    if (filters.empty() && stream.config.retention == Retention::WorkQueue)
        filters = ",\"filter_subject\":\"" + subjectOf(stream.number, 0) + "\"";
    if (random.chance(30))
        config += filters;
    else if (!was.filterSubject.empty())
        config += ",\"filter_subject\":\"" + was.filterSubject + "\"";
    else if (was.filterSubjects)
        config += ",\"filter_subjects\":[\"" + was.filterSubjects->front() + "\",\""
            + was.filterSubjects->back() + "\"]";
    request(world,
        op,
        "CONSUMER.CREATE." + stream.name + "." + consumer.name,
        "{\"stream_name\":\"" + stream.name + "\",\"config\":" + config + "}}");
}

void pauseConsumer(World& world, const StreamModel& stream, const std::string& name)
{
    Operation& op = world.begin(Kind::Pause, stream.name, name);
    const std::int64_t until = world.clock.wallTime() + world.random.between(-5, 20) * kSecond;
    request(world,
        op,
        "CONSUMER.PAUSE." + stream.name + "." + name,
        world.random.chance(70) ? "{\"pause_until\":\"" + base::rfc3339(until) + "\"}"
                                : std::string());
}

void resetConsumer(World& world, const StreamModel& stream, const std::string& name)
{
    Operation& op = world.begin(Kind::Reset, stream.name, name);
    op.seq = world.random.chance(50) ? 0 : someSeq(world, stream);
    request(world,
        op,
        "CONSUMER.RESET." + stream.name + "." + name,
        op.seq == 0 ? std::string() : "{\"seq\":" + std::to_string(op.seq) + "}");
}

} // namespace

void operateStream(World& world)
{
    const int n = static_cast<int>(world.random.below(kStreams));
    StreamModel* stream = world.model.stream("S" + std::to_string(n));
    if (stream == nullptr)
        return createStream(world, n);
    const std::uint64_t what = world.random.below(100);
    if (what < 12)
        updateStream(world, *stream);
    else if (what < 15)
        request(world,
            world.begin(Kind::StreamDelete, stream->name),
            "STREAM.DELETE." + stream->name,
            {});
    else if (what < 50)
        purge(world, *stream);
    else
        removeMessage(world, *stream);
}

void operateConsumer(World& world)
{
    if (world.model.streams.empty())
        return;
    const StreamModel& stream = world.random.pick(world.model.streams).second;
    const std::string name = "C" + std::to_string(world.random.below(3));
    const auto found = stream.consumers.find(name);
    if (found == stream.consumers.end())
        return createConsumer(world, stream, name);
    const std::uint64_t what = world.random.below(100);
    if (what < 40)
        updateConsumer(world, stream, found->second);
    else if (what < 55)
        request(world,
            world.begin(Kind::ConsumerDelete, stream.name, name),
            "CONSUMER.DELETE." + stream.name + "." + name,
            {});
    else if (what < 75)
        pauseConsumer(world, stream, name);
    else
        resetConsumer(world, stream, name);
}

} // namespace jetglass::simulation
