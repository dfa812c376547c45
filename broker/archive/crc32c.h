// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace jetglass::archive {

/// CRC-32C (Castagnoli), as the framing of Snappy and S2 uses it.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);
/// As it stands in a chunk: turned and shifted, so that a checksum of checksums means something.
[[nodiscard]] std::uint32_t maskedCrc32c(std::string_view bytes);

} // namespace jetglass::archive
