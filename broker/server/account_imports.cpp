// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/account_imports.h"

#include "base/nuid.h"
#include "server/account.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/message_trace.h"
#include "server/random.h"
#include "subjects/subject.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace jetglass::server {

namespace {

constexpr std::string_view kReplyPrefix = "_R_.";
constexpr std::string_view kRequestInfo = "Nats-Request-Info";
constexpr std::string_view kVersionLine = "NATS/1.0\r\n";

/// A pattern as the destination of a transform: its wildcards become references.
std::string destinationOf(std::string_view pattern)
{
    std::string out;
    int wildcard = 0;
    while (!pattern.empty()) {
        const auto dot = std::min(pattern.find('.'), pattern.size());
        const std::string_view token = pattern.substr(0, dot);
        if (!out.empty())
            out += '.';
        if (token == "*")
            out += '$' + std::to_string(++wildcard);
        else
            out.append(token);
        pattern.remove_prefix(std::min(dot + 1, pattern.size()));
    }
    return out;
}

/// Asks the other account of what the subject becomes there. \a active guards against imports that
/// lead back to where they came from.
template<class Ask>
bool askBehind(
    const subjects::Transform& transform, std::string_view subject, bool& active, Ask ask)
{
    const auto mapped = active ? std::nullopt : transform.apply(subject);
    if (!mapped)
        return false;
    active = true;
    const bool answer = ask(*mapped);
    active = false;
    return answer;
}

const std::string& localSubject(const ImportConfig& import)
{
    return import.to.empty() ? import.subject : import.to;
}

Result<subjects::Transform> transformOf(const ImportConfig& import)
{
    const std::string& local = localSubject(import);
    return import.service ? subjects::Transform::compile(local, destinationOf(import.subject))
                          : subjects::Transform::compile(import.subject, destinationOf(local));
}

const ExportConfig* exportFor(const AccountConfig& exporter, const ImportConfig& import)
{
    const auto found = std::find_if(
        exporter.exports.begin(), exporter.exports.end(), [&](const ExportConfig& offered) {
            return offered.service == import.service
                && subjects::isSubset(import.subject, offered.subject);
        });
    return found == exporter.exports.end() ? nullptr : &*found;
}

/// Who asks, for a service in another account.
std::string requestInfo(const Account& importer, const Client* from, bool share)
{
    nlohmann::ordered_json info;
    if (from != nullptr && share) {
        info["host"] = from->peerHost();
        info["id"] = static_cast<std::uint32_t>(from->id());
    }
    info["acc"] = importer.name();
    if (from != nullptr && share) {
        const auto& options = from->options();
        for (const auto& [key, value] : {std::pair("user", &from->identity().user),
                 std::pair("name", &options.name),
                 std::pair("lang", &options.lang),
                 std::pair("ver", &options.version)}) {
            if (!value->empty())
                info[key] = *value;
        }
    }
    if (from != nullptr && from->sender().rtt != 0)
        info["rtt"] = from->sender().rtt;
    return info.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The header block with the request's sender in it; what a client may have written there itself is
/// taken out.
std::string withRequestInfo(std::string_view headers, const std::string& info)
{
    std::string out(kVersionLine);
    std::string_view rest = headers;
    if (const auto first = rest.find("\r\n"); first != std::string_view::npos) {
        out = rest.substr(0, first + 2);
        rest.remove_prefix(first + 2);
    }
    while (!rest.empty()) {
        const auto end = std::min(rest.find("\r\n"), rest.size());
        const std::string_view line = rest.substr(0, end);
        if (!line.empty()
            && !(line.starts_with(kRequestInfo)
                && line.substr(kRequestInfo.size()).starts_with(':')))
            out.append(line).append("\r\n");
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    return out.append(kRequestInfo).append(": ").append(info).append("\r\n\r\n");
}

/// The same message under another subject; receivers see it too, unless the broker itself gave them
/// another one to see.
Routed renamed(const Routed& message, std::string_view subject)
{
    Routed out = message;
    out.wireSubject = message.wireSubject == message.subject ? subject : message.wireSubject;
    out.subject = subject;
    out.head = nullptr;
    out.trace = nullptr; // its way is known only here
    return out;
}

} // namespace

// --- mappings

Result<SubjectMappings> SubjectMappings::compile(const std::vector<MappingConfig>& mappings)
{
    SubjectMappings compiled;
    for (const MappingConfig& mapping : mappings) {
        Entry entry;
        entry.source = mapping.source;
        for (const auto& destination : mapping.destinations) {
            auto transform =
                subjects::Transform::compileChecked(mapping.source, destination.subject);
            if (!transform)
                return Error{Errc::InvalidArgument,
                    fmt::format("Error adding mapping for \"{}\" to \"{}\" : {}",
                        mapping.source,
                        destination.subject,
                        transform.error().text)};
            entry.destinations.push_back({std::move(*transform), destination.weight});
        }
        compiled.m_entries.push_back(std::move(entry));
    }
    return compiled;
}

std::string SubjectMappings::apply(std::string_view subject) const
{
    for (const Entry& entry : m_entries) {
        if (!subjects::matches(entry.source, subject))
            continue;
        int at = entry.destinations.size() == 1 && entry.destinations.front().weight == 100
            ? 0
            : static_cast<int>(randomBelow(100));
        for (const Destination& destination : entry.destinations) {
            if (at < destination.weight)
                return destination.transform.apply(subject).value_or(std::string());
            at -= destination.weight;
        }
        return {};
    }
    return {};
}

// --- streams

/// Among the exporter's subscribers.
class AccountImports::StreamLink final : public AccountLink
{
public:
    StreamLink(
        Account& exporter, Account& importer, subjects::Transform transform, std::string subject)
        : m_exporter(exporter)
        , m_importer(importer)
        , m_transform(std::move(transform))
        , m_subscription(std::make_unique<Subscription>())
    {
        m_subscription->subject = std::move(subject);
        m_subscription->link = this;
        m_exporter.insert(*m_subscription);
        m_exporter.addTaker(*this);
        m_importer.addSource(*this);
        touchAll();
    }
    ~StreamLink() override
    {
        touchAll();
        m_importer.removeLink(*this);
        m_exporter.removeLink(*this);
        m_subscription->link = nullptr;
        m_exporter.remove(std::move(m_subscription));
    }

    std::size_t forward(const Routed& message) override
    {
        if (m_active)
            return 0; // accounts that import from each other in a circle
        const auto subject = m_transform.apply(message.subject);
        if (!subject)
            return 0;
        if (message.trace != nullptr) {
            message.trace->exported(m_importer.name(), *subject);
            if (message.trace->wayOnly())
                return 1;
        }
        m_active = true;
        const std::size_t taken = m_importer.route(renamed(message, *subject));
        m_active = false;
        return taken;
    }
    [[nodiscard]] bool hasInterest(std::string_view subject) const override
    {
        return askBehind(m_transform, subject, m_active, [this](const std::string& mapped) {
            return m_importer.hasInterest(mapped);
        });
    }
    [[nodiscard]] bool hasExactInterest(
        std::string_view subject, std::string_view queue) const override
    {
        return askBehind(m_transform, subject, m_active, [&](const std::string& mapped) {
            return m_importer.hasExactInterest(mapped, queue);
        });
    }
    void touched(std::string_view subject) override
    {
        m_exporter.touchedWhere(
            [&](std::string_view watched) { return m_transform.apply(watched) == subject; });
    }

private:
    void touchAll()
    {
        m_exporter.touchedWhere([this](std::string_view watched) {
            return subjects::matches(m_subscription->subject, watched);
        });
    }

    Account& m_exporter;
    Account& m_importer;
    subjects::Transform m_transform;
    std::unique_ptr<Subscription> m_subscription;
    mutable bool m_active = false;
};

// --- services

/// The way back of one request, among the exporter's subscribers.
class AccountImports::ReplyLink final : public AccountLink
{
public:
    ReplyLink(AccountImports& owner,
        Account& exporter,
        Account& importer,
        std::string subject,
        std::string reply,
        const ExportConfig& offered)
        : m_owner(owner)
        , m_exporter(exporter)
        , m_importer(importer)
        , m_reply(std::move(reply))
        , m_response(offered.response)
        , m_threshold(offered.threshold)
        , m_timers(owner.m_engine.context().realTimers)
        , m_timer(m_timers, [this] { end(); })
        , m_subscription(std::make_unique<Subscription>())
    {
        m_subscription->subject = std::move(subject);
        m_subscription->link = this;
        m_exporter.insert(*m_subscription);
        m_timer.arm(m_timers.clock().now() + m_threshold);
    }
    ~ReplyLink() override
    {
        m_subscription->link = nullptr;
        m_exporter.remove(std::move(m_subscription));
    }

    std::size_t forward(const Routed& message) override
    {
        using Response = ExportConfig::Response;
        const bool last = m_response == Response::Singleton
            || (m_response == Response::Chunked && message.payload.empty());
        const std::size_t taken = m_importer.route(renamed(message, m_reply));
        // Nobody waits any more: later parts are not worth their way.
        if (last || taken == 0)
            end();
        else
            m_timer.arm(m_timers.clock().now() + m_threshold);
        return taken;
    }
    [[nodiscard]] bool hasInterest(std::string_view) const override
    {
        return m_importer.hasInterest(m_reply);
    }
    /// Takes nothing more; the memory goes at the end of the turn.
    void retire()
    {
        m_timer.disarm();
        m_subscription->ended = true;
    }

private:
    void end() { m_owner.removeReply(m_subscription->subject); }

    AccountImports& m_owner;
    Account& m_exporter;
    Account& m_importer;
    std::string m_reply;
    ExportConfig::Response m_response;
    std::int64_t m_threshold;
    base::TimerQueue& m_timers;
    base::Timer m_timer;
    std::unique_ptr<Subscription> m_subscription;
};

/// Among the importer's subscribers.
class AccountImports::ServiceLink final : public AccountLink
{
public:
    ServiceLink(AccountImports& owner,
        Account& exporter,
        Account& importer,
        subjects::Transform transform,
        const ImportConfig& import,
        ExportConfig offered)
        : m_owner(owner)
        , m_exporter(exporter)
        , m_importer(importer)
        , m_transform(std::move(transform))
        , m_offered(std::move(offered))
        , m_share(import.share)
        , m_subscription(std::make_unique<Subscription>())
    {
        m_subscription->subject = localSubject(import);
        m_subscription->link = this;
        m_importer.insert(*m_subscription);
    }
    ~ServiceLink() override
    {
        m_subscription->link = nullptr;
        m_importer.remove(std::move(m_subscription));
    }

    std::size_t forward(const Routed& message) override
    {
        const auto subject = m_active ? std::nullopt : m_transform.apply(message.subject);
        if (!subject)
            return 0;
        if (message.trace != nullptr) {
            message.trace->requested(m_exporter.name(), message.subject, *subject);
            if (message.trace->wayOnly())
                return 0;
        }
        std::string reply;
        if (!message.reply.empty())
            reply = m_owner.makeReply(m_exporter, m_importer, message.reply, m_offered);
        const std::string headers =
            withRequestInfo(message.headers, requestInfo(m_importer, message.from, m_share));
        Routed request = renamed(message, *subject);
        request.reply = reply;
        request.headers = headers;
        m_active = true;
        const std::size_t taken = m_exporter.route(request);
        m_active = false;
        if (taken == 0 && !reply.empty())
            m_owner.removeReply(reply);
        return taken;
    }
    [[nodiscard]] bool hasInterest(std::string_view subject) const override
    {
        return askBehind(m_transform, subject, m_active, [this](const std::string& mapped) {
            return m_exporter.hasInterest(mapped);
        });
    }

private:
    AccountImports& m_owner;
    Account& m_exporter;
    Account& m_importer;
    subjects::Transform m_transform;
    ExportConfig m_offered;
    bool m_share;
    std::unique_ptr<Subscription> m_subscription;
    mutable bool m_active = false;
};

// --- all of them

AccountImports::AccountImports(Engine& engine)
    : m_engine(engine)
{
}

AccountImports::~AccountImports() = default;

Result<void> AccountImports::check(const BrokerConfig& config)
{
    if (auto mappings = SubjectMappings::compile(config.mappings); !mappings)
        return mappings.error();
    for (const AccountConfig& account : config.accounts) {
        if (auto mappings = SubjectMappings::compile(account.mappings); !mappings)
            return mappings.error();
        for (const ImportConfig& import : account.imports) {
            if (import.service && import.to.find('$') != std::string::npos
                && import.to.find_first_of("0123456789", import.to.find('$')) != std::string::npos)
                return Error{Errc::InvalidArgument,
                    fmt::format("service import \"{}\" of account \"{}\": reordering wildcards in "
                                "\"to\" is not supported",
                        import.subject,
                        account.name)};
            if (auto transform = transformOf(import); !transform)
                return Error{Errc::InvalidArgument,
                    fmt::format("import \"{}\" of account \"{}\": {}",
                        import.subject,
                        account.name,
                        transform.error().text)};
        }
    }
    return {};
}

void AccountImports::apply(const BrokerConfig& config)
{
    m_links.clear();
    for (const AccountConfig& importer : config.accounts) {
        for (const ImportConfig& import : importer.imports) {
            const auto exporter = std::find_if(config.accounts.begin(),
                config.accounts.end(),
                [&](const AccountConfig& other) { return other.name == import.account; });
            const ExportConfig* offered =
                exporter == config.accounts.end() ? nullptr : exportFor(*exporter, import);
            if (offered != nullptr)
                add(m_engine.account(exporter->name),
                    m_engine.account(importer.name),
                    import,
                    *offered);
        }
    }
}

void AccountImports::add(
    Account& exporter, Account& importer, const ImportConfig& import, const ExportConfig& offered)
{
    auto transform = transformOf(import);
    if (!transform)
        return; // check() has refused it
    if (import.service)
        m_links.push_back(std::make_unique<ServiceLink>(
            *this, exporter, importer, std::move(*transform), import, offered));
    else
        m_links.push_back(std::make_unique<StreamLink>(
            exporter, importer, std::move(*transform), import.subject));
}

std::string AccountImports::makeReply(
    Account& exporter, Account& importer, std::string_view reply, const ExportConfig& offered)
{
    constexpr int kPart = 6;
    std::string subject;
    do
        subject =
            std::string(kReplyPrefix) + base::randomName(kPart) + '.' + base::randomName(kPart);
    while (m_replies.contains(subject));
    m_replies.emplace(subject,
        std::make_unique<ReplyLink>(
            *this, exporter, importer, subject, std::string(reply), offered));
    return subject;
}

void AccountImports::removeReply(const std::string& subject)
{
    const auto found = m_replies.find(subject);
    if (found == m_replies.end())
        return;
    found->second->retire();
    m_ended.push_back(std::move(found->second));
    m_replies.erase(found);
}

} // namespace jetglass::server
