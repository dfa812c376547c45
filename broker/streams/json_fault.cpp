// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/json_fault.h"

#include <array>
#include <vector>

namespace jetglass::streams {
namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHexDigit(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

void appendHex(std::string& out, unsigned value, int digits)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    while (--digits >= 0)
        out += kDigits[(value >> (4 * static_cast<unsigned>(digits))) & 0xFU];
}

/// The byte in quotes, read as Latin-1 where it is none of ASCII.
std::string quoted(char c)
{
    constexpr std::string_view kNamed = "\a\b\f\n\r\t\v\\'";
    constexpr std::string_view kLetters = "abfnrtv\\'";
    constexpr unsigned kDelete = 0x7F;
    constexpr unsigned kNoBreakSpace = 0xA0;
    constexpr unsigned kSoftHyphen = 0xAD;
    const auto byte = static_cast<unsigned char>(c);
    std::string out = "'";
    if (const std::size_t at = kNamed.find(c); at != std::string_view::npos) {
        out += '\\';
        out += kLetters[at];
    } else if (byte < ' ' || byte == kDelete) {
        out += "\\x";
        appendHex(out, byte, 2);
    } else if (byte < kDelete) {
        out += c;
    } else if (byte <= kNoBreakSpace || byte == kSoftHyphen) {
        out += "\\u";
        appendHex(out, byte, 4);
    } else {
        out += static_cast<char>(0xC0U | (byte >> 6U));
        out += static_cast<char>(0x80U | (byte & 0x3FU));
    }
    return out + '\'';
}

/// Goes through one value; every step tells whether the text holds so far.
class Scanner
{
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
    }

    bool value();
    bool end();
    [[nodiscard]] JsonFault fault() const { return m_fault; }

private:
    void skipBlanks();
    [[nodiscard]] bool at(char c) const { return m_at < m_text.size() && m_text[m_at] == c; }
    bool refuse(std::string_view where);
    bool scalar();
    bool string();
    bool escape();
    bool number();
    bool digits(std::string_view where);
    bool literal(std::string_view word);
    bool key();
    bool closed();

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<char> m_open; ///< brackets
    JsonFault m_fault;
};

void Scanner::skipBlanks()
{
    while (m_at < m_text.size() && isBlank(m_text[m_at]))
        ++m_at;
}

bool Scanner::refuse(std::string_view where)
{
    m_fault = {};
    if (m_at >= m_text.size())
        return false;
    m_fault.text = "invalid character " + quoted(m_text[m_at]) + ' ';
    m_fault.text += where;
    m_fault.offset = m_at + 1;
    return false;
}

bool Scanner::value()
{
    do {
        skipBlanks();
        if (at('{') || at('[')) {
            const char open = m_text[m_at++];
            m_open.push_back(open);
            skipBlanks();
            if (open == '{' ? at('}') : at(']')) {
                if (!closed())
                    return false;
            } else if (open == '{' && !key()) {
                return false;
            }
        } else if (!scalar() || !closed()) {
            return false;
        }
    } while (!m_open.empty());
    return true;
}

/// After a value: what it ends, up to where the next value begins.
bool Scanner::closed()
{
    while (!m_open.empty()) {
        skipBlanks();
        const bool object = m_open.back() == '{';
        if (at(object ? '}' : ']')) {
            ++m_at;
            m_open.pop_back();
            continue;
        }
        if (!at(','))
            return refuse(object ? "after object key:value pair" : "after array element");
        ++m_at;
        return !object || key();
    }
    return true;
}

bool Scanner::key()
{
    skipBlanks();
    if (!at('"'))
        return refuse("looking for beginning of object key string");
    if (!string())
        return false;
    skipBlanks();
    if (!at(':'))
        return refuse("after object key");
    ++m_at;
    return true;
}

bool Scanner::scalar()
{
    if (m_at >= m_text.size())
        return refuse({});
    const char c = m_text[m_at];
    if (c == '"')
        return string();
    if (c == '-' || isDigit(c))
        return number();
    for (const std::string_view word : {"true", "false", "null"})
        if (c == word.front())
            return literal(word);
    return refuse("looking for beginning of value");
}

bool Scanner::string()
{
    ++m_at;
    while (!at('"')) {
        if (m_at >= m_text.size() || static_cast<unsigned char>(m_text[m_at]) < ' ')
            return refuse("in string literal");
        if (m_text[m_at++] == '\\' && !escape())
            return false;
    }
    ++m_at;
    return true;
}

bool Scanner::escape()
{
    constexpr std::string_view kLetters = "bfnrt\\/\"u";
    if (m_at >= m_text.size() || kLetters.find(m_text[m_at]) == std::string_view::npos)
        return refuse("in string escape code");
    if (m_text[m_at++] != 'u')
        return true;
    for (int i = 0; i < 4; ++i, ++m_at)
        if (m_at >= m_text.size() || !isHexDigit(m_text[m_at]))
            return refuse("in \\u hexadecimal character escape");
    return true;
}

bool Scanner::digits(std::string_view where)
{
    if (m_at >= m_text.size() || !isDigit(m_text[m_at]))
        return refuse(where);
    while (m_at < m_text.size() && isDigit(m_text[m_at]))
        ++m_at;
    return true;
}

bool Scanner::number()
{
    if (at('-'))
        ++m_at;
    // A zero stands alone: what follows is no part of the number.
    if (at('0'))
        ++m_at;
    else if (!digits("in numeric literal"))
        return false;
    if (at('.')) {
        ++m_at;
        if (!digits("after decimal point in numeric literal"))
            return false;
    }
    if (at('e') || at('E')) {
        ++m_at;
        if (at('+') || at('-'))
            ++m_at;
        return digits("in exponent of numeric literal");
    }
    return true;
}

bool Scanner::literal(std::string_view word)
{
    for (const char c : word) {
        if (!at(c)) {
            std::string where = "in literal ";
            where += word;
            return refuse(where + " (expecting " + quoted(c) + ")");
        }
        ++m_at;
    }
    return true;
}

bool Scanner::end()
{
    skipBlanks();
    return m_at >= m_text.size() || refuse("after top-level value");
}

} // namespace

std::optional<JsonFault> findJsonFault(std::string_view text, bool whole)
{
    // The reference server ends a text that has to be whole with a blank, and may find that wrong.
    const std::string ended = whole ? std::string(text) + ' ' : std::string();
    Scanner scanner(whole ? std::string_view(ended) : text);
    if (scanner.value() && (!whole || scanner.end()))
        return std::nullopt;
    return scanner.fault();
}

} // namespace jetglass::streams
