// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/message_ttl.h"

#include "base/time_text.h"
#include "streams/publish_headers.h"

#include <charconv>
#include <string>

namespace jetglass::streams {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMaxSeconds = 9'223'372'036;

bool isNever(std::string_view text)
{
    constexpr std::string_view kWord = "never";
    if (text.size() != kWord.size())
        return false;
    for (std::size_t i = 0; i < kWord.size(); ++i)
        if ((text[i] | 0x20) != kWord[i])
            return false;
    return true;
}

} // namespace

std::optional<std::int64_t> parseTtl(std::string_view text)
{
    if (isNever(text))
        return kTtlNever;
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error == std::errc{} && end == text.data() + text.size() && !text.empty()) {
        if (seconds < 1 || seconds > kMaxSeconds)
            return {};
        return seconds * kSecond;
    }
    const auto duration = base::parseGoDuration(text);
    if (!duration || *duration < kSecond)
        return {};
    return *duration / kSecond * kSecond;
}

TimedEnd timedEnd(const StreamConfig& config, std::int64_t stored, std::string_view headers)
{
    TimedEnd end;
    const std::string_view text =
        config.allowMsgTtl ? headerValue(headers, "Nats-TTL") : std::string_view();
    const std::int64_t ttl = text.empty() ? 0 : parseTtl(text).value_or(0);
    if (ttl == kTtlNever)
        return end;
    if (config.maxAge > 0)
        end = {stored + config.maxAge, Removal::MaxAge};
    if (ttl > 0 && (end.at == 0 || stored + ttl < end.at))
        end = {stored + ttl, Removal::Ttl};
    return end;
}

void TtlIndex::removeFrom(StreamSeq seq)
{
    std::erase_if(m_byTime, [seq](const auto& entry) { return entry.second >= seq; });
    m_never.erase(m_never.lower_bound(seq), m_never.end());
}

std::optional<std::int64_t> TtlIndex::next() const
{
    if (m_byTime.empty())
        return {};
    return m_byTime.begin()->first;
}

std::optional<std::pair<StreamSeq, std::int64_t>> TtlIndex::first(
    const std::function<bool(StreamSeq)>& stored) const
{
    constexpr int kLooks = 64;
    int looks = 0;
    for (auto it = m_byTime.begin(); it != m_byTime.end() && looks < kLooks; ++it, ++looks)
        if (stored(it->second))
            return std::pair(it->second, it->first);
    return {};
}

std::vector<StreamSeq> TtlIndex::takeDue(std::int64_t wallTime, std::size_t limit)
{
    std::vector<StreamSeq> due;
    while (!m_byTime.empty() && m_byTime.begin()->first <= wallTime && due.size() < limit) {
        due.push_back(m_byTime.begin()->second);
        m_byTime.erase(m_byTime.begin());
    }
    return due;
}

void TtlIndex::forgetBelow(StreamSeq first)
{
    m_never.erase(m_never.begin(), m_never.lower_bound(first));
    std::erase_if(m_byTime, [first](const auto& entry) { return entry.second < first; });
}

void TtlIndex::clear()
{
    m_byTime.clear();
    m_never.clear();
}

} // namespace jetglass::streams
