// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/consumer_config.h"
#include "broker/ids.h"
#include "broker/message_state.h"
#include "store/message_store.h"

#include <string>
#include <string_view>

namespace jetglass::streams {

/// What a stream asks of and tells its consumers. Implemented by consumers::Consumer; owned by the
/// stream. Broker thread only; calls happen in step 4 of a turn, after the stream's commit.
class ConsumerPort
{
public:
    virtual ~ConsumerPort() = default;
    [[nodiscard]] virtual ConsumerId id() const = 0;
    [[nodiscard]] virtual const std::string& name() const = 0;
    [[nodiscard]] virtual const ConsumerConfig& config() const = 0;
    [[nodiscard]] virtual bool matches(std::string_view subject) const = 0;
    /// A message was stored: count it, wake delivery.
    virtual void onStored(const store::MessageView& message) = 0;
    /// One message left the stream for another reason than this consumer's own ack
    /// (consumers.md 6.8.1).
    virtual void onRemoved(StreamSeq seq, std::string_view subject, Removal cause) = 0;
    /// A purge or another bulk removal took messages away; \a filter empty = all below the stream's
    /// new first (consumers.md 6.8.2 and 6.8.3).
    virtual void onPurged(const subjects::SubjectFilter& filter, Removal cause) = 0;
    /// Does it still need this stored message (consumers.md 6.9)? Asked for interest and work-queue
    /// retention.
    [[nodiscard]] virtual bool needs(StreamSeq seq, std::string_view subject) const = 0;
    /// It has delivered it and waits for the ack, needed or not: the filter may have changed since.
    [[nodiscard]] virtual bool holds(StreamSeq seq) const = 0;
    /// A mirror or source, which it stands for, has stored everything up to here that it selects.
    virtual void onCopied(StreamSeq /*upTo*/) { }
    /// The stream's configuration changed (retention, limits).
    virtual void onStreamChanged() = 0;
    /// It is about to be destroyed: answer waiting requests (409 Consumer Deleted), publish the
    /// DELETED advisory.
    virtual void onDeleted() = 0;
    /// Orderly stop of the broker: answer waiting requests (409 Server Shutdown), write a snapshot.
    virtual void onShutdown() = 0;
};

} // namespace jetglass::streams
