// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jetglass::streams {

/// A signed whole number of any size: the values of counters. Only what they need.
class Decimal
{
public:
    Decimal() = default; ///< 0
    /// An optional sign and digits, nothing else.
    static std::optional<Decimal> parse(std::string_view text);

    [[nodiscard]] std::string text() const;
    [[nodiscard]] Decimal plus(const Decimal& other) const;
    [[nodiscard]] Decimal minus(const Decimal& other) const;

private:
    std::string m_digits = "0"; ///< without leading zeros
    bool m_negative = false; ///< never of 0
};

} // namespace jetglass::streams
