// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/operation.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::protocol {

/// Takes a client's byte stream apart (core.md 1.1). feed() a slice, then call next() until it says
/// NeedMore; the slice must stay in place until then. A slice may end at any byte. What lies whole
/// in the slice is handed on as views into it; only what a border cuts is gathered.
///
///     line ── PUB/HPUB ──> payload ── size bytes, CR, LF ──> line
class Parser
{
public:
    enum class Outcome : std::uint8_t
    {
        Operation,
        NeedMore,
        Bad
    };

    void setMaxControlLine(std::int64_t bytes)
    {
        m_maxControlLine = static_cast<std::size_t>(bytes);
    }
    void setMaxPayload(std::int64_t bytes) { m_maxPayload = static_cast<std::size_t>(bytes); }
    void setHeaders(bool allowed) { m_headers = allowed; }
    /// Report PublishLine as soon as the line of a publish is there.
    void setAnnouncePublish(bool announce) { m_announce = announce; }

    void feed(std::string_view bytes);
    Outcome next(Operation& operation);
    /// Once Bad, the parser stays so. Of a publish that is too large the operation holds the
    /// subject and as much of the headers as has come with its line.
    [[nodiscard]] ParseError error() const { return m_error; }
    /// Bytes of headers and payload that the last publish line spoke of.
    [[nodiscard]] std::size_t announcedSize() const { return m_totalSize; }
    /// What of the slice has not been parsed yet.
    [[nodiscard]] std::string_view rest() const { return m_slice.substr(m_pos); }

private:
    enum class State : std::uint8_t
    {
        Line,
        Payload,
        Bad
    };

    Outcome bad(ParseError error);
    Outcome partialLine();
    Outcome parseLine(std::string_view line, Operation& operation);
    Outcome parsePublish(std::string_view arguments, bool withHeaders, Operation& operation);
    Outcome parseSubscribe(std::string_view arguments, Operation& operation);
    Outcome parseUnsubscribe(std::string_view arguments, Operation& operation);
    Outcome payload(Operation& operation);
    Outcome gatherPayload(Operation& operation);
    void finishPublish(std::string_view body, Operation& operation);

    std::size_t m_maxControlLine = 4096;
    std::size_t m_maxPayload = 1048576;
    bool m_headers = true;
    bool m_announce = false;

    State m_state = State::Line;
    ParseError m_error = ParseError::None;
    std::string_view m_slice;
    std::size_t m_pos = 0;
    std::string m_line; ///< a line cut by a border
    bool m_lineUsed = false; ///< the last operation looks into m_line

    // the publish whose payload is read
    std::string_view m_subject;
    std::string_view m_reply;
    std::size_t m_headerSize = 0;
    std::size_t m_totalSize = 0;
    bool m_withHeaders = false;
    bool m_gathering = false;
    bool m_bodyUsed = false;
    std::string m_names; ///< subject and reply, when the slice they came in is gone
    std::string m_body; ///< payload and its CRLF, as far as it came
};

} // namespace jetglass::protocol
