// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/jetstream.h"
#include "base/log.h"
#include "base/manual_clock.h"
#include "base/stepped_time.h"
#include "base/time_text.h"
#include "base/timer_queue.h"
#include "consumers/consumer.h"
#include "consumers/consumer_registry.h"
#include "fake_bus.h"
#include "flow/flow_hub.h"
#include "flow/gate.h"
#include "held_worker.h"
#include "store/posix_file_system.h"
#include "store/store_factory.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"
#include "streams/turn.h"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetglass::tests {

class SilentLog final : public base::Log
{
public:
    void write(base::LogLevel level, std::string_view text) override
    {
        if (level >= base::LogLevel::Warning)
            complaints.emplace_back(text);
    }
    [[nodiscard]] bool wants(base::LogLevel) const override { return true; }
    void reopen() override { }
    void configure(const LogConfig&) override { }
    std::vector<std::string> complaints;
};

/// A whole JetStream without sockets: requests go in by the fake bus, time moves by hand.
class ConsumerBench
{
public:
    using Json = nlohmann::json;

    explicit ConsumerBench(const std::string& directory) { open(directory); }
    ~ConsumerBench() { close(); }

    /// As a stop and a start of the broker on the same directory; without \a orderly as after kill
    /// -9.
    void restart(const std::string& directory, bool orderly)
    {
        if (orderly)
            jetstream->shutdown();
        close();
        open(directory);
    }

    void run()
    {
        for (int i = 0; i < 20; ++i) {
            turn.run();
            bus->callWatches();
            timers.fireDue();
        }
    }
    void advance(std::int64_t ms)
    {
        clock.advance(ms * 1'000'000);
        timers.fireDue();
        run();
    }

    Json request(const std::string& subject, const std::string& body = {})
    {
        const std::string reply = "answer." + std::to_string(++m_requests);
        bus->inject("$JS.API." + subject, body, reply);
        run();
        const std::string text = bus->lastPayload(reply);
        return text.empty() ? Json() : Json::parse(text);
    }
    Json addStream(const std::string& config = R"("subjects":["s.>"])")
    {
        return request("STREAM.CREATE.S", R"({"name":"S","storage":"memory",)" + config + "}");
    }
    Json addConsumer(const std::string& config, const std::string& name = "C")
    {
        return request("CONSUMER.CREATE.S." + name,
            R"({"stream_name":"S","config":{"durable_name":")" + name + "\""
                + (config.empty() ? "" : ",") + config + "}}");
    }
    Json info(const std::string& name = "C") { return request("CONSUMER.INFO.S." + name); }

    void publish(const std::string& subject, const std::string& payload = "m")
    {
        bus->inject(subject, payload);
        run();
    }
    void publishMany(int count, const std::string& subject = "s.a")
    {
        for (int i = 1; i <= count; ++i)
            bus->inject(subject, "m" + std::to_string(i));
        run();
    }

    /// Sends a pull request and gives what came to its inbox because of it.
    std::vector<Sent> pull(
        const std::string& body, const std::string& inbox = "in", const std::string& name = "C")
    {
        bus->addClient(inbox);
        bus->inject("$JS.API.CONSUMER.MSG.NEXT.S." + name, body, inbox);
        run();
        return take(inbox);
    }
    /// What was delivered to a route since the last call.
    std::vector<Sent> take(const std::string& route)
    {
        std::vector<Sent> taken;
        const auto& all = bus->delivered();
        for (std::size_t& at = m_taken[route]; at < all.size(); ++at)
            if (all[at].route == route)
                taken.push_back(all[at]);
        return taken;
    }
    /// An ack with a reply; true if it was confirmed.
    bool ack(const std::string& subject, const std::string& payload = "+ACK")
    {
        const std::string reply = "confirm." + std::to_string(++m_requests);
        bus->inject(subject, payload, reply);
        run();
        return bus->countPublished(reply) > 0;
    }
    bool ackSeq(int seq, const std::string& payload = "+ACK", int consumerSeq = 0)
    {
        return ack("$JS.ACK.S.C.1." + std::to_string(seq) + "."
                + std::to_string(consumerSeq == 0 ? seq : consumerSeq) + ".0.0",
            payload);
    }
    consumers::Consumer& consumer(const std::string& name = "C")
    {
        return *consumers::findConsumer(stream(), name);
    }
    streams::Stream& stream() { return *jetstream->registry().find("S"); }

    base::ManualClock clock;
    base::TimerQueue timers{clock};
    flow::FlowHub hub{clock};
    flow::OpenGates gates;
    base::SteppedTime steady; ///< stands still: no slice ends by time
    streams::Turn turn{steady};
    SilentLog log;
    JetStreamConfig settings;
    AccountLimits limits;
    std::uint32_t nextStreamId = 0;
    std::uint32_t nextConsumerId = 0;
    HeldWorker worker; ///< of the store
    std::unique_ptr<FakeBus> bus;
    std::unique_ptr<api::JetStream> jetstream;

private:
    void open(const std::string& directory)
    {
        bus = std::make_unique<FakeBus>();
        bus->addClient("$JS.EVENT.ADVISORY.CONSUMER.>");
        settings.enabled = true;
        files = std::make_unique<store::PosixFileSystem>();
        auto opened = store::openStoreFactory(*files, worker, {.directory = directory}, "$G");
        stores = std::move(opened.value());
        streams::Context context{clock,
            timers,
            hub,
            gates,
            turn,
            *bus,
            *stores,
            log,
            settings,
            limits,
            "$G",
            "bench",
            "BENCH",
            1048576,
            &nextStreamId,
            &nextConsumerId,
            0,
            0,
            0,
            {},
            {}};
        jetstream = std::make_unique<api::JetStream>(context);
        if (auto done = jetstream->start(); !done)
            log.complaints.push_back(done.error().text);
        run();
    }
    void close()
    {
        jetstream.reset();
        bus.reset();
        stores.reset();
        m_taken.clear();
    }

    std::unique_ptr<store::FileSystem> files;
    std::unique_ptr<store::StoreFactory> stores;
    std::map<std::string, std::size_t> m_taken;
    int m_requests = 0;
};

/// First line of a status message, without the version.
inline std::string statusOf(const Sent& message)
{
    const std::string front = "NATS/1.0 ";
    if (!message.headers.starts_with(front))
        return {};
    return message.headers.substr(front.size(), message.headers.find("\r\n") - front.size());
}

} // namespace jetglass::tests
