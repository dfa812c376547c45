// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs the broker to be watched: one process publishes into a file stream and consumes it
// with acks, while the window's ring is switched on and off every 100 ms. Prints the broker
// thread's CPU time per message with and without.
//     bench_observers [pairs]      default 200
#include "broker/broker.h"
#include "broker/flow_ring.h"

#include <QTemporaryDir>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <numeric>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace jetglass;

namespace {

constexpr int kWindow = 256;

/// Finds the broker thread's clock: an observer is called on that thread.
class ThreadFinder final : public FlowObserver
{
public:
    void onFlow(const FlowEvent&, const FlowText&) noexcept override
    {
        if (found.load())
            return;
        pthread_getcpuclockid(pthread_self(), &clock);
        found.store(true);
    }
    clockid_t clock{};
    std::atomic<bool> found = false;
};

double cpuSeconds(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

class Peer
{
public:
    explicit Peer(std::uint16_t port)
        : m_socket(socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
            std::abort();
        const int on = 1;
        setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        send("CONNECT {\"verbose\":false,\"headers\":true,\"no_responders\":true}\r\nPING\r\n");
        readUntil("PONG\r\n");
    }
    ~Peer() { close(m_socket); }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    void send(std::string_view bytes) const
    {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0)
                std::abort();
            bytes.remove_prefix(std::size_t(sent));
        }
    }
    void readUntil(std::string_view text)
    {
        std::string seen;
        while (seen.find(text) == std::string::npos) {
            std::array<char, 65536> buffer{};
            const ssize_t got = recv(m_socket, buffer.data(), buffer.size(), 0);
            if (got <= 0)
                std::abort();
            seen.append(buffer.data(), std::size_t(got));
        }
    }
    /// Reads until \a count pub acks have come.
    void readAcks(int count)
    {
        while (count > 0) {
            std::array<char, 65536> buffer{};
            const ssize_t got = recv(m_socket, buffer.data(), buffer.size(), 0);
            if (got <= 0)
                std::abort();
            count -= int(std::count(buffer.data(), buffer.data() + got, '}'));
        }
    }

    /// Reads until \a count messages have come and gives the acks for them, ready to be sent.
    std::string readMessages(int count)
    {
        std::string acks;
        std::string rest;
        while (count > 0) {
            std::array<char, 65536> buffer{};
            const ssize_t got = recv(m_socket, buffer.data(), buffer.size(), 0);
            if (got <= 0)
                std::abort();
            rest.append(buffer.data(), std::size_t(got));
            std::size_t at = 0;
            for (;;) {
                const std::size_t subject = rest.find("$JS.ACK.", at);
                const std::size_t end = rest.find(' ', std::min(subject, rest.size()));
                if (end == std::string::npos)
                    break;
                acks.append("PUB ").append(rest, subject, end - subject).append(" 4\r\n+ACK\r\n");
                at = end;
                --count;
            }
            rest.erase(0, std::max(at, rest.size() - std::min<std::size_t>(rest.size(), 200)));
        }
        return acks;
    }

private:
    int m_socket;
};

std::string request(std::string_view subject, std::string_view body)
{
    return "PUB " + std::string(subject) + " r " + std::to_string(body.size()) + "\r\n"
        + std::string(body) + "\r\n";
}

/// The mean of what the pairs say, without the tenth at either end (a writeback, a neighbour on the
/// machine), and how far off chance can have put it (standard error).
struct Estimate
{
    double value = 0;
    double error = 0;
};

Estimate trimmedMean(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const auto cut = std::ptrdiff_t(values.size() / 10);
    values.assign(values.begin() + cut, values.end() - cut);
    const double count = double(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, std::sqrt(squares / (count - 1) / count)};
}

} // namespace

int main(int argc, char** argv)
{
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 200;
    const QTemporaryDir directory;
    BrokerConfig config;
    config.port = -1;
    config.log.quiet = true;
    config.jetstream.enabled = true;
    config.jetstream.storeDir = directory.path().toStdString();
    auto started = Broker::start(config);
    if (!started) {
        std::fprintf(stderr, "%s\n", started.error().text.c_str());
        return 1;
    }
    Broker& broker = **started;
    Peer peer(broker.port());
    peer.send("SUB r 1\r\n"
        + request("$JS.API.STREAM.CREATE.B",
            R"({"name":"B","subjects":["b"],"max_msgs":200000,"storage":"file"})"));
    peer.readUntil("did_create");
    peer.send(request("$JS.API.CONSUMER.DURABLE.CREATE.B.C",
        R"({"stream_name":"B","config":{"durable_name":"C","ack_policy":"explicit","max_ack_pending":10000}})"));
    peer.readUntil("num_pending");
    peer.send("SUB m 2\r\n");

    std::atomic<bool> stop = false;
    std::atomic<std::uint64_t> messages = 0;
    std::thread publisher([&] {
        std::string batch;
        for (int i = 0; i < kWindow; ++i)
            batch += "PUB b r 1024\r\n" + std::string(1024, 'x') + "\r\n";
        const std::string body = "{\"batch\":" + std::to_string(kWindow) + "}";
        const std::string pull = "PUB $JS.API.CONSUMER.MSG.NEXT.B.C m "
            + std::to_string(body.size()) + "\r\n" + body + "\r\n";
        while (!stop) {
            peer.send(batch);
            peer.readAcks(kWindow);
            peer.send(pull);
            peer.send(peer.readMessages(kWindow));
            messages += kWindow;
        }
    });

    ThreadFinder finder;
    broker.addObserver(finder);
    while (!finder.found)
        std::this_thread::yield();
    broker.removeObserver(finder);

    FlowRing ring;
    std::vector<FlowEvent> drained;
    std::array<double, 2> cost{};
    std::vector<double> unwatched;
    std::vector<double> ratios;
    std::array<double, 2> cpu{};
    std::array<std::uint64_t, 2> count{};
    std::uint64_t events = 0;
    for (int half = 0; half < 2 * pairs; ++half) {
        // On-off, off-on: a drift hits both alike.
        const bool watched = (half % 4 == 0) || (half % 4 == 3);
        if (watched)
            broker.addObserver(ring);
        const double cpuBefore = cpuSeconds(finder.clock);
        const std::uint64_t before = messages;
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
        while (std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds(16)); // a frame
            drained.clear();
            events += ring.drain(drained);
        }
        const double used = cpuSeconds(finder.clock) - cpuBefore;
        const std::uint64_t done = messages - before;
        if (watched)
            broker.removeObserver(ring);
        cpu[watched] += used;
        count[watched] += done;
        cost[watched] = done > 0 ? used / double(done) * 1e9 : 0;
        if (half % 2 == 1 && cost[0] > 0 && cost[1] > 0) {
            unwatched.push_back(cost[0]);
            ratios.push_back(cost[1] / cost[0]);
        }
    }
    stop = true;
    publisher.join();
    std::printf("pairs %d, %llu messages, %llu events seen, %llu dropped\n",
        pairs,
        static_cast<unsigned long long>(count[0] + count[1]),
        static_cast<unsigned long long>(events),
        static_cast<unsigned long long>(ring.dropped()));
    const Estimate off = trimmedMean(unwatched);
    const Estimate ratio = trimmedMean(ratios);
    std::printf("broker CPU per message: %.0f ns unwatched; watched %+.1f %% (standard error %.1f, "
                "pair by pair)\n",
        off.value,
        (ratio.value - 1) * 100,
        ratio.error * 100);
    const double offMean = cpu[0] / double(count[0]) * 1e9;
    const double onMean = cpu[1] / double(count[1]) * 1e9;
    std::printf(
        "means: %.0f ns and %.0f ns: %+.1f %%\n", offMean, onMean, (onMean / offMean - 1) * 100);
    broker.stop();
    return 0;
}
