// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_number.h"

#include "base/time_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace jetglass::daemon {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool allDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

/// 1 for no suffix, 0 for one that is none.
std::int64_t factorOf(std::string_view suffix)
{
    if (suffix.empty())
        return 1;
    constexpr std::string_view kLetters = "kmgtpe";
    const auto power = kLetters.find(suffix[0]);
    const std::string_view rest = suffix.substr(1);
    if (power == std::string_view::npos
        || (!rest.empty() && rest != "b" && rest != "i" && rest != "ib"))
        return 0;
    const std::int64_t step = rest.empty() ? 1000 : 1024;
    std::int64_t factor = 1;
    for (std::size_t i = 0; i <= power; ++i)
        factor *= step;
    return factor;
}

bool readBool(std::string_view word, ConfigValue& into)
{
    const std::string lower = lowered(word);
    const bool yes = lower == "true" || lower == "yes" || lower == "on";
    if (!yes && lower != "false" && lower != "no" && lower != "off")
        return false;
    into.kind = ConfigValue::Kind::Bool;
    into.flag = yes;
    return true;
}

bool readInteger(std::string_view word, ConfigValue& into, std::string& problem)
{
    const bool negative = word[0] == '-';
    const std::string_view body = word.substr(negative ? 1 : 0);
    const auto end = std::find_if_not(body.begin(), body.end(), isDigit);
    const auto digits = body.substr(0, static_cast<std::size_t>(end - body.begin()));
    const std::int64_t factor = factorOf(lowered(body.substr(digits.size())));
    if (digits.empty() || factor == 0)
        return false;
    std::int64_t value = 0;
    const auto [last, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure != std::errc{} || __builtin_mul_overflow(value, factor, &value)) {
        problem = "integer '" + std::string(word) + "' is out of the range";
        return false;
    }
    into.kind = ConfigValue::Kind::Integer;
    into.integer = negative ? -value : value;
    into.number = static_cast<double>(into.integer);
    into.text = word;
    return true;
}

bool readFloat(std::string_view word, ConfigValue& into)
{
    const std::string_view body = word.substr(word[0] == '-' ? 1 : 0);
    const auto point = body.find('.');
    if (point == std::string_view::npos || !allDigits(body.substr(0, point))
        || !allDigits(body.substr(point + 1)))
        return false;
    double value = 0;
    const auto [last, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure != std::errc{})
        return false;
    into.kind = ConfigValue::Kind::Float;
    into.number = value;
    into.text = word;
    return true;
}

bool readDate(std::string_view word, ConfigValue& into)
{
    constexpr std::size_t kDateSize = 20; // 2006-01-02T15:04:05Z
    if (word.size() != kDateSize || word[4] != '-' || word[10] != 'T' || word.back() != 'Z'
        || !base::parseRfc3339(word))
        return false;
    into.kind = ConfigValue::Kind::Date;
    into.text = word;
    return true;
}

} // namespace

bool readScalar(std::string_view word, ConfigValue& into, std::string& problem)
{
    if (word.empty())
        return false;
    if (readBool(word, into))
        return true;
    if (word[0] == '-' && (word.size() == 1 || !isDigit(word[1]))) {
        problem =
            std::string("Expected a digit but got '") + (word.size() == 1 ? ' ' : word[1]) + "'.";
        return false;
    }
    if (!isDigit(word[0]) && word[0] != '-')
        return false;
    return readInteger(word, into, problem)
        || (problem.empty() && (readFloat(word, into) || readDate(word, into)));
}

std::optional<std::int64_t> parseQuotedSize(std::string_view text)
{
    if (text.empty())
        return 0;
    constexpr std::string_view kLetters = "KMGT";
    const auto power = kLetters.find(text.back());
    if (power == std::string_view::npos)
        return std::nullopt;
    std::int64_t factor = 1;
    for (std::size_t i = 0; i <= power; ++i)
        factor *= 1024;
    text.remove_suffix(1);
    std::int64_t value = 0;
    const auto [last, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || last != text.data() + text.size()
        || __builtin_mul_overflow(value, factor, &value))
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    if (text.starts_with('+') && !text.substr(1).starts_with('-'))
        text.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool all = error == std::errc{} && end == text.data() + text.size();
    return all ? std::optional(value) : std::nullopt;
}

} // namespace jetglass::daemon
