// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/api_router.h"
#include "api/restore_session.h"

#include <memory>
#include <vector>

namespace jetglass::streams {
class StreamRegistry;
}

namespace jetglass::api {

class StreamApi;

/// STREAM.RESTORE (streams.md 9.2).
class RestoreApi
{
public:
    RestoreApi(
        streams::Context& context, streams::StreamRegistry& registry, const StreamApi& streams);
    void addTo(ApiRouter& router);

private:
    void restore(const ApiCallPtr& call);
    [[nodiscard]] Result<StreamConfig> decode(const ApiCall& call) const;

    streams::Context& m_context;
    streams::StreamRegistry& m_registry;
    const StreamApi& m_streams;
    std::vector<std::unique_ptr<RestoreSession>>
        m_sessions; ///< ended ones go with the next request
};

} // namespace jetglass::api
