// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"
#include "monitor/document.h"
#include "subjects/subject.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <string_view>

namespace jetglass::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kConnectionLimit = 1024;

/// What a request asks for beside its filters.
struct Wanted
{
    bool auth = false;
    bool subjects = false;
    bool details = false;
};

std::uint64_t number(ClientId id)
{
    return static_cast<std::uint64_t>(id);
}

/// Ascending for cid and start, descending for all else, as the reference does. Null for an unknown
/// word.
std::function<bool(const ConnectionFacts&, const ConnectionFacts&)> orderOf(
    const std::string& sort, std::int64_t now)
{
    using C = ConnectionFacts;
    const auto end = [now](const C& c) { return c.stop != 0 ? c.stop : now; };
    if (sort.empty() || sort == "cid" || sort == "start")
        return [](const C& a, const C& b) { return a.id < b.id; };
    if (sort == "subs")
        return [](const C& a, const C& b) { return a.subscriptions > b.subscriptions; };
    if (sort == "pending")
        return [](const C& a, const C& b) { return a.pendingBytes > b.pendingBytes; };
    if (sort == "msgs_to")
        return [](const C& a, const C& b) { return a.out.messages > b.out.messages; };
    if (sort == "msgs_from")
        return [](const C& a, const C& b) { return a.in.messages > b.in.messages; };
    if (sort == "bytes_to")
        return [](const C& a, const C& b) { return a.out.bytes > b.out.bytes; };
    if (sort == "bytes_from")
        return [](const C& a, const C& b) { return a.in.bytes > b.in.bytes; };
    if (sort == "last")
        return [](const C& a, const C& b) { return a.lastActivity > b.lastActivity; };
    if (sort == "idle")
        return [end](const C& a, const C& b) {
            return end(a) - a.lastActivity > end(b) - b.lastActivity;
        };
    if (sort == "uptime")
        return [end](const C& a, const C& b) { return end(a) - a.start > end(b) - b.start; };
    if (sort == "stop")
        return [](const C& a, const C& b) { return a.stop > b.stop; };
    if (sort == "reason")
        return [](const C& a, const C& b) { return a.reason < b.reason; };
    if (sort == "rtt")
        return [](const C& a, const C& b) { return a.rtt > b.rtt; };
    return nullptr;
}

void addSubscriptions(
    Json& json, const Source& source, const ConnectionFacts& connection, const Wanted& wanted)
{
    Json subjects = Json::array();
    Json details = Json::array();
    for (const SubscriptionFacts& subscription : source.subscriptionsOf(connection.id)) {
        subjects.push_back(subscription.subject);
        Json detail;
        detail["subject"] = subscription.subject;
        if (!subscription.queue.empty())
            detail["qgroup"] = subscription.queue;
        detail["sid"] = subscription.sid;
        detail["msgs"] = subscription.delivered;
        if (subscription.max != 0)
            detail["max"] = subscription.max;
        detail["cid"] = number(subscription.client);
        details.push_back(std::move(detail));
    }
    if (subjects.empty())
        return;
    if (wanted.details)
        json["subscriptions_list_detail"] = std::move(details);
    else
        json["subscriptions_list"] = std::move(subjects);
}

Json entryOf(
    const Source& source, const ConnectionFacts& connection, const Wanted& wanted, std::int64_t now)
{
    const std::int64_t end = connection.stop != 0 ? connection.stop : now;
    Json json;
    json["cid"] = number(connection.id);
    json["kind"] = "Client";
    json["type"] = connection.type;
    json["ip"] = connection.host;
    json["port"] = connection.port;
    json["start"] = base::rfc3339(connection.start);
    json["last_activity"] = base::rfc3339(connection.lastActivity);
    if (connection.stop != 0) {
        json["stop"] = base::rfc3339(connection.stop);
        json["reason"] = connection.reason;
    }
    if (connection.rtt != 0)
        json["rtt"] = base::goDuration(connection.rtt);
    json["uptime"] = uptimeText(end - connection.start);
    json["idle"] = uptimeText(end - connection.lastActivity);
    json["pending_bytes"] = connection.pendingBytes;
    json["in_msgs"] = connection.in.messages;
    json["out_msgs"] = connection.out.messages;
    json["in_bytes"] = connection.in.bytes;
    json["out_bytes"] = connection.out.bytes;
    json["subscriptions"] = connection.subscriptions;
    for (const auto& [key, value] : {std::pair("name", &connection.name),
             std::pair("lang", &connection.lang),
             std::pair("version", &connection.version),
             std::pair("nkey", &connection.nkey)}) {
        if (!value->empty())
            json[key] = *value;
    }
    if (!connection.tlsVersion.empty()) {
        json["tls_version"] = connection.tlsVersion;
        json["tls_cipher_suite"] = connection.tlsCipher;
        if (connection.tlsFirst)
            json["tls_first"] = true;
    }
    if (wanted.auth) {
        if (!connection.user.empty())
            json["authorized_user"] = connection.user;
        if (connection.account != "$G")
            json["account"] = connection.account;
    }
    if ((wanted.subjects || wanted.details) && connection.stop == 0)
        addSubscriptions(json, source, connection, wanted);
    if (wanted.auth)
        json["name_tag"] = connection.account;
    return json;
}

std::vector<ConnectionFacts> select(const Source& source, Query& query)
{
    const std::string state = query.text("state");
    std::vector<ConnectionFacts> found;
    const bool any = state == "any" || state == "all" || state == "2";
    const bool closed = state == "closed" || state == "1";
    if (!any && !closed && !state.empty() && state != "open" && state != "0")
        query.fail("Error decoding state for " + state);
    if (!closed)
        found = source.openConnections();
    if (any || closed) {
        std::vector<ConnectionFacts> gone = source.closedConnections();
        std::move(gone.begin(), gone.end(), std::back_inserter(found));
    }
    const std::int64_t cid = query.number("cid", 0);
    const std::string account = query.text("acc");
    std::erase_if(found, [&](const ConnectionFacts& c) {
        return (cid != 0 && static_cast<std::int64_t>(c.id) != cid)
            || (!account.empty() && c.account != account);
    });
    return found;
}

/// Of those counted in "total", the ones with that user and with a subscription that collides with
/// the subject.
void filter(std::vector<ConnectionFacts>& found, const Source& source, Query& query)
{
    const std::string user = query.text("user");
    const std::string subject = query.text("filter_subject");
    if (!subject.empty() && query.text("acc").empty())
        query.fail("filter by subject only valid with account filtering");
    std::erase_if(found, [&](const ConnectionFacts& c) {
        if (!user.empty() && c.user != user)
            return true;
        if (subject.empty())
            return false;
        const auto own = source.subscriptionsOf(c.id);
        return std::none_of(own.begin(), own.end(), [&](const SubscriptionFacts& s) {
            return subjects::collide(s.subject, subject);
        });
    });
}

} // namespace

nlohmann::ordered_json connz(const Source& source, Query& query)
{
    const ServerFacts server = source.server();
    Wanted wanted;
    wanted.auth = query.flag("auth");
    wanted.details = query.text("subs") == "detail";
    wanted.subjects = !wanted.details && query.flag("subs");
    std::vector<ConnectionFacts> found = select(source, query);
    const std::size_t total = found.size();
    filter(found, source, query);
    const std::string sort = query.text("sort");
    if ((sort == "stop" || sort == "reason") && query.text("state").empty())
        query.fail("sort by " + sort + " only valid on closed connections");
    const auto order = orderOf(sort, server.now);
    if (order)
        std::stable_sort(found.begin(), found.end(), order);
    else
        query.fail("invalid sorting option: " + sort);
    const auto offset = std::max<std::int64_t>(query.number("offset", 0), 0);
    std::int64_t limit = query.number("limit", kConnectionLimit);
    if (limit <= 0)
        limit = kConnectionLimit;
    Json entries = Json::array();
    const auto count = static_cast<std::int64_t>(found.size());
    for (std::int64_t i = offset; i < count && i - offset < limit; ++i)
        entries.push_back(entryOf(source, found[static_cast<std::size_t>(i)], wanted, server.now));
    return {{"server_id", server.id},
        {"now", base::rfc3339(server.now)},
        {"num_connections", entries.size()},
        {"total", total},
        {"offset", offset},
        {"limit", limit},
        {"connections", std::move(entries)}};
}

} // namespace jetglass::monitor
