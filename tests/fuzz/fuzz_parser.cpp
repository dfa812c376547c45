// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds bytes of two clients to the engine as a socket would: cut anywhere, with the clock moving
// between. Whatever comes, nothing may crash, leak or read outside its buffers; and a second client
// must be served as before.
//
//     ./run fuzz 600
#include "../broker/server/support/fake_broker.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using namespace jetglass;
using namespace jetglass::server::test;

namespace {

/// One slice in memory of its own size, so that the sanitizer sees every view that leaves it.
void feed(FakeBroker& broker, FakeBroker::Peer& peer, const std::uint8_t* bytes, std::size_t size)
{
    if (peer.client == nullptr || peer.link->closed)
        return;
    const std::vector<char> slice(bytes, bytes + size);
    peer.client->receive(std::string_view(slice.data(), slice.size()));
    broker.endTurn();
}

BrokerConfig configFrom(std::uint8_t choice)
{
    BrokerConfig config;
    config.maxControlLine = (choice & 1U) != 0 ? 64 : 4096;
    config.maxPayload = (choice & 2U) != 0 ? 128 : 1048576;
    config.maxSubscriptions = (choice & 4U) != 0 ? 3 : 0;
    if ((choice & 8U) != 0)
        config.auth.token = "t";
    if ((choice & 16U) != 0) {
        UserConfig user;
        user.user = "u";
        user.password = "p";
        user.permissions.emplace();
        user.permissions->publishAllow = {"a.>"};
        user.permissions->subscribeDeny = {"b", "a.b q"};
        user.permissions->allowResponses = Permissions::Responses{1, 120'000'000'000};
        config.auth.token.clear();
        config.auth.users.push_back(user);
        config.auth.noAuthUser = "u";
    }
    return config;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2)
        return 0;
    FakeBroker broker(configFrom(data[0]));
    const std::size_t step = 1 + data[1];
    auto fuzzed = broker.connect("");
    auto twin = broker.connect("");
    for (std::size_t at = 2; at < size; at += step) {
        const std::size_t n = std::min(step, size - at);
        feed(broker, fuzzed, data + at, n);
        feed(broker, twin, data + at, n);
        if ((data[at] & 0x3FU) == 0)
            broker.advance(1'000'000'000);
    }
    if (broker.engine.config().auth.required())
        return 0;
    auto after =
        broker.connect("CONNECT {\"verbose\":false}\r\n"); // short enough for any control line
    if (broker.say(after, "PING\r\n") != "PONG\r\n")
        std::abort();
    return 0;
}
