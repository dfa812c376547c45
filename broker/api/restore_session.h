// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/restore_reader.h"
#include "api/restore_target.h"
#include "base/timer_queue.h"
#include "streams/bus.h"
#include "streams/context.h"
#include "streams/turn.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace jetglass::api {

/// Takes in one backup, chunk by chunk (streams.md 9.2): each is answered when it has been worked
/// off, so the sender waits for us. Damage is told at the end, as the reference server does it;
/// until then chunks go unread. Owned by RestoreApi. Broker thread only.
class RestoreSession final : public streams::TurnMember, public streams::MessageHandler
{
public:
    struct Outcome
    {
        Result<streams::Stream*> stream;
        std::uint64_t bytes = 0; ///< received
        std::string reply; ///< where the answer goes; empty = nobody waits
    };
    using Done = std::function<void(Outcome)>;

    RestoreSession(streams::Context& context,
        streams::StreamRegistry& registry,
        StreamConfig config,
        std::string subject,
        Done done);
    ~RestoreSession() override;

    void start();
    [[nodiscard]] bool ended() const { return m_ended; }

    void work(const base::Slice& slice) override;
    void onMessage(const streams::Inbound& message) override; ///< a chunk
    [[nodiscard]] bool takesTraces() const override { return true; }

private:
    struct Chunk
    {
        std::string payload; ///< empty: the end
        std::string reply;
    };
    void armStallTimer();
    void stalled();
    void readOn(const base::Slice& slice);
    void answerChunk();
    void complete();
    void finish(Result<streams::Stream*> outcome, const std::string& reply);
    void release();

    streams::Context& m_context;
    const std::string m_subject;
    Done m_done;
    std::unique_ptr<RestoreTarget> m_target;
    std::unique_ptr<RestoreReader> m_reader; ///< none: the outcome is known
    Error m_error; ///< if the reader failed
    bool m_failed = false;
    bool m_ended = false;
    bool m_finishing = false; ///< the catalog is writing
    bool m_fed = false; ///< the chunk in front is with the reader
    std::deque<Chunk> m_chunks;
    std::uint64_t m_bytes = 0;
    streams::RegistrationPtr m_registration;
    base::Timer m_stallTimer;
    std::shared_ptr<int> m_alive = std::make_shared<int>(0); ///< the catalog may answer too late
};

} // namespace jetglass::api
