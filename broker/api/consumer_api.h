// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/api_router.h"
#include "broker/result.h"
#include "streams/stream_registry.h"

namespace jetglass::consumers {
class Consumer;
}

namespace jetglass::api {

/// CONSUMER.CREATE in its forms, INFO, NAMES, LIST, DELETE, PAUSE, UNPIN and RESET (consumers.md
/// 1). MSG.NEXT and the ack subjects are not endpoints: each consumer listens to its own.
class ConsumerApi
{
public:
    ConsumerApi(streams::Context& context, streams::StreamRegistry& registry);
    void addTo(ApiRouter& router);

private:
    void create(const ApiCallPtr& call);
    void createDurable(const ApiCallPtr& call);
    void info(const ApiCallPtr& call);
    void names(const ApiCallPtr& call);
    void list(const ApiCallPtr& call);
    void remove(const ApiCallPtr& call);
    void pause(const ApiCallPtr& call);
    void unpin(const ApiCallPtr& call);
    void reset(const ApiCallPtr& call);

    struct CreateRequest;
    void create(const ApiCallPtr& call, CreateRequest& request);
    [[nodiscard]] Result<CreateRequest> decodeCreate(const ApiCall& call) const;
    /// The consumer that the subject names, the stream's name at token \a at.
    [[nodiscard]] Result<consumers::Consumer*> find(const ApiCall& call) const;

    streams::Context& m_context;
    streams::StreamRegistry& m_registry;
};

} // namespace jetglass::api
