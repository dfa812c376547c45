// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/external_streams.h"

#include "server/account.h"
#include "server/account_link.h"
#include "streams/stream_registry.h"

#include <optional>
#include <string>

namespace jetglass::host {

namespace {

constexpr int kMostHops = 16; ///< imports of imports

/// A request as the link's own for a consumer, and its answers, would be called.
constexpr std::string_view kCreate = "$JS.API.CONSUMER.CREATE.";
constexpr std::string_view kConsumer = ".x";
constexpr std::string_view kDelivery = ".S.x";

/// The account that serves a request on \a subject, and what it is called there.
std::optional<server::LinkEnd> served(const server::Account& from, std::string subject)
{
    const server::Account* at = &from;
    for (int hop = 0; hop < kMostHops; ++hop) {
        if (hop > 0 && subject.starts_with(kCreate))
            return server::LinkEnd{at, std::move(subject)};
        std::vector<server::LinkEnd> ends = at->linkEnds(subject);
        if (ends.empty())
            return {};
        at = ends.front().account;
        subject = std::move(ends.front().subject);
    }
    return {};
}

bool reaches(
    const server::Account& from, const server::Account& to, std::string_view subject, int hops)
{
    for (const server::LinkEnd& end : from.linkEnds(subject)) {
        if (end.account == &to || (hops > 1 && reaches(*end.account, to, end.subject, hops - 1)))
            return true;
    }
    return false;
}

} // namespace

streams::ExternalOrigin findBehindImports(const server::Account& account,
    const StreamSource::External& external,
    std::string_view stream,
    const RegistryOf& registryOf)
{
    std::string subject = external.api + ".CONSUMER.CREATE.";
    subject.append(stream).append(kConsumer);
    const auto end = served(account, std::move(subject));
    streams::StreamRegistry* registry = end ? registryOf(end->account->name()) : nullptr;
    if (registry == nullptr)
        return {};
    std::string_view name = std::string_view(end->subject).substr(kCreate.size());
    name = name.substr(0, name.find('.'));
    streams::Stream* origin = registry->find(name);
    if (origin == nullptr)
        return {true, nullptr, false};
    std::string delivery = external.deliver;
    delivery.append(kDelivery);
    if (external.deliver.empty() || !reaches(*end->account, account, delivery, kMostHops))
        return {true, nullptr, true};
    return {true, origin, false};
}

} // namespace jetglass::host
