// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/pull_request.h"

#include "consumers/request_headers.h"
#include "streams/json_decode.h"

#include <charconv>
#include <limits>

namespace jetglass::consumers {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool readInteger(std::string_view text, std::int64_t& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// Clients send one flat object of known members over and over, so the common ones are read without
/// building a document: only plain integers and booleans. Anything else (priority groups, escapes,
/// errors) goes the long way.
class FlatReader
{
public:
    explicit FlatReader(std::string_view text)
        : m_text(text)
    {
    }

    bool read(PullRequest& request)
    {
        if (!take('{'))
            return false;
        skip();
        if (take('}'))
            return atEnd();
        do {
            if (!member(request))
                return false;
            skip();
        } while (take(','));
        return take('}') && atEnd();
    }

private:
    bool atEnd()
    {
        skip();
        return m_at == m_text.size();
    }
    void skip()
    {
        while (m_at < m_text.size() && kBlanks.find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }
    bool take(char c)
    {
        if (m_at == m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    bool member(PullRequest& request)
    {
        skip();
        if (!take('"'))
            return false;
        const std::size_t close = m_text.find('"', m_at);
        if (close == std::string_view::npos)
            return false;
        const std::string_view name = m_text.substr(m_at, close - m_at);
        m_at = close + 1;
        skip();
        if (!take(':'))
            return false;
        skip();
        if (name == "batch")
            return number(request.batch);
        if (name == "expires")
            return number(request.expiresIn);
        if (name == "max_bytes")
            return number(request.maxBytes);
        if (name == "idle_heartbeat")
            return number(request.heartbeat);
        return name == "no_wait" && boolean(request.noWait);
    }
    bool number(std::int64_t& to)
    {
        const char* begin = m_text.data() + m_at;
        const char* end = m_text.data() + m_text.size();
        if (begin != end && *begin == '0' && begin + 1 != end && begin[1] >= '0' && begin[1] <= '9')
            return false;
        const auto [stop, error] = std::from_chars(begin, end, to);
        if (error != std::errc() || (stop != end && (*stop == '.' || *stop == 'e' || *stop == 'E')))
            return false;
        m_at += static_cast<std::size_t>(stop - begin);
        return true;
    }
    bool boolean(bool& to)
    {
        for (const std::string_view word : {std::string_view("true"), std::string_view("false")})
            if (m_text.substr(m_at, word.size()) == word) {
                to = word == "true";
                m_at += word.size();
                return true;
            }
        return false;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

Result<void> readObject(std::string_view text, PullRequest& request)
{
    streams::JsonFields fields(false);
    fields.add("batch", request.batch);
    fields.add("expires", request.expiresIn);
    fields.add("max_bytes", request.maxBytes);
    fields.add("idle_heartbeat", request.heartbeat);
    fields.add("no_wait", request.noWait);
    fields.add("group", request.group);
    fields.add("min_pending", request.minPending);
    fields.add("min_ack_pending", request.minAckPending);
    fields.add("id", request.pinId);
    fields.add("priority", request.priority);
    return streams::decodeWholeJson(text, fields);
}

} // namespace

Result<PullRequest> parsePullRequest(std::string_view payload)
{
    PullRequest request;
    const std::string_view text = trimmed(payload);
    if (!text.empty() && text.front() == '{') {
        request.json = true;
        if (!FlatReader(text).read(request)) {
            request = PullRequest{};
            request.json = true;
            if (auto done = readObject(text, request); !done) {
                static constexpr std::string_view kFront = "invalid JSON: ";
                std::string detail = done.error().text;
                if (detail.starts_with(kFront))
                    detail.erase(0, kFront.size());
                return Error{Errc::InvalidArgument, std::move(detail)};
            }
        }
    } else if (text.empty()
        || !readInteger(text.front() == '+' ? text.substr(1) : text, request.batch)) {
        request.batch = 1;
    }
    request.left = request.batch < 1 ? 1 : request.batch;
    request.maxBytes = request.maxBytes < 0 ? 0 : request.maxBytes;
    request.bytesLeft = request.maxBytes;
    if (request.heartbeat > 0
        && (request.heartbeat > std::numeric_limits<std::int64_t>::max() / 2
            || request.heartbeat * 2 > request.expiresIn))
        return Error{Errc::InvalidArgument, "heartbeat value too large"};
    return request;
}

} // namespace jetglass::consumers
