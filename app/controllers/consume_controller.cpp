// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/consume_controller.h"

#include <algorithm>

namespace jetglass::controllers {

using State = HeldMessage::State;

ConsumeController::ConsumeController(client::Connection* connection, Clock now, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
    , m_now(std::move(now))
    , m_fetcher(connection)
    , m_push(connection)
{
    connect(&m_fetcher, &client::Fetcher::received, this, &ConsumeController::onMessage);
    connect(&m_push, &client::PushListener::received, this, &ConsumeController::onMessage);
    connect(&m_fetcher, &client::Fetcher::ended, this, [this](const client::FetchEnd& end) {
        emit fetchEnded(end);
        emit stateChanged();
    });
}

void ConsumeController::setConsumerTimes(
    std::chrono::nanoseconds ackWait, QList<std::chrono::nanoseconds> backoff)
{
    m_ackWait = ackWait;
    m_backoff = std::move(backoff);
}

void ConsumeController::fetch(const client::FetchRequest& request)
{
    m_fetcher.fetch(request);
    emit stateChanged();
}

void ConsumeController::listen(const QString& deliverSubject, const QString& group)
{
    m_push.listen(deliverSubject, group);
    emit stateChanged();
}

void ConsumeController::stop()
{
    m_fetcher.cancel();
    m_push.stop();
    emit stateChanged();
}

qint64 ConsumeController::waitFor(quint64 delivered) const
{
    // With a backoff the k-th delivery waits for its k-th value, later ones for the last.
    if (!m_backoff.isEmpty()) {
        const qsizetype at =
            std::clamp<qsizetype>(static_cast<qsizetype>(delivered) - 1, 0, m_backoff.size() - 1);
        return m_backoff[at].count();
    }
    return m_ackWait.count();
}

void ConsumeController::onMessage(const client::Message& message)
{
    HeldMessage h;
    h.id = ++m_lastId;
    h.message = message;
    h.receivedAt = m_now();
    if (const auto info = client::parseAckSubject(message.reply))
        h.info = *info;
    const qint64 wait = waitFor(h.info.delivered);
    if (message.reply.isEmpty() || wait == 0)
        h.state = State::NoAckNeeded;
    else
        h.dueAt = h.receivedAt + wait;
    trim();
    m_held.append(std::move(h));
    emit added(m_held.size() - 1);
}

void ConsumeController::trim()
{
    if (m_held.size() < kMaxHeld)
        return;
    const auto settled = std::find_if(
        m_held.cbegin(), m_held.cend(), [](const HeldMessage& m) { return !m.canAnswer(); });
    const qsizetype at = settled == m_held.cend() ? 0 : settled - m_held.cbegin();
    m_held.removeAt(at);
    emit removed(at, 1);
}

qsizetype ConsumeController::indexOf(quint64 id) const
{
    // Ids ascend, so the list can be searched by halves.
    const auto it =
        std::lower_bound(m_held.cbegin(), m_held.cend(), id, [](const HeldMessage& m, quint64 i) {
            return m.id < i;
        });
    return it != m_held.cend() && it->id == id ? it - m_held.cbegin() : -1;
}

void ConsumeController::answer(quint64 id, client::AckKind kind, std::chrono::nanoseconds delay)
{
    const qsizetype at = indexOf(id);
    if (at < 0 || !m_held[at].canAnswer() || !m_connection)
        return;
    client::Message m;
    m.subject = m_held[at].message.reply;
    m.payload = client::ackPayload(kind, delay);
    if (kind != client::AckKind::InProgress) {
        m_held[at].state = State::Sent;
        emit changed(at);
    }
    // Asking for a confirmation shows what a plain ack hides: whether the server took it.
    m_connection->request(m, 3000, this, [this, id, kind, delay](const client::Reply& reply) {
        onConfirmed(id, kind, delay, reply);
    });
}

void ConsumeController::onConfirmed(
    quint64 id, client::AckKind kind, std::chrono::nanoseconds delay, const client::Reply& reply)
{
    const qsizetype at = indexOf(id);
    if (at < 0)
        return;
    HeldMessage& h = m_held[at];
    if (!reply.answered()) {
        const bool gone = reply.outcome == client::Reply::Outcome::NoResponders;
        h.state = State::Failed;
        h.note = gone ? tr("The consumer is gone: nobody takes the answer.")
                      : tr("The server did not confirm it.");
        emit changed(at);
        return;
    }
    switch (kind) {
    case client::AckKind::Ack:
        h.state = State::Acked;
        h.dueAt = 0;
        break;
    case client::AckKind::Nak:
        h.state = State::Naked;
        h.dueAt = 0;
        h.note = tr("It comes again at once, whatever the backoff says.");
        break;
    case client::AckKind::NakDelay:
        h.state = State::Naked;
        h.dueAt = m_now() + delay.count();
        h.note = tr("It keeps its place in max_ack_pending until then.");
        break;
    case client::AckKind::InProgress:
        ++h.extended;
        h.dueAt = m_now() + waitFor(h.info.delivered);
        break;
    case client::AckKind::Term:
        h.state = State::Terminated;
        h.dueAt = 0;
        break;
    }
    emit changed(at);
}

void ConsumeController::ackNext(quint64 id)
{
    const qsizetype at = indexOf(id);
    if (at < 0 || !m_held[at].canAnswer())
        return;
    m_held[at].state = State::Acked;
    m_held[at].dueAt = 0;
    emit changed(at);
    m_fetcher.ackNext(m_held[at].message.reply, 1);
    emit stateChanged();
}

void ConsumeController::clearSettled()
{
    for (qsizetype i = m_held.size() - 1; i >= 0; --i) {
        if (m_held[i].canAnswer() || m_held[i].state == State::Sent)
            continue;
        m_held.removeAt(i);
        emit removed(i, 1);
    }
}

void ConsumeController::expire()
{
    const qint64 now = m_now();
    for (qsizetype i = 0; i < m_held.size(); ++i) {
        HeldMessage& h = m_held[i];
        if (h.state != State::Held || h.dueAt == 0 || h.dueAt > now)
            continue;
        h.state = State::Expired;
        h.note = tr("The ack wait is over: the server gives it out again at the next request.");
        emit changed(i);
    }
}

} // namespace jetglass::controllers
