// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/subject_transform.h"

#include "subjects/subject.h"

#include <array>
#include <charconv>
#include <random>

namespace jetglass::streams {
namespace {

constexpr std::string_view kPrefix = "invalid mapping destination: ";

Error mappingError(std::string_view what, std::string_view token, std::string_view tail = {})
{
    std::string text(kPrefix);
    text += what;
    text += " in ";
    text += token;
    text += tail;
    return {Errc::InvalidArgument, std::move(text)};
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

Error invalidSubject()
{
    return {Errc::InvalidArgument, "invalid subject"};
}

/// "{{name(arguments)}}", or something that wants to be it.
bool isCall(std::string_view text)
{
    return text.size() > 4 && text.starts_with("{{") && text.ends_with("}}");
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

std::string_view trim(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

std::optional<std::int64_t> integer(std::string_view text)
{
    std::int64_t value = 0;
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
        return {};
    return value;
}

std::string lower(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + 32);
    return out;
}

void cut(std::string_view text, std::int64_t size, bool fromLeft, std::string& out)
{
    const auto step = static_cast<std::size_t>(size);
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

} // namespace

std::optional<Transform::Function> Transform::functionNamed(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, Function>, 10> kNames{{
        {"wildcard", Function::Wildcard},
        {"partition", Function::Partition},
        {"splitfromleft", Function::SplitFromLeft},
        {"splitfromright", Function::SplitFromRight},
        {"slicefromleft", Function::SliceFromLeft},
        {"slicefromright", Function::SliceFromRight},
        {"split", Function::Split},
        {"left", Function::Left},
        {"right", Function::Right},
        {"random", Function::Random},
    }};
    const std::string key = lower(name);
    for (const auto& [known, function] : kNames)
        if (known == key)
            return function;
    return {};
}

Result<Transform::Token> Transform::parseArguments(
    Function function, const std::vector<std::string>& arguments, std::string_view text)
{
    constexpr std::string_view kFew = "not enough arguments passed to the function";
    constexpr std::string_view kMany = "too many arguments passed to the function";
    constexpr std::string_view kWrong = "function argument is invalid or in the wrong format";
    Token token;
    token.function = function;
    if (function == Function::Partition) {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const auto number = integer(arguments[i]);
            if (!number || *number < 0)
                return mappingError(kWrong, text);
            if (i == 0)
                token.number = *number;
            else
                token.wildcards.push_back(static_cast<std::size_t>(*number));
        }
        return token;
    }
    const std::size_t wanted =
        function == Function::Wildcard || function == Function::Random ? 1 : 2;
    if (arguments.size() < wanted || (arguments.size() == 1 && arguments[0].empty()))
        return mappingError(kFew, text);
    if (arguments.size() > wanted)
        return mappingError(kMany, text);
    const auto first = integer(arguments[0]);
    if (!first || *first < 0)
        return mappingError(kWrong, text);
    if (function == Function::Random) {
        token.number = *first;
        return token;
    }
    token.wildcards.push_back(static_cast<std::size_t>(*first));
    if (function == Function::Split) {
        if (arguments[1].find_first_of(" .") != std::string::npos)
            return mappingError(kWrong, text);
        token.text = arguments[1];
    } else if (function != Function::Wildcard) {
        const auto second = integer(arguments[1]);
        if (!second)
            return mappingError(kWrong, text);
        token.number = *second;
    }
    return token;
}

std::optional<Transform::Function> Transform::functionOf(std::string_view text)
{
    const std::string_view inner = trim(text.substr(2, text.size() - 4));
    const std::size_t open = inner.find('(');
    if (open == std::string_view::npos || inner.back() != ')')
        return {};
    return functionNamed(trim(inner.substr(0, open)));
}

Result<Transform::Token> Transform::parseFunction(std::string_view text)
{
    const auto function = functionOf(text);
    if (!function)
        return mappingError("unknown function", text);
    const std::string_view inner = trim(text.substr(2, text.size() - 4));
    const std::size_t open = inner.find('(');
    std::vector<std::string> arguments;
    for (const std::string_view part : split(inner.substr(open + 1, inner.size() - open - 2), ','))
        arguments.emplace_back(trim(part));
    return parseArguments(*function, arguments, text);
}

Result<Transform::Token> Transform::parseToken(std::string_view text)
{
    if (text.size() > 1 && text.front() == '$')
        if (const auto number = integer(text.substr(1)); number && *number >= 0) {
            Token token;
            token.function = Function::Wildcard;
            token.wildcards.push_back(static_cast<std::size_t>(*number));
            return token;
        }
    if (isCall(text))
        return parseFunction(text);
    Token token;
    token.text = text;
    return token;
}

Result<void> Transform::checkIndexes(
    const Token& token, std::size_t wildcards, std::string_view text)
{
    constexpr std::string_view kRange = "wildcard index out of range";
    if (wildcards == 0 && token.function == Function::Partition)
        return {}; // of the whole subject, whatever it names
    if (wildcards == 0 && !token.wildcards.empty())
        return mappingError(kRange, text);
    for (const std::size_t index : token.wildcards)
        if (index == 0 || index > wildcards)
            return mappingError(kRange, text, ": [" + std::to_string(index) + "]");
    return {};
}

/// What is wrong with the destination whatever its source is.
Result<void> Transform::checkDestination(const std::vector<std::string_view>& tokens)
{
    for (const std::string_view token : tokens) {
        if (token.empty())
            return Error{Errc::InvalidArgument, std::string(kPrefix) + "invalid transform"};
        if (isCall(token) && !functionOf(token))
            return mappingError("unknown function", token);
    }
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i] == "*" || (tokens[i] == ">" && i + 1 != tokens.size()))
            return invalidSubject();
    return {};
}

Result<Transform> Transform::compile(std::string_view src, std::string_view dest)
{
    Transform transform;
    transform.m_source = src.empty() ? ">" : src;
    if (!subjects::isValidStreamSubject(transform.m_source))
        return invalidSubject();
    const bool sourceTail = transform.m_source == ">" || transform.m_source.ends_with(".>");
    if (dest.empty() || (dest == ">" && transform.m_source == ">")) {
        transform.m_identity = true;
        return transform;
    }
    std::size_t wildcards = 0;
    for (const std::string_view token : split(transform.m_source, '.'))
        if (token == "*")
            ++wildcards;
    const std::vector<std::string_view> tokens = split(dest, '.');
    if (auto checked = checkDestination(tokens); !checked)
        return checked.error();
    transform.m_tail = tokens.back() == ">";
    if (transform.m_tail != sourceTail)
        return invalidSubject();
    for (const std::string_view text : tokens) {
        if (text == ">")
            break;
        auto token = parseToken(text);
        if (!token)
            return token.error();
        if (token->function == Function::Text
            && text.find_first_of(" \t\r\n\f") != std::string_view::npos)
            return invalidSubject();
        if (auto checked = checkIndexes(*token, wildcards, text); !checked)
            return checked.error();
        if (wildcards == 0)
            token->wildcards.clear();
        transform.m_tokens.push_back(std::move(*token));
    }
    return transform;
}

bool Transform::matches(std::string_view subject) const
{
    return subjects::matches(m_source, subject);
}

void Transform::render(const Token& token,
    std::string_view subject,
    const std::vector<std::string_view>& wildcards,
    std::string& out)
{
    if (token.function == Function::Text) {
        out += token.text;
        return;
    }
    if (token.function == Function::Random) {
        static std::minstd_rand engine{std::random_device{}()};
        out += std::to_string(
            token.number <= 0 ? 0 : static_cast<std::int64_t>(engine()) % token.number);
        return;
    }
    if (token.function == Function::Partition) {
        std::string key;
        for (const std::size_t index : token.wildcards)
            key += wildcards[index - 1];
        const std::uint32_t hash =
            fnv1a(token.wildcards.empty() ? subject : std::string_view(key));
        out +=
            std::to_string(token.number == 0 ? 0 : static_cast<std::int64_t>(hash) % token.number);
        return;
    }
    const std::string_view value = wildcards[token.wildcards.front() - 1];
    const auto size = static_cast<std::int64_t>(value.size());
    const bool whole = token.number <= 0 || token.number >= size;
    const auto n = static_cast<std::size_t>(whole ? 0 : token.number);
    switch (token.function) {
    case Function::SplitFromLeft:
        out += value.substr(0, n);
        if (!whole)
            out += '.';
        out += value.substr(n);
        break;
    case Function::SplitFromRight:
        out += value.substr(0, value.size() - n);
        if (!whole) {
            out += '.';
            out += value.substr(value.size() - n);
        }
        break;
    case Function::SliceFromLeft:
    case Function::SliceFromRight:
        if (whole)
            out += value;
        else
            cut(value, token.number, token.function == Function::SliceFromLeft, out);
        break;
    case Function::Split: {
        std::size_t at = 0;
        bool first = true;
        while (at <= value.size()) {
            const std::size_t end =
                token.text.empty() ? std::string_view::npos : value.find(token.text, at);
            const std::string_view part =
                value.substr(at, end == std::string_view::npos ? end : end - at);
            if (!part.empty()) {
                if (!first)
                    out += '.';
                out += part;
                first = false;
            }
            if (end == std::string_view::npos)
                break;
            at = end + token.text.size();
        }
        break;
    }
    case Function::Left:
        out += whole ? value : value.substr(0, n);
        break;
    case Function::Right:
        out += whole ? value : value.substr(value.size() - n);
        break;
    default:
        out += value;
    }
}

std::optional<std::string> Transform::apply(std::string_view subject) const
{
    if (!matches(subject))
        return {};
    if (m_identity)
        return std::string(subject);
    std::vector<std::string_view> wildcards;
    std::string_view tail;
    std::size_t at = 0;
    for (const std::string_view token : split(m_source, '.')) {
        if (token == ">") {
            tail = subject.substr(at);
            break;
        }
        const std::size_t end = std::min(subject.find('.', at), subject.size());
        if (token == "*")
            wildcards.push_back(subject.substr(at, end - at));
        at = std::min(end + 1, subject.size());
    }
    std::string out;
    for (const Token& token : m_tokens) {
        if (!out.empty())
            out += '.';
        render(token, subject, wildcards, out);
    }
    if (m_tail) {
        if (!out.empty())
            out += '.';
        out += tail;
    }
    return out;
}

} // namespace jetglass::streams
