// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jetglass::archive {

/// How the body of an answer is packed, which its header Content-Encoding names.
enum class ContentEncoding : std::uint8_t
{
    None, ///< nobody asked: no header either
    Snappy,
    Gzip,
    Identity ///< asked for, but nothing of what is known here
};

/// Reads the header Accept-Encoding; empty = it is not there. Snappy comes before gzip, whatever
/// their order.
[[nodiscard]] ContentEncoding acceptedEncoding(std::string_view accepted);
/// The value of Content-Encoding; empty for None.
[[nodiscard]] std::string_view encodingName(ContentEncoding encoding);
[[nodiscard]] std::string encodeContent(std::string_view bytes, ContentEncoding encoding);

} // namespace jetglass::archive
