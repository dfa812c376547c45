// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/jetstream.h"
#include "base/log.h"
#include "base/timer_queue.h"
#include "broker/clock.h"
#include "broker/config.h"
#include "broker/ids.h"
#include "broker/recovery_finding.h"
#include "broker/result.h"
#include "flow/flow_hub.h"
#include "flow/gate.h"
#include "server/engine.h"
#include "store/file_system.h"
#include "store/store_factory.h"
#include "store/worker.h"
#include "streams/turn.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jetglass::host {

/// What JetStream is built from; all of it outlives JetStreamHost.
struct JetStreamParts
{
    Clock& clock;
    base::TimerQueue& timers;
    flow::FlowHub& hub;
    flow::Gates& gates;
    streams::Turn& turn;
    store::Worker& worker;
    server::Engine& engine;
    base::Log& log;
};

/// The JetStream of each account that has one, with the store it lives on.
class JetStreamHost
{
public:
    /// \a files null = the machine's.
    JetStreamHost(JetStreamParts parts,
        const BrokerConfig& config,
        std::unique_ptr<store::FileSystem> files = nullptr);
    ~JetStreamHost();

    /// Called for each account between opening its store and recovering its streams.
    void setBeforeRecovery(std::function<Result<void>()> hook)
    {
        m_beforeRecovery = std::move(hook);
    }
    /// Opens the stores and recovers. Errors: InUse, Io, Corrupt.
    Result<void> start();
    /// Orderly: consumers are told, everything staged is written.
    void shutdown();
    /// Lets go of the stores without writing; start() may come again.
    void release();
    void reload(const JetStreamConfig& settings);

    /// Even if no account has it.
    [[nodiscard]] bool running() const { return m_started; }
    [[nodiscard]] api::JetStream* account(const std::string& name) const;
    [[nodiscard]] store::StoreFactory* stores(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> accountNames() const;
    [[nodiscard]] api::JetStream* ofStream(StreamId stream) const;
    [[nodiscard]] const std::string& directory() const { return m_directory; }
    /// With the defaults filled in.
    [[nodiscard]] const JetStreamConfig& settings() const { return m_settings; }
    [[nodiscard]] AccountLimits limitsOf(const std::string& account) const;
    [[nodiscard]] const RecoveryReport& report() const { return m_report; }

private:
    struct Entry
    {
        AccountLimits limits;
        std::unique_ptr<store::StoreFactory> stores;
        std::unique_ptr<api::JetStream> jetstream; ///< goes before the stores
    };
    Result<void> prepareDirectory();
    Result<void> checkOwnStore(const std::string& account);
    Result<void> startAccount(const std::string& name);
    void fillDefaults();
    void countOthers(streams::Context& context) const;
    void reachOthers(streams::Context& context) const;
    template<class Bytes>
    auto sumElsewhere(const std::string& account, Bytes bytes) const;

    JetStreamParts m_parts;
    const BrokerConfig& m_config;
    JetStreamConfig m_settings;
    std::string m_directory;
    std::unique_ptr<store::FileSystem> m_files;
    streams::BatchTotals m_batchTotals; ///< goes after the streams
    std::map<std::string, Entry> m_accounts;
    RecoveryReport m_report;
    std::uint32_t m_nextStreamId = 1;
    std::uint32_t m_nextConsumerId = 1;
    bool m_started = false;
    bool m_shutDown = false;
    std::function<Result<void>()> m_beforeRecovery;
};

/// Accounts that have JetStream (core.md 3.2): those that ask for it, or $G where none but the
/// system account is configured.
std::vector<std::string> jetstreamAccounts(const BrokerConfig& config);

} // namespace jetglass::host
