// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/account_imports.h"

#include "base/nuid.h"
#include "server/account.h"
#include "server/client.h"
#include "server/engine.h"
#include "server/link_routing.h"
#include "server/message_trace.h"
#include "server/request_info.h"
#include "server/service_latency.h"
#include "server/stream_import.h"
#include "server/subject_mappings.h"
#include "subjects/subject.h"
#include "subjects/subject_transform.h"
#include "subjects/wildcard_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace jetglass::server {

namespace {

constexpr std::string_view kReplyPrefix = "_R_.";
constexpr std::string_view kTraceDestination = "Nats-Trace-Dest";
constexpr std::string_view kTraceDisabled = "trace disabled";

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

const std::string& localSubject(const ImportConfig& import)
{
    return import.to.empty() ? import.subject : import.to;
}

/// What requests for a service are published to in the importing account.
std::string requestPattern(const ImportConfig& import)
{
    if (!subjects::hasWildcard(import.subject))
        return localSubject(import);
    return subjects::patternOfReferences(localSubject(import));
}

/// Which wildcard of a request goes where, as the reference server turns "to" around: the k-th
/// wildcard of the service's subject becomes what stands k-th in "to".
std::string serviceDestination(const ImportConfig& import)
{
    std::vector<std::string_view> references;
    const std::string local = destinationOf(localSubject(import));
    subjects::withTokensReplaced(local, [&](std::string_view token) {
        if (subjects::isWildcardReference(token))
            references.push_back(token);
        return token;
    });
    std::size_t next = 0;
    return subjects::withTokensReplaced(import.subject, [&](std::string_view token) {
        return token == "*" && next < references.size() ? references[next++] : token;
    });
}

Result<subjects::Transform> transformOf(const ImportConfig& import)
{
    if (import.service)
        return subjects::Transform::compile(requestPattern(import), serviceDestination(import));
    return subjects::Transform::compile(import.subject, destinationOf(localSubject(import)));
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

} // namespace

// --- services

/// The way back of one request, among the exporter's subscribers.
class AccountImports::ReplyLink final : public AccountLink
{
public:
    ReplyLink(AccountImports& owner,
        Account& exporter,
        Account& importer,
        std::string reply,
        std::shared_ptr<const ExportConfig> offered)
        : m_owner(owner)
        , m_exporter(exporter)
        , m_importer(importer)
        , m_reply(std::move(reply))
        , m_offered(std::move(offered))
        , m_timers(owner.m_engine.context().realTimers)
        , m_timer(m_timers,
              [this] {
                  failed(504, "Service Timeout");
                  end();
              })
        , m_subscription(std::make_unique<Subscription>())
    {
    }
    ~ReplyLink() override
    {
        m_subscription->link = nullptr;
        m_exporter.remove(std::move(m_subscription));
    }
    void listen(std::string subject)
    {
        m_subscription->subject = std::move(subject);
        m_subscription->link = this;
        m_exporter.insert(*m_subscription);
        m_timer.arm(m_timers.clock().now() + m_offered->threshold);
    }
    /// A measured request of somebody who does not wait for its answer any more.
    [[nodiscard]] bool isForlorn(const Account& account, std::string_view pattern) const
    {
        return m_latency && &account == &m_importer && subjects::matches(pattern, m_reply)
            && !m_importer.hasInterest(m_reply);
    }
    /// How long the answer takes is published.
    void measure(ServiceLatency latency)
    {
        m_sent = m_owner.m_engine.realWall();
        m_latency = std::move(latency);
    }
    void failed(int status, std::string_view why)
    {
        if (m_latency)
            publish(m_latency->failed(status, why, m_sent, m_owner.m_engine.realWall()));
    }

    std::size_t forward(const Routed& message) override
    {
        using Response = ExportConfig::Response;
        const bool last = m_offered->response == Response::Singleton
            || (m_offered->response == Response::Chunked && message.payload.empty());
        if (m_latency)
            publish(m_latency->answered(message.from, m_sent, m_owner.m_engine.realWall()));
        Routed answer = renamed(message, m_reply);
        std::string headers;
        if (message.trace != nullptr) {
            message.trace->requested(m_importer.name(), message.subject, m_reply);
            if (message.trace->wayOnly()) {
                end();
                return 0;
            }
            answer.trace = nullptr;
            answer.headers = headers =
                withLastHeader(message.headers, kTraceDestination, kTraceDisabled);
        }
        const std::size_t taken = m_importer.route(answer);
        // Nobody waits any more: later parts are not worth their way.
        if (last || taken == 0)
            end();
        else
            m_timer.arm(m_timers.clock().now() + m_offered->threshold);
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
    /// One measure is taken of a request.
    void publish(const std::string& metric)
    {
        m_latency.reset();
        m_exporter.publish({m_offered->latencySubject, {}, {}, metric});
    }

    AccountImports& m_owner;
    Account& m_exporter;
    Account& m_importer;
    std::string m_reply;
    std::shared_ptr<const ExportConfig> m_offered;
    base::TimerQueue& m_timers;
    base::Timer m_timer;
    std::optional<ServiceLatency> m_latency;
    std::int64_t m_sent = 0; ///< wall ns
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
        const ExportConfig& offered)
        : m_owner(owner)
        , m_exporter(exporter)
        , m_importer(importer)
        , m_transform(std::move(transform))
        , m_offered(std::make_shared<const ExportConfig>(offered))
        , m_share(import.share)
        , m_subscription(std::make_unique<Subscription>())
    {
        m_subscription->subject = requestPattern(import);
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
        auto subject = m_active ? std::nullopt : m_transform.apply(message.subject);
        if (!subject)
            return 0;
        if (auto mapped = m_exporter.mappings().apply(*subject))
            subject = std::move(*mapped);
        std::string headers = withRequestInfo(message.headers,
            requestInfo(m_importer, message.from, m_share, m_owner.m_engine.identity().name));
        Routed request = renamed(message, *subject);
        const std::string reply = prepareReply(message);
        request.reply = reply;
        bool skipped = false;
        if (message.trace != nullptr) {
            message.trace->requested(m_exporter.name(), message.subject, *subject);
            skipped = !m_offered->allowTrace && message.trace->wayOnly();
            if (!m_offered->allowTrace)
                request.trace = nullptr;
            headers = withLastHeader(headers,
                kTraceDestination,
                m_offered->allowTrace ? m_owner.replySubject(false) : std::string(kTraceDisabled));
        }
        request.headers = headers;
        m_active = true;
        const std::size_t taken = skipped || subject->empty() ? 0 : m_exporter.route(request);
        m_active = false;
        const bool wayOnly = message.trace != nullptr && message.trace->wayOnly();
        if ((taken == 0 || wayOnly) && !reply.empty())
            m_owner.dropReply(reply, taken == 0);
        return taken;
    }
    [[nodiscard]] bool hasInterest(std::string_view subject) const override
    {
        return askBehind(m_transform, subject, m_active, [this](const std::string& mapped) {
            return m_exporter.hasInterest(mapped);
        });
    }
    [[nodiscard]] std::optional<LinkEnd> otherEnd(std::string_view subject) const override
    {
        auto mapped = m_transform.apply(subject);
        if (!mapped)
            return {};
        return LinkEnd{&m_exporter, std::move(*mapped)};
    }

private:
    /// A subject that leads back; empty if nobody waits for an answer. Samples the request.
    std::string prepareReply(const Routed& message)
    {
        const auto sample = sampleOf(*m_offered, message.headers);
        std::optional<ServiceLatency> latency;
        if (sample)
            latency.emplace(*sample, message.from, m_share, m_owner.m_engine.identity().name);
        if (message.reply.empty()) {
            if (latency)
                m_exporter.publish({m_offered->latencySubject,
                    {},
                    {},
                    latency->badRequest(m_owner.m_engine.realWall())});
            return {};
        }
        auto link = std::make_unique<ReplyLink>(
            m_owner, m_exporter, m_importer, std::string(message.reply), m_offered);
        if (latency)
            link->measure(std::move(*latency));
        return m_owner.keepReply(std::move(link), sample.has_value());
    }

    AccountImports& m_owner;
    Account& m_exporter;
    Account& m_importer;
    subjects::Transform m_transform;
    std::shared_ptr<const ExportConfig> m_offered; ///< replies may outlive a reload
    bool m_share;
    std::unique_ptr<Subscription> m_subscription;
    mutable bool m_active = false;
};

// --- all of them

AccountImports::AccountImports(Engine& engine)
    : m_engine(engine)
    , m_trackedTail('.' + base::randomName(8) + ".T")
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
    m_measures = false;
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
    m_measures = m_measures || !offered.latencySubject.empty();
    if (import.service)
        m_links.push_back(std::make_unique<ServiceLink>(
            *this, exporter, importer, std::move(*transform), import, offered));
    else
        m_links.push_back(
            std::make_unique<StreamImport>(exporter, importer, std::move(*transform), import));
}

std::string AccountImports::replySubject(bool tracked) const
{
    constexpr int kPart = 6;
    return std::string(kReplyPrefix) + base::randomName(kPart) + '.' + base::randomName(kPart)
        + (tracked ? m_trackedTail : std::string());
}

std::string AccountImports::keepReply(std::unique_ptr<ReplyLink> link, bool tracked)
{
    std::string subject;
    do
        subject = replySubject(tracked);
    while (m_replies.contains(subject));
    link->listen(subject);
    m_replies.emplace(subject, std::move(link));
    return subject;
}

void AccountImports::dropReply(const std::string& subject, bool undelivered)
{
    if (const auto found = m_replies.find(subject); undelivered && found != m_replies.end())
        found->second->failed(503, "Service Unavailable");
    removeReply(subject);
}

void AccountImports::interestLost(const Account& account, std::string_view pattern)
{
    if (!m_measures)
        return;
    std::vector<std::string> forlorn;
    for (const auto& [subject, link] : m_replies)
        if (link->isForlorn(account, pattern))
            forlorn.push_back(subject);
    for (const std::string& subject : forlorn) {
        m_replies.at(subject)->failed(408, "Request Timeout");
        removeReply(subject);
    }
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
