// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/parser.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace jetglass::protocol {

namespace {

constexpr std::size_t kKeptBody = 256U
    << 10U; ///< a gathering buffer above this is given back after use
constexpr std::size_t kMaxDigits = 9;

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

char upper(char c)
{
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool equalsVerb(std::string_view text, std::string_view verb)
{
    if (text.size() != verb.size())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (upper(text[i]) != verb[i])
            return false;
    }
    return true;
}

/// What a line may begin with. Free ends: anything may follow up to the line's end.
struct VerbRule
{
    std::string_view verb;
    bool freeEnd;
};
constexpr std::array<VerbRule, 10> kVerbs{{
    {"PUB", false},
    {"HPUB", false},
    {"SUB", false},
    {"UNSUB", false},
    {"PING", true},
    {"PONG", true},
    {"CONNECT", true},
    {"INFO", true},
    {"+OK", true},
    {"-ERR", true},
}};

/// Can a line that begins so still become an operation?
bool isPossibleStart(std::string_view partial)
{
    return std::any_of(kVerbs.begin(), kVerbs.end(), [partial](const VerbRule& rule) {
        const auto n = std::min(partial.size(), rule.verb.size());
        return equalsVerb(partial.substr(0, n), rule.verb.substr(0, n))
            && (partial.size() <= rule.verb.size() || rule.freeEnd
                || isBlank(partial[rule.verb.size()]) || partial.substr(rule.verb.size()) == "\r");
    });
}

template<std::size_t N>
std::size_t split(std::string_view text, std::array<std::string_view, N>& words)
{
    std::size_t count = 0;
    const char* p = text.data();
    const char* const end = p + text.size();
    for (;;) {
        while (p != end && isBlank(*p))
            ++p;
        if (p == end)
            return count;
        const char* const begin = p;
        while (p != end && !isBlank(*p))
            ++p;
        if (count == N)
            return N + 1;
        words[count++] = std::string_view(begin, static_cast<std::size_t>(p - begin));
    }
}

bool parseSize(std::string_view text, std::size_t& value)
{
    if (text.empty() || text.size() > kMaxDigits)
        return false;
    value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return false;
        value = value * 10 + static_cast<std::size_t>(c - '0');
    }
    return true;
}

std::size_t verbLength(std::string_view line)
{
    std::size_t n = 0;
    while (n < line.size() && !isBlank(line[n]))
        ++n;
    return n;
}

} // namespace

void Parser::feed(std::string_view bytes)
{
    m_slice = bytes;
    m_pos = 0;
}

Parser::Outcome Parser::bad(ParseError error)
{
    m_state = State::Bad;
    m_error = error;
    return Outcome::Bad;
}

Parser::Outcome Parser::next(Operation& operation)
{
    if (m_lineUsed) {
        m_line.clear();
        m_lineUsed = false;
    }
    if (m_bodyUsed) {
        if (m_body.capacity() > kKeptBody)
            std::string().swap(m_body);
        m_body.clear();
        m_bodyUsed = false;
    }
    if (m_state == State::Payload)
        return payload(operation);
    if (m_state == State::Bad)
        return Outcome::Bad;

    const std::string_view left = m_slice.substr(m_pos);
    const auto* lf = static_cast<const char*>(
        left.empty() ? nullptr : std::memchr(left.data(), '\n', left.size()));
    if (lf == nullptr)
        return partialLine();
    const auto length = static_cast<std::size_t>(lf - left.data());
    std::string_view line = left.substr(0, length);
    m_pos += length + 1;
    if (!m_line.empty()) {
        m_line.append(line);
        line = m_line;
        m_lineUsed = true;
    }
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    return parseLine(line, operation);
}

Parser::Outcome Parser::partialLine()
{
    m_line.append(m_slice.substr(m_pos));
    m_pos = m_slice.size();
    if (m_line.empty())
        return Outcome::NeedMore;
    if (!isPossibleStart(m_line))
        return bad(ParseError::UnknownOperation);
    const std::size_t arguments = m_line.size() - verbLength(m_line);
    if (arguments > m_maxControlLine + 2) // the blank before and a CR behind do not count
        return bad(ParseError::ControlLineTooLong);
    return Outcome::NeedMore;
}

Parser::Outcome Parser::parseLine(std::string_view line, Operation& operation)
{
    const std::size_t n = verbLength(line);
    const std::string_view verb = line.substr(0, n);
    const std::string_view arguments = line.substr(n);
    if (arguments.size() > m_maxControlLine + 1 && isPossibleStart(line))
        return bad(ParseError::ControlLineTooLong);
    if (verb.empty())
        return bad(ParseError::UnknownOperation);
    if (equalsVerb(verb, "PUB"))
        return parsePublish(arguments, false, operation);
    if (equalsVerb(verb, "HPUB"))
        return parsePublish(arguments, true, operation);
    if (equalsVerb(verb, "SUB"))
        return parseSubscribe(arguments, operation);
    if (equalsVerb(verb, "UNSUB"))
        return parseUnsubscribe(arguments, operation);

    operation = {};
    if (equalsVerb(line.substr(0, 4), "PING")) {
        operation.verb = Verb::Ping;
    } else if (equalsVerb(line.substr(0, 4), "PONG")) {
        operation.verb = Verb::Pong;
    } else if (equalsVerb(line.substr(0, 7), "CONNECT")) {
        operation.verb = Verb::Connect;
        operation.json = line.substr(7);
        while (!operation.json.empty() && isBlank(operation.json.front()))
            operation.json.remove_prefix(1);
    } else if (equalsVerb(line.substr(0, 4), "INFO") || equalsVerb(line.substr(0, 3), "+OK")) {
        operation.verb = Verb::Ignored;
    } else if (equalsVerb(line.substr(0, 4), "-ERR")) {
        operation.verb = Verb::PeerError;
    } else {
        return bad(ParseError::UnknownOperation);
    }
    return Outcome::Operation;
}

Parser::Outcome Parser::parsePublish(
    std::string_view arguments, bool withHeaders, Operation& operation)
{
    if (arguments.empty())
        return bad(ParseError::UnknownOperation);
    if (withHeaders && !m_headers)
        return bad(ParseError::HeadersNotNegotiated);
    std::array<std::string_view, 4> words;
    const std::size_t sizes = withHeaders ? 2 : 1;
    const std::size_t count = split(arguments, words);
    if (count < 1 + sizes || count > 2 + sizes)
        return bad(ParseError::Arguments);
    m_headerSize = 0;
    if (withHeaders && !parseSize(words[count - 2], m_headerSize))
        return bad(ParseError::Arguments);
    if (!parseSize(words[count - 1], m_totalSize) || m_headerSize > m_totalSize)
        return bad(ParseError::Arguments);
    if (m_totalSize > m_maxPayload) {
        operation = {};
        operation.verb = Verb::Publish;
        operation.subject = words[0];
        operation.headers = rest().substr(0, m_headerSize);
        return bad(ParseError::PayloadTooLarge);
    }
    m_subject = words[0];
    m_reply = count == 2 + sizes ? words[1] : std::string_view();
    m_withHeaders = withHeaders;
    m_state = State::Payload;
    m_gathering = false;
    if (m_announce) {
        operation = {};
        operation.verb = Verb::PublishLine;
        operation.subject = m_subject;
        // The line must outlive this operation: its payload comes with the next call.
        const std::size_t length = m_subject.size();
        m_names.assign(m_subject).append(m_reply);
        m_subject = std::string_view(m_names).substr(0, length);
        m_reply = std::string_view(m_names).substr(length);
        return Outcome::Operation;
    }
    return payload(operation);
}

Parser::Outcome Parser::parseSubscribe(std::string_view arguments, Operation& operation)
{
    if (arguments.empty())
        return bad(ParseError::UnknownOperation);
    std::array<std::string_view, 3> words;
    const std::size_t count = split(arguments, words);
    if (count < 2 || count > 3)
        return bad(ParseError::Arguments);
    operation = {};
    operation.verb = Verb::Subscribe;
    operation.subject = words[0];
    operation.queue = count == 3 ? words[1] : std::string_view();
    operation.sid = words[count - 1];
    return Outcome::Operation;
}

Parser::Outcome Parser::parseUnsubscribe(std::string_view arguments, Operation& operation)
{
    if (arguments.empty())
        return bad(ParseError::UnknownOperation);
    std::array<std::string_view, 2> words;
    const std::size_t count = split(arguments, words);
    if (count < 1 || count > 2)
        return bad(ParseError::Arguments);
    operation = {};
    operation.verb = Verb::Unsubscribe;
    operation.sid = words[0];
    std::size_t max = 0; // a maximum that is no number ends it at once, as in the real server
    if (count == 2 && parseSize(words[1], max))
        operation.max = static_cast<std::int64_t>(max);
    return Outcome::Operation;
}

Parser::Outcome Parser::payload(Operation& operation)
{
    if (m_gathering)
        return gatherPayload(operation);
    const std::string_view left = m_slice.substr(m_pos);
    if (left.size() >= m_totalSize + 2) {
        if (left[m_totalSize] != '\r' || left[m_totalSize + 1] != '\n')
            return bad(ParseError::UnknownOperation);
        m_pos += m_totalSize + 2;
        finishPublish(left.substr(0, m_totalSize), operation);
        return Outcome::Operation;
    }
    m_gathering = true;
    if (m_subject.data() != m_names.data()) {
        const std::size_t length = m_subject.size();
        std::string names;
        names.reserve(length + m_reply.size());
        names.append(m_subject).append(m_reply);
        m_names.swap(names);
        m_subject = std::string_view(m_names).substr(0, length);
        m_reply = std::string_view(m_names).substr(length);
    }
    m_body.clear();
    m_body.reserve(m_totalSize + 2);
    return gatherPayload(operation);
}

Parser::Outcome Parser::gatherPayload(Operation& operation)
{
    if (m_lineUsed) {
        m_line.clear();
        m_lineUsed = false;
    }
    const std::string_view left = m_slice.substr(m_pos);
    const std::size_t wanted = m_totalSize + 2 - m_body.size();
    const std::size_t taken = std::min(wanted, left.size());
    m_body.append(left.substr(0, taken));
    m_pos += taken;
    if (m_body.size() > m_totalSize && m_body[m_totalSize] != '\r')
        return bad(ParseError::UnknownOperation);
    if (taken < wanted)
        return Outcome::NeedMore;
    if (m_body[m_totalSize + 1] != '\n')
        return bad(ParseError::UnknownOperation);
    m_bodyUsed = true;
    finishPublish(std::string_view(m_body).substr(0, m_totalSize), operation);
    return Outcome::Operation;
}

void Parser::finishPublish(std::string_view body, Operation& operation)
{
    operation.verb = Verb::Publish;
    operation.withHeaders = m_withHeaders;
    operation.subject = m_subject;
    operation.reply = m_reply;
    operation.headers = body.substr(0, m_headerSize);
    operation.payload = body.substr(m_headerSize);
    m_state = State::Line;
    m_gathering = false;
}

} // namespace jetglass::protocol
