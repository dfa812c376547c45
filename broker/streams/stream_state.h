// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "streams/dedup_window.h"
#include "streams/message_ttl.h"
#include "streams/publish_rules.h"
#include "streams/removal_ledger.h"
#include "streams/stream.h"
#include "streams/subject_transform.h"

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetglass::streams {

/// The inside of a Stream, shared by its source files: publishing (stream_publish.cpp), what
/// follows from a turn (stream_follow.cpp), removals (stream_removal.cpp) and changes by request
/// (stream_changes.cpp).
struct Stream::Private
{
    Private(Stream& stream,
        Context& context,
        StreamConfig config,
        std::int64_t created,
        std::unique_ptr<store::MessageStore> store,
        std::unique_ptr<store::ConsumerLog> log);

    /// A piece of m.text, which holds the texts of one turn so that a publish allocates nothing.
    struct Text
    {
        std::uint32_t at = 0;
        std::uint32_t size = 0;
    };
    /// What one publish of this turn came to; answered after the commit.
    struct Staged
    {
        PublishVerdict::Kind kind{};
        StreamSeq seq; ///< stored, skipped or original
        std::uint64_t previous = 0; ///< last sequence of the subject before, for republish
        std::uint64_t size = 0;
        ClientId client{};
        std::uint32_t error = 0; ///< index in errors
        std::uint32_t subjectHash = 0; ///< while somebody watches
        Text reply;
        Text subject; ///< kept only if somebody needs it
    };
    /// What left the stream in this turn; announced after the commit.
    struct Gone
    {
        RemovalRow row;
        bool single = false; ///< consumers are told of row.first with its subject
        bool byFilter = false; ///< a purge with a filter: subject is the pattern
        bool purge = false; ///< consumers are told as of a purge
        Text subject;
    };
    /// A request that waits for the turn's write.
    struct Waiting
    {
        Done done;
        std::uint64_t value = 0;
    };
    /// Everything that one turn has staged. What follows from a turn can already stage for the next
    /// one (a republished copy that comes back), so the two are kept apart.
    struct Round
    {
        std::vector<Staged> staged;
        std::vector<Error> errors;
        std::vector<Gone> gone;
        std::vector<Waiting> waiting;
        std::string text;
        StreamSeq first; ///< consumers do not know of what is at or above it
        std::string lastMsgIdBefore;
        std::size_t ids = 0; ///< entries added to the window
        bool indexedTtl = false;
        bool open = false;

        Text keep(std::string_view piece);
        [[nodiscard]] std::string_view read(Text piece) const
        {
            return std::string_view(text).substr(piece.at, piece.size);
        }
        void clear();
    };
    /// Work in slices: returns true when it is finished.
    using Chore = std::function<bool()>;

    // --- publishing
    void publish(const Inbound& message);
    void stage(std::string_view subject,
        std::string_view block,
        const PublishHeaders& headers,
        const Inbound& message);
    void stageStored(std::string_view subject,
        std::string_view block,
        const PublishHeaders& headers,
        std::string_view payload,
        PublishVerdict& verdict,
        Staged& staged);
    void stageRollup(PublishVerdict::Rollup rollup, std::string_view subject, StreamSeq below);
    void beginTurn();
    [[nodiscard]] bool hasInterest(std::string_view subject) const;

    // --- removal
    void enforceLimits();
    void removeOldest(StreamSeq below, Removal cause);
    bool removeOne(StreamSeq seq, Removal cause, ClientId by, bool erase = false);
    void removeExcessOf(std::string_view subject);
    std::uint64_t removeRange(StreamSeq below, Removal cause, ClientId by);
    std::uint64_t removeMatching(
        const std::string& filter, StreamSeq below, std::uint64_t keep, Removal cause, ClientId by);
    void note(const Gone& gone);
    void removeIfUnneeded(StreamSeq seq, std::string_view subject, Removal cause);
    [[nodiscard]] StreamSeq sequenceKeeping(std::uint64_t keep) const;

    // --- time
    void onTimer();
    void expireByAge(std::int64_t wallTime);
    void expireByTtl(std::int64_t wallTime);
    void expireOne(StreamSeq seq, Removal cause);
    void storeMarker(const std::string& subject);
    void armTimer();
    void indexTtl(StreamSeq seq, std::int64_t time, std::int64_t ttl);
    void recoverIndexes();

    // --- what follows
    void emitPublish(const Staged& staged);
    void announce();
    void announceRemovals();
    void republish(const Staged& staged, const store::MessageView& message);
    void sendAcks();
    void sendAck(const Round& round, const Staged& staged);
    void sendPayload(std::string_view reply, std::string_view payload, const Staged& staged);
    void rollBack(const Error& error);
    void holdAcks();
    void countUsage();
    [[nodiscard]] FlowEvent event(FlowKind kind) const;

    void enlist() { context.turn.enlist(self); }
    void resubscribe();
    void compile();
    void runChores();
    void addChore(Chore chore);

    Stream& self;
    Context& context;
    StreamConfig config;
    std::int64_t created;
    std::unique_ptr<store::MessageStore> store;
    std::unique_ptr<store::ConsumerLog> log;
    StreamId id{};

    std::map<std::string, std::unique_ptr<ConsumerPort>, std::less<>> owned;
    std::vector<ConsumerPort*> consumers;
    std::vector<RegistrationPtr> subscriptions;

    std::optional<Transform> input;
    std::optional<Transform> copies; ///< republish
    DedupWindow dedup;
    RemovalLedger ledger;
    TtlIndex ttls;
    base::Timer timer;
    std::string ackStart; ///< {"stream":"S",
    std::string lastMsgId;
    std::string broken; ///< why the stream refuses writes after a failed sync; empty = it does not

    Round turn; ///< being staged
    Round done; ///< committed, being announced
    bool following = false; ///< inside follow()
    std::string ack; ///< scratch
    std::string scratch;

    std::deque<Chore> chores;
    std::uint64_t usedBytes = 0; ///< as counted in the context
};

} // namespace jetglass::streams
