// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/subject.h"

#include "broker/subject_hash.h"
#include "subjects/mix.h"

std::uint32_t jetglass::subjectHash(std::string_view subject)
{
    return static_cast<std::uint32_t>(subjects::mix(subject, 0));
}

namespace jetglass::subjects {

namespace {

/// Walks over the tokens of a subject without copying. An empty subject has one, empty, token.
class Tokens
{
public:
    explicit Tokens(std::string_view subject)
        : m_rest(subject)
    {
        take();
    }
    [[nodiscard]] bool atEnd() const { return m_end; }
    [[nodiscard]] bool isLast() const { return m_last; }
    [[nodiscard]] std::string_view current() const { return m_token; }
    void next()
    {
        if (m_last)
            m_end = true;
        else
            take();
    }

private:
    void take()
    {
        const auto dot = m_rest.find('.');
        m_token = m_rest.substr(0, dot);
        m_last = dot == std::string_view::npos;
        if (!m_last)
            m_rest.remove_prefix(dot + 1);
    }

    std::string_view m_rest;
    std::string_view m_token;
    bool m_last = false;
    bool m_end = false;
};

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

/// From a token on, no token may be empty: such subjects match nothing.
bool restIsWhole(Tokens tokens)
{
    for (; !tokens.atEnd(); tokens.next()) {
        if (tokens.current().empty())
            return false;
    }
    return true;
}

} // namespace

bool isValidSubscription(std::string_view subject)
{
    for (Tokens tokens(subject); !tokens.atEnd(); tokens.next()) {
        if (tokens.current().empty() || (isRest(tokens.current()) && !tokens.isLast()))
            return false;
    }
    return true;
}

bool isValidStreamSubject(std::string_view subject)
{
    for (const char c : subject) {
        if (isBlank(c))
            return false;
    }
    return isValidSubscription(subject);
}

bool isValidLiteral(std::string_view subject)
{
    for (Tokens tokens(subject); !tokens.atEnd(); tokens.next()) {
        const auto t = tokens.current();
        if (t.empty() || isAny(t) || isRest(t))
            return false;
    }
    return true;
}

bool hasWildcard(std::string_view subject)
{
    for (Tokens tokens(subject); !tokens.atEnd(); tokens.next()) {
        if (isAny(tokens.current()) || isRest(tokens.current()))
            return true;
    }
    return false;
}

bool matches(std::string_view pattern, std::string_view subject)
{
    Tokens p(pattern);
    Tokens s(subject);
    for (; !p.atEnd() && !s.atEnd(); p.next(), s.next()) {
        if (s.current().empty())
            return false;
        if (isRest(p.current()) && p.isLast())
            return restIsWhole(s);
        if (!isAny(p.current()) && p.current() != s.current())
            return false;
    }
    return p.atEnd() && s.atEnd();
}

bool collide(std::string_view a, std::string_view b)
{
    Tokens x(a);
    Tokens y(b);
    for (; !x.atEnd() && !y.atEnd(); x.next(), y.next()) {
        if (isRest(x.current()) || isRest(y.current()))
            return true;
        if (!isAny(x.current()) && !isAny(y.current()) && x.current() != y.current())
            return false;
    }
    return x.atEnd() && y.atEnd();
}

bool isSubset(std::string_view part, std::string_view whole)
{
    Tokens p(part);
    Tokens w(whole);
    for (; !p.atEnd() && !w.atEnd(); p.next(), w.next()) {
        if (isRest(w.current()))
            return true;
        if (isRest(p.current()))
            return false;
        if (isAny(w.current()))
            continue;
        if (isAny(p.current()) || p.current() != w.current())
            return false;
    }
    return p.atEnd() && w.atEnd();
}

std::size_t tokenCount(std::string_view subject)
{
    if (subject.empty())
        return 0;
    std::size_t count = 1;
    for (const char c : subject)
        count += c == '.' ? 1 : 0;
    return count;
}

std::string_view token(std::string_view subject, std::size_t n)
{
    Tokens tokens(subject);
    for (; n > 0 && !tokens.atEnd(); --n)
        tokens.next();
    return tokens.atEnd() ? std::string_view() : tokens.current();
}

std::uint32_t hash(std::string_view subject)
{
    return subjectHash(subject);
}

} // namespace jetglass::subjects
