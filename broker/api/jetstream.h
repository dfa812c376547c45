// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"
#include "streams/context.h"

#include <cstdint>
#include <memory>

namespace jetglass::streams {
class StreamRegistry;
}

namespace jetglass::api {

class ApiRouter;

/// The JetStream of one account: registry, API endpoints, recovery at start. The engine owns it.
class JetStream
{
public:
    explicit JetStream(streams::Context context);
    ~JetStream();

    Result<void> start(); ///< recovers streams, then their consumers, then subscribes
    void shutdown();

    [[nodiscard]] streams::Context& context();
    [[nodiscard]] streams::StreamRegistry& registry();
    [[nodiscard]] const ApiRouter& api() const;

private:
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace jetglass::api
