// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/headers.h"

namespace jetglass::protocol {

namespace {
constexpr std::string_view kVersion = "NATS/1.0";
constexpr std::string_view kLineEnd = "\r\n";
} // namespace

std::optional<std::string_view> findHeader(std::string_view block, std::string_view key)
{
    if (key.empty())
        return std::nullopt;
    for (auto at = block.find(key); at != std::string_view::npos; at = block.find(key, at + 1)) {
        const bool startsLine = at >= 2 && block.substr(at - 2, 2) == kLineEnd;
        auto value = block.substr(at + key.size());
        if (!startsLine || value.empty() || value.front() != ':')
            continue;
        value.remove_prefix(1);
        while (!value.empty() && value.front() == ' ')
            value.remove_prefix(1);
        return value.substr(0, value.find('\r'));
    }
    return std::nullopt;
}

void appendHeader(std::string& block, std::string_view key, std::string_view value)
{
    if (block.empty())
        block.append(kVersion).append(kLineEnd);
    else if (block.ends_with("\r\n\r\n"))
        block.resize(block.size() - kLineEnd.size());
    block.append(key).append(": ").append(value).append(kLineEnd).append(kLineEnd);
}

std::string statusBlock(int code, std::string_view description, std::string_view lines)
{
    std::string block(kVersion);
    block.append(" ").append(std::to_string(code));
    if (!description.empty())
        block.append(" ").append(description);
    block.append(kLineEnd).append(lines).append(kLineEnd);
    return block;
}

} // namespace jetglass::protocol
