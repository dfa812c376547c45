// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/subject_transform.h"

#include "subjects/subject.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <random>

namespace jetglass::subjects {
namespace {

constexpr std::string_view kPrefix = "invalid mapping destination: ";
constexpr std::string_view kFew = "not enough arguments passed to the function";
constexpr std::string_view kMany = "too many arguments passed to the function";
constexpr std::string_view kWrong = "function argument is invalid or in the wrong format";
constexpr std::string_view kRange = "wildcard index out of range";
constexpr std::string_view kUnknown = "unknown function";
constexpr std::string_view kInvalid = "invalid transform";

Error mappingError(std::string_view what, std::string_view token, std::string_view tail = {})
{
    std::string text(kPrefix);
    text += what;
    if (!token.empty()) {
        text += " in ";
        text += token;
    }
    text += tail;
    return {Errc::InvalidArgument, std::move(text)};
}

Error invalidSubject()
{
    return {Errc::InvalidArgument, "invalid subject"};
}

/// The hash that partition() is defined by: 32-bit FNV-1a.
std::uint32_t fnv1a(std::string_view text)
{
    std::uint32_t h = 2166136261U;
    for (const char c : text) {
        h ^= static_cast<unsigned char>(c);
        h *= 16777619U;
    }
    return h;
}

std::vector<std::string_view> split(std::string_view text, char at)
{
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    while (true) {
        const std::size_t end = text.find(at, start);
        if (end == std::string_view::npos) {
            parts.push_back(text.substr(start));
            return parts;
        }
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
}

/// At each occurrence of \a delimiter; an empty one takes the text apart into characters.
std::vector<std::string_view> splitAt(std::string_view text, std::string_view delimiter)
{
    std::vector<std::string_view> parts;
    if (!delimiter.empty()) {
        std::size_t start = 0;
        for (std::size_t end = text.find(delimiter); end != std::string_view::npos;
             end = text.find(delimiter, start)) {
            parts.push_back(text.substr(start, end - start));
            start = end + delimiter.size();
        }
        parts.push_back(text.substr(start));
        return parts;
    }
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    while (!text.empty()) {
        std::size_t size = 1;
        while (size < text.size() && continues(text[size]))
            ++size;
        parts.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return parts;
}

std::string_view trim(std::string_view text)
{
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<std::int64_t> integer(std::string_view text)
{
    std::int64_t value = 0;
    if (text.starts_with('+') && !text.substr(1).starts_with('-'))
        text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
        return {};
    return value;
}

/// Of partitions and random numbers: what is far below zero wraps around.
std::optional<std::int32_t> count(std::string_view text)
{
    const auto value = integer(trim(text));
    if (!value || *value > std::numeric_limits<std::int32_t>::max())
        return {};
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(*value));
}

void cut(std::string_view text, std::size_t step, bool fromLeft, std::string& out)
{
    std::size_t at = 0;
    std::size_t length = step;
    if (!fromLeft && text.size() % step != 0)
        length = text.size() % step;
    while (at < text.size()) {
        if (at != 0)
            out += '.';
        out += text.substr(at, length);
        at += std::min(length, text.size() - at);
        length = step;
    }
}

/// Empty parts leave one dot between their neighbours, but not at the ends; a second empty part at
/// the start counts as a neighbour.
void joinParts(const std::vector<std::string_view>& parts, std::string& out)
{
    for (std::size_t i = 0; i < parts.size(); ++i) {
        out += parts[i];
        if (i + 1 < parts.size() && !parts[i + 1].empty() && (i > 0 || !parts[i].empty()))
            out += '.';
    }
}

/// Tokens that are not empty, '>' only as the last one.
bool isSound(const std::vector<std::string_view>& tokens)
{
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i].empty() || (tokens[i] == ">" && i + 1 != tokens.size()))
            return false;
    return true;
}

} // namespace

Result<Transform::Token> Transform::parsePartition(const MappingCall& call, std::string_view text)
{
    Token token;
    token.function = call.function;
    const auto parts = count(call.arguments.front());
    if (!parts)
        return mappingError(kWrong, text);
    token.number = *parts;
    for (std::size_t i = 1; i < call.arguments.size(); ++i) {
        const auto index = integer(trim(call.arguments[i]));
        if (!index)
            return mappingError(kWrong, text);
        token.wildcards.push_back(*index);
    }
    return token;
}

Result<Transform::Token> Transform::parseArguments(const MappingCall& call, std::string_view text)
{
    const std::vector<std::string>& arguments = call.arguments;
    if (call.function == Function::Partition)
        return parsePartition(call, text);
    if (call.function == Function::Random)
        return arguments.size() == 1 ? parsePartition(call, text) : mappingError(kFew, text);
    const std::size_t wanted = call.function == Function::Wildcard ? 1 : 2;
    if (arguments.size() < wanted || (wanted == 1 && arguments == std::vector<std::string>{{}}))
        return mappingError(kFew, text);
    if (arguments.size() > wanted)
        return mappingError(kMany, text);
    Token token;
    token.function = call.function;
    const auto first = integer(trim(arguments[0]));
    if (!first)
        return mappingError(kWrong, text);
    token.wildcards.push_back(*first);
    if (call.function == Function::Split) {
        if (arguments[1].find_first_of(" .") != std::string::npos)
            return mappingError(kWrong, text);
        token.text = arguments[1];
    } else if (call.function != Function::Wildcard) {
        const auto second = integer(trim(arguments[1]));
        if (!second || *second != static_cast<std::int32_t>(*second))
            return mappingError(kWrong, text);
        token.number = static_cast<std::int32_t>(*second);
    }
    return token;
}

Result<Transform::Token> Transform::parseToken(std::string_view text)
{
    if (text.size() > 1 && text.front() == '$')
        if (const auto number = integer(text.substr(1))) {
            Token token;
            token.function = Function::Wildcard;
            token.wildcards.push_back(*number);
            return token;
        }
    if (looksLikeCall(text)) {
        const auto call = findCall(text);
        return call ? parseArguments(*call, text) : mappingError(kUnknown, text);
    }
    Token token;
    token.text = text;
    return token;
}

/// Which tokens of a subject the wildcards are. One that is below the first stands for the first
/// token. Without any wildcard in the source only numbers can be asked for.
Result<void> Transform::findPlaces(
    Token& token, const std::vector<std::size_t>& wildcards, bool tail, std::string_view text)
{
    if (wildcards.empty() && !tail) {
        if (token.function == Function::Text || token.function == Function::Partition
            || token.function == Function::Random)
            return {};
        return mappingError(kRange, text);
    }
    for (const std::int64_t index : token.wildcards) {
        if (index > static_cast<std::int64_t>(wildcards.size()))
            return mappingError(kRange, text, ": [" + std::to_string(index) + "]");
        token.places.push_back(index <= 0 ? 0 : wildcards[static_cast<std::size_t>(index) - 1]);
    }
    return {};
}

Result<void> Transform::checkDestination(std::string_view dest)
{
    bool ended = false;
    for (const std::string_view token : split(dest, '.')) {
        if (token.empty() || ended)
            return mappingError(kInvalid, token);
        if (looksLikeCall(token)) {
            if (!findCall(token))
                return mappingError(kUnknown, token);
        } else if (token.find_first_of("\t\n\f\r ") != std::string_view::npos) {
            return mappingError(kInvalid, {});
        }
        ended = token == ">";
    }
    return {};
}

Result<Transform> Transform::compileChecked(std::string_view src, std::string_view dest)
{
    if (!dest.empty())
        if (auto checked = checkDestination(dest); !checked)
            return checked.error();
    return compile(src, dest);
}

Result<Transform> Transform::compile(std::string_view src, std::string_view dest)
{
    Transform transform;
    transform.m_source = src.empty() ? ">" : src;
    if (dest.empty()) {
        transform.m_identity = true;
        return transform;
    }
    const Tokens sources = split(transform.m_source, '.');
    const Tokens tokens = split(dest, '.');
    const bool sourceTail = sources.back() == ">";
    transform.m_tail = tokens.back() == ">";
    if (!isSound(sources) || !isSound(tokens) || transform.m_tail != sourceTail
        || std::find(tokens.begin(), tokens.end(), "*") != tokens.end())
        return invalidSubject();
    std::vector<std::size_t> wildcards;
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (sources[i] == "*")
            wildcards.push_back(i);
    transform.m_sourceTokens = sources.size() - (sourceTail ? 1 : 0);
    for (const std::string_view text : tokens) {
        if (text == ">")
            break;
        auto token = parseToken(text);
        if (!token)
            return token.error();
        if (auto found = findPlaces(*token, wildcards, sourceTail, text); !found)
            return found.error();
        transform.m_tokens.push_back(std::move(*token));
    }
    transform.m_identity = transform.m_source == ">" && dest == ">";
    return transform;
}

bool Transform::matches(std::string_view subject) const
{
    return subjects::matches(m_source, subject);
}

void Transform::render(
    const Token& token, std::string_view subject, const Tokens& tokens, std::string& out)
{
    if (token.function == Function::Text) {
        out += token.text;
        return;
    }
    if (token.function == Function::Random) {
        static std::minstd_rand engine{std::random_device{}()};
        out += std::to_string(token.number == 0
                ? 0
                : static_cast<std::int64_t>(engine()) % static_cast<std::int64_t>(token.number));
        return;
    }
    if (token.function == Function::Partition) {
        std::string key;
        for (const std::size_t place : token.places)
            key += tokens[place];
        const std::uint32_t hash = fnv1a(token.places.empty() ? subject : std::string_view(key));
        out +=
            std::to_string(token.number == 0 ? 0 : hash % static_cast<std::uint32_t>(token.number));
        return;
    }
    const std::string_view value = tokens[token.places.front()];
    if (token.function == Function::Split)
        return joinParts(splitAt(value, token.text), out);
    // A size that leaves nothing to cut off: the token stays whole.
    const auto size = static_cast<std::size_t>(std::max(token.number, 0));
    if (token.function == Function::Wildcard || size == 0 || size >= value.size()) {
        out += value;
        return;
    }
    switch (token.function) {
    case Function::SplitFromLeft:
        out.append(value.substr(0, size)).append(1, '.').append(value.substr(size));
        break;
    case Function::SplitFromRight:
        out.append(value.substr(0, value.size() - size))
            .append(1, '.')
            .append(value.substr(value.size() - size));
        break;
    case Function::Left:
        out += value.substr(0, size);
        break;
    case Function::Right:
        out += value.substr(value.size() - size);
        break;
    default:
        cut(value, size, token.function == Function::SliceFromLeft, out);
    }
}

std::optional<std::string> Transform::apply(std::string_view subject) const
{
    if (!matches(subject))
        return {};
    if (m_identity)
        return std::string(subject);
    const Tokens tokens = split(subject, '.');
    std::string out;
    for (const Token& token : m_tokens) {
        if (&token != m_tokens.data())
            out += '.';
        render(token, subject, tokens, out);
    }
    if (!m_tail)
        return out;
    for (std::size_t i = m_sourceTokens; i < tokens.size(); ++i) {
        if (!m_tokens.empty() || i > m_sourceTokens)
            out += '.';
        out += tokens[i];
    }
    return out;
}

} // namespace jetglass::subjects
