// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/publish_controller.h"

#include "client/message_template.h"

#include <QDateTime>
#include <QUuid>

#include <algorithm>
#include <cmath>

namespace jetglass::controllers {

PublishController::PublishController(client::Connection* connection, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
{
    m_tick.setTimerType(Qt::PreciseTimer);
    connect(&m_tick, &QTimer::timeout, this, &PublishController::pump);
}

void PublishController::start(const PublishJob& job)
{
    ++m_run;
    m_job = job;
    m_progress = {};
    m_progress.wanted = job.count;
    m_progress.running = true;
    m_since.start();
    // With a rate the timer sets the pace; without one answers do, and the timer only yields to the
    // window between slices of messages that nobody answers.
    m_tick.start(
        job.perSecond > 0 ? std::clamp(static_cast<int>(1000.0 / job.perSecond), 1, 20) : 0);
    pump();
}

void PublishController::cancel()
{
    if (!m_progress.running)
        return;
    m_progress.cancelled = true;
    m_progress.wanted = m_progress.sent;
    endIfDone();
}

void PublishController::pump()
{
    if (!m_progress.running)
        return;
    quint64 due = m_progress.wanted;
    if (m_job.perSecond > 0) {
        const double elapsed = static_cast<double>(m_since.nsecsElapsed()) / 1e9;
        due = std::min(due, static_cast<quint64>(std::floor(elapsed * m_job.perSecond)) + 1);
    }
    // A slice per turn of the event loop, so that cancel and repaint get their turn.
    int slice = 500;
    while (m_progress.sent < due && m_progress.waiting < kMaxWaiting && slice-- > 0)
        sendOne();
    if (m_job.acked && m_job.perSecond <= 0)
        m_tick.stop(); // onAck pumps from here
    emit progressChanged(m_progress);
    endIfDone();
}

void PublishController::sendOne()
{
    const client::Message m = client::expandTemplate(m_job.message,
        {m_progress.sent + 1,
            QDateTime::currentDateTimeUtc(),
            QUuid::createUuid().toString(QUuid::WithoutBraces)});
    ++m_progress.sent;
    if (!m_connection || !m_job.acked) {
        if (!m_connection || !m_connection->isConnected()) {
            ++m_progress.failed;
            client::PubAck ack;
            ack.error = client::ApiError{client::ApiError::Kind::NotConnected, 0, 0, {}};
            emit answered(m, ack);
            return;
        }
        m_connection->publish(m);
        emit sentWithoutAck(m);
        return;
    }
    ++m_progress.waiting;
    client::publishAcked(
        *m_connection, m, m_job.timeoutMs, this, [this, run = m_run, m](const client::PubAck& ack) {
            onAck(run, m, ack);
        });
}

void PublishController::onAck(
    quint64 run, const client::Message& message, const client::PubAck& ack)
{
    if (run == m_run) {
        --m_progress.waiting;
        if (!ack.ok())
            ++m_progress.failed;
        else if (ack.duplicate)
            ++m_progress.duplicates;
        else
            ++m_progress.stored;
    }
    emit answered(message, ack);
    if (run != m_run)
        return;
    if (m_progress.sent < m_progress.wanted && m_job.perSecond <= 0 && !m_tick.isActive())
        m_tick.start(0);
    endIfDone();
}

void PublishController::endIfDone()
{
    if (!m_progress.running || m_progress.sent < m_progress.wanted || m_progress.waiting > 0)
        return;
    m_tick.stop();
    m_progress.running = false;
    emit progressChanged(m_progress);
    emit finished(m_progress);
}

} // namespace jetglass::controllers
