// SPDX-License-Identifier: GPL-3.0-or-later
// Clients that publish.
#include "clients.h"

#include <utility>

namespace jetglass::simulation {

namespace {

constexpr std::size_t kMostLive = 65; ///< of a stream: 200 for all of them

StreamModel* someStream(World& world)
{
    if (world.model.streams.empty())
        return nullptr;
    return &world.random.pick(world.model.streams).second;
}

std::string payloadOf(World& world, const Operation& op)
{
    std::string payload = "#" + std::to_string(op.id) + " ";
    const std::uint64_t size =
        world.random.chance(95) ? world.random.below(60) : world.random.below(2000);
    payload.append(size, static_cast<char>('a' + op.id % 26));
    return payload;
}

void add(std::string& headers, std::string_view name, std::string_view value)
{
    if (headers.empty())
        headers = "NATS/1.0\r\n\r\n";
    headers.insert(headers.size() - 2, std::string(name).append(": ").append(value).append("\r\n"));
}

std::uint64_t lastOfSubject(const StreamModel& stream, int subject)
{
    for (auto it = stream.live.rbegin(); it != stream.live.rend(); ++it)
        if (it->second.subject == subject)
            return it->first;
    return 0;
}

void expectSomething(World& world, const StreamModel& stream, Operation& op)
{
    const bool wrong = world.random.chance(30);
    if (world.random.chance(50)) {
        op.expectedLast = stream.last + (wrong ? 1 : 0);
        add(op.headers, "Nats-Expected-Last-Sequence", std::to_string(*op.expectedLast));
    } else {
        op.expectedLastOfSubject = lastOfSubject(stream, op.subject) + (wrong ? 1 : 0);
        add(op.headers,
            "Nats-Expected-Last-Subject-Sequence",
            std::to_string(*op.expectedLastOfSubject));
    }
}

Wire wireOf(World& world, const Operation& op, const StreamModel& stream)
{
    return {
        subjectOf(stream.number, op.subject), world.replyFor(op), op.headers, op.payload, op.id};
}

Operation& newPublish(World& world, const StreamModel& stream)
{
    Operation& op = world.begin(Kind::Publish, stream.name);
    op.subject = static_cast<int>(world.random.below(kSubjects));
    op.payload = payloadOf(world, op);
    return op;
}

void publishBatch(World& world, const StreamModel& stream)
{
    const std::uint64_t count = 2 + world.random.below(4);
    const bool abandoned = world.random.chance(20);
    Peer& peer = world.anyPeer();
    std::uint64_t batch = 0;
    for (std::uint64_t i = 1; i <= count; ++i) {
        Operation& op = newPublish(world, stream);
        if (i == 1)
            batch = op.id;
        op.batch = batch;
        op.inBatch = static_cast<std::uint32_t>(i);
        op.batchSize = static_cast<std::uint32_t>(count);
        op.commits = i == count && !abandoned;
        op.abandoned = abandoned;
        add(op.headers, "Nats-Batch-Id", "b" + std::to_string(batch));
        add(op.headers, "Nats-Batch-Sequence", std::to_string(i));
        if (op.commits)
            add(op.headers, "Nats-Batch-Commit", "1");
        world.send(peer, wireOf(world, op, stream));
    }
}

} // namespace

void publishSomething(World& world)
{
    StreamModel* stream = someStream(world);
    if (stream == nullptr || stream->live.size() >= kMostLive)
        return;
    Random& random = world.random;
    if (stream->config.allowAtomic && random.chance(10))
        return publishBatch(world, *stream);
    Operation& op = newPublish(world, *stream);
    const std::uint64_t kind = random.below(100);
    if (kind < 25) {
        // Few names: some come again on purpose, as after an answer that was lost.
        op.msgId = "id" + std::to_string(random.below(12));
        add(op.headers, "Nats-Msg-Id", op.msgId);
    } else if (kind < 35) {
        expectSomething(world, *stream, op);
    } else if (kind < 45 && stream->config.allowMsgTtl) {
        const std::int64_t seconds = random.between(1, 20);
        op.ttl = seconds * 1'000'000'000;
        add(op.headers, "Nats-TTL", std::to_string(seconds) + "s");
    } else if (kind < 49 && stream->config.allowRollup) {
        op.rollsUpAll = random.chance(20);
        op.rollsUpSubject = !op.rollsUpAll;
        add(op.headers, "Nats-Rollup", op.rollsUpAll ? "all" : "sub");
    } else if (kind < 55) {
        add(op.headers, "X-Note", "something");
    }
    world.send(world.anyPeer(), wireOf(world, op, *stream));
}

} // namespace jetglass::simulation
