// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault_client.h"

#include "base/json.h"
#include "base/random.h"

#include <utility>

namespace jetglass::faults {

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
/// Small, so that a few messages fill one.
constexpr std::uint64_t kBlockSize = 1500;

} // namespace

Client::Client(std::uint64_t seed, bool syncAlways)
    : m_random(seed)
    , m_files(m_random, false)
    , m_disk(m_files)
    , m_network(m_random)
    , m_box(m_random,
          m_clock,
          m_files,
          m_network,
          {.syncAlways = syncAlways, .blockSize = kBlockSize, .disk = &m_disk})
{
    base::randomEngine().seed(seed);
    m_network.peers.resize(1);
    simulation::Peer& peer = m_network.peers.front();
    peer.id = ClientId{1};
    m_network.subscribe(peer, "R.>");
    m_network.subscribe(peer, "F.>");
    m_network.connect(peer);
    static_cast<void>(m_files.makeDirectories("/store/jetstream").ok());
}

Client::~Client()
{
    if (m_up)
        kill();
}

bool Client::start()
{
    const std::string refused = m_box.start();
    m_up = refused.empty();
    if (!m_up) {
        kill();
        return false;
    }
    settle();
    return true;
}

void Client::stop()
{
    m_box.stop();
    m_up = false;
}

/// What its files are afterwards is what it has written up to now.
void Client::kill()
{
    m_files.dieNow();
    m_box.kill();
    m_files.recover(simulation::Crash::Kill);
    m_up = false;
}

void Client::settle()
{
    if (!m_box.settle(false))
        complain("the broker finds no end");
    for (Wire& wire : std::exchange(m_network.peers.front().inbox, {})) {
        if (const auto ack = m_acks.find(wire.subject); ack != m_acks.end())
            m_confirmed.insert(ack->second);
        else if (wire.subject.starts_with("R."))
            m_answers[wire.subject] = wire.payload;
        else
            m_fetched.push_back(std::move(wire));
    }
}

void Client::wait(int milliseconds)
{
    if (!m_up)
        return;
    for (int left = milliseconds; left > 0; left -= 250) {
        m_clock.advance(250 * kMillisecond);
        settle();
    }
}

std::string Client::send(
    const std::string& subject, const std::string& body, const std::string& headers, bool* taken)
{
    const std::string reply = "R." + std::to_string(++m_requests);
    const bool heard = m_network.hand(m_network.peers.front(), {subject, reply, headers, body});
    if (taken)
        *taken = heard;
    return reply;
}

Answer Client::ask(const std::string& subject, const std::string& body, const std::string& headers)
{
    Answer answer;
    if (!m_up)
        return answer;
    bool heard = false;
    const std::string reply = send(subject, body, headers, &heard);
    settle();
    for (int i = 0; heard && i < 12 && !m_answers.contains(reply); ++i)
        wait(250);
    const auto found = m_answers.find(reply);
    if (found == m_answers.end()) {
        if (heard)
            complain("no answer to " + subject + " " + body);
        return answer;
    }
    answer.came = true;
    answer.body = base::parseJson(found->second);
    if (!answer.body.is_object())
        complain("answer to " + subject + " is no JSON: " + found->second);
    if (answer.refused()) {
        const Json& error = answer.body["error"];
        if (error.value("code", 0) < 400 || error.value("err_code", 0) <= 10000
            || error.value("description", std::string()).empty())
            complain("error of " + subject + " is not NATS's: " + found->second);
    }
    return answer;
}

void Client::tell(const std::string& subject, const std::string& body, const std::string& headers)
{
    if (m_up)
        m_network.hand(m_network.peers.front(), {subject, {}, headers, body});
}

std::vector<Wire> Client::fetch(const std::string& stream, const std::string& consumer, int most)
{
    m_fetched.clear();
    if (!m_up)
        return {};
    const std::string inbox = "F." + std::to_string(++m_requests);
    m_network.hand(m_network.peers.front(),
        {"$JS.API.CONSUMER.MSG.NEXT." + stream + "." + consumer,
            inbox,
            {},
            R"({"no_wait":true,"batch":)" + std::to_string(most) + "}"});
    settle();
    std::vector<Wire> messages;
    for (Wire& wire : m_fetched)
        if (!wire.reply.empty())
            messages.push_back(std::move(wire));
    m_fetched.clear();
    return messages;
}

void Client::ack(const Wire& message, const std::string& name)
{
    if (!m_up)
        return;
    m_acks["R." + std::to_string(m_requests + 1)] = name;
    send(message.reply, "+ACK", {});
    settle();
}

} // namespace jetglass::faults
