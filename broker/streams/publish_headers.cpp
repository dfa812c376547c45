// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/publish_headers.h"

#include <array>
#include <utility>

namespace jetglass::streams {
namespace {

constexpr std::string_view kLine = "NATS/1.0";
constexpr std::string_view kEnd = "\r\n";

struct Known
{
    std::string_view name;
    std::string_view PublishHeaders::*member;
};
constexpr std::array<Known, 16> kKnown{{
    {"Nats-Msg-Id", &PublishHeaders::msgId},
    {"Nats-Expected-Stream", &PublishHeaders::expectedStream},
    {"Nats-Expected-Last-Msg-Id", &PublishHeaders::expectedLastMsgId},
    {"Nats-Expected-Last-Sequence", &PublishHeaders::expectedLastSeq},
    {"Nats-Expected-Last-Subject-Sequence", &PublishHeaders::expectedLastSubjectSeq},
    {"Nats-Expected-Last-Subject-Sequence-Subject", &PublishHeaders::expectedLastSubjectSeqSubject},
    {"Nats-Rollup", &PublishHeaders::rollup},
    {"Nats-TTL", &PublishHeaders::ttl},
    {"Nats-Incr", &PublishHeaders::increment},
    {"Nats-Schedule", &PublishHeaders::schedule},
    {"Nats-Schedule-Time-Zone", &PublishHeaders::scheduleZone},
    {"Nats-Schedule-Next", &PublishHeaders::scheduleNext},
    {"Nats-Scheduler", &PublishHeaders::scheduler},
    {"Nats-Stream-Source", &PublishHeaders::streamSource},
    {"Nats-Batch-Id", &PublishHeaders::batchId},
    {"Nats-Request-Info", &PublishHeaders::requestInfo},
}};

std::string_view trimLeft(std::string_view value)
{
    while (!value.empty() && value.front() == ' ')
        value.remove_prefix(1);
    return value;
}

/// Calls \a use with each line of the block after the first, without its end; stops when it returns
/// false.
template<class Use>
void eachLine(std::string_view block, Use use)
{
    std::size_t at = block.find('\n');
    while (at != std::string_view::npos && at + 1 < block.size()) {
        const std::size_t start = at + 1;
        at = block.find('\n', start);
        std::string_view line = block.substr(start, at == std::string_view::npos ? at : at - start);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (line.empty() || !use(line))
            return;
    }
}

} // namespace

PublishHeaders PublishHeaders::find(std::string_view block)
{
    PublishHeaders found;
    std::string_view first = block.substr(0, block.find('\n'));
    if (!first.empty() && first.back() == '\r')
        first.remove_suffix(1);
    found.hasStatus = first.size() > kLine.size();
    eachLine(block, [&found](std::string_view line) {
        if (!line.starts_with("Nats-"))
            return true;
        const std::size_t colon = line.find(':');
        const std::string_view name = line.substr(0, colon);
        if (colon == std::string_view::npos)
            return true;
        for (const Known& known : kKnown)
            if (known.name == name) {
                std::string_view& value = found.*known.member;
                if (!value.data())
                    value = trimLeft(line.substr(colon + 1));
                break;
            }
        return true;
    });
    return found;
}

std::string_view headerValue(std::string_view block, std::string_view name)
{
    std::string_view value;
    eachLine(block, [&](std::string_view line) {
        if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':')
            return true;
        value = trimLeft(line.substr(name.size() + 1));
        return false;
    });
    return value;
}

namespace {

/// The block without the lines that \a drop picks; empty if nothing remains.
template<class Drop>
std::string withoutLines(std::string_view block, Drop drop)
{
    std::string out(block.substr(0, block.find('\n') + 1));
    bool any = false;
    eachLine(block, [&](std::string_view line) {
        if (drop(line))
            return true;
        out += line;
        out += kEnd;
        any = true;
        return true;
    });
    out += kEnd;
    return any ? out : std::string();
}

} // namespace

std::string withoutHeader(std::string_view block, std::string_view name)
{
    return withoutLines(block, [name](std::string_view line) {
        return line.starts_with(name) && line.size() > name.size() && line[name.size()] == ':';
    });
}

std::string withoutHeadersLike(std::string_view block, std::string_view prefix)
{
    return withoutLines(
        block, [prefix](std::string_view line) { return line.starts_with(prefix); });
}

std::string withHeader(std::string_view block, std::string_view name, std::string_view value)
{
    std::string out(block.empty() ? "NATS/1.0\r\n\r\n" : block);
    out.resize(out.size() - kEnd.size());
    out += name;
    out += ": ";
    out += value;
    out += kEnd;
    out += kEnd;
    return out;
}

std::string withHeaderSet(std::string_view block, std::string_view name, std::string_view value)
{
    const std::string_view old = headerValue(block, name);
    if (!old.data())
        return withHeader(block, name, value);
    std::string out(block.substr(0, static_cast<std::size_t>(old.data() - block.data())));
    out += value;
    out += block.substr(out.size() - value.size() + old.size());
    return out;
}

std::string withoutStatus(std::string_view block)
{
    std::string out(kLine);
    out += kEnd;
    const std::size_t head = out.size();
    eachLine(block, [&](std::string_view line) {
        out += line;
        out += kEnd;
        return true;
    });
    if (out.size() == head)
        return {};
    out += kEnd;
    return out;
}

} // namespace jetglass::streams
