// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/client_directory.h"

#include "client/override_name.h"

#include <algorithm>

namespace jetglass::models {

namespace {

constexpr int kFiguresEveryMs = 1000;
constexpr qsizetype kMaxNames = 10'000;

bool concernsClients(const FlowEvent& event)
{
    return event.kind >= FlowKind::ClientConnected && event.kind <= FlowKind::ClientSlow;
}

} // namespace

ClientDirectory::ClientDirectory(sources::FlowSource& source, QObject* parent)
    : QObject(parent)
    , m_source(source)
{
    connect(&source,
        &sources::FlowSource::eventsReady,
        this,
        [this](const std::vector<FlowEvent>& events) {
            if (std::any_of(events.begin(), events.end(), concernsClients))
                refresh();
        });
    connect(&m_timer, &QTimer::timeout, this, &ClientDirectory::refresh);
    m_timer.start(kFiguresEveryMs);
    refresh();
}

QString ClientDirectory::nameOf(ClientId id) const
{
    if (id == ClientId{})
        return {};
    return shownName(m_names.value(static_cast<quint32>(id)), id);
}

QString ClientDirectory::shownName(const QString& name, ClientId id)
{
    if (name == client::kOverrideClient)
        return tr("override from this window");
    if (name == client::kWindowClient)
        return tr("this window");
    return name.isEmpty() ? tr("client %1").arg(static_cast<quint32>(id)) : name;
}

bool ClientDirectory::isOverride(ClientId id) const
{
    return id != ClientId{} && m_names.value(static_cast<quint32>(id)) == client::kOverrideClient;
}

void ClientDirectory::refresh()
{
    if (m_asked) {
        m_again = true;
        return;
    }
    m_asked = true;
    m_again = false;
    m_source.askClients(this, [this](const ClientsAnswer& answer) { take(answer); });
}

void ClientDirectory::take(const ClientsAnswer& answer)
{
    m_asked = false;
    bool names = answer.rows.size() != m_clients.rows.size();
    m_clients = answer;
    if (m_names.size() > kMaxNames)
        m_names.clear();
    for (const ClientRow& row : answer.rows) {
        const auto number = static_cast<quint32>(row.id);
        const QString name = QString::fromStdString(row.name);
        const auto known = m_names.constFind(number);
        if (known != m_names.constEnd() && *known == name)
            continue;
        m_names.insert(number, name);
        names = true;
    }
    emit changed();
    if (names)
        emit namesChanged();
    if (m_again)
        refresh();
}

} // namespace jetglass::models
