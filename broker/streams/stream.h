// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"
#include "broker/result.h"
#include "broker/stream_config.h"
#include "store/consumer_log.h"
#include "store/history_log.h"
#include "store/message_store.h"
#include "streams/bus.h"
#include "streams/consumer_port.h"
#include "streams/context.h"
#include "streams/turn.h"
#include "streams/upstream_info.h"
#include "streams/work_line.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass {
struct ScheduleCounts;
}

namespace jetglass::streams {

class DedupWindow;
class Follower;
class RemovalLedger;

/// One stream: takes publishes on its subjects, checks them in the real server's order, stages them
/// in its store, and when the turn's write has succeeded emits events, enforces retention, tells
/// its consumers and sends pub acks. Owned by StreamRegistry. Broker thread only. Invariant:
/// consumers and outsiders never learn of a message that has not been committed.
class Stream final : public TurnMember, public MessageHandler
{
public:
    /// \a fresh: it has just been made, nothing of it is on disk.
    Stream(Context& context,
        StreamConfig config,
        std::int64_t created,
        std::unique_ptr<store::MessageStore> store,
        std::unique_ptr<store::ConsumerLog> log,
        bool fresh = false);
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
    enum class Recheck : std::uint8_t
    {
        All, ///< whatever nobody needs
        Selected ///< only what some consumer selects: limits became interest
    };
    void recheckInterest(StreamSeq first, StreamSeq last, Recheck which = Recheck::All);

    // --- changes by request; \a done is called with the outcome once it is durable
    using Done = std::function<void(Result<std::uint64_t>)>;
    void purge(
        std::uint64_t below, std::uint64_t keep, const std::string& filter, ClientId by, Done done);
    void removeMessage(StreamSeq seq, bool erase, ClientId by, Done done);
    void applyConfig(StreamConfig config);

    /// The messages of the whole stream go or have to be looked through: in slices between turns
    /// (contracts.md 1). While that goes on requests and publishes wait in order, nothing is
    /// delivered, and busy() is true.
    [[nodiscard]] bool busy() const;
    /// Not only requests wait, but publishes and deliveries too.
    [[nodiscard]] bool holdsAll() const;
    /// Calls now, or after what is under way and what came before this; if the stream goes before
    /// that, then. So \a call finds the stream by its name.
    void inOrder(std::function<void()> call);
    /// Work of others that the same order must hold for. Its first slice runs at once if nothing is
    /// before it. What the running entry of the line starts comes right behind that entry.
    void startWork(WorkLine::Step step, WorkLine::Holds holds = WorkLine::Holds::All);
    /// Messages have left of which the consumers are to hear singly at the end of the turn.
    [[nodiscard]] bool owesRemovals() const;
    /// True if it is inside an entry of its line: then \a call comes as the last thing when that
    /// entry has ended, and may destroy the stream.
    bool defer(std::function<void()> call);
    /// It is about to be removed: nothing that follows from the end of its consumers is done. To be
    /// called when it is gone: what tells those who wait in its order.
    [[nodiscard]] std::vector<std::function<void()>> leave();
    /// A change of the configuration: the stream's order waits while \a save asks the catalog; what
    /// the catalog says goes to \a then, which applies it or leaves everything as it is.
    using Saved = std::function<void(const Result<void>&)>;
    void saveFirst(
        std::function<void(Saved)> save, Saved then, WorkLine::Holds holds = WorkLine::Holds::All);

    /// Commits and announces now what the turn has staged so far: before an answer that tells of
    /// the stream's state.
    void settle();

    // --- mirrors and sources
    /// The last sequence that outsiders may know of.
    [[nodiscard]] StreamSeq committed() const;
    /// \a follower is told of what is committed until it is removed or the stream goes.
    void addFollower(Follower& follower);
    void removeFollower(Follower& follower);
    [[nodiscard]] std::size_t followerCount() const;
    /// What it mirrors (one) or sources, in the order of the configuration.
    [[nodiscard]] std::vector<UpstreamInfo> upstreams() const;
    /// A mirror that takes part in the direct reads of its origin.
    [[nodiscard]] bool answersForOrigin() const;
    /// Writes down how far the sources have been copied: before an orderly stop.
    void rememberSources();

    // --- what is remembered over a restart, for the views (store/history_log.h)
    void noteOutcome(const store::OutcomeRow& row);
    /// The outcomes that an earlier start has noted for a consumer, oldest first; once only.
    [[nodiscard]] std::vector<store::OutcomeRow> takeOutcomes(std::uint32_t consumer);
    void writeHistory();
    /// Puts what the store has lost since into removals().
    void noteLost();
    /// Its consumers have been opened: what they have settled and a failed or unfinished write has
    /// left behind goes now.
    void consumersOpened();

    // --- for questions
    [[nodiscard]] const RemovalLedger& removals() const;
    /// Names behind the ids with kPastClient in removals().
    [[nodiscard]] const std::vector<std::string>& pastClients() const;
    [[nodiscard]] const DedupWindow& dedup() const;
    [[nodiscard]] ScheduleCounts schedules() const;
    /// Wall ns when the schedule that the message \a seq of this subject is fires next; 0 = it is
    /// none, or over.
    [[nodiscard]] std::int64_t firesAt(std::string_view subject, StreamSeq seq) const;
    /// Which message ends by its own TTL first, and when (wall ns); nothing if none does.
    [[nodiscard]] std::optional<std::pair<StreamSeq, std::int64_t>> nextTtl() const;
    /// The first message that max_age takes, and when.
    [[nodiscard]] std::optional<std::pair<StreamSeq, std::int64_t>> nextByAge() const;

    // --- TurnMember, MessageHandler
    void work(const base::Slice& slice) override;
    void commit() override;
    void follow() override;
    void onMessage(const Inbound& message) override; ///< a publish to one of its subjects
    [[nodiscard]] bool takesTraces() const override { return true; }

private:
    friend class UpstreamLink;
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace jetglass::streams
