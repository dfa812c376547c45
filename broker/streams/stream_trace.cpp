// SPDX-License-Identifier: GPL-3.0-or-later
// What a stream tells of a message that is followed on its way.
#include "streams/stream_state.h"

#include <fmt/format.h>

namespace jetglass::streams {

namespace {

constexpr int kWrongLastSequence = 10071;
constexpr int kWrongLastMsgId = 10070;
constexpr int kTooLarge = 10054;
constexpr int kTtlDisabled = 10166;
constexpr int kStoreFailed = 10077;
constexpr int kWrongStream = 10060;
constexpr int kRollup = 10111;
constexpr int kDuplicateInBatch = 10201;

std::string_view afterColon(std::string_view text)
{
    const auto colon = text.find(": ");
    return colon == std::string_view::npos ? std::string_view() : text.substr(colon + 2);
}

/// Why it is not stored, in the words that the server has for itself.
std::string reasonOf(const Error& error, const PublishHeaders& headers)
{
    const std::string_view actual = afterColon(error.text);
    switch (error.apiErrCode) {
    case kWrongLastSequence:
        return headers.expectedLastSubjectSeq.empty()
            ? fmt::format("last sequence mismatch: {} vs {}", headers.expectedLastSeq, actual)
            : fmt::format("last sequence by subject mismatch: {} vs {}",
                headers.expectedLastSubjectSeq,
                actual);
    case kWrongLastMsgId:
        return fmt::format(
            "last msgid mismatch: \"{}\" vs \"{}\"", headers.expectedLastMsgId, actual);
    case kTooLarge:
        return "maximum payload exceeded";
    case kTtlDisabled:
        return "message TTL disabled";
    case kDuplicateInBatch:
        return "msgid is duplicate";
    case kStoreFailed:
    case kWrongStream:
    case kRollup:
        return error.text;
    default:
        return fmt::format("{} ({})", error.text, error.apiErrCode);
    }
}

} // namespace

bool Stream::Private::toldTracer(
    const Inbound& message, std::string_view subject, const PublishVerdict& verdict) const
{
    using Kind = PublishVerdict::Kind;
    MessageTracer& tracer = *message.tracer;
    if (verdict.kind == Kind::Duplicate) {
        tracer.reachedStream(config.name, {}, false, "msgid is duplicate");
        return false;
    }
    // Only storing it would show that there is no room.
    if (verdict.kind == Kind::Refuse
        && !(tracer.wayOnly() && verdict.error.apiErrCode == kStoreFailed))
        return false; // told when it is refused
    tracer.reachedStream(config.name, subject, verdict.kind == Kind::Skip, {});
    return tracer.wayOnly();
}

void Stream::Private::tellRefused(
    std::string_view subject, const Inbound& message, const Error& error) const
{
    const PublishHeaders headers = PublishHeaders::find(message.headers);
    const bool inBatch = !headers.batchId.empty() || message.reply.ends_with(kFastBatchSuffix);
    std::string reason = reasonOf(error, headers);
    if (inBatch && error.apiErrCode == kTooLarge)
        reason = fmt::format(
            "JetStream message size exceeds limits for '{} > {}'", context.account, config.name);
    const bool full = error.apiErrCode == kStoreFailed;
    message.tracer->reachedStream(config.name, full ? subject : std::string_view(), false, reason);
}

} // namespace jetglass::streams
