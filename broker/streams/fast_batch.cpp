// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/fast_batch.h"

#include "streams/json_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace jetglass::streams {
namespace {

constexpr std::uint16_t kStartInterval = 500; ///< and what all publishers of a stream share
constexpr std::int64_t kDefaultFlow = 10;

enum class Operation : std::uint8_t
{
    Start,
    Append,
    Commit,
    CommitEmpty,
    Ping
};

template<class Number>
std::optional<Number> digits(std::string_view text)
{
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || text.front() == '-' || error != std::errc{}
        || end != text.data() + text.size())
        return {};
    return value;
}

/// Cuts the last token off; nothing if there is no token before it.
std::optional<std::string_view> takeLast(std::string_view& subject)
{
    const std::size_t dot = subject.rfind('.');
    if (dot == std::string_view::npos)
        return {};
    const std::string_view last = subject.substr(dot + 1);
    subject = subject.substr(0, dot);
    return last;
}

} // namespace

std::optional<FastBatchStep> FastBatchStep::parse(std::string_view reply)
{
    reply.remove_suffix(std::min(reply.size(), kFastBatchSuffix.size()));
    const auto operation = takeLast(reply);
    const auto seq = takeLast(reply);
    const auto gap = takeLast(reply);
    const auto flow = takeLast(reply);
    const auto id = takeLast(reply);
    if (!id || !operation || !seq || !gap || !flow)
        return {};
    FastBatchStep step;
    const auto number = digits<std::uint64_t>(*operation);
    const auto place = digits<std::uint64_t>(*seq);
    if (!number || *number > static_cast<std::uint64_t>(Operation::Ping))
        return {};
    if (!place || *place == 0 || *place == std::numeric_limits<std::uint64_t>::max())
        return {};
    if (*gap != "fail" && *gap != "ok")
        return {};
    const auto what = static_cast<Operation>(*number);
    const bool first = *place == 1;
    if ((what == Operation::Start && !first) || (what == Operation::Append && first)
        || (what == Operation::CommitEmpty && first))
        return {};
    std::int64_t interval = digits<std::int64_t>(*flow).value_or(0);
    if (interval <= 0)
        interval = kDefaultFlow;
    step.id = *id;
    step.seq = *place;
    step.gapOk = *gap == "ok";
    step.flow = static_cast<std::uint16_t>(std::min<std::int64_t>(interval, 65535));
    step.ping = what == Operation::Ping;
    step.empty = what == Operation::CommitEmpty;
    step.commit = step.empty || what == Operation::Commit;
    return step;
}

FastBatch::FastBatch(const FastBatchStep& start, std::size_t open)
    : every(open > 1 ? std::uint16_t{1} : std::min(kStartInterval, start.flow))
    , most(start.flow)
    , gapOk(start.gapOk)
{
}

bool FastBatch::ackDue(std::size_t open)
{
    if (last < told + every)
        return false;
    // Instead of several acks the last of them.
    told += (last - told) / every * every;
    const auto share = static_cast<std::uint16_t>(
        std::max<std::size_t>(1, kStartInterval / std::max<std::size_t>(1, open)));
    const std::uint32_t allowed = std::min(share, most);
    std::uint32_t next = every;
    if (next < allowed)
        next = std::min(next * 2, allowed);
    else if (next > allowed)
        next = std::max(next / 2, allowed);
    every = static_cast<std::uint16_t>(next);
    return true;
}

std::string flowAckText(const FastBatch& batch)
{
    return R"({"type":"ack","seq":)" + std::to_string(batch.told) + R"(,"msgs":)"
        + std::to_string(batch.every) + "}";
}

std::string flowGapText(std::uint64_t expected, std::uint64_t came)
{
    return R"({"type":"gap","last_seq":)" + std::to_string(expected) + R"(,"seq":)"
        + std::to_string(came) + "}";
}

std::string flowErrorText(std::uint64_t seq, const Error& error)
{
    return R"({"type":"err","seq":)" + std::to_string(seq) + R"(,"error":)" + errorText(error)
        + "}";
}

std::string errorText(const Error& error)
{
    return "{\"code\":" + std::to_string(error.apiCode) + ",\"err_code\":"
        + std::to_string(error.apiErrCode) + ",\"description\":" + quoteJson(error.text) + "}";
}

} // namespace jetglass::streams
