// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::archive {

/// The first bytes of a decompressed backup of format 2 (streams.md 9.4).
inline constexpr std::string_view kEntryMagic = "NATSARC1";

/// One entry of a backup: a message, a consumer, the stream's state, or the end marker.
struct EntryHead
{
    std::string name;
    std::int64_t time = 0; ///< wall ns
    std::uint64_t seq = 0; ///< 0: not a message
    std::uint64_t headerSize = 0;
    std::uint64_t payloadSize = 0;

    [[nodiscard]] bool isEnd() const
    {
        return seq == 0 && name.empty() && time == 0 && headerSize == 0 && payloadSize == 0;
    }
};

/// Appends the head; headerSize + payloadSize bytes must follow.
void putEntryHead(std::string& to,
    std::string_view name,
    std::int64_t time,
    std::uint64_t seq,
    std::uint64_t headerSize,
    std::uint64_t payloadSize);

/// Reads entries from bytes that come in any pieces, the magic first. Gives the head as soon as it
/// is there, so that a body that is too large need not be collected.
class EntryReader
{
public:
    enum class Step : std::uint8_t
    {
        Head,
        Body, ///< of the last head, whole
        NeedInput,
        Failed ///< error() says why, in the words of NATS
    };

    void feed(std::string_view bytes);
    void finish() { m_finished = true; }
    Step next();
    [[nodiscard]] const EntryHead& head() const { return m_head; }
    /// Headers, then payload. Lives until the next call of feed().
    [[nodiscard]] std::string_view body() const { return m_body; }
    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    Step fail(const char* error);
    Step readHead();
    Step readBody();

    std::string m_in;
    std::size_t m_at = 0;
    EntryHead m_head;
    std::string_view m_body;
    std::string m_error;
    bool m_begun = false;
    bool m_inBody = false;
    bool m_finished = false;
};

} // namespace jetglass::archive
