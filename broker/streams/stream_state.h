// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "streams/dedup_window.h"
#include "streams/follower.h"
#include "streams/message_ttl.h"
#include "streams/open_batches.h"
#include "streams/publish_rules.h"
#include "streams/removal_ledger.h"
#include "streams/schedules.h"
#include "streams/stream.h"
#include "streams/upstreams.h"
#include "streams/work_line.h"
#include "subjects/subject_transform.h"

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
    ~Private();

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
        StreamSeq at; ///< where it must be stored; 0 = next
        std::int64_t time = 0; ///< that it keeps; 0 = now
        std::uint32_t subjectHash = 0; ///< while somebody watches
        Text reply;
        Text value; ///< of a counter
        Text subject; ///< kept only if somebody needs it
        std::uint32_t answer = 0; ///< 1 + index in answers; 0 = the usual pub ack
        bool held = false; ///< was announced as published when it came
        bool product = false; ///< of a schedule
    };
    /// What a batch says in place of the usual pub ack, and what observers hear of it.
    struct Answer
    {
        Text text;
        FlowKind tells = FlowKind::PubAckSent;
        std::uint64_t second = 0;
        std::uint32_t deliveries = 0;
        Text id; ///< of the batch
    };
    /// What left the stream in this turn; announced after the commit.
    struct Gone
    {
        RemovalRow row;
        bool single = false; ///< consumers are told of row.first with its subject
        bool byFilter = false; ///< a purge with a filter: subject is the pattern
        bool purge = false; ///< consumers are told as of a purge
        bool nothing =
            false; ///< it found nothing: only consumers hear of it, who move all the same
        Text subject;
    };
    /// One of the messages that left: consumers are told of each while they are few.
    struct Told
    {
        StreamSeq seq;
        Removal cause{};
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
        std::vector<Answer> answers;
        std::vector<std::string> fastBatches; ///< have taken something
        std::vector<Gone> gone;
        std::vector<Told> told;
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
    /// A message that comes from the origin of a mirror or source.
    struct Copied
    {
        std::string_view subject;
        std::string_view headers;
        std::string_view payload;
        StreamSeq at; ///< the origin's sequence for a mirror; 0 = next
        std::int64_t time = 0; ///< the origin's time for a mirror; 0 = now
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
    void stageRemovals(const PublishVerdict& verdict,
        std::string_view subject,
        const PublishHeaders& headers,
        StreamSeq seq);
    Staged& newEntry(PublishVerdict::Kind kind, std::string_view subject, const Inbound& message);
    void refuse(std::string_view subject, const Inbound& message, Error error);
    /// Tells the message's tracer of it; true if the message itself is not to be kept. What is
    /// refused is told by refuse().
    [[nodiscard]] bool toldTracer(
        const Inbound& message, std::string_view subject, const PublishVerdict& verdict) const;
    void tellRefused(std::string_view subject, const Inbound& message, const Error& error) const;
    /// What is published now may be kept for later, by long work or a gate.
    [[nodiscard]] bool mayWait() const { return line.holdsAll() || context.gates.active(); }
    [[nodiscard]] std::string transformed(std::string_view subject) const;
    PublishVerdict::Kind stageCopy(const Copied& copied);
    [[nodiscard]] PublishFacts factsFor(std::string_view subject) const;
    void beginTurn();
    [[nodiscard]] bool hasInterest(std::string_view subject) const;

    // --- batches (stream_batch.cpp, stream_fast_batch.cpp)
    /// A message that belongs to a batch, cleaned.
    struct InBatch
    {
        std::string_view subject; ///< as it was published
        std::string_view block;
        const PublishHeaders& headers;
        const Inbound& message;
    };
    struct Checked;
    void stageInBatch(const InBatch& in);
    std::optional<Error> refusedBeforeBatch(const InBatch& in) const;
    std::optional<Error> refusedOpening(std::uint64_t seq, bool empty) const;
    void holdInBatch(const InBatch& in, std::string_view block, std::uint64_t seq);
    void commitBatch(const InBatch& in, std::string_view block, bool empty);
    std::optional<Error> checkHeld(std::vector<HeldMessage>& held, std::vector<Checked>& checked);
    void stageHeld(std::vector<HeldMessage>& held, std::vector<Checked>& checked);
    void abandon(std::string_view batchId, std::string_view reason);
    void adviseAbandoned(std::string_view batchId, std::string_view reason);
    void stageFast(const InBatch& in);
    void storeFast(const InBatch& in, const FastBatchStep& step, FastBatch& batch);
    void repeatedFast(
        const InBatch& in, const FastBatchStep& step, FastBatch& batch, StreamSeq original);
    void refusedFast(
        const InBatch& in, const FastBatchStep& step, FastBatch& batch, const Error& error);
    void pingFast(const InBatch& in, const FastBatchStep& step, FastBatch& batch);
    void endFast(const InBatch& in, const FastBatchStep& step, const FastBatch& batch);
    void noteFlow(const InBatch& in, const FastBatchStep& step, const FastBatch& batch);
    Staged& noteAnswer(const InBatch& in, const Answer& answer);
    std::uint32_t keepAnswer(const Answer& answer);
    [[nodiscard]] Answer flowAnswer(const FastBatchStep& step, const FastBatch& batch);
    [[nodiscard]] Answer batchAck(std::string_view batchId, std::uint64_t seq, std::uint64_t count);
    void emitBatch(FlowKind kind,
        std::string_view batchId,
        std::uint64_t second,
        std::uint32_t deliveries = 0);
    [[nodiscard]] std::int64_t batchDeadline();
    void onBatchTimer();
    void dropBatches(); ///< those that the configuration does not allow any more

    // --- schedules (stream_schedules.cpp)
    void recoverSchedules();
    void recoverSchedule(std::string_view subject, StreamSeq last);
    void fireSchedules();
    void fire(const Schedules::Due& due);
    void stageProduct(const Schedules::Due& due,
        std::string_view target,
        std::string_view block,
        std::string_view payload,
        std::int64_t next);
    void noteSchedules();
    void noteSchedule(const Staged& entry);
    void endSchedule(std::string_view subject);
    void emitSchedule(FlowKind kind,
        StreamSeq seq,
        std::string_view subject,
        std::int64_t deadline,
        std::uint64_t second = 0);
    void armScheduleTimer();

    // --- long work (stream_work.cpp)
    struct Removing;
    using Progress = WorkLine::Progress;
    void startRemoving(Removing removing);
    Progress remove(Removing& removing, const base::Slice& slice);
    void removeTelling(store::RemovalTask& task, const base::Slice& slice);
    Progress finish(Removing& removing, const Error* error);
    void startLimits();
    void startExpiry();
    /// The first message that max_age can take, with its time.
    std::optional<std::pair<StreamSeq, std::int64_t>> oldestAging();
    void startSubjectLimit();
    Progress expireSingly(StreamSeq& at, const base::Slice& slice);
    void park(const Inbound& message);
    void openHistory();
    void remember(const RemovalRow& row);
    ClientId pastClient(std::string_view name);
    std::vector<std::string> pastClients; ///< by ClientId without kPastClient
    std::uint64_t lostNoted = 0; ///< MessageStore::lost() as the ledger has it
    void historyGrew();
    void keepForRetry();
    void retryRemovals();
    void dropIfSettled(StreamSeq seq, std::string_view subject, Removal cause);
    void goOn();

    // --- removal
    void enforceLimits();
    bool removeOne(StreamSeq seq, Removal cause, ClientId by, bool erase = false);
    void removeExcessOf(std::string_view subject);
    void note(const Gone& gone);
    void noteCopying();
    void removeSettled(StreamSeq seq);
    void removeIfUnneeded(StreamSeq seq, std::string_view subject, Removal cause);
    [[nodiscard]] StreamSeq belowLimits(Removal& cause) const;

    // --- time
    void onTimer();
    void expireByTtl(std::int64_t wallTime);
    void expireOne(StreamSeq seq, Removal cause);
    void storeMarker(const std::string& subject);
    void armTimer();
    void indexTtl(StreamSeq seq, std::int64_t time, std::int64_t ttl);
    void recoverIndexes();

    // --- what follows
    [[nodiscard]] FlowText textOf(const Staged& staged);
    void emitPublish(const Staged& staged);
    void announce();
    void announceRemovals();
    void republish(const Staged& staged, const store::MessageView& message);
    /// The pub ack that says no; \a front as in ackStart.
    [[nodiscard]] static std::string refusal(const Error& error, std::string_view front);
    void sendAcks();
    void sendAck(const Round& round, const Staged& staged);
    void sendPayload(std::string_view reply,
        std::string_view payload,
        const Staged& staged,
        std::string_view subjectOfMessage,
        const Answer* answer = nullptr);
    void emitAnswer(const Staged& staged);
    void rollBack(const Error& error);
    struct Unsynced
    {
        Round round;
        std::vector<Waiting> waiting;
    };
    void startSync();
    void synced(std::vector<Unsynced>& held, const Result<void>& result);
    void countUsage();
    /// FlowHub::begin(), to be ended by FlowHub::end().
    [[nodiscard]] FlowEvent& beginEvent(FlowKind kind)
    {
        FlowEvent& out = context.hub.begin();
        out.kind = kind;
        out.stream = id;
        return out;
    }
    [[nodiscard]] FlowEvent event(FlowKind kind) const
    {
        FlowEvent out;
        out.kind = kind;
        out.stream = id;
        return out;
    }

    void followUpstreams(const StreamConfig& before);
    void tellFollowers();

    void enlist() { context.turn.enlist(self); }
    void resubscribe();
    void compile();
    void runChores(const base::Slice& slice);
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
    bool copying = false; ///< one of them stands for a mirror or source
    std::vector<RegistrationPtr> subscriptions;

    std::optional<subjects::Transform> input;
    std::optional<subjects::Transform> copies; ///< republish
    DedupWindow dedup;
    RemovalLedger ledger;
    TtlIndex ttls;
    base::Timer timer;
    std::int64_t notBefore = 0; ///< the timer's next round, by Clock::now()
    std::string ackStart; ///< {"stream":"S",
    std::string lastMsgId;
    std::string broken; ///< why the stream refuses writes after a failed sync; empty = it does not

    OpenBatches batches{context.batchTotals};
    base::Timer batchTimer{context.timers, [this] { onBatchTimer(); }};
    Schedules schedules;
    bool firingWaits = false; ///< behind long work
    base::Timer scheduleTimer{context.timers, [this] { armScheduleTimer(); }};

    Round turn; ///< being staged
    Round done; ///< committed, being announced
    bool following = false; ///< inside follow()
    std::string ack; ///< scratch
    std::string scratch;

    std::unique_ptr<Upstreams> upstreams; ///< once it mirrors or sources something
    std::vector<Follower*> followers;
    std::unique_ptr<store::HistoryLog> history; ///< null for a memory stream
    std::map<std::uint32_t, std::deque<store::OutcomeRow>> recalled; ///< until consumers have it
    base::Timer historyTimer;
    /// Removals that followed from an ack or a deadline and could not be written.
    std::vector<RemovalRow> unremoved;
    std::vector<Unsynced> unsynced; ///< turns that wait for the next sync
    bool syncing = false;
    WorkLine line;
    std::function<void()> afterLine; ///< the stream may be gone after this call
    std::vector<StreamSeq> settledMeanwhile; ///< while the line held all; looked at after it
    std::uint64_t failures = 0; ///< commits that failed
    std::shared_ptr<char> life = std::make_shared<char>(); ///< for answers that may come later
    bool limiting = false; ///< the limits' removal stands in the line
    bool expiring = false; ///< likewise the expiry by age
    /// Where oldestAging() found one, or up to where there is none.
    std::optional<std::pair<StreamSeq, std::optional<std::int64_t>>> aging;
    bool leaving = false;
    std::deque<Chore> chores;
    std::uint64_t usedBytes = 0; ///< as counted in the context
};

} // namespace jetglass::streams
