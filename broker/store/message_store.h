// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/slice.h"
#include "broker/ids.h"
#include "broker/message_state.h"
#include "broker/result.h"
#include "subjects/subject_filter.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::store {

/// A stored message. The views live until the next call of a non-const member or of load*() of the
/// same store.
struct MessageView
{
    StreamSeq seq;
    std::int64_t time = 0; ///< wall ns
    std::string_view subject;
    std::string_view
        headers; ///< whole block, NATS/1.0 line and final empty line included; empty = none
    std::string_view payload;
};

struct NewMessage
{
    std::string_view subject;
    std::string_view headers;
    std::string_view payload;
    std::int64_t time = 0;
};

/// first = last + 1 when empty; a brand-new store has first 0 and last 0 (streams.md 5.2), unless a
/// first sequence was set.
struct StoreState
{
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0; ///< as counted in streams.md 4.1
    StreamSeq first;
    StreamSeq last;
    std::int64_t firstTime = 0; ///< 0 when empty
    std::int64_t lastTime = 0;
    std::uint64_t subjects = 0;
};

/// What is known of one literal subject. first is 0 if not known without reading (ask first()).
struct SubjectTotals
{
    std::uint64_t count = 0;
    StreamSeq last;
};

/// A contiguous run that is not stored, with its cause as far as it is remembered.
struct GapRange
{
    StreamSeq first;
    StreamSeq last;
    Removal cause = Removal::Unknown;
};

struct Removed
{
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

/// A removal that may take several turns: what goes, and how far it has come. What one part has
/// removed is staged like any other change; the next part goes on behind it, also after a commit.
struct RemovalTask
{
    subjects::SubjectFilter filter;
    StreamSeq below; ///< only what lies below; 0 = everything that is there at the beginning
    std::uint64_t keep = 0; ///< the newest so many of the matching ones stay
    std::uint64_t perSubject = 0; ///< each subject keeps its newest so many; 0 = no such rule
    bool forward = false; ///< an empty store moves on to \a below, as removeBelow() does
    Removal cause = Removal::Unknown;

    // --- progress, kept by the store
    enum class Phase : std::uint8_t
    {
        Begin,
        Locating, ///< looking for what keep leaves
        Removing,
        Finished
    };
    Phase phase = Phase::Begin;
    std::uint64_t end = 0; ///< nothing from here on goes
    std::uint64_t at = 0;
    std::uint64_t left = 0; ///< of keep, still to be found
    Removed removed;
    StreamSeq first; ///< lowest and highest sequence that went; 0 if none did
    StreamSeq last;
    [[nodiscard]] bool finished() const { return phase == Phase::Finished; }
};

/// A count that may take several turns. What comes in meanwhile does not count; what leaves behind
/// the place where it is still does.
struct CountTask
{
    subjects::SubjectFilter filter;
    StreamSeq from;
    StreamSeq below; ///< 0 = everything that is there at the beginning
    bool bytes = false; ///< needs the index of every block that matches

    // --- progress, kept by the store
    std::uint64_t end = 0;
    std::uint64_t at = 0; ///< everything below is counted
    Removed found;
    StreamSeq first; ///< lowest and highest that matches; only with \a bytes
    StreamSeq last;
    bool finished = false;
};

/// What the index knows of a stored message without its bytes.
struct IndexedMessage
{
    StreamSeq seq;
    std::int64_t time = 0;
    std::string_view subject; ///< valid for the call
    std::uint32_t size = 0; ///< as counted for max_bytes
};

/// A piece of the stream, and how many stored messages of it match.
struct TallyPiece
{
    StreamSeq first;
    StreamSeq last;
    std::uint64_t count = 0;
    bool exact = true; ///< else estimated: nothing was read for it
};

/// Summary of a message block or of an equal part of a memory store, for density questions.
struct BlockSummary
{
    StreamSeq first;
    StreamSeq last;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

/// One stream's messages. Broker thread only.
/// Changes are staged: they are visible to the readers of this object at once (the checks of the
/// next publish in the same turn need them), but nobody outside may be told before commit()
/// succeeded. A failed commit() has taken back everything since the last one: sequences, counts and
/// subjects are as before.
class MessageStore
{
public:
    virtual ~MessageStore() = default;

    // --- staging
    /// The message gets the next sequence. The views are copied.
    virtual StreamSeq append(const NewMessage& message) = 0;
    /// Stores at \a seq > last, leaving a gap (mirrors, restore).
    virtual void appendAt(StreamSeq seq, const NewMessage& message) = 0;
    /// \a count sequences are used without storing anything (no interest).
    virtual void skip(std::uint64_t count, std::int64_t time, Removal cause) = 0;
    /// The next \a count sequences, stored or skipped, belong together: after a crash all of them
    /// are there or none. Called before the first of them; nothing else may be stored between them.
    virtual void together(std::uint64_t /*count*/) { }
    /// Removes one message; false if it is not there. With \a erase its bytes are overwritten.
    virtual bool remove(StreamSeq seq, Removal cause, bool erase = false) = 0;
    /// Removes all below \a first. If \a first > last + 1 the empty store moves forward: first = \a
    /// first, last = \a first - 1.
    virtual Removed removeBelow(StreamSeq first, Removal cause) = 0;
    /// Removes what matches below \a below (0 = no bound), but keeps the newest \a keep of all
    /// matching.
    virtual Removed removeMatching(const subjects::SubjectFilter& filter,
        StreamSeq below,
        std::uint64_t keep,
        Removal cause) = 0;
    /// One part of a removal: at least one step, then until it is finished or the slice is over.
    virtual void advance(RemovalTask& task, const base::Slice& slice) = 0;
    /// One write per block. With nothing staged it does nothing.
    virtual Result<void> commit() = 0;
    [[nodiscard]] virtual bool hasStaged() const = 0;
    /// fdatasync of what has been committed; on the worker, \a done on the broker loop.
    virtual void sync(std::function<void(Result<void>)> done) = 0;

    // --- reading
    [[nodiscard]] virtual StoreState state() const = 0;
    [[nodiscard]] virtual bool contains(StreamSeq seq) const = 0;
    /// False if it is not stored (or lost).
    virtual bool load(StreamSeq seq, MessageView& message) = 0;
    /// Lowest sequence >= from that matches; uses the subject index of blocks, not a scan.
    virtual bool loadNext(
        const subjects::SubjectFilter& filter, StreamSeq from, MessageView& message) = 0;
    /// Highest sequence <= upTo (0 = no bound) that matches.
    virtual bool loadLast(
        const subjects::SubjectFilter& filter, StreamSeq upTo, MessageView& message) = 0;
    /// As loadNext without touching the message's bytes; 0 if none.
    virtual StreamSeq findNext(const subjects::SubjectFilter& filter, StreamSeq from) = 0;
    /// Nothing from \a from up to the result has headers: for who looks for something in headers.
    /// It need not be stored; last + 1 if no message has any.
    [[nodiscard]] virtual StreamSeq skipPlain(StreamSeq from) const = 0;
    /// First stored sequence with time >= \a time; last + 1 if none.
    virtual StreamSeq seqAtTime(std::int64_t time) = 0;
    [[nodiscard]] virtual std::optional<SubjectTotals> subject(std::string_view literal) const = 0;
    /// Oldest stored sequence of a literal subject, 0 if none.
    virtual StreamSeq firstOf(std::string_view literal) = 0;
    /// Number of stored messages with sequence >= from that match.
    virtual std::uint64_t count(const subjects::SubjectFilter& filter, StreamSeq from) = 0;
    /// One part of a count: at least one step, then until it is finished or the slice is over.
    virtual void advance(CountTask& task, const base::Slice& slice) = 0;
    /// Counts what matches in each of the \a pieces, which ascend and do not overlap. What a block
    /// holds of the filter is remembered while nothing of it leaves; what is not known is read
    /// until the slice is over and estimated from then on. True if all is exact.
    virtual bool tally(const subjects::SubjectFilter& filter,
        std::span<TallyPiece> pieces,
        const base::Slice& slice) = 0;
    /// Each stored message from \a from on that matches, ascending, from the index alone. Return
    /// false from the callback to stop; it may not change the store.
    virtual void visit(const subjects::SubjectFilter& filter,
        StreamSeq from,
        const std::function<bool(const IndexedMessage&)>& callback) = 0;
    /// The oldest of the newest \a keep messages; last + 1 if keep is 0.
    virtual StreamSeq firstOfNewest(std::uint64_t keep) = 0;
    /// The lowest sequence below which at least \a bytes are stored; last + 1 if there are less.
    virtual StreamSeq firstBehind(std::uint64_t bytes) = 0;
    /// Each stored literal subject that matches, in no order. Return false from the callback to
    /// stop.
    virtual void forEachSubject(const subjects::SubjectFilter& filter,
        const std::function<bool(std::string_view, const SubjectTotals&)>& callback) const = 0;
    /// One part of a walk through the stored literal subjects and how many messages each has;
    /// \a position begins at 0 and is kept by the store. True when all have been seen. Subjects
    /// that come or go between two parts may be missed.
    virtual bool walkSubjects(std::uint64_t& position,
        const subjects::SubjectFilter& filter,
        const base::Slice& slice,
        const std::function<void(std::string_view, std::uint64_t)>& callback) const = 0;
    /// Gaps that overlap first..last, ascending, merged where the cause is the same; the first
    /// \a most of them.
    [[nodiscard]] virtual std::vector<GapRange> gaps(
        StreamSeq first, StreamSeq last, std::size_t most) const = 0;
    [[nodiscard]] std::vector<GapRange> gaps(StreamSeq first, StreamSeq last) const
    {
        return gaps(first, last, std::numeric_limits<std::size_t>::max());
    }
    /// Number of interior sequences not stored (num_deleted).
    [[nodiscard]] virtual std::uint64_t deletedCount() const = 0;
    [[nodiscard]] virtual std::vector<BlockSummary> blocks() const = 0;
    /// Bytes that a message counts for max_bytes in this kind of store (streams.md 4.1).
    [[nodiscard]] virtual std::uint64_t sizeOf(const NewMessage& message) const = 0;

    /// An orderly end: how far the stream has come is kept apart from its messages.
    virtual void rememberEnd() { }
    /// After opening, with nothing staged: somebody has seen \a last, so that what is missing up to
    /// it is lost, and the next message comes behind it.
    virtual void goOnAfter(StreamSeq /*last*/) { }
    /// Nothing is asked of it any more, and it may be destroyed on another thread.
    virtual void retire() { }

    // --- settings
    /// First sequence of a store that never held anything.
    virtual void setFirstSeq(StreamSeq first) = 0;
    /// Whether future sealed blocks are compressed.
    virtual void setCompression(bool on) = 0;
    /// Messages and bytes found damaged at recovery (state.lost).
    [[nodiscard]] virtual Removed lost() const = 0;
};

} // namespace jetglass::store
