// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/result.h"
#include "broker/stream_config.h"
#include "store/consumer_log.h"
#include "store/message_store.h"
#include "streams/bus.h"
#include "streams/consumer_port.h"
#include "streams/context.h"
#include "streams/turn.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetglass::streams {

class DedupWindow;
class RemovalLedger;

/// One stream: takes publishes on its subjects, checks them in the real server's order, stages them
/// in its store, and when the turn's write has succeeded emits events, enforces retention, tells
/// its consumers and sends pub acks. Owned by StreamRegistry. Broker thread only. Invariant:
/// consumers and outsiders never learn of a message that has not been committed.
class Stream final : public TurnMember, public MessageHandler
{
public:
    Stream(Context& context,
        StreamConfig config,
        std::int64_t created,
        std::unique_ptr<store::MessageStore> store,
        std::unique_ptr<store::ConsumerLog> log);
    ~Stream() override;

    [[nodiscard]] StreamId id() const;
    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] const StreamConfig& config() const;
    [[nodiscard]] std::int64_t created() const;
    [[nodiscard]] Context& context() const;
    [[nodiscard]] store::MessageStore& store() const;
    [[nodiscard]] store::ConsumerLog& consumerLog() const;

    // --- consumers, by name. The stream owns them.
    void adopt(std::unique_ptr<ConsumerPort> consumer);
    /// onDeleted(), destruction, then what interest retention frees.
    void removeConsumer(std::string_view name);
    [[nodiscard]] ConsumerPort* consumer(std::string_view name) const;
    [[nodiscard]] const std::vector<ConsumerPort*>& consumers() const; ///< sorted by name
    /// A consumer has settled a message (ack, term, delivery with ack none): work-queue and
    /// interest retention look whether it can go. Cheap and a no-op for limits retention.
    void onSettled(StreamSeq seq);
    /// A consumer's filters or position changed such that messages may not be needed any more
    /// (interest retention).
    void recheckInterest(StreamSeq first, StreamSeq last);

    // --- changes by request; \a done is called with the outcome once it is durable
    using Done = std::function<void(Result<std::uint64_t>)>;
    void purge(
        std::uint64_t below, std::uint64_t keep, const std::string& filter, ClientId by, Done done);
    void removeMessage(StreamSeq seq, bool erase, ClientId by, Done done);
    void applyConfig(StreamConfig config);

    /// Commits and announces now what the turn has staged so far: before an answer that tells of
    /// the stream's state.
    void settle();

    // --- for questions
    [[nodiscard]] const RemovalLedger& removals() const;
    [[nodiscard]] const DedupWindow& dedup() const;

    // --- TurnMember, MessageHandler
    void commit() override;
    void follow() override;
    void deliver() override;
    void onMessage(const Inbound& message) override; ///< a publish to one of its subjects

private:
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace jetglass::streams
