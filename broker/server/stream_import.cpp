// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/stream_import.h"

#include "server/account.h"
#include "server/link_routing.h"
#include "subjects/subject.h"

#include <string>
#include <utility>

namespace jetglass::server {

StreamImport::StreamImport(
    Account& exporter, Account& importer, subjects::Transform transform, const ImportConfig& import)
    : m_exporter(exporter)
    , m_importer(importer)
    , m_transform(std::move(transform))
    , m_allowTrace(import.allowTrace)
    , m_subscription(std::make_unique<Subscription>())
{
    m_subscription->subject = import.subject;
    m_subscription->link = this;
    m_exporter.insert(*m_subscription);
    m_exporter.addTaker(*this);
    m_importer.addSource(*this);
    touchAll();
}

StreamImport::~StreamImport()
{
    touchAll();
    m_importer.removeLink(*this);
    m_exporter.removeLink(*this);
    m_subscription->link = nullptr;
    m_exporter.remove(std::move(m_subscription));
}

std::size_t StreamImport::forward(const Routed& message)
{
    if (m_active)
        return 0; // accounts that import from each other in a circle
    const auto subject = m_transform.apply(message.subject);
    if (!subject)
        return 0;
    Routed copy = renamed(message, *subject);
    copy.exported = message.trace;
    if (copy.origin == nullptr)
        copy.origin = &m_exporter;
    if (!m_allowTrace)
        copy.trace = nullptr;
    m_active = true;
    const std::size_t taken = m_importer.route(copy);
    m_active = false;
    return taken;
}

bool StreamImport::hasInterest(std::string_view subject) const
{
    return askBehind(m_transform, subject, m_active, [this](const std::string& mapped) {
        return m_importer.hasInterest(mapped);
    });
}

bool StreamImport::hasExactInterest(std::string_view subject, std::string_view queue) const
{
    return askBehind(m_transform, subject, m_active, [&](const std::string& mapped) {
        return m_importer.hasExactInterest(mapped, queue);
    });
}

std::optional<LinkEnd> StreamImport::otherEnd(std::string_view subject) const
{
    auto mapped = m_transform.apply(subject);
    if (!mapped)
        return {};
    return LinkEnd{&m_importer, std::move(*mapped)};
}

void StreamImport::touched(std::string_view subject)
{
    m_exporter.touchedWhere(
        [&](std::string_view watched) { return m_transform.apply(watched) == subject; });
}

void StreamImport::touchAll()
{
    m_exporter.touchedWhere([this](std::string_view watched) {
        return subjects::matches(m_subscription->subject, watched);
    });
}

} // namespace jetglass::server
