// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/monitor_http.h"

#include "host/address_text.h"
#include "host/broker_core.h"
#include "host/monitor_source.h"
#include "monitor/document.h"
#include "net/tls_context.h"

#include <chrono>
#include <future>
#include <httplib.h>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

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
    Result<void> makeServer(const BrokerConfig& config);
    std::unique_ptr<httplib::Server> server;
    std::shared_ptr<const net::TlsContext> tls; ///< null = plain
    std::string host;
    std::uint16_t port = 0;
    std::string basePath; ///< without the slash at the end
    std::mutex mutex;
    std::map<std::string, std::uint64_t> requests; ///< guarded by mutex
    std::thread thread;
};

Result<void> MonitorHttp::Private::makeServer(const BrokerConfig& config)
{
    if (!config.https) {
        server = std::make_unique<httplib::Server>();
        return {};
    }
    TlsConfig settings = config.tls;
    settings.verify = false; // who looks needs no certificate of their own
    settings.pinnedCerts.clear();
    std::string wrong;
    server = std::make_unique<httplib::SSLServer>([&](SSL_CTX& context) {
        auto made = net::TlsContext::open(settings, &context);
        if (made)
            tls = *made;
        else
            wrong = made.error().text;
        return made.ok();
    });
    if (!tls)
        return Error{Errc::Io, "can't listen to the monitor port: " + wrong};
    return {};
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
        const MonitorSource source(core, configLoaded, {host, port, counted});
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
    if (auto made = m->makeServer(config); !made)
        return made;
    m->server->new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    m->server->set_keep_alive_timeout(kKeepAliveSeconds);
    m->server->set_tcp_nodelay(true);
    // The library's default would share the port with another server instead of failing.
    m->server->set_socket_options([](socket_t socket) {
        const int on = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    m->server->Get(".*", [this](const httplib::Request& request, httplib::Response& response) {
        m->serve(request, response);
    });
    if (port < 0) {
        port = m->server->bind_to_any_port(host);
        if (port <= 0)
            return Error{Errc::InUse, "can't listen to the monitor port: " + addressText(host, -1)};
    } else if (!m->server->bind_to_port(host, port)) {
        return Error{Errc::InUse,
            "can't listen to the monitor port: listen tcp " + addressText(host, port)
                + ": bind: address already in use"};
    }
    m->port = static_cast<std::uint16_t>(port);
    m->thread = std::thread([this] { m->server->listen_after_bind(); });
    return {};
}

void MonitorHttp::stop()
{
    if (!m->thread.joinable())
        return;
    // stop() is only heard once the accept loop runs.
    while (!m->server->is_running())
        std::this_thread::yield();
    m->server->stop();
    m->thread.join();
}

std::uint16_t MonitorHttp::port() const
{
    return m->port;
}

} // namespace jetglass::host
