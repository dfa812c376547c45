// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/jetstream.h"

#include "api/account_api.h"
#include "api/api_router.h"
#include "api/consumer_api.h"
#include "api/direct_get_api.h"
#include "api/message_api.h"
#include "api/restore_api.h"
#include "api/snapshot_api.h"
#include "api/stream_api.h"
#include "consumers/consumer_registry.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <map>
#include <string>

namespace jetglass::api {

struct JetStream::Private
{
    explicit Private(streams::Context theContext)
        : context(std::move(theContext))
        , registry(context)
        , router(context)
        , streamApi(context, registry)
        , messageApi(context, registry)
        , consumerApi(context, registry)
        , snapshotApi(context, registry)
        , restoreApi(context, registry, streamApi)
    {
    }

    using DirectGets = std::map<std::string, std::unique_ptr<DirectGet>, std::less<>>;

    /// DIRECT.GET is there exactly while the stream allows it, and for what it mirrors while it may
    /// stand in.
    void watch(const streams::Stream& stream, bool gone)
    {
        keep(directGets, stream, stream.config().allowDirect && !gone, stream.name());
        const bool standsIn = stream.answersForOrigin() && !gone;
        keep(originGets, stream, standsIn, standsIn ? stream.config().mirror->name : "");
    }

    void keep(
        DirectGets& gets, const streams::Stream& stream, bool wanted, const std::string& asked)
    {
        const auto found = gets.find(stream.name());
        if (!wanted && found != gets.end())
            gets.erase(found);
        else if (wanted && found == gets.end())
            gets[stream.name()] = std::make_unique<DirectGet>(context, stream.name(), asked);
    }

    streams::Context context;
    streams::StreamRegistry registry;
    ApiRouter router;
    StreamApi streamApi;
    MessageApi messageApi;
    ConsumerApi consumerApi;
    SnapshotApi snapshotApi;
    RestoreApi restoreApi;
    DirectGets directGets;
    DirectGets originGets; ///< of mirrors, by their own name
};

JetStream::JetStream(streams::Context context)
    : m(std::make_unique<Private>(std::move(context)))
{
    m->registry.setWatcher([this](streams::Stream& stream, bool gone) { m->watch(stream, gone); });
    m->context.requestCounted = [this](bool failed) { m->router.count(failed); };
    addAccountApi(m->router, m->context, m->registry);
    m->streamApi.addTo(m->router);
    m->messageApi.addTo(m->router);
    m->consumerApi.addTo(m->router);
    m->snapshotApi.addTo(m->router);
    m->restoreApi.addTo(m->router);
}

JetStream::~JetStream() = default;

Result<void> JetStream::start()
{
    if (auto done = m->registry.recover(); !done)
        return done;
    for (streams::Stream* stream : m->registry.sorted())
        if (auto done = consumers::recoverConsumers(*stream); !done)
            m->registry.leaveOut(*stream, done.error());
    m->router.start();
    return {};
}

void JetStream::shutdown()
{
    m->registry.shutdown();
}

streams::Context& JetStream::context()
{
    return m->context;
}

streams::StreamRegistry& JetStream::registry()
{
    return m->registry;
}

const ApiRouter& JetStream::api() const
{
    return m->router;
}

} // namespace jetglass::api
