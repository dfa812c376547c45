// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/api_router.h"
#include "api/snapshot_session.h"

#include <memory>
#include <vector>

namespace jetglass::streams {
class StreamRegistry;
}

namespace jetglass::api {

/// STREAM.SNAPSHOT (streams.md 9.1).
class SnapshotApi
{
public:
    SnapshotApi(streams::Context& context, streams::StreamRegistry& registry);
    void addTo(ApiRouter& router);

private:
    void snapshot(const ApiCallPtr& call);

    streams::Context& m_context;
    streams::StreamRegistry& m_registry;
    std::vector<std::unique_ptr<SnapshotSession>>
        m_sessions; ///< ended ones go with the next request
};

} // namespace jetglass::api
