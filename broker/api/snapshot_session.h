// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "archive/s2_stream.h"
#include "base/timer_queue.h"
#include "broker/ids.h"
#include "streams/bus.h"
#include "streams/context.h"
#include "streams/stream.h"
#include "streams/turn.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jetglass::api {

/// What the client asked for.
struct SnapshotRequest
{
    std::string deliverSubject;
    bool noConsumers = false;
    std::int64_t chunkSize = 0;
    std::int64_t windowSize = 0;
    bool check = false; ///< every message is checked anyway when it is read
};

/// Sends one backup of a stream (streams.md 9.1): reads it in slices, compresses, and sends chunks
/// as fast as the receiver's acks allow. The stream goes on meanwhile; what it stores later is not
/// in the backup. Owned by SnapshotApi. Broker thread only.
class SnapshotSession final : public streams::TurnMember, public streams::MessageHandler
{
public:
    /// Called once with the error that the advisory tells, empty if all went well.
    using Done = std::function<void(const std::string& error)>;

    SnapshotSession(streams::Stream& stream, SnapshotRequest request, std::string state, Done done);
    ~SnapshotSession() override;

    void start();
    [[nodiscard]] bool ended() const { return m_phase == Phase::Ended; }

    void work(const base::Slice& slice) override;
    void onMessage(const streams::Inbound& message) override; ///< an ack
    [[nodiscard]] bool takesTraces() const override { return true; }

private:
    enum class Phase : std::uint8_t
    {
        Waiting, ///< for a subscription to the deliver subject
        Sending,
        Ended
    };
    void interestChanged();
    void beginSending();
    /// True if it got on.
    bool step();
    bool sendChunk();
    void produce();
    void putEntry(std::string_view name, std::int64_t time, std::string_view body);
    void putMessage(const store::MessageView& message);
    void putEnd();
    void fail(std::string_view status, const std::string& error);
    void finish(std::string_view headers, const std::string& error);
    void publish(std::string_view headers, std::string_view payload, std::string_view reply);
    void armAckTimer();

    streams::Context& m_context;
    const std::string m_stream;
    const StreamId m_streamId;
    const SnapshotRequest m_request;
    Done m_done;
    std::size_t m_chunkSize = 0;
    std::size_t m_slots = 0; ///< chunks that may still be sent without an ack
    std::size_t m_maxSlots = 0;
    std::size_t m_index = 1;

    std::string m_state; ///< state.json
    std::vector<std::string> m_names; ///< of consumers, and their entries
    std::vector<std::string> m_consumers;
    std::size_t m_nextConsumer = 0;
    StreamSeq m_next; ///< to be read
    StreamSeq m_last;
    bool m_begun = false; ///< the state is written
    bool m_complete = false; ///< everything is in the writer
    bool m_sentFull = false;
    archive::S2Writer m_writer;
    std::size_t m_sentOf = 0; ///< of the writer's output
    std::string m_head; ///< scratch

    Phase m_phase = Phase::Waiting;
    bool m_interest = false;
    std::string m_ackSubject;
    streams::RegistrationPtr m_acks;
    streams::RegistrationPtr m_watch;
    base::Timer m_interestTimer;
    base::Timer m_ackTimer;
};

} // namespace jetglass::api
