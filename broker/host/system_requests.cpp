// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/system_requests.h"

#include "archive/content_encoding.h"
#include "base/json.h"
#include "host/broker_core.h"
#include "host/monitor_source.h"
#include "host/system_events.h"
#include "monitor/document.h"
#include "protocol/headers.h"
#include "server/account.h"
#include "server/client.h"
#include "subjects/subject.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace jetglass::host {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kBadRequest = 400;
constexpr int kFailed = 500;

/// What options of requests are called in the query of a page.
const std::map<std::string, std::string>& queryNames()
{
    static const std::map<std::string, std::string> names = {{"subscriptions", "subs"},
        {"subscriptions_detail", "subs"},
        {"account", "acc"},
        {"consumer", "consumers"},
        {"direct_consumer", "direct-consumers"},
        {"leader_only", "leader-only"},
        {"stream_leader_only", "stream-leader-only"},
        {"js_enabled_only", "js-enabled-only"},
        {"js_server_only", "js-server-only"},
        {"js_meta_only", "js-meta-only"},
        {"include_unused", "unused"}};
    return names;
}

/// A JSON option as the text that stands in a query.
std::string queryText(const std::string& name, const Json& value)
{
    constexpr std::array<const char*, 3> kStates = {"open", "closed", "any"};
    if (name == "subscriptions_detail")
        return value == true ? "detail" : "";
    if (name == "state" && value.is_number_unsigned()) {
        const auto state = value.get<std::size_t>();
        return state < kStates.size() ? kStates[state] : std::to_string(state);
    }
    if (value.is_string())
        return value.get<std::string>();
    return value.is_primitive() && !value.is_null() ? base::jsonText(value) : std::string();
}

monitor::Query queryOf(const std::string& page, const Json& options, std::string_view account)
{
    std::map<std::string, std::string> values;
    for (const auto& [name, value] : options.items()) {
        const std::string text = queryText(name, value);
        if (text.empty() || text == "false")
            continue;
        const auto known = queryNames().find(name);
        // Only the page of health calls an account by its whole name.
        const bool renamed = known != queryNames().end()
            && !(page == "healthz" && name == "account")
            && !(page == "healthz" && name == "consumer");
        values[renamed ? known->second : name] = text;
    }
    if (!account.empty())
        values["acc"] = account;
    return monitor::Query(std::move(values));
}

Json permissionsOf(const Permissions& permissions)
{
    const auto rules = [](const std::optional<std::vector<std::string>>& allow,
                           const std::vector<std::string>& deny) {
        Json json = Json::object();
        if (allow)
            json["allow"] = *allow;
        if (!deny.empty())
            json["deny"] = deny;
        return json;
    };
    Json json = Json::object();
    if (permissions.publishAllow || !permissions.publishDeny.empty())
        json["publish"] = rules(permissions.publishAllow, permissions.publishDeny);
    if (permissions.subscribeAllow || !permissions.subscribeDeny.empty())
        json["subscribe"] = rules(permissions.subscribeAllow, permissions.subscribeDeny);
    if (permissions.allowResponses)
        json["responses"] = {
            {"max", permissions.allowResponses->max}, {"ttl", permissions.allowResponses->expires}};
    return json;
}

std::string textOf(const Json& body)
{
    return base::jsonText(body);
}

ClientId clientOf(const Json& options)
{
    const auto found = options.find("cid");
    const bool number = found != options.end() && found->is_number_unsigned();
    return ClientId{number ? found->get<std::uint32_t>() : 0};
}

/// The token at \a n, counted from 0.
std::string tokenOf(std::string_view subject, std::size_t n)
{
    for (; n > 0; --n)
        subject.remove_prefix(std::min(subject.find('.') + 1, subject.size()));
    return std::string(subject.substr(0, subject.find('.')));
}

} // namespace

std::string SystemRequests::Request::text(const char* name) const
{
    const auto found = options.find(name);
    return found != options.end() && found->is_string() ? found->get<std::string>() : std::string();
}

SystemRequests::SystemRequests(BrokerCore& core, ServerCard& card, SystemEvents& events)
    : m_core(core)
    , m_card(card)
    , m_events(events)
{
}

// --- what is served

void SystemRequests::serve(server::Account& account)
{
    add(
        account,
        "$SYS.REQ.USER.INFO",
        [this](Request& request) { userInfo(request); },
        Body::Ignored,
        "$SYS.REQ.USER." + account.name() + ".INFO");
    if (&account == &m_core.engine().systemAccount())
        serveSystem(account);
    else
        serveEverywhere(account);
}

/// What concerns the caller's account alone.
void SystemRequests::serveEverywhere(server::Account& account)
{
    const auto connections = [this, &account](
                                 Request& request) { page(request, "connz", account.name()); };
    const std::string inSystem = "$SYS.REQ.ACCOUNT." + account.name();
    for (const char* subject : {"$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.ACCOUNT.PING.CONNZ"})
        add(account, subject, connections, Body::Options, inSystem + ".CONNZ");
    add(
        account,
        "$SYS.REQ.ACCOUNT.PING.STATZ",
        [this, &account](Request& request) { statistics(request, account.name()); },
        Body::Options,
        inSystem + ".STATZ");
}

void SystemRequests::serveSystem(server::Account& account)
{
    addServerPages(account);
    addActions(account);
    addAccountPages(account);
    m_handlers.add(account, "$SYS.DEBUG.SUBSCRIBERS", [this, &account](const auto& message) {
        subscribers({message, account});
    });
}

void SystemRequests::addServerPages(server::Account& account)
{
    constexpr std::array<const char*, 13> kPages = {"VARZ",
        "CONNZ",
        "SUBSZ",
        "JSZ",
        "HEALTHZ",
        "ACCOUNTZ",
        "ACCSTATZ",
        "ROUTEZ",
        "GATEWAYZ",
        "LEAFZ",
        "IPQUEUESZ",
        "RAFTZ",
        "EXPVARZ"};
    const auto statsz = [this](Request& request) {
        const MonitorSource source(m_core);
        respond(request, {{"server", m_card.next()}, {"statsz", monitor::statsz(source)}});
    };
    const auto idz = [this](Request& request) {
        const server::ServerIdentity& identity = m_core.engine().identity();
        respond(request, {{"name", identity.name}, {"host", identity.host}, {"id", identity.id}});
    };
    add(account, "$SYS.REQ.SERVER.PING", statsz);
    for (const std::string& target : {std::string("PING"), m_core.engine().identity().id}) {
        const std::string prefix = "$SYS.REQ.SERVER." + target + '.';
        add(account, prefix + "STATSZ", statsz);
        add(account, prefix + "IDZ", idz, Body::Ignored);
        add(account, prefix + "PROFILEZ", [this](Request& request) {
            respondError(request, kFailed, "profiling is not supported");
        });
        for (const char* name : kPages) {
            std::string lower(name);
            std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
                return static_cast<char>(c - 'A' + 'a');
            });
            add(account, prefix + name, [this, lower](Request& request) { page(request, lower); });
        }
    }
}

void SystemRequests::addActions(server::Account& account)
{
    const std::string prefix = "$SYS.REQ.SERVER." + m_core.engine().identity().id + '.';
    add(account, prefix + "KICK", [this](Request& request) { kick(request); });
    add(account, prefix + "LDM", [this](Request& request) { announceLameDuck(request); });
    add(account, prefix + "RELOAD", [this](Request& request) {
        if (!m_reload) {
            respondError(request, kFailed, "this server cannot be reloaded", false);
            return;
        }
        respond(request, {{"server", m_card.next()}});
        m_reload();
    });
}

void SystemRequests::addAccountPages(server::Account& account)
{
    const auto asked = [](const Request& request) { return tokenOf(request.message.subject, 3); };
    for (const char* name : {"CONNZ", "SUBSZ", "JSZ", "LEAFZ"}) {
        std::string lower(name);
        std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
            return static_cast<char>(c - 'A' + 'a');
        });
        add(account, std::string("$SYS.REQ.ACCOUNT.*.") + name, [=, this](Request& request) {
            const std::string wanted = asked(request);
            page(request, lower, wanted == "PING" ? std::string() : wanted);
        });
    }
    add(account, "$SYS.REQ.ACCOUNT.*.INFO", [=, this](Request& request) {
        page(request, "accountz", asked(request));
    });
    add(account, "$SYS.REQ.ACCOUNT.*.STATZ", [=, this](Request& request) {
        const std::string wanted = asked(request);
        statistics(request, wanted == "PING" ? std::string() : wanted);
    });
    add(
        account,
        "$SYS.REQ.ACCOUNT.*.CONNS",
        [=, this](
            Request& request) { respond(request, m_events.accountConnections(asked(request))); },
        Body::OptionsOrSilence);
}

// --- reading and answering

void SystemRequests::add(server::Account& account,
    const std::string& subject,
    Answer answer,
    Body body,
    std::string inSystem)
{
    m_handlers.add(
        account,
        subject,
        [this, &account, answer = std::move(answer), body](const streams::Inbound& message) {
            Request request{message, account};
            if (!message.reply.empty() && read(request, body))
                answer(request);
        },
        std::move(inSystem));
}

bool SystemRequests::read(Request& request, Body body)
{
    const std::string_view text = request.message.payload;
    if (body == Body::Ignored || text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return true;
    Json options = base::parseJson(text);
    if (options.is_discarded() || !(options.is_object() || options.is_null())) {
        if (body == Body::Options)
            respondError(request, kBadRequest, "the request is no JSON object", false);
        return false;
    }
    if (options.is_null())
        return true;
    request.options = std::move(options);
    return isMeant(request.options);
}

/// Filters by which many servers are asked at once; who is not meant keeps silent.
bool SystemRequests::isMeant(const Json& options) const
{
    const server::ServerIdentity& identity = m_core.engine().identity();
    const bool exact = options.value("exact_match", Json(false)) == true;
    const auto fits = [&](const char* name, const std::string& own) {
        const auto found = options.find(name);
        if (found == options.end() || !found->is_string() || found->get<std::string>().empty())
            return true;
        const std::string wanted = found->get<std::string>();
        return exact ? own == wanted : own.find(wanted) != std::string::npos;
    };
    if (!fits("server_name", identity.name) || !fits("host", identity.host) || !fits("cluster", {})
        || !fits("domain", m_core.config().jetstream.domain))
        return false;
    const auto tags = options.find("tags");
    if (tags == options.end() || !tags->is_array())
        return true;
    const auto& own = m_core.config().tags;
    return std::all_of(tags->begin(), tags->end(), [&own](const Json& tag) {
        return tag.is_string() && std::count(own.begin(), own.end(), tag.get<std::string>()) > 0;
    });
}

void SystemRequests::respond(const Request& request, const Json& body) const
{
    const std::string text = textOf(body);
    request.account.publish({request.message.reply, {}, {}, text});
}

/// Pages may be long: who asks may take them compressed.
void SystemRequests::respondData(const Request& request, Json data)
{
    const std::string text = textOf({{"server", m_card.next()}, {"data", std::move(data)}});
    const auto accepted = protocol::findHeader(request.message.headers, "Accept-Encoding");
    const archive::ContentEncoding encoding =
        archive::acceptedEncoding(accepted.value_or(std::string_view()));
    if (encoding == archive::ContentEncoding::None)
        return request.account.publish({request.message.reply, {}, {}, text});
    std::string headers;
    protocol::appendHeader(headers, "Content-Encoding", archive::encodingName(encoding));
    const std::string packed = archive::encodeContent(text, encoding);
    request.account.publish({request.message.reply, {}, headers, packed});
}

void SystemRequests::respondError(
    const Request& request, int code, const std::string& text, bool data)
{
    Json body = {{"server", m_card.next()}};
    if (data)
        body["data"] = nullptr;
    body["error"] = {{"code", code}, {"description", text}};
    respond(request, body);
}

// --- the answers

void SystemRequests::page(Request& request, const std::string& name, std::string_view account)
{
    const MonitorSource source(m_core);
    monitor::Query query = queryOf(name, request.options, account);
    Json data;
    if (name == "healthz") {
        int status = 0;
        data = monitor::healthz(source, query, status);
        data["status_code"] = status;
    } else if (name == "connz") {
        data = monitor::connz(source, query);
    } else if (name == "subsz") {
        data = monitor::subsz(source, query);
    } else if (name == "jsz") {
        data = account.empty() ? monitor::jsz(source, query)
                               : monitor::jetstreamAccount(source, std::string(account), query);
    } else if (name == "ipqueuesz") {
        data = monitor::ipqueuesz(source, query);
        data["System recvQ"] = {{"pending", 0}, {"in_progress", 1}}; // the request itself
    } else if (name == "accountz") {
        data = monitor::accountz(source, query);
        if (!account.empty() && query.error().empty())
            data = data["account_detail"];
    } else if (name == "accstatz") {
        data = monitor::accstatz(source, query);
    } else {
        const std::string path = name == "expvarz" ? "/debug/vars" : '/' + name;
        data = base::parseJson(monitor::answer(path, monitor::Query(), source).body);
    }
    if (query.error().empty())
        respondData(request, std::move(data));
    else
        respondError(request, kFailed, query.error());
}

void SystemRequests::statistics(Request& request, std::string_view account)
{
    const MonitorSource source(m_core);
    monitor::Query query = queryOf("accstatz", request.options, {});
    if (!account.empty())
        query = monitor::Query(std::map<std::string, std::string>{{"unused", "1"}});
    Json data = monitor::accstatz(source, query);
    std::vector<std::string> wanted;
    if (!account.empty()) {
        wanted.emplace_back(account);
    } else if (const auto names = request.options.find("accounts");
               names != request.options.end() && names->is_array()) {
        for (const Json& name : *names) {
            if (name.is_string())
                wanted.push_back(name.get<std::string>());
        }
    }
    if (!wanted.empty()) {
        Json kept = Json::array();
        for (Json& entry : data["account_statz"]) {
            if (std::count(wanted.begin(), wanted.end(), entry["acc"].get<std::string>()) > 0)
                kept.push_back(std::move(entry));
        }
        data["account_statz"] = std::move(kept);
    }
    respondData(request, std::move(data));
}

void SystemRequests::userInfo(Request& request)
{
    const server::Client* client = m_core.engine().client(request.message.sender->id);
    if (client == nullptr || client->account() == nullptr)
        return;
    Json data = {{"user", client->identity().user},
        {"account", client->account()->name()},
        {"account_name", client->account()->name()}};
    if (client->identity().permissions)
        data["permissions"] = permissionsOf(*client->identity().permissions);
    respond(request, {{"server", m_card.next()}, {"data", std::move(data)}});
}

void SystemRequests::subscribers(const Request& request) const
{
    if (request.message.reply.empty())
        return;
    const std::string body(request.message.payload);
    const auto blank = body.find_first_of(" \t");
    const std::string subject = body.substr(0, blank);
    std::string queue;
    if (blank != std::string::npos)
        queue = body.substr(std::min(body.find_first_not_of(" \t", blank), body.size()));
    std::size_t count = 0;
    request.account.forEachSubscription([&](const server::SubscriptionRecord& record) {
        const bool counted = record.client != ClientId{} && (queue.empty() || record.queue == queue)
            && (record.subject == subject || subjects::matches(record.subject, subject));
        count += static_cast<std::size_t>(counted);
    });
    request.account.publish({request.message.reply, {}, {}, std::to_string(count)});
}

void SystemRequests::kick(Request& request)
{
    const ClientId id = clientOf(request.options);
    if (m_core.engine().client(id) == nullptr) {
        respondError(request, kFailed, "no such client or leafnode id", false);
        return;
    }
    respond(request, {{"server", m_card.next()}});
    m_core.engine().kick(id);
}

void SystemRequests::announceLameDuck(Request& request)
{
    const ClientId id = clientOf(request.options);
    if (m_core.engine().client(id) == nullptr) {
        respondError(request, kFailed, "no such client id", false);
        return;
    }
    respond(request, {{"server", m_card.next()}});
    m_core.engine().announceLameDuck(id);
}

} // namespace jetglass::host
