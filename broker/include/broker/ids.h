// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace jetglass {

/// A sequence number that cannot be mixed up with another kind of number. Arithmetic keeps the
/// kind; the distance of two is a plain count.
template<class Tag>
class Sequence
{
public:
    constexpr Sequence() = default;
    constexpr explicit Sequence(std::uint64_t value)
        : m_value(value)
    {
    }

    [[nodiscard]] constexpr std::uint64_t value() const { return m_value; }
    [[nodiscard]] constexpr bool isZero() const { return m_value == 0; }

    // clang-tidy 14 takes the comparison with a literal 0 for one with a pointer.
    friend constexpr auto operator<=>(
        Sequence, Sequence) = default; // NOLINT(modernize-use-nullptr)
    friend constexpr Sequence operator+(Sequence a, std::uint64_t n)
    {
        return Sequence(a.m_value + n);
    }
    friend constexpr Sequence operator-(Sequence a, std::uint64_t n)
    {
        return Sequence(a.m_value - n);
    }
    friend constexpr std::uint64_t operator-(Sequence a, Sequence b)
    {
        return a.m_value - b.m_value;
    }
    constexpr Sequence& operator++()
    {
        ++m_value;
        return *this;
    }

private:
    std::uint64_t m_value = 0;
};

/// Position of a message in its stream, from 1. 0 means "none".
using StreamSeq = Sequence<struct StreamSeqTag>;
/// Number of a delivery made by one consumer, redeliveries included, from 1.
using ConsumerSeq = Sequence<struct ConsumerSeqTag>;

/// Small numbers for the life of one broker start; names are asked for with BrokerOverview. 0 means
/// "none".
enum class StreamId : std::uint32_t
{
};
enum class ConsumerId : std::uint32_t
{
};
/// Connection number as in INFO's client_id. 0 means the broker itself.
enum class ClientId : std::uint32_t
{
};

} // namespace jetglass

template<class Tag>
struct std::hash<jetglass::Sequence<Tag>>
{
    std::size_t operator()(jetglass::Sequence<Tag> s) const noexcept
    {
        return std::hash<std::uint64_t>{}(s.value());
    }
};
