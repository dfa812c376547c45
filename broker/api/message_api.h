// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/api_router.h"
#include "streams/stream_registry.h"

namespace jetglass::api {

/// STREAM.MSG.GET and STREAM.MSG.DELETE (streams.md 1.7, 1.8).
class MessageApi
{
public:
    MessageApi(streams::Context& context, streams::StreamRegistry& registry);
    void addTo(ApiRouter& router);

private:
    void get(const ApiCallPtr& call);
    void remove(const ApiCallPtr& call);

    streams::Context& m_context;
    streams::StreamRegistry& m_registry;
};

} // namespace jetglass::api
