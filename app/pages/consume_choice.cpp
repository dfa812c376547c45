// SPDX-License-Identifier: GPL-3.0-or-later
// Which consumer the page is about.
#include "forms/tone.h"
#include "pages/consume_page.h"
#include "pages/consume_parts.h"
#include "pages/held_list.h"

#include <QComboBox>
#include <QLabel>

#include <algorithm>

namespace jetglass::pages {

using controllers::HeldMessage;
using forms::Tone;

void ConsumePage::setConsumer(const QString& stream, const QString& consumer)
{
    m_stream->setCurrentIndex(m_stream->findText(stream));
    m_consumer->setCurrentIndex(m_consumer->findText(consumer));
}

void ConsumePage::follow(const QString& stream, const QString& consumer)
{
    const QList<HeldMessage>& all = m_controller.held();
    const bool busy = m_controller.isFetching() || m_controller.isListening()
        || std::any_of(all.begin(), all.end(), [](const HeldMessage& m) { return m.isHeld(); });
    if (busy)
        return;
    setStream(stream);
    if (const int index = m_consumer->findText(consumer);
        index >= 0 && m_stream->currentText() == stream)
        m_consumer->setCurrentIndex(index);
}

void ConsumePage::setStream(const QString& stream)
{
    const int index = m_stream->findText(stream);
    if (index >= 0)
        m_stream->setCurrentIndex(index);
}

const ConsumerOverview* ConsumePage::consumer() const
{
    const StreamOverview* s = m_source ? m_source->stream(m_stream->currentText()) : nullptr;
    if (!s)
        return nullptr;
    const std::string name = m_consumer->currentText().toStdString();
    for (const ConsumerOverview& c : s->consumers) {
        if (c.name == name)
            return &c;
    }
    return nullptr;
}

void ConsumePage::refreshStreams()
{
    QStringList names;
    if (m_source) {
        for (const StreamOverview& s : m_source->overview()->streams)
            names.append(QString::fromStdString(s.name));
    }
    refill(m_stream, names);
    refreshConsumers();
}

void ConsumePage::refreshConsumers()
{
    QStringList names;
    if (const StreamOverview* s = m_source ? m_source->stream(m_stream->currentText()) : nullptr) {
        for (const ConsumerOverview& c : s->consumers)
            names.append(QString::fromStdString(c.name));
    }
    refill(m_consumer, names);
    refreshConsumer();
}

void ConsumePage::refreshConsumer()
{
    const ConsumerOverview* c = consumer();
    if (m_consumer->currentText() != m_shown && !m_controller.isFetching()
        && !m_controller.isListening()) {
        m_lastEnd.reset(); // it was about another consumer
        m_result->clear();
    }
    m_shown = m_consumer->currentText();
    m_list->setConsumer(m_stream->currentText(), m_shown);
    if (!c) {
        forms::say(m_facts,
            Tone::Quiet,
            tr("This stream has no consumer yet. Create one to receive its messages."));
        refreshButtons();
        return;
    }
    controllers::ConsumerTerms terms;
    terms.stream = m_stream->currentText();
    terms.consumer = m_shown;
    terms.streamId = m_source->stream(terms.stream)->id;
    terms.consumerId = c->id;
    if (c->config.ackPolicy != AckPolicy::None)
        terms.ackWait = std::chrono::nanoseconds(c->config.ackWait);
    terms.ackAll = c->config.ackPolicy == AckPolicy::All;
    for (const std::int64_t ns : c->config.backoff)
        terms.backoff.append(std::chrono::nanoseconds(ns));
    m_controller.setTerms(std::move(terms));
    const QString kind = c->config.isPush()
        ? tr("Push consumer to %1").arg(QString::fromStdString(c->config.deliverSubject))
        : tr("Pull consumer");
    QString text = tr("%1: %L2 waiting (num_pending), %L3 delivered and unanswered "
                      "(num_ack_pending), %L4 delivered again (num_redelivered).")
                       .arg(kind)
                       .arg(c->counts.pending)
                       .arg(c->counts.ackPending)
                       .arg(c->counts.redelivered);
    if (c->counts.stalled)
        text += tr(" It gives out nothing new: max_ack_pending is reached.");
    if (c->counts.paused)
        text += tr(" It is paused.");
    const bool stuck = c->counts.stalled || c->counts.paused;
    forms::say(m_facts, stuck ? Tone::Waiting : Tone::Quiet, text);
    refreshButtons();
    refreshSameAs();
}

} // namespace jetglass::pages
