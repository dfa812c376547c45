// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace jetglass::archive {

/// Reads a tar of regular files from bytes that come in any pieces: ustar with the extended headers
/// of PAX and GNU's long names. Anything else in it is an error of the archive.
class TarReader
{
public:
    enum class Step : std::uint8_t
    {
        File, ///< name() and size() of the next one
        Data, ///< data() holds some bytes of it
        FileEnd,
        NeedInput,
        End,
        Failed ///< error() says why; isUnexpectedContent() if it is no damage
    };

    void feed(std::string_view bytes);
    void finish() { m_finished = true; }
    Step next();
    [[nodiscard]] const std::string& name() const { return m_name; } ///< clean, relative
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    /// Lives until the next call of feed().
    [[nodiscard]] std::string_view data() const { return m_data; }
    [[nodiscard]] const std::string& error() const { return m_error; }
    [[nodiscard]] bool isUnexpectedContent() const { return m_unexpected; }

private:
    enum class Part : std::uint8_t
    {
        Header,
        Extension, ///< the text of an extended header
        Content,
        Padding,
        Done
    };
    Step fail(std::string error);
    Step readHeader();
    Step readContent();
    bool readExtension();
    bool parsePax(std::string_view text);
    Step beginFile(std::string_view block);
    Step refuse();
    [[nodiscard]] std::string_view rest() const { return std::string_view(m_in).substr(m_at); }

    std::string m_in;
    std::size_t m_at = 0;
    Part m_part = Part::Header;
    char m_extension = 0;
    std::uint64_t m_left = 0; ///< of the content or extension
    std::uint64_t m_padding = 0;
    std::string m_collected;
    std::map<std::string, std::string, std::less<>> m_pax;
    std::string m_longName;
    std::string m_name;
    std::uint64_t m_size = 0;
    std::string_view m_data;
    std::string m_error;
    bool m_unexpected = false;
    bool m_finished = false;
};

} // namespace jetglass::archive
