// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/consume_controller.h"

#include "text/quantity.h"
#include "text/state_text.h"

#include <algorithm>

namespace jetglass::controllers {

using State = HeldMessage::State;

namespace {

QString stateWords(const DeliveryCell& cell)
{
    const QString name = text::stateName(cell.state);
    return cell.deliveries > 1 ? QStringLiteral("%1 ×%2").arg(name).arg(cell.deliveries) : name;
}

bool sameCell(const DeliveryCell& a, const DeliveryCell& b)
{
    return a.state == b.state && a.deliveries == b.deliveries && a.deadline == b.deadline
        && a.since == b.since && a.client == b.client;
}

} // namespace

qint64 ConsumerTerms::waitFor(quint64 delivered) const
{
    // With a backoff the k-th delivery waits for its k-th value, later ones for the last.
    if (backoff.isEmpty())
        return ackWait.count();
    const qsizetype at =
        std::clamp<qsizetype>(static_cast<qsizetype>(delivered) - 1, 0, backoff.size() - 1);
    return backoff[at].count();
}

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

void ConsumeController::setTerms(ConsumerTerms terms)
{
    // A push consumer that is made again under its name goes on with what is listened to.
    if (isListening() && m_asked.stream == terms.stream && m_asked.consumer == terms.consumer)
        m_asked = terms;
    m_terms = std::move(terms);
}

void ConsumeController::fetch(const client::FetchRequest& request)
{
    m_asked = m_terms;
    m_fetcher.fetch(request);
    emit stateChanged();
}

void ConsumeController::listen(const QString& deliverSubject, const QString& group)
{
    m_asked = m_terms;
    m_push.listen(deliverSubject, group);
    emit stateChanged();
}

void ConsumeController::stop()
{
    m_fetcher.cancel();
    m_push.stop();
    emit stateChanged();
}

void ConsumeController::onMessage(const client::Message& message)
{
    HeldMessage h;
    h.id = ++m_lastId;
    h.message = message;
    h.receivedAt = m_now();
    h.terms = m_asked;
    if (const auto info = client::parseAckSubject(message.reply))
        h.info = *info;
    const qint64 wait = h.terms.waitFor(h.info.delivered);
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
        m_held.cbegin(), m_held.cend(), [](const HeldMessage& m) { return !m.isHeld(); });
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
    HeldMessage& h = m_held[at];
    const qint64 now = m_now();
    const bool late = h.dueAt > 0 && h.dueAt <= now;
    h.lateBy = late ? now - h.dueAt : 0;
    h.noEffect = false;
    h.note.clear();
    if (kind != client::AckKind::InProgress || late) {
        h.state = State::Sent;
        emit changed(at);
    }
    const Answer answer{id, kind, delay, std::nullopt};
    if (!late || !m_ask)
        return send(answer);
    m_ask(m_held[at], this, [this, answer](const std::optional<DeliveryCell>& before) {
        Answer asked = answer;
        asked.before = before;
        send(asked);
    });
}

void ConsumeController::send(const Answer& answer)
{
    const qsizetype at = indexOf(answer.id);
    if (at < 0 || !m_connection)
        return;
    client::Message m;
    m.subject = m_held[at].message.reply;
    m.payload = client::ackPayload(answer.kind, answer.delay);
    // Asking for a confirmation shows what a plain ack hides: whether the server took it.
    m_connection->request(
        m, 3000, this, [this, answer](const client::Reply& reply) { onConfirmed(answer, reply); });
}

void ConsumeController::onConfirmed(const Answer& answer, const client::Reply& reply)
{
    const qsizetype at = indexOf(answer.id);
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
    settle(h, answer);
    emit changed(at);
    if (h.lateBy > 0)
        askWhatItDid(at, answer);
    else
        settleOthers(h);
}

void ConsumeController::settle(HeldMessage& h, const Answer& answer)
{
    switch (answer.kind) {
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
        h.dueAt = m_now() + answer.delay.count();
        h.note = tr("It keeps its place in max_ack_pending until then.");
        break;
    case client::AckKind::InProgress:
        ++h.extended;
        h.state = State::Held;
        h.dueAt = m_now() + h.terms.waitFor(h.info.delivered);
        break;
    case client::AckKind::Term:
        h.state = State::Terminated;
        h.dueAt = 0;
        break;
    }
}

/// One answer settles a message, whichever of its deliveries it is for, and with ack all what came
/// before it.
void ConsumeController::settleOthers(const HeldMessage& by)
{
    if ((by.state != State::Acked && by.state != State::Terminated) || by.info.streamSeq == 0)
        return;
    const HeldMessage answered = by;
    for (qsizetype i = 0; i < m_held.size(); ++i) {
        HeldMessage& h = m_held[i];
        const quint64 seq = h.info.streamSeq;
        const bool covered = seq == answered.info.streamSeq
            || (answered.terms.ackAll && seq < answered.info.streamSeq);
        if (!covered || !h.canAnswer() || h.terms.stream != answered.terms.stream
            || h.terms.consumer != answered.terms.consumer)
            continue;
        h.state = answered.state;
        h.dueAt = 0;
        h.note = tr("Settled by the answer for %1 (delivery %2).")
                     .arg(answered.info.streamSeq)
                     .arg(answered.info.delivered);
        emit changed(i);
    }
}

void ConsumeController::askWhatItDid(qsizetype at, const Answer& answer)
{
    HeldMessage& h = m_held[at];
    if (!answer.before) {
        h.note = tr("Late by %1. The server confirms late answers too; whether this one still "
                    "counted it does not say.")
                     .arg(text::duration(h.lateBy));
        emit changed(at);
        return;
    }
    m_ask(h,
        this,
        [this, id = h.id, before = *answer.before](
            const std::optional<DeliveryCell>& after) { judge(id, before, after); });
}

void ConsumeController::judge(
    quint64 id, const DeliveryCell& before, const std::optional<DeliveryCell>& after)
{
    const qsizetype at = indexOf(id);
    if (at < 0)
        return;
    HeldMessage& h = m_held[at];
    const QString late = text::duration(h.lateBy);
    h.noEffect = after && sameCell(before, *after);
    if (h.noEffect) {
        if (h.state == State::Held || h.state == State::Naked) {
            h.state = State::Expired; // another answer may still do something
            h.dueAt = m_now() - h.lateBy;
        }
        h.note = tr("Late by %1, and it changed nothing: the message was “%2” before and still is. "
                    "The server confirms such an answer all the same.")
                     .arg(late, stateWords(before));
    } else if (after) {
        h.note = tr("Late by %1, but it counted: the message was “%2” and is now “%3”.")
                     .arg(late, stateWords(before), stateWords(*after));
        settleOthers(h);
    } else {
        h.note = tr("Late by %1: the message was “%2”.").arg(late, stateWords(before));
    }
    emit changed(at);
}

void ConsumeController::ackNext(quint64 id)
{
    const qsizetype at = indexOf(id);
    if (at < 0 || !m_held[at].isHeld())
        return;
    m_held[at].state = State::Acked;
    m_held[at].dueAt = 0;
    m_asked = m_held[at].terms;
    emit changed(at);
    m_fetcher.ackNext(m_held[at].message.reply, 1);
    emit stateChanged();
}

void ConsumeController::clearSettled()
{
    for (qsizetype i = m_held.size() - 1; i >= 0; --i) {
        if (m_held[i].isHeld() || m_held[i].state == State::Sent)
            continue;
        m_held.removeAt(i);
        emit removed(i, 1);
    }
}

void ConsumeController::markRemoved(qsizetype index, Removal cause)
{
    HeldMessage& h = m_held[index];
    h.state = State::Removed;
    h.removal = cause;
    h.dueAt = 0;
    h.lateBy = 0;
    h.noEffect = false;
    h.note.clear();
    emit changed(index);
}

void ConsumeController::forgetIf(const std::function<bool(HeldMessage&)>& gone)
{
    for (qsizetype i = m_held.size() - 1; i >= 0; --i) {
        if (!gone(m_held[i]))
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
        emit changed(i);
    }
}

} // namespace jetglass::controllers
