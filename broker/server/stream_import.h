// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/config.h"
#include "server/account_link.h"
#include "server/subscription.h"
#include "subjects/subject_transform.h"

#include <memory>
#include <string_view>

namespace jetglass::server {

class Account;

/// What one account takes of the messages of another: a link among the exporter's subscribers.
class StreamImport final : public AccountLink
{
public:
    StreamImport(Account& exporter,
        Account& importer,
        subjects::Transform transform,
        const ImportConfig& import);
    ~StreamImport() override;

    std::size_t forward(const Routed& message) override;
    [[nodiscard]] bool hasInterest(std::string_view subject) const override;
    [[nodiscard]] bool hasExactInterest(
        std::string_view subject, std::string_view queue) const override;
    [[nodiscard]] std::optional<LinkEnd> otherEnd(std::string_view subject) const override;
    void touched(std::string_view subject) override;

private:
    void touchAll();

    Account& m_exporter;
    Account& m_importer;
    subjects::Transform m_transform;
    bool m_allowTrace;
    std::unique_ptr<Subscription> m_subscription;
    mutable bool m_active = false;
};

} // namespace jetglass::server
