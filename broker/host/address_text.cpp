// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/address_text.h"

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
        host = "127.0.0.1";
    else if (host == "::")
        host = "::1";
    return std::string(scheme) + "://" + addressText(host, port);
}

bool isLoopback(std::string_view host)
{
    return host == "::1" || host == "localhost" || host.substr(0, 4) == "127.";
}

} // namespace jetglass::host
