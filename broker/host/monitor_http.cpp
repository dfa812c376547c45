// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/monitor_http.h"

#include "host/address_text.h"
#include "host/broker_core.h"
#include "host/monitor_source.h"
#include "host/monitor_tls.h"
#include "monitor/document.h"
#include "net/loopback.h"

#include <chrono>
#include <future>
#include <httplib.h>
#include <map>
#include <mutex>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <utility>
#include <vector>

namespace jetglass::host {

namespace {

constexpr std::chrono::milliseconds kAnswerLookInterval{20};
constexpr std::size_t kThreads = 8;
constexpr int kKeepAliveSeconds = 5;
constexpr int kNotFound = 404;
constexpr int kUnavailable = 503;

} // namespace

struct MonitorHttp::Private
{
    Private(BrokerCore& brokerCore, const std::atomic<bool>& ended, std::int64_t loaded)
        : core(brokerCore)
        , brokerEnded(ended)
        , configLoaded(loaded)
    {
    }

    void serve(const httplib::Request& request, httplib::Response& response);
    std::map<std::string, std::uint64_t> count(const std::string& path);

    BrokerCore& core;
    const std::atomic<bool>& brokerEnded;
    const std::int64_t configLoaded;
    /// One socket that is listened on.
    struct Door
    {
        std::unique_ptr<httplib::Server> server;
        std::thread thread;
    };
    Result<std::unique_ptr<httplib::Server>> makeServer(const BrokerConfig& config);
    Result<void> openAt(const std::string& address, int wanted, const BrokerConfig& config);
    Result<void> open(int wanted, const BrokerConfig& config);
    MonitorTls tls; ///< outlives the doors
    std::shared_ptr<const net::TlsContext> nextTls; ///< read by prepareReload()
    std::vector<Door> doors;
    std::string host;
    std::uint16_t port = 0;
    std::string basePath; ///< without the slash at the end
    std::mutex mutex;
    std::map<std::string, std::uint64_t> requests; ///< guarded by mutex
};

Result<std::unique_ptr<httplib::Server>> MonitorHttp::Private::makeServer(
    const BrokerConfig& config)
{
    std::unique_ptr<httplib::Server> server;
    if (config.https) {
        std::string wrong;
        server = std::make_unique<httplib::SSLServer>([&](SSL_CTX& context) {
            auto attached = tls.attach(context, config.tls);
            if (!attached)
                wrong = attached.error().text;
            return attached.ok();
        });
        if (!wrong.empty())
            return Error{Errc::Io, "can't listen to the monitor port: " + wrong};
    } else {
        server = std::make_unique<httplib::Server>();
    }
    server->new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server->set_keep_alive_timeout(kKeepAliveSeconds);
    server->set_tcp_nodelay(true);
    server->set_socket_options([](socket_t socket) {
        // The library's default would share the port with another server instead of failing.
        const int on = 1;
        const int off = 0;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        // An IPv4 socket refuses this; one for all of IPv6 then takes both families.
        ::setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    });
    server->Get(".*", [this](const httplib::Request& request, httplib::Response& response) {
        serve(request, response);
    });
    return server;
}

/// Adds a door at this address; the first one decides the port.
Result<void> MonitorHttp::Private::openAt(
    const std::string& address, int wanted, const BrokerConfig& config)
{
    auto made = makeServer(config);
    if (!made)
        return made.error();
    httplib::Server& server = **made;
    const bool any = wanted <= 0;
    const int bound = any                      ? server.bind_to_any_port(address)
        : server.bind_to_port(address, wanted) ? wanted
                                               : 0;
    if (bound <= 0)
        return Error{Errc::InUse,
            "can't listen to the monitor port: listen tcp " + addressText(address, wanted)
                + ": bind: address already in use"};
    port = static_cast<std::uint16_t>(bound);
    doors.push_back({std::move(*made), {}});
    return {};
}

/// As net::Listener: no address means the loopback ones of both families, all of one family those
/// of both.
Result<void> MonitorHttp::Private::open(int wanted, const BrokerConfig& config)
{
    constexpr int kTries = 50;
    if (host == "0.0.0.0") {
        if (net::hasLoopback6() && openAt("::", wanted, config))
            return {};
        return openAt(host, wanted, config);
    }
    if (!host.empty() || !net::hasLoopback6())
        return openAt(shownHost(host), wanted, config);
    for (int attempt = 1;; ++attempt) {
        if (auto first = openAt(net::kLoopback4, wanted, config); !first)
            return first;
        auto second = openAt(net::kLoopback6, port, config);
        if (second || wanted > 0 || attempt == kTries)
            return second;
        doors.clear();
    }
}

std::map<std::string, std::uint64_t> MonitorHttp::Private::count(const std::string& path)
{
    constexpr std::size_t kMostPaths = 64;
    const std::lock_guard lock(mutex);
    if (requests.count(path) != 0 || requests.size() < kMostPaths)
        ++requests[path];
    return requests;
}

void MonitorHttp::Private::serve(const httplib::Request& request, httplib::Response& response)
{
    std::string path = request.path;
    const bool below = path.compare(0, basePath.size(), basePath) == 0
        && (path.size() == basePath.size() || basePath.empty() || path[basePath.size()] == '/');
    if (!below) {
        response.status = kNotFound;
        return;
    }
    path.erase(0, basePath.size());
    std::map<std::string, std::string> values;
    for (const auto& [key, value] : request.params)
        values.emplace(key, value);

    const auto promise = std::make_shared<std::promise<monitor::Document>>();
    std::future<monitor::Document> future = promise->get_future();
    core.loop().post([this, promise, path, values, counted = count(path)] {
        const MonitorSource source(core, configLoaded, {shownHost(host), port, counted});
        promise->set_value(monitor::answer(path, monitor::Query(values), source));
    });
    while (future.wait_for(kAnswerLookInterval) != std::future_status::ready) {
        if (brokerEnded) {
            response.status = kUnavailable;
            return;
        }
    }
    const monitor::Document document = future.get();
    response.status = document.status;
    response.set_header("Access-Control-Allow-Origin", "*");
    const std::string callback =
        request.has_param("callback") ? request.get_param_value("callback") : std::string();
    if (!callback.empty() && document.type == "application/json")
        response.set_content(callback + '(' + document.body + ')', "application/javascript");
    else
        response.set_content(document.body, document.type.c_str());
}

MonitorHttp::MonitorHttp(
    BrokerCore& core, const std::atomic<bool>& brokerEnded, std::int64_t configLoaded)
    : m(std::make_unique<Private>(core, brokerEnded, configLoaded))
{
}

MonitorHttp::~MonitorHttp()
{
    stop();
}

Result<void> MonitorHttp::start(const std::string& host, int port, const BrokerConfig& config)
{
    m->host = host;
    m->basePath = config.httpBasePath;
    while (!m->basePath.empty() && m->basePath.back() == '/')
        m->basePath.pop_back();
    if (!m->basePath.empty() && m->basePath.front() != '/')
        m->basePath.insert(m->basePath.begin(), '/');
    if (auto opened = m->open(port, config); !opened)
        return opened;
    for (Private::Door& door : m->doors)
        door.thread = std::thread([server = door.server.get()] { server->listen_after_bind(); });
    return {};
}

Result<void> MonitorHttp::prepareReload(const BrokerConfig& config)
{
    if (!config.https)
        return {};
    auto read = MonitorTls::read(config.tls);
    if (!read)
        return read.error();
    m->nextTls = std::move(*read);
    return {};
}

void MonitorHttp::reload()
{
    if (m->nextTls)
        m->tls.use(std::move(m->nextTls));
}

void MonitorHttp::stop()
{
    for (Private::Door& door : m->doors) {
        if (!door.thread.joinable())
            continue;
        // stop() is only heard once the accept loop runs.
        while (!door.server->is_running())
            std::this_thread::yield();
        door.server->stop();
        door.thread.join();
    }
}

std::uint16_t MonitorHttp::port() const
{
    return m->port;
}

} // namespace jetglass::host
