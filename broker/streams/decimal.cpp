// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/decimal.h"

#include <algorithm>

namespace jetglass::streams {
namespace {

bool isLess(const std::string& a, const std::string& b)
{
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

int digitFromEnd(const std::string& digits, std::size_t n)
{
    return n < digits.size() ? digits[digits.size() - 1 - n] - '0' : 0;
}

std::string sum(const std::string& a, const std::string& b)
{
    std::string out;
    int carry = 0;
    for (std::size_t n = 0; n < std::max(a.size(), b.size()); ++n) {
        const int digit = digitFromEnd(a, n) + digitFromEnd(b, n) + carry;
        out += static_cast<char>('0' + digit % 10);
        carry = digit / 10;
    }
    if (carry > 0)
        out += '1';
    std::reverse(out.begin(), out.end());
    return out;
}

/// \a b is not greater than \a a.
std::string difference(const std::string& a, const std::string& b)
{
    std::string out;
    int borrow = 0;
    for (std::size_t n = 0; n < a.size(); ++n) {
        int digit = digitFromEnd(a, n) - digitFromEnd(b, n) - borrow;
        borrow = digit < 0 ? 1 : 0;
        digit += 10 * borrow;
        out += static_cast<char>('0' + digit);
    }
    while (out.size() > 1 && out.back() == '0')
        out.pop_back();
    std::reverse(out.begin(), out.end());
    return out;
}

} // namespace

std::optional<Decimal> Decimal::parse(std::string_view text)
{
    Decimal out;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        out.m_negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (text.empty()
        || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return {};
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
    out.m_digits = text;
    if (out.m_digits == "0")
        out.m_negative = false;
    return out;
}

std::string Decimal::text() const
{
    return m_negative ? "-" + m_digits : m_digits;
}

Decimal Decimal::plus(const Decimal& other) const
{
    Decimal out;
    if (m_negative == other.m_negative) {
        out.m_digits = sum(m_digits, other.m_digits);
        out.m_negative = m_negative;
        return out;
    }
    const bool smaller = isLess(m_digits, other.m_digits);
    out.m_digits =
        smaller ? difference(other.m_digits, m_digits) : difference(m_digits, other.m_digits);
    out.m_negative = out.m_digits != "0" && (smaller ? other.m_negative : m_negative);
    return out;
}

Decimal Decimal::minus(const Decimal& other) const
{
    Decimal negated = other;
    negated.m_negative = other.m_digits != "0" && !other.m_negative;
    return plus(negated);
}

} // namespace jetglass::streams
