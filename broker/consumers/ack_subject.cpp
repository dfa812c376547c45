// SPDX-License-Identifier: GPL-3.0-or-later
#include "consumers/ack_subject.h"

#include <openssl/sha.h>

#include <array>
#include <charconv>

namespace jetglass::consumers {

namespace {

/// Five numbers of at most 20 digits and the dots between them.
constexpr std::size_t kNumbersSize = 5 * 20 + 4;
constexpr std::size_t kClassicTokens = 9;
constexpr std::size_t kSecondTokens = 11;

std::string joined(std::initializer_list<std::string_view> parts)
{
    std::string text;
    for (std::string_view part : parts) {
        if (!text.empty())
            text += '.';
        text += part;
    }
    return text;
}

bool readNumber(std::string_view token, std::uint64_t& value)
{
    if (token.empty())
        return false;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    return error == std::errc() && end == token.data() + token.size();
}

} // namespace

AckSubject::AckSubject(std::string_view stream, std::string_view consumer)
    : m_buffer(joined({"$JS", "ACK", stream, consumer}) + ".")
    , m_front(m_buffer.size())
{
    m_buffer.resize(m_front + kNumbersSize);
}

std::string_view AckSubject::build(std::uint64_t deliveries,
    StreamSeq seq,
    ConsumerSeq consumerSeq,
    std::int64_t time,
    std::uint64_t pending)
{
    char* at = m_buffer.data() + m_front;
    char* const end = m_buffer.data() + m_buffer.size();
    at = std::to_chars(at, end, deliveries).ptr;
    *at++ = '.';
    at = std::to_chars(at, end, seq.value()).ptr;
    *at++ = '.';
    at = std::to_chars(at, end, consumerSeq.value()).ptr;
    *at++ = '.';
    at = std::to_chars(at, end, time).ptr;
    *at++ = '.';
    at = std::to_chars(at, end, pending).ptr;
    return {m_buffer.data(), static_cast<std::size_t>(at - m_buffer.data())};
}

bool parseAckSubject(std::string_view subject, AckReference& reference)
{
    std::array<std::string_view, kSecondTokens> tokens;
    std::size_t count = 0;
    for (std::size_t start = 0; start <= subject.size() && count < tokens.size(); ++count) {
        const std::size_t dot = subject.find('.', start);
        const std::size_t stop = dot == std::string_view::npos ? subject.size() : dot;
        tokens[count] = subject.substr(start, stop - start);
        start = stop + 1;
    }
    std::size_t first = 0;
    if (count == kClassicTokens)
        first = 4;
    else if (count == kSecondTokens)
        first = 6;
    else
        return false;
    std::uint64_t seq = 0;
    std::uint64_t consumerSeq = 0;
    if (!readNumber(tokens[first], reference.deliveries) || !readNumber(tokens[first + 1], seq)
        || !readNumber(tokens[first + 2], consumerSeq))
        return false;
    reference.seq = StreamSeq(seq);
    reference.consumerSeq = ConsumerSeq(consumerSeq);
    return true;
}

std::string ackPattern(std::string_view stream, std::string_view consumer)
{
    return joined({"$JS", "ACK", stream, consumer, "*.*.*.*.*"});
}

std::string ackPatternV2(std::string_view domain,
    std::string_view account,
    std::string_view stream,
    std::string_view consumer)
{
    return joined({"$JS",
        "ACK",
        domain.empty() ? "_" : domain,
        accountHash(account),
        stream,
        consumer,
        "*.*.*.*.>"});
}

std::string flowPattern(std::string_view stream, std::string_view consumer)
{
    return joined({"$JS", "FC", stream, consumer, "*"});
}

std::string flowPatternV2(std::string_view domain,
    std::string_view account,
    std::string_view stream,
    std::string_view consumer)
{
    return joined(
        {"$JS", "FC", domain.empty() ? "_" : domain, accountHash(account), stream, consumer, "*"});
}

std::string accountHash(std::string_view account)
{
    static constexpr std::string_view kAlphabet =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static constexpr std::size_t kLength = 8;
    const std::string text(account);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    std::string hash(kLength, '0');
    for (std::size_t i = 0; i < kLength; ++i)
        hash[i] = kAlphabet[digest[i] % kAlphabet.size()];
    return hash;
}

} // namespace jetglass::consumers
