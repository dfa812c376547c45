// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/loopback.h"

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

namespace jetglass::net {

bool hasLoopback6()
{
    asio::io_context io;
    asio::ip::tcp::socket probe(io);
    asio::error_code error;
    probe.open(asio::ip::tcp::v6(), error);
    if (!error)
        probe.bind({asio::ip::address_v6::loopback(), 0}, error);
    return !error;
}

} // namespace jetglass::net
