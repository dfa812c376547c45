// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jetglass::archive {

/// Progress of a consumer as backups hold it, in either format.
struct ConsumerProgress
{
    struct Pending
    {
        std::uint64_t seq = 0; ///< of the stream
        std::uint64_t consumerSeq = 0; ///< of the first delivery
        std::int64_t time = 0; ///< of the last delivery, wall ns
    };
    struct Redelivered
    {
        std::uint64_t seq = 0;
        std::uint64_t count = 0; ///< deliveries beyond the first
    };

    std::uint64_t deliveredConsumer = 0;
    std::uint64_t deliveredStream = 0;
    std::uint64_t floorConsumer = 0;
    std::uint64_t floorStream = 0;
    std::vector<Pending> pending; ///< rising by seq
    std::vector<Redelivered> redelivered;
};

/// Reads obs/<consumer>/o.dat of a backup of format 1. None if it is damaged.
[[nodiscard]] std::optional<ConsumerProgress> decodeConsumerFile(std::string_view bytes);

} // namespace jetglass::archive
