// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/jetstream.h"
#include "base/log.h"
#include "base/manual_clock.h"
#include "base/stepped_time.h"
#include "base/timer_queue.h"
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

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Compares as text: QCOMPARE can not choose among the conversions that a JSON value offers.
#define CHECK_JSON(actual, ...)                                                                    \
    QCOMPARE((actual).dump(), jetglass::tests::StreamBench::Json(__VA_ARGS__).dump())

namespace jetglass::tests {

class QuietLog final : public base::Log
{
public:
    void write(base::LogLevel, std::string_view text) override { lines.emplace_back(text); }
    [[nodiscard]] bool wants(base::LogLevel) const override { return true; }
    void reopen() override { }
    void configure(const LogConfig&) override { }
    std::vector<std::string> lines;
};

/// The real file system until a test says that writing fails.
class FailingFileSystem final : public store::FileSystem
{
public:
    bool failing = false;
    std::string failingEnding; ///< only files whose name ends so fail
    bool failingSyncs = false;
    int syncs = 0;

    Result<std::unique_ptr<store::File>> open(const std::string& path, Mode mode) override
    {
        auto opened = m_real.open(path, mode);
        if (!opened)
            return opened.error();
        return std::unique_ptr<store::File>(
            std::make_unique<FailingFile>(std::move(*opened), *this, path));
    }
    Result<std::vector<std::string>> list(const std::string& path) override
    {
        return m_real.list(path);
    }
    Result<void> makeDirectories(const std::string& path) override
    {
        return m_real.makeDirectories(path);
    }
    Result<void> remove(const std::string& path) override { return m_real.remove(path); }
    Result<void> removeTree(const std::string& path) override { return m_real.removeTree(path); }
    Result<void> rename(const std::string& from, const std::string& to) override
    {
        return m_real.rename(from, to);
    }
    Result<void> syncDirectory(const std::string& path) override
    {
        return m_real.syncDirectory(path);
    }
    bool exists(const std::string& path) override { return m_real.exists(path); }
    Result<std::shared_ptr<void>> lock(const std::string& path) override
    {
        return m_real.lock(path);
    }
    std::uint64_t freeSpace(const std::string& path) override { return m_real.freeSpace(path); }

private:
    class FailingFile final : public store::File
    {
    public:
        FailingFile(std::unique_ptr<store::File> file, FailingFileSystem& owner, std::string path)
            : m_file(std::move(file))
            , m_owner(owner)
            , m_path(std::move(path))
        {
        }
        Result<void> write(std::uint64_t offset, std::span<const std::string_view> pieces) override
        {
            if (m_owner.failing && m_path.ends_with(m_owner.failingEnding))
                return Error{Errc::NoSpace, "no space left on device"};
            return m_file->write(offset, pieces);
        }
        Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size) const override
        {
            return m_file->read(offset, into, size);
        }
        Result<std::uint64_t> size() const override { return m_file->size(); }
        Result<void> truncate(std::uint64_t size) override { return m_file->truncate(size); }
        Result<void> syncData() override
        {
            ++m_owner.syncs;
            if (m_owner.failingSyncs)
                return Error{Errc::Io, "input/output error"};
            return m_file->syncData();
        }
        Result<void> startWriteBack(std::uint64_t offset, std::uint64_t size) override
        {
            return m_file->startWriteBack(offset, size);
        }

    private:
        std::unique_ptr<store::File> m_file;
        FailingFileSystem& m_owner;
        std::string m_path;
    };
    store::PosixFileSystem m_real;
};

/// A JetStream without sockets: publishes and requests go in by the fake bus, time moves by hand.
class StreamBench
{
public:
    using Json = nlohmann::json;

    /// With \a time long work is cut as it says.
    explicit StreamBench(std::string directory, base::SteadyTime* time = nullptr)
        : turn(time ? *time : steady)
        , m_directory(std::move(directory))
    {
        open();
    }
    ~StreamBench() { close(); }
    StreamBench(const StreamBench&) = delete;
    StreamBench& operator=(const StreamBench&) = delete;

    void restart()
    {
        jetstream->shutdown();
        close();
        open();
    }
    /// As if the process had been killed.
    void crash()
    {
        close();
        open();
    }
    void run()
    {
        for (int i = 0; i < 10; ++i)
            turn.run();
    }
    void advance(std::int64_t ms)
    {
        clock.advance(ms * 1'000'000);
        timers.fireDue();
        run();
    }
    Json request(
        const std::string& call, const std::string& body = {}, const std::string& headers = {})
    {
        const std::string reply = "answer." + std::to_string(++m_requests);
        bus->inject("$JS.API." + call, body, reply, headers);
        run();
        const std::string text = bus->lastPayload(reply);
        return text.empty() ? Json() : Json::parse(text);
    }
    /// The pub ack as it went out; empty if none came.
    std::string publish(const std::string& subject,
        const std::string& payload = "x",
        const std::string& headers = {})
    {
        const std::string reply = stage(subject, payload, headers);
        run();
        return bus->lastPayload(reply);
    }
    /// A publish whose turn has not ended yet; gives its reply subject.
    std::string stage(const std::string& subject,
        const std::string& payload = "x",
        const std::string& headers = {})
    {
        const std::string reply = "ack." + std::to_string(++m_requests);
        bus->inject(subject,
            payload,
            reply,
            headers.empty() ? headers : "NATS/1.0\r\n" + headers + "\r\n\r\n");
        return reply;
    }
    int errorOf(const std::string& ack) const
    {
        return Json::parse(ack).value("/error/err_code"_json_pointer, 0);
    }
    Json create(const std::string& members, const std::string& name = "S")
    {
        return request("STREAM.CREATE." + name,
            R"({"name":")" + name + "\"" + (members.empty() ? "" : ",") + members + "}");
    }
    Json state(const std::string& name = "S") { return request("STREAM.INFO." + name)["state"]; }
    streams::Stream& stream(const std::string& name = "S")
    {
        return *jetstream->registry().find(name);
    }

    base::ManualClock clock;
    base::TimerQueue timers{clock};
    flow::FlowHub hub{clock};
    flow::OpenGates gates;
    base::SteppedTime steady; ///< stands still: what a test does not cut is done in one slice
    streams::Turn turn;
    QuietLog log;
    JetStreamConfig settings;
    AccountLimits limits;
    FailingFileSystem files;
    HeldWorker worker;
    std::unique_ptr<FakeBus> bus;
    std::unique_ptr<api::JetStream> jetstream;

private:
    void open()
    {
        bus = std::make_unique<FakeBus>();
        settings.enabled = true;
        m_stores = std::move(
            store::openStoreFactory(files, worker, {.directory = m_directory}, "$G").value());
        streams::Context context{clock,
            timers,
            hub,
            gates,
            turn,
            *bus,
            *m_stores,
            log,
            settings,
            limits,
            "$G",
            "bench",
            "BENCH",
            1048576,
            &m_streamId,
            &m_consumerId,
            0,
            0,
            0,
            {},
            {}};
        jetstream = std::make_unique<api::JetStream>(std::move(context));
        if (auto done = jetstream->start(); !done)
            log.lines.push_back(done.error().text);
        run();
    }
    void close()
    {
        jetstream.reset();
        bus.reset();
        m_stores.reset();
    }

    std::string m_directory;
    std::uint32_t m_streamId = 0;
    std::uint32_t m_consumerId = 0;
    std::unique_ptr<store::StoreFactory> m_stores;
    int m_requests = 0;
};

} // namespace jetglass::tests
