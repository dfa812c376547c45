// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "broker/config.h"
#include "broker/result.h"
#include "server/account_link.h"
#include "server/subscription.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetglass::server {

class Account;
class Engine;

/// What one account takes from others, as links between the accounts' subscriptions (core.md 3.2).
/// Streams: a link among the exporter's subscribers hands messages to the importer. Services: a
/// link among the importer's subscribers hands requests to the exporter, with a reply subject of
/// its own that leads back until it is answered or too old.
class AccountImports
{
public:
    explicit AccountImports(Engine& engine);
    ~AccountImports();
    AccountImports(const AccountImports&) = delete;
    AccountImports& operator=(const AccountImports&) = delete;

    /// Checks what the file alone cannot tell: the subjects of imports and mappings.
    static Result<void> check(const BrokerConfig& config);
    /// Replaces all links.
    void apply(const BrokerConfig& config);
    /// Somebody unsubscribed: requests that wait for no answer any more are told as failed.
    void interestLost(const Account& account, std::string_view pattern);
    /// Frees what ended during the turn.
    void endTurn() { m_ended.clear(); }
    [[nodiscard]] std::size_t waitingReplies() const { return m_replies.size(); }

private:
    class ServiceLink;
    class ReplyLink;
    void add(Account& exporter,
        Account& importer,
        const ImportConfig& import,
        const ExportConfig& offered);
    void removeReply(const std::string& subject);
    void dropReply(const std::string& subject, bool undelivered);
    std::string keepReply(std::unique_ptr<ReplyLink> link, bool tracked);
    [[nodiscard]] std::string replySubject(bool tracked) const;

    Engine& m_engine;
    bool m_measures = false; ///< some service is
    std::string m_trackedTail; ///< of reply subjects of requests that are measured
    std::vector<std::unique_ptr<AccountLink>> m_links;
    std::unordered_map<std::string, std::unique_ptr<ReplyLink>> m_replies; ///< by subject
    std::vector<std::unique_ptr<AccountLink>> m_ended; ///< may still be on the stack
};

} // namespace jetglass::server
