// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace jetglass::streams {

/// The headers that publishing looks at, found in one pass over the block. Names match exactly, the
/// first occurrence counts, leading spaces of a value are skipped, and an empty value counts as
/// absent (streams.md 3.1.5).
struct PublishHeaders
{
    std::string_view msgId;
    std::string_view expectedStream;
    std::string_view expectedLastMsgId;
    std::string_view expectedLastSeq;
    std::string_view expectedLastSubjectSeq;
    std::string_view expectedLastSubjectSeqSubject;
    std::string_view rollup;
    std::string_view ttl;
    std::string_view increment;
    std::string_view schedule;
    std::string_view scheduleZone; ///< no data() if it is absent; empty is not valid
    std::string_view scheduleNext;
    std::string_view scheduler;
    std::string_view streamSource;
    std::string_view batchId;
    std::string_view requestInfo;
    bool hasStatus = false; ///< text after "NATS/1.0" in the first line

    static PublishHeaders find(std::string_view block);
};

/// Value of the first header of that name; empty if there is none.
[[nodiscard]] std::string_view headerValue(std::string_view block, std::string_view name);
/// The block without all headers of that name; empty if nothing remains.
[[nodiscard]] std::string withoutHeader(std::string_view block, std::string_view name);
/// The block without all headers whose names begin so; empty if nothing remains.
[[nodiscard]] std::string withoutHeadersLike(std::string_view block, std::string_view prefix);
/// The block with one header more at its end; \a block may be empty.
[[nodiscard]] std::string withHeader(
    std::string_view block, std::string_view name, std::string_view value);
/// The block with the value of that header replaced where it stands; added at the end if it is not
/// there.
[[nodiscard]] std::string withHeaderSet(
    std::string_view block, std::string_view name, std::string_view value);
/// The block with its first line reduced to "NATS/1.0"; empty if nothing else remains.
[[nodiscard]] std::string withoutStatus(std::string_view block);

} // namespace jetglass::streams
