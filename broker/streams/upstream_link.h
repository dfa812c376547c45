// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "broker/ids.h"
#include "broker/result.h"
#include "broker/stream_config.h"
#include "store/message_store.h"
#include "streams/follower.h"
#include "streams/stream.h"
#include "streams/turn.h"
#include "subjects/subject_filter.h"
#include "subjects/subject_transform.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetglass::streams {

/// How far a stream has copied one of its sources.
struct SourcePosition
{
    std::uint64_t seq = 0; ///< last sequence of the origin that was copied; 0 = none
    std::string identity; ///< of the origin that it counts for
    StreamSeq at; ///< where the newest copy was stored
};

/// The way from one origin to the stream that mirrors or sources it. It reads the origin's store in
/// slices and hands each message to the copy, which checks and stages it as it
/// does a publish. It finds its origin by name, waits while there is none, and begins again after a
/// refusal, at the reference server's intervals (streams.md 6.5). Owned by the copy's Upstreams.
class UpstreamLink final : public TurnMember, public Follower, public MessageHandler
{
public:
    /// \a position is where a source goes on; a mirror goes by what its stream holds.
    UpstreamLink(Stream& copy, StreamSource source, bool mirror, SourcePosition position);
    ~UpstreamLink() override;

    [[nodiscard]] const std::string& index() const { return m_index; }
    [[nodiscard]] const SourcePosition& position() const { return m_stored; }
    [[nodiscard]] UpstreamInfo info() const;
    /// A mirror that may answer for its origin: it has copied something and lags little.
    [[nodiscard]] bool caughtUp() const { return m_caughtUp; }
    void setCaughtUp(bool caughtUp) { m_caughtUp = caughtUp; }
    /// What it handed over last is stored, or is not.
    void settled();
    void takenBack();
    /// It is not wanted any more: so is its consumer at the origin, if it has one.
    void leave();

    void work(const base::Slice& slice) override;
    [[nodiscard]] bool isHidden() const override { return m_consumer.empty(); }
    [[nodiscard]] bool matches(std::string_view subject) const override;
    [[nodiscard]] bool hasRead(StreamSeq seq) const override { return seq < m_next; }
    void onCommitted() override;
    void onOriginGone() override;
    void onMessage(const Inbound& message) override; ///< the answer about the consumer

private:
    enum class Outcome
    {
        Copied,
        Refused
    };
    void connect();
    void attach(Stream& origin);
    void askForConsumer(Stream& origin);
    [[nodiscard]] std::string consumerName() const;
    [[nodiscard]] std::string consumerRequest(Stream& origin) const;
    [[nodiscard]] std::string apiSubject(std::string_view call) const;
    void tellConsumer();
    void countRequest(bool failed) const;
    void detach();
    void retry();
    [[nodiscard]] ExternalOrigin findOrigin() const;
    [[nodiscard]] StreamSeq startAt(Stream& origin) const;
    [[nodiscard]] StreamSeq startByTime(Stream& origin, std::int64_t time) const;
    [[nodiscard]] std::optional<std::int64_t> sourceStartTime() const;
    void moveMirrorTo(StreamSeq next);
    void pull(const base::Slice& slice);
    Outcome copyOne(const store::MessageView& message);
    void noteProgress();
    [[nodiscard]] std::uint64_t pending() const;
    [[nodiscard]] std::string mapped(std::string_view subject) const;
    [[nodiscard]] std::string headersFor(const store::MessageView& message) const;

    Stream& m_copy;
    StreamSource m_source;
    bool m_mirror;
    std::string m_index;
    subjects::SubjectFilter m_filter;
    std::vector<subjects::Transform> m_transforms;

    Stream* m_origin = nullptr; ///< while attached
    std::string m_consumer; ///< at an origin that keeps messages only until they are settled
    RegistrationPtr m_answer;
    bool m_asked = false;
    StreamSeq m_next; ///< of the origin, to be looked at next
    SourcePosition m_stored;
    SourcePosition m_staged; ///< with what the turn has not committed yet
    bool m_again = false; ///< the origin is another one than before
    bool m_caughtUp = false;
    std::uint64_t m_lag = 0; ///< when it was attached last
    std::int64_t m_heard = 0; ///< Clock::now() of the last sign of the origin; 0 = never
    std::optional<std::int64_t> m_tried; ///< Clock::now() of the last attempt to attach
    int m_fails = 0;
    std::optional<Error> m_error;
    base::Timer m_timer;
};

} // namespace jetglass::streams
