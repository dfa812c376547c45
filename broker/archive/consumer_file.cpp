// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/consumer_file.h"

#include "archive/seven_bits.h"

#include <algorithm>

namespace jetglass::archive {

namespace {

constexpr char kConsumerMagic = 22;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kHighBit = std::uint64_t{1} << 63U;

/// Sequences count from the floor and times are whole seconds back from the newest; version 1 knew
/// no consumer sequences and counted times onward.
bool readPending(SevenBitReader& in, int version, ConsumerProgress& progress)
{
    const std::uint64_t count = in.number();
    if (count == 0)
        return in.good();
    const std::int64_t base = in.signedNumber();
    for (std::uint64_t i = 0; i < count && in.good(); ++i) {
        ConsumerProgress::Pending pending;
        pending.seq = in.number() + progress.floorStream;
        if (version == 2)
            pending.consumerSeq = in.number() + progress.floorConsumer;
        const std::int64_t seconds = in.signedNumber();
        if (!in.good() || pending.seq == 0)
            return false;
        const std::uint64_t sum = version == 1
            ? static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(seconds)
            : static_cast<std::uint64_t>(base) - static_cast<std::uint64_t>(seconds);
        pending.time = static_cast<std::int64_t>(sum * static_cast<std::uint64_t>(kSecond));
        progress.pending.push_back(pending);
    }
    std::sort(progress.pending.begin(), progress.pending.end(), [](const auto& a, const auto& b) {
        return a.seq < b.seq;
    });
    return in.good();
}

} // namespace

std::optional<ConsumerProgress> decodeConsumerFile(std::string_view bytes)
{
    ConsumerProgress progress;
    if (bytes.size() < 2 || bytes[0] != kConsumerMagic || (bytes[1] != 1 && bytes[1] != 2))
        return {};
    const int version = static_cast<unsigned char>(bytes[1]);
    SevenBitReader in(bytes.substr(2));
    progress.floorConsumer = in.number();
    progress.floorStream = in.number();
    progress.deliveredConsumer = in.number();
    progress.deliveredStream = in.number();
    if (version == 1) {
        // It stored what comes next.
        if (progress.floorConsumer > 1)
            progress.deliveredConsumer += progress.floorConsumer - 1;
        if (progress.floorStream > 1)
            progress.deliveredStream += progress.floorStream - 1;
    }
    if (!in.good() || ((progress.floorStream | progress.deliveredStream) & kHighBit) != 0)
        return {};
    if (!readPending(in, version, progress))
        return {};
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        const std::uint64_t seq = in.number();
        const std::uint64_t count = in.number();
        if (in.good() && seq > 0 && count > 0)
            progress.redelivered.push_back({seq + progress.floorStream, count});
    }
    return progress;
}

} // namespace jetglass::archive
