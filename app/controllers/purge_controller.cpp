// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/purge_controller.h"

namespace jetglass::controllers {

PurgeController::PurgeController(client::Connection* connection,
    sources::FlowSource* source,
    const QString& stream,
    Subject subject,
    QObject* parent)
    : QObject(parent)
    , m_connection(connection)
    , m_source(source)
    , m_stream(stream)
    , m_subject(subject)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(150);
    connect(&m_soon, &QTimer::timeout, this, &PurgeController::ask);
    m_soon.start(0);
}

void PurgeController::setRequest(const client::PurgeRequest& request)
{
    m_request = request;
    m_fresh = false;
    ++m_job;
    m_soon.start();
    emit previewChanged();
}

void PurgeController::refresh()
{
    if (m_fresh)
        ask();
}

quint64 PurgeController::jumpsTo() const
{
    const StreamOverview* stream = m_source ? m_source->stream(m_stream) : nullptr;
    if (!stream || m_subject != Subject::Purge || !m_request.filter.isEmpty())
        return 0;
    return m_request.seq > stream->counts.last.value() + 1 ? m_request.seq : 0;
}

void PurgeController::ask()
{
    if (!m_source)
        return;
    const StreamOverview* stream = m_source->stream(m_stream);
    if (!stream) {
        m_preview = {};
        m_fresh = true;
        emit previewChanged();
        return;
    }
    PreviewQuestion q;
    q.stream = stream->id;
    if (m_subject == Subject::DeleteStream)
        q.deleteStream = true;
    else
        q.purge = {m_request.seq, m_request.keep, m_request.filter.toStdString()};
    const quint64 job = ++m_job;
    m_source->ask(q, this, [this, job](const PreviewAnswer& answer) {
        if (job != m_job)
            return;
        m_preview = answer;
        m_fresh = true;
        emit previewChanged();
    });
}

void PurgeController::carryOut()
{
    if (!m_connection)
        return;
    const auto end = [this](const client::ApiAnswer& answer) {
        if (!answer.ok()) {
            emit failed(*answer.error);
            return;
        }
        if (m_source)
            m_source->refreshOverview();
        const bool purged = m_subject == Subject::Purge;
        emit done(purged
                ? static_cast<quint64>(answer.json.value(QLatin1String("purged")).toInteger())
                : m_preview.count);
    };
    if (m_subject == Subject::DeleteStream)
        client::deleteStream(*m_connection, m_stream, this, end);
    else
        client::purgeStream(*m_connection, m_stream, m_request, this, end);
}

} // namespace jetglass::controllers
