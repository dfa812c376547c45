// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/jetstream_host.h"

#include "host/external_streams.h"
#include "host/start_log.h"
#include "server/account.h"
#include "store/posix_file_system.h"
#include "streams/stream.h"
#include "streams/stream_registry.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace jetglass::host {

namespace {

/// Share of memory and of the free disk that JetStream may use unless told otherwise.
constexpr std::int64_t kSharePercent = 75;
constexpr std::int64_t kUnknownDisk = std::int64_t{1} << 40;

std::int64_t machineMemory()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long size = ::sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0 ? std::int64_t{pages} * size : std::int64_t{1} << 30;
}

} // namespace

std::vector<std::string> jetstreamAccounts(const BrokerConfig& config)
{
    std::vector<std::string> names;
    bool others = false;
    for (const AccountConfig& account : config.accounts) {
        if (account.name != "$G" && account.name != config.auth.systemAccount)
            others = true;
        if (account.jetstream)
            names.push_back(account.name);
    }
    if (!others && names.empty())
        names.emplace_back("$G");
    return names;
}

JetStreamHost::JetStreamHost(
    JetStreamParts parts, const BrokerConfig& config, std::unique_ptr<store::FileSystem> files)
    : m_parts(parts)
    , m_config(config)
    , m_settings(config.jetstream)
    , m_files(std::move(files))
{
    if (!m_files)
        m_files = std::make_unique<store::PosixFileSystem>();
}

JetStreamHost::~JetStreamHost() = default;

Result<void> JetStreamHost::start()
{
    namespace fs = std::filesystem;
    const fs::path base = m_config.jetstream.storeDir.empty()
        ? fs::temp_directory_path() / "nats"
        : fs::path(m_config.jetstream.storeDir);
    m_directory = fs::absolute(base / "jetstream").lexically_normal().string();
    if (auto prepared = prepareDirectory(); !prepared)
        return prepared;
    m_settings = m_config.jetstream;
    fillDefaults();
    logJetStream(m_parts.log, m_settings, m_directory);
    for (const std::string& name : jetstreamAccounts(m_config)) {
        if (auto started = startAccount(name); !started)
            return started;
    }
    for (const RecoveryFinding& finding : m_report)
        m_parts.log.warn(recoveryLine(finding));
    m_started = true;
    return {};
}

Result<void> JetStreamHost::prepareDirectory()
{
    std::error_code failure;
    const std::filesystem::path directory(m_directory);
    if (std::filesystem::exists(directory.parent_path(), failure)
        && !std::filesystem::is_directory(directory.parent_path(), failure))
        return Error{Errc::Io,
            "Can't start JetStream: storage directory is not a directory: "
                + directory.parent_path().string()};
    if (auto made = m_files->makeDirectories(m_directory); !made) {
        Error error = made.error();
        error.text = "Can't start JetStream: could not create storage directory - " + error.text;
        return error;
    }
    return {};
}

void JetStreamHost::fillDefaults()
{
    if (m_settings.maxMemory < 0)
        m_settings.maxMemory = machineMemory() / 100 * kSharePercent;
    if (m_settings.maxStore < 0) {
        const auto free = static_cast<std::int64_t>(m_files->freeSpace(m_directory));
        m_settings.maxStore = free > 0 ? free / 100 * kSharePercent : kUnknownDisk;
    }
    m_settings.storeDir = m_directory;
}

/// A nats-server lays its streams out under the same names: making a stream here would take its
/// data for the rest of one of ours.
Result<void> JetStreamHost::checkOwnStore(const std::string& account)
{
    const std::string folder = m_directory + '/' + account;
    const std::string streams = folder + "/streams";
    if (m_files->exists(folder + "/catalog.sqlite") || !m_files->exists(streams))
        return {};
    const auto names = m_files->list(streams);
    if (!names)
        return names.error();
    for (const std::string& name : *names) {
        const std::string foreign = (streams + '/').append(name).append("/meta.inf");
        if (m_files->exists(foreign))
            return Error{Errc::Unsupported,
                "Can't start JetStream: " + foreign
                    + ": belongs to the store of a nats-server, which this program cannot read; "
                      "choose another store directory"};
    }
    return {};
}

Result<void> JetStreamHost::startAccount(const std::string& name)
{
    store::StoreSettings settings;
    settings.directory = m_directory;
    settings.syncAlways = m_settings.syncAlways;
    if (auto own = checkOwnStore(name); !own)
        return own;
    auto stores = store::openStoreFactory(*m_files, m_parts.worker, settings, name);
    if (!stores) {
        Error error = stores.error();
        error.text = "Can't start JetStream: " + error.text;
        return error;
    }
    Entry& entry = m_accounts[name];
    entry.stores = std::move(*stores);
    entry.limits = limitsOf(name);
    if (m_beforeRecovery) {
        if (auto ready = m_beforeRecovery(); !ready)
            return ready;
    }
    const server::ServerIdentity& identity = m_parts.engine.identity();
    streams::Context context{m_parts.clock,
        m_parts.timers,
        m_parts.hub,
        m_parts.gates,
        m_parts.turn,
        m_parts.engine.account(name),
        *entry.stores,
        m_parts.log,
        m_settings,
        entry.limits,
        name,
        identity.name,
        identity.id,
        m_config.maxPayload,
        &m_nextStreamId,
        &m_nextConsumerId,
        0,
        0,
        0,
        {},
        {}};
    context.realTimers = &m_parts.engine.context().realTimers;
    context.batchTotals = &m_batchTotals;
    if (jetstreamAccounts(m_config).size() > 1) {
        countOthers(context);
        reachOthers(context);
    }
    context.tellSystem = [&engine = m_parts.engine](std::string_view subject, const auto& make) {
        server::Account& system = engine.systemAccount();
        if (!system.hasInterest(subject))
            return;
        const std::string body = make();
        system.publish({subject, {}, {}, body});
    };
    entry.jetstream = std::make_unique<api::JetStream>(std::move(context));
    if (auto recovered = entry.jetstream->start(); !recovered)
        return recovered;
    const auto& report = entry.stores->report();
    m_report.insert(m_report.end(), report.begin(), report.end());
    return {};
}

/// Accounts are few: most often there is one.
template<class Bytes>
auto JetStreamHost::sumElsewhere(const std::string& account, Bytes bytes) const
{
    decltype(bytes(std::declval<const streams::StreamRegistry&>())) sum = 0;
    for (const auto& [name, entry] : m_accounts) {
        if (name != account && entry.jetstream)
            sum += bytes(entry.jetstream->registry());
    }
    return sum;
}

void JetStreamHost::countOthers(streams::Context& context) const
{
    context.storedElsewhere = [this, name = context.account](Storage storage) {
        return sumElsewhere(name, [storage](const streams::StreamRegistry& registry) {
            return storage == Storage::File ? registry.fileBytes() : registry.memoryBytes();
        });
    };
    context.reservedElsewhere = [this, name = context.account](Storage storage) {
        return sumElsewhere(name, [storage](const streams::StreamRegistry& registry) {
            return registry.reservedBytes(storage);
        });
    };
}

void JetStreamHost::reachOthers(streams::Context& context) const
{
    const auto registryOf = [this](std::string_view name) {
        api::JetStream* jetstream = account(std::string(name));
        return jetstream != nullptr ? &jetstream->registry() : nullptr;
    };
    context.findAcross = [this, registryOf, name = context.account](
                             const StreamSource::External& external, std::string_view stream) {
        return findBehindImports(m_parts.engine.account(name), external, stream, registryOf);
    };
}

void JetStreamHost::shutdown()
{
    if (m_shutDown || !m_started)
        return;
    m_shutDown = true;
    m_parts.log.info("Initiating JetStream Shutdown...");
    for (auto& [name, entry] : m_accounts) {
        entry.jetstream->shutdown();
        entry.stores->catalog().flush();
    }
    m_parts.log.info("JetStream Shutdown");
}

void JetStreamHost::release()
{
    m_accounts.clear();
    m_started = false;
    m_shutDown = false;
}

void JetStreamHost::reload(const JetStreamConfig& settings)
{
    if (!m_started)
        return;
    const std::string directory = m_settings.storeDir;
    m_settings = settings;
    fillDefaults();
    m_settings.storeDir = directory;
    for (auto& [name, entry] : m_accounts)
        entry.limits = limitsOf(name);
}

AccountLimits JetStreamHost::limitsOf(const std::string& account) const
{
    for (const AccountConfig& config : m_config.accounts) {
        if (config.name == account)
            return config.limits;
    }
    return {};
}

api::JetStream* JetStreamHost::account(const std::string& name) const
{
    const auto found = m_accounts.find(name);
    return found == m_accounts.end() || m_shutDown ? nullptr : found->second.jetstream.get();
}

store::StoreFactory* JetStreamHost::stores(const std::string& name) const
{
    const auto found = m_accounts.find(name);
    return found == m_accounts.end() ? nullptr : found->second.stores.get();
}

std::vector<std::string> JetStreamHost::accountNames() const
{
    std::vector<std::string> names;
    for (const auto& [name, entry] : m_accounts)
        names.push_back(name);
    return names;
}

api::JetStream* JetStreamHost::ofStream(StreamId stream) const
{
    for (const auto& [name, entry] : m_accounts) {
        if (!m_shutDown && entry.jetstream->registry().find(stream) != nullptr)
            return entry.jetstream.get();
    }
    return nullptr;
}

} // namespace jetglass::host
