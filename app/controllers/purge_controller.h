// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/preview.h"
#include "client/stream_admin.h"
#include "sources/flow_source.h"

#include <QObject>
#include <QTimer>

namespace jetglass::controllers {

/// Asks what a purge or a delete would remove, and does it when told to. The preview comes from
/// looking (FlowSource), the act goes over the wire. A preview counts only for the request it was
/// asked for: any change makes it stale.
class PurgeController : public QObject
{
    Q_OBJECT
public:
    enum class Subject
    {
        Purge,
        DeleteStream
    };

    PurgeController(client::Connection* connection,
        sources::FlowSource* source,
        const QString& stream,
        Subject subject,
        QObject* parent = nullptr);

    /// Asks again soon; several calls make one question.
    void setRequest(const client::PurgeRequest& request);
    /// Asks again with the same request, since the stream moves on.
    void refresh();
    [[nodiscard]] const client::PurgeRequest& request() const { return m_request; }
    /// True when preview() belongs to request().
    [[nodiscard]] bool isFresh() const { return m_fresh; }
    [[nodiscard]] const PreviewAnswer& preview() const { return m_preview; }
    [[nodiscard]] const QString& stream() const { return m_stream; }

    /// A purge up to a sequence that is still to come moves the empty stream on to it; 0 = this
    /// one does not.
    [[nodiscard]] quint64 jumpsTo() const;

    void carryOut();

signals:
    void previewChanged();
    /// \a removed is what the server counted; for a deleted stream what the preview said.
    void done(quint64 removed);
    void failed(const jetglass::client::ApiError& error);

private:
    void ask();

    QPointer<client::Connection> m_connection;
    QPointer<sources::FlowSource> m_source;
    const QString m_stream;
    const Subject m_subject;
    client::PurgeRequest m_request;
    PreviewAnswer m_preview;
    bool m_fresh = false;
    quint64 m_job = 0; ///< late answers of an older question are dropped
    QTimer m_soon;
};

} // namespace jetglass::controllers
