// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/message_head.h"

#include <charconv>

namespace jetglass::protocol {

namespace {

void appendNumber(std::string& to, std::size_t number)
{
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    to.append(digits, static_cast<std::size_t>(end - digits));
}

} // namespace

void MessageHead::set(std::string_view subject,
    std::string_view reply,
    std::size_t headerSize,
    std::size_t payloadSize)
{
    m_before.assign("HMSG ").append(subject).push_back(' ');
    m_after.assign(1, ' ');
    if (!reply.empty()) {
        m_after.append(reply);
        m_after.push_back(' ');
    }
    m_afterHeaders.clear();
    if (headerSize > 0) {
        m_afterHeaders = m_after;
        appendNumber(m_afterHeaders, headerSize);
        m_afterHeaders.push_back(' ');
        appendNumber(m_afterHeaders, headerSize + payloadSize);
        m_afterHeaders.append("\r\n");
    }
    appendNumber(m_after, payloadSize);
    m_after.append("\r\n");
}

} // namespace jetglass::protocol
