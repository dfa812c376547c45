// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/server_run.h"

#include "base/log.h"
#include "daemon/config_file.h"
#include "daemon/signals.h"
#include "host/host_broker.h"
#include "net/tls_context.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <thread>
#include <unistd.h>
#include <utility>

namespace jetglass::daemon {

namespace {

/// The file's settings with the flags over them.
LoadedConfig load(const Options& options, const std::string& executable)
{
    LoadedConfig loaded;
    if (!options.configFile.empty())
        loaded = loadConfigFile(options.configFile);
    for (const auto& change : options.changes)
        change(loaded.config);
    loaded.config.executable = executable;
    loaded.config.notes = loaded.warnings;
    loaded.config.notes.insert(
        loaded.config.notes.end(), options.warnings.begin(), options.warnings.end());
    return loaded;
}

void complain(const std::vector<std::string>& errors)
{
    std::string text = "nats-server: ";
    for (const std::string& error : errors)
        text += error + '\n';
    std::fputs(text.c_str(), stderr);
}

/// Waits for signals on behalf of a running broker.
class Watch
{
public:
    Watch(const Options& options,
        const std::string& executable,
        host::HostBroker& broker,
        base::Log& log)
        : m_options(options)
        , m_executable(executable)
        , m_broker(broker)
        , m_log(log)
    {
    }

    void run(Signals& signals)
    {
        while (take(signals.next())) { }
    }

private:
    /// False when the server is to end.
    bool take(Wish wish)
    {
        switch (wish) {
        case Wish::Quit:
            m_log.info("Trapped \"interrupt\" signal");
            return false;
        case Wish::Terminate:
            m_log.info("Trapped \"terminated\" signal");
            // Clients are being let go already; only an interrupt cuts that short.
            return m_broker.inLameDuck();
        case Wish::Reload:
            m_log.info("Trapped \"hangup\" signal");
            reload();
            return true;
        case Wish::Reopen:
            m_log.info("Trapped \"user defined signal 1\" signal");
            m_log.reopen();
            m_log.info("File log re-opened");
            return true;
        case Wish::LameDuck:
            m_log.info("Trapped \"user defined signal 2\" signal");
            m_broker.lameDuck();
            return true;
        case Wish::Ended:
            return false;
        }
        return true;
    }

    void reload()
    {
        LoadedConfig loaded = load(m_options, m_executable);
        std::string failure;
        for (const std::string& error : loaded.errors)
            failure += (failure.empty() ? "" : "; ") + error;
        if (m_options.configFile.empty())
            failure = "can only reload config when a file is provided using -c or --config";
        if (failure.empty()) {
            if (const auto done = m_broker.reload(std::move(loaded.config)); !done)
                failure = done.error().text;
        }
        if (!failure.empty())
            m_log.error("Failed to reload server configuration: " + failure);
    }

    const Options& m_options;
    const std::string& m_executable;
    host::HostBroker& m_broker;
    base::Log& m_log;
};

} // namespace

int runServer(const Options& options, const std::string& executable)
{
    LoadedConfig loaded = load(options, executable);
    if (!loaded.errors.empty()) {
        complain(loaded.errors);
        return 1;
    }
    auto opened = base::openLog(loaded.config.log);
    if (!opened) {
        complain({opened.error().text});
        return 1;
    }
    const std::shared_ptr<base::Log> log(std::move(*opened));
    Signals signals;
    auto broker = host::HostBroker::start(std::move(loaded.config), log);
    if (!broker) {
        log->fatal(broker.error().text);
        return 1;
    }
    (*broker)->setReloadWish([] { ::kill(::getpid(), SIGHUP); });
    std::thread ended([&] {
        (*broker)->wait();
        Signals::wake();
    });
    Watch(options, executable, **broker, *log).run(signals);
    log->info("Initiating Shutdown...");
    (*broker)->stop();
    ended.join();
    log->info("Server Exiting..");
    return 0;
}

int checkConfiguration(const Options& options)
{
    if (options.configFile.empty()) {
        complain({"must specify [-c, --config] option when checking configuration file syntax"});
        return 1;
    }
    LoadedConfig loaded = loadConfigFile(options.configFile);
    for (const TlsConfig* tls : {&loaded.config.tls, &loaded.config.websocket.tls})
        if (tls->enabled && loaded.errors.empty())
            if (const auto opened = net::TlsContext::open(*tls); !opened)
                loaded.errors.push_back(options.configFile + ": " + opened.error().text);
    for (const std::string& warning : loaded.warnings)
        std::fprintf(stderr, "nats-server: %s\n", warning.c_str());
    if (!loaded.errors.empty())
        complain(loaded.errors);
    if (!loaded.errors.empty() || loaded.misused)
        return 1;
    std::fprintf(stderr,
        "nats-server: configuration file %s is valid (%s)\n",
        options.configFile.c_str(),
        loaded.config.configDigest.c_str());
    return 0;
}

} // namespace jetglass::daemon
