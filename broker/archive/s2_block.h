// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::archive {

/// One compressed block of S2: the uncompressed length, then literals and copies. Snappy's blocks
/// are a part of the format; S2 adds copies that repeat the last offset.

/// What a block says that it decompresses to; empty if it does not begin as a block does.
[[nodiscard]] std::optional<std::size_t> s2BlockLength(std::string_view block);
/// Decompresses into \a to, which it fills exactly. False if the block is damaged.
[[nodiscard]] bool decodeS2Block(std::string_view block, std::string& to);
/// Appends a block that every reader of Snappy understands as well. At most 64 KiB at a time.
void encodeS2Block(std::string_view bytes, std::string& to);

inline constexpr std::size_t kMaxEncoderBlock = 65536;

} // namespace jetglass::archive
