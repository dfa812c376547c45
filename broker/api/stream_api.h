// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/api_router.h"
#include "broker/stream_config.h"
#include "streams/stream_registry.h"

namespace jetglass::api {

/// STREAM.CREATE, UPDATE, INFO, NAMES, LIST, DELETE, PURGE, and the calls that only a cluster has
/// (streams.md 1).
class StreamApi
{
public:
    StreamApi(streams::Context& context, streams::StreamRegistry& registry);
    void addTo(ApiRouter& router);
    /// What a stream out of a backup must fulfil before the backup is read; normalizes.
    [[nodiscard]] Result<void> checkRestore(StreamConfig& config) const;

private:
    void create(const ApiCallPtr& call);
    void update(const ApiCallPtr& call);
    void info(const ApiCallPtr& call);
    void names(const ApiCallPtr& call);
    void list(const ApiCallPtr& call);
    void remove(const ApiCallPtr& call);
    void purge(const ApiCallPtr& call);

    [[nodiscard]] Result<void> checkCreate(const StreamConfig& config) const;
    [[nodiscard]] Result<void> checkConsumers(
        const streams::Stream& stream, const StreamConfig& config) const;
    [[nodiscard]] std::vector<streams::Stream*> withSubject(const std::string& subject) const;

    streams::Context& m_context;
    streams::StreamRegistry& m_registry;
};

} // namespace jetglass::api
