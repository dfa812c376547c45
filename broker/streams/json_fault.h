// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace jetglass::streams {

/// What is wrong with a text that is not JSON.
struct JsonFault
{
    std::string text; ///< in the reference server's words; empty if the text ends too early
    std::size_t offset = 0; ///< bytes up to and with the one that is wrong
};

/// The first fault of the first value in \a text; \a whole: nothing but blanks may follow the
/// value.
[[nodiscard]] std::optional<JsonFault> findJsonFault(std::string_view text, bool whole);

} // namespace jetglass::streams
