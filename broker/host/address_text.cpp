// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/address_text.h"

#include "net/loopback.h"

namespace jetglass::host {

std::string addressText(std::string_view host, int port)
{
    const bool brackets = host.find(':') != std::string_view::npos;
    std::string text;
    if (brackets)
        text += '[';
    text += host;
    if (brackets)
        text += ']';
    return text + ':' + std::to_string(port);
}

std::string urlText(std::string_view scheme, std::string_view host, int port)
{
    if (host == "0.0.0.0" || host.empty())
        host = net::kLoopback4;
    else if (host == "::")
        host = net::kLoopback6;
    return std::string(scheme) + "://" + addressText(host, port);
}

std::string shownHost(const std::string& host)
{
    return host.empty() ? net::kLoopback4 : host;
}

bool isLoopback(std::string_view host)
{
    return host.empty() || host == net::kLoopback6 || host == "localhost"
        || host.substr(0, 4) == "127.";
}

} // namespace jetglass::host
