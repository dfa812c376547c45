// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::archive {

/// What a compressed stream says of itself; readers of S2 take both, those of Snappy only their
/// own.
enum class S2Framing : std::uint8_t
{
    S2,
    Snappy
};

/// Compresses a stream of bytes into S2's framing (streams.md 9.3), 64 KiB a chunk.
class S2Writer
{
public:
    explicit S2Writer(S2Framing framing = S2Framing::S2)
        : m_framing(framing)
    {
    }

    void add(std::string_view bytes);
    /// What is still held back becomes a chunk of its own.
    void finish();
    /// Finished frames; the caller takes from the front what it can send.
    [[nodiscard]] std::string& out() { return m_out; }

private:
    void putChunk(std::string_view bytes);

    std::string m_held;
    std::string m_out;
    std::string m_scratch;
    S2Framing m_framing;
    bool m_begun = false;
};

/// Takes framed bytes in any pieces and gives back what they decompress to, a chunk at a time: so a
/// caller may stop between two. Memory is bounded by the largest chunk that the format allows.
class S2Reader
{
public:
    enum class Step : std::uint8_t
    {
        Data, ///< data() holds the next bytes
        NeedInput,
        End, ///< finish() was called and everything is read
        Failed ///< error() says why, in the words of NATS
    };

    void feed(std::string_view bytes);
    void finish() { m_finished = true; }
    Step next();
    /// Lives until the next call of next() or feed().
    [[nodiscard]] std::string_view data() const { return m_data; }
    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    Step fail(const char* error);
    Step readChunk(unsigned type, std::string_view body);
    Step readIdentifier(std::string_view body);
    Step decompress(std::uint32_t checksum, std::string_view body);
    [[nodiscard]] std::string_view rest() const { return std::string_view(m_in).substr(m_at); }

    std::string m_in;
    std::size_t m_at = 0;
    std::size_t m_toSkip = 0; ///< of a chunk that means nothing to us
    std::string m_decoded;
    std::string_view m_data;
    std::string m_error;
    bool m_finished = false;
    bool m_begun = false;
    bool m_snappy = false; ///< smaller chunks only
};

} // namespace jetglass::archive
