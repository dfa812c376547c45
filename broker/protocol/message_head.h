// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jetglass::protocol {

/// The parts of a MSG or HMSG line that are the same for every receiver of one message: they are
/// built once, and only the sid stands between them.
///
///     MSG subject | sid |  reply size CRLF
class MessageHead
{
public:
    /// \a headerSize 0: a message without headers.
    void set(std::string_view subject,
        std::string_view reply,
        std::size_t headerSize,
        std::size_t payloadSize);

    [[nodiscard]] std::string_view before(bool withHeaders) const
    {
        // "HMSG subject " holds "MSG subject " one byte further on.
        return std::string_view(m_before).substr(withHeaders ? 0 : 1);
    }
    [[nodiscard]] std::string_view after(bool withHeaders) const
    {
        return withHeaders ? std::string_view(m_afterHeaders) : std::string_view(m_after);
    }

private:
    std::string m_before;
    std::string m_after;
    std::string m_afterHeaders;
};

} // namespace jetglass::protocol
