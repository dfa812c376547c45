// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_scanner.h"

#include <cctype>
#include <utility>

namespace jetglass::daemon {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

} // namespace

ConfigScanner::ConfigScanner(std::string file, std::string_view text)
    : m_file(std::move(file))
    , m_text(text)
{
    // A byte order mark is no key.
    if (m_text.substr(0, 3) == "\xef\xbb\xbf")
        m_text.remove_prefix(3);
}

char ConfigScanner::peek(std::size_t ahead) const
{
    return m_offset + ahead < m_text.size() ? m_text[m_offset + ahead] : '\0';
}

char ConfigScanner::take()
{
    const char c = peek();
    ++m_offset;
    if (c == '\n') {
        ++m_line;
        m_lineStart = m_offset;
    }
    return c;
}

Position ConfigScanner::position() const
{
    return {m_file, m_line, static_cast<int>(m_offset - m_lineStart) + 1};
}

void ConfigScanner::skipBlanks()
{
    while (!atEnd() && isBlank(peek()))
        take();
}

bool ConfigScanner::skipComment()
{
    if (peek() != '#' && !(peek() == '/' && peek(1) == '/'))
        return false;
    while (!atEnd() && peek() != '\n')
        take();
    return true;
}

bool ConfigScanner::skipSpace()
{
    bool lineEnd = false;
    while (!atEnd()) {
        if (isBlank(peek())) {
            take();
        } else if (peek() == '\n') {
            take();
            lineEnd = true;
        } else if (!skipComment()) {
            break;
        }
    }
    return lineEnd;
}

bool ConfigScanner::escape(std::string& into, Failure& failure)
{
    failure.position = position();
    const char c = take();
    switch (c) {
    case 'n':
        into += '\n';
        return true;
    case 't':
        into += '\t';
        return true;
    case 'r':
        into += '\r';
        return true;
    case '"':
    case '\\':
        into += c;
        return true;
    case 'x': {
        const int high = hexValue(peek());
        const int low = hexValue(peek(1));
        if (high < 0 || low < 0) {
            failure.text = "Expected two hexadecimal digits after '\\x'";
            return false;
        }
        take();
        take();
        into += static_cast<char>(high * 16 + low);
        return true;
    }
    default:
        failure.text = std::string("Invalid escape character '") + c
            + R"('. Only the following escape characters are allowed: \xXX, \t, \n, \r, \", \\.)";
        return false;
    }
}

bool ConfigScanner::quoted(char quote, std::string& into, Failure& failure)
{
    const Position start = position();
    while (!atEnd()) {
        const char c = take();
        if (c == quote)
            return true;
        if (c == '\\' && quote == '"') {
            if (!escape(into, failure))
                return false;
        } else {
            into += c;
        }
    }
    failure = {start, "Unexpected EOF."};
    return false;
}

bool ConfigScanner::block(std::string& into, Failure& failure)
{
    const Position start = position();
    bool lineStart = false;
    while (!atEnd()) {
        if (lineStart && peek() == ')') {
            const char next = peek(1) == '\r' ? peek(2) : peek(1);
            if (next == '\n' || next == '\0') {
                take();
                return true;
            }
        }
        const char c = take();
        lineStart = c == '\n';
        into += c;
    }
    failure = {start, "Unexpected EOF processing block."};
    return false;
}

bool ConfigScanner::word(std::string& into, bool& escaped, Failure& failure)
{
    constexpr std::string_view kEnds = " \t\r\n,;]}";
    escaped = false;
    while (!atEnd() && kEnds.find(peek()) == std::string_view::npos) {
        const char c = take();
        if (c == '\\') {
            escaped = true;
            if (!escape(into, failure))
                return false;
        } else {
            into += c;
        }
    }
    return true;
}

std::string ConfigScanner::key()
{
    constexpr std::string_view kEnds = " \t\r\n=:{";
    std::string key;
    while (!atEnd() && kEnds.find(peek()) == std::string_view::npos)
        key += take();
    return key;
}

} // namespace jetglass::daemon
