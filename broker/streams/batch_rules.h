// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/counter.h"
#include "streams/publish_rules.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace jetglass::streams {

inline constexpr std::string_view kRequiredLevel = "Nats-Required-Api-Level";
/// The message asks for more than this server knows.
[[nodiscard]] bool needsHigherLevel(std::string_view block);

/// The checks of messages in a batch, one after the other, against the stream and against those
/// before them (streams.md 8.6.1). The real server asks them in another order than for a single
/// publish, and some of them have other answers. A fast batch is checked message by message, each
/// with an object of its own.
class BatchCheck
{
public:
    explicit BatchCheck(const PublishFacts& facts)
        : m_facts(facts)
    {
    }
    /// The views must live as long as this object; \a subject is the one it is stored under, \a
    /// block has been cleaned. A repeated message id is a Refuse whose original is set if it is
    /// known.
    [[nodiscard]] PublishVerdict add(std::string_view subject,
        std::string_view block,
        const PublishHeaders& headers,
        std::string_view payload);
    /// What all that has been added takes, as counted for max_bytes.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    struct Written
    {
        std::uint64_t count = 0;
        bool schedule = false;
    };
    std::optional<Error> check(
        store::NewMessage& message, const PublishHeaders& headers, PublishVerdict& verdict);
    std::optional<Error> checkIds(const PublishHeaders& headers, PublishVerdict& verdict);
    std::optional<Error> checkValue(
        store::NewMessage& message, const PublishHeaders& headers, PublishVerdict& verdict);
    std::optional<Error> checkExpected(std::string_view subject, const PublishHeaders& headers);
    std::optional<Error> checkSchedules(
        store::NewMessage& message, const PublishHeaders& headers, PublishVerdict& verdict);
    std::optional<Error> checkRollup(
        std::string_view subject, std::string_view rollup, PublishVerdict& verdict) const;
    std::optional<Error> checkLimits(const store::NewMessage& message, bool rollup) const;

    const PublishFacts& m_facts;
    std::set<std::string, std::less<>> m_ids;
    std::map<std::string, Written, std::less<>> m_written; ///< by subject
    std::map<std::string, std::uint64_t, std::less<>> m_expected; ///< last sequences asked for
    std::map<std::string, Count, std::less<>> m_counts; ///< counters as the batch leaves them
    std::uint64_t m_messages = 0;
    std::uint64_t m_bytes = 0;
};

} // namespace jetglass::streams
