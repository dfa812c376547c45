// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "daemon/config_value.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace jetglass::daemon {

/// The text of one configuration file with a reading position.
class ConfigScanner
{
public:
    ConfigScanner(std::string file, std::string_view text);

    [[nodiscard]] bool atEnd() const { return m_offset >= m_text.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const; ///< '\0' beyond the end
    char take();
    [[nodiscard]] Position position() const;

    void skipBlanks(); ///< spaces, tabs and carriage returns
    /// Blanks, line ends and comments; says whether a line end was among them.
    bool skipSpace();
    /// True if a comment begins here; eats it up to the line end.
    bool skipComment();

    struct Failure
    {
        Position position;
        std::string text;
    };
    /// Text inside quotes; the opening one has been eaten. Single quotes are raw.
    bool quoted(char quote, std::string& into, Failure& failure);
    /// Up to a ')' alone on its line; the '(' has been eaten.
    bool block(std::string& into, Failure& failure);
    /// A bare word up to what ends one. \a escaped tells that it holds a backslash escape.
    bool word(std::string& into, bool& escaped, Failure& failure);
    /// A bare key.
    std::string key();

private:
    bool escape(std::string& into, Failure& failure);

    std::string m_file;
    std::string_view m_text;
    std::size_t m_offset = 0;
    int m_line = 1;
    std::size_t m_lineStart = 0;
};

} // namespace jetglass::daemon
