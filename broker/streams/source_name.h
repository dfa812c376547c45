// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/stream_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::streams {

/// What tells one source of a stream from the others: origin, filters and destinations
/// (streams.md 6.4).
[[nodiscard]] std::string sourceIndex(const StreamSource& source);

/// The value of Nats-Stream-Source for a message of the source with that index.
[[nodiscard]] std::string sourceHeader(std::string_view index,
    std::uint64_t originSeq,
    std::string_view originSubject,
    std::string_view identity);

/// A value of Nats-Stream-Source taken apart.
struct SourceMark
{
    std::string index; ///< empty in the oldest forms
    std::string stream; ///< with what stands after its name for external origins
    std::uint64_t seq = 0;
    std::string subject; ///< at the origin; empty if not told
    std::string identity;
};
/// Reads the forms with two, five and six words; nothing for anything else.
[[nodiscard]] std::optional<SourceMark> parseSourceHeader(std::string_view value);

/// Tells a stream from one of the same name that was made earlier.
[[nodiscard]] std::string streamIdentity(std::int64_t created);

} // namespace jetglass::streams
