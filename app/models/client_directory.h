// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/flow_source.h"

#include <QHash>
#include <QTimer>

namespace jetglass::models {

/// Who is connected, and the names of those who were. Events carry connection numbers; people read
/// names.
class ClientDirectory final : public QObject
{
    Q_OBJECT
public:
    explicit ClientDirectory(sources::FlowSource& source, QObject* parent = nullptr);

    [[nodiscard]] const ClientsAnswer& clients() const { return m_clients; }
    /// The name that the client gave, else "client 7"; empty for 0 (nobody, or the broker itself).
    [[nodiscard]] QString nameOf(ClientId id) const;
    /// A name from the wire as the reader should see it.
    [[nodiscard]] static QString shownName(const QString& name, ClientId id);
    /// True for the connection that answers in place of clients: what it did is an override.
    [[nodiscard]] bool isOverride(ClientId id) const;
    void refresh();

signals:
    void changed(); ///< other clients, or other figures of theirs
    void namesChanged(); ///< somebody came, went or was named

private:
    void take(const ClientsAnswer& answer);

    sources::FlowSource& m_source;
    ClientsAnswer m_clients;
    QHash<quint32, QString> m_names; ///< newest 10,000 connections
    QTimer m_timer;
    bool m_asked = false;
    bool m_again = false;
};

} // namespace jetglass::models
