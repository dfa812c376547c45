// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/delete_dialog.h"

#include "client/consumer_admin.h"
#include "dialogs/preview_view.h"
#include "forms/same_as_view.h"
#include "forms/tone.h"
#include "text/quantity.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace jetglass::dialogs {

using forms::Tone;

namespace {

/// The line of buttons that both dialogs have; Cancel is the default, so Return does not delete.
QHBoxLayout* buttonLine(QLabel* result, QPushButton* cancel, QPushButton* carryOut)
{
    auto* line = new QHBoxLayout;
    result->setWordWrap(true);
    cancel->setDefault(true);
    carryOut->setAutoDefault(false);
    line->addWidget(result, 1);
    line->addWidget(cancel);
    line->addWidget(carryOut);
    return line;
}

} // namespace

DeleteStreamDialog::DeleteStreamDialog(client::Connection* connection,
    sources::FlowSource* source,
    const QString& stream,
    QWidget* parent)
    : GrowingDialog(parent)
    , m_connection(connection)
    , m_controller(connection, source, stream, controllers::PurgeController::Subject::DeleteStream)
    , m_preview(new PreviewView(this))
    , m_sameAs(new forms::SameAsView(this))
    , m_result(new QLabel(this))
    , m_delete(new QPushButton(this))
    , m_cancel(new QPushButton(this))
{
    m_preview->setDeletes();
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_preview, 3);
    layout->addWidget(m_sameAs, 1);
    layout->addLayout(buttonLine(m_result, m_cancel, m_delete));
    resize(fontMetrics().averageCharWidth() * 84, fontMetrics().lineSpacing() * 28);
    using controllers::PurgeController;
    connect(&m_controller, &PurgeController::previewChanged, this, &DeleteStreamDialog::refresh);
    connect(&m_controller, &PurgeController::done, this, [this] {
        emit deleted();
        accept();
    });
    connect(&m_controller, &PurgeController::failed, this, [this](const client::ApiError& error) {
        forms::say(m_result, Tone::Bad, QString(error.text() + QLatin1Char(' ') + error.meaning()));
        m_delete->setEnabled(true);
    });
    connect(m_delete, &QPushButton::clicked, this, [this] {
        m_delete->setEnabled(false);
        m_controller.carryOut();
    });
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    refresh();
}

void DeleteStreamDialog::refresh()
{
    setWindowTitle(tr("Delete the stream %1").arg(m_controller.stream()));
    m_delete->setText(tr("&Delete the stream"));
    m_cancel->setText(tr("&Cancel"));
    if (m_connection)
        m_sameAs->setServer(m_connection->options().servers.value(0));
    m_sameAs->setAction(client::StreamDeleteAction{m_controller.stream()});
    const bool fresh = m_controller.isFresh();
    if (fresh)
        m_preview->setPreview(m_controller.preview());
    else
        m_preview->setAsking();
    const bool connected = m_connection && m_connection->isConnected();
    m_delete->setEnabled(fresh && connected && m_controller.preview().found);
    if (fresh && m_controller.preview().found) {
        const QString what = whatGoes(m_controller.preview());
        forms::say(m_result,
            Tone::Bad,
            QString(what + QLatin1Char(' ') + tr("Its subjects are free for another stream.")));
    }
}

QString DeleteStreamDialog::whatGoes(const PreviewAnswer& preview)
{
    const int consumers = static_cast<int>(preview.consumers.size());
    if (consumers == 0)
        return preview.count > 0 ? tr("The stream is deleted for good, with its messages.")
                                 : tr("The stream is deleted for good.");
    return preview.count > 0
        ? tr("The stream is deleted for good, with its messages and %n consumer(s).",
            nullptr,
            consumers)
        : tr("The stream is deleted for good, with %n consumer(s).", nullptr, consumers);
}

void DeleteStreamDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        refresh();
    GrowingDialog::changeEvent(event);
}

DeleteConsumerDialog::DeleteConsumerDialog(client::Connection* connection,
    sources::FlowSource* source,
    const QString& stream,
    const QString& consumer,
    QWidget* parent)
    : GrowingDialog(parent)
    , m_connection(connection)
    , m_source(source)
    , m_stream(stream)
    , m_consumer(consumer)
    , m_text(new QLabel(this))
    , m_sameAs(new forms::SameAsView(this))
    , m_result(new QLabel(this))
    , m_delete(new QPushButton(this))
    , m_cancel(new QPushButton(this))
{
    m_text->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(m_sameAs, 1);
    layout->addLayout(buttonLine(m_result, m_cancel, m_delete));
    resize(fontMetrics().averageCharWidth() * 76, fontMetrics().lineSpacing() * 20);
    connect(m_delete, &QPushButton::clicked, this, &DeleteConsumerDialog::carryOut);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    if (source)
        connect(
            source, &sources::FlowSource::overviewChanged, this, &DeleteConsumerDialog::refresh);
    refresh();
}

QString DeleteConsumerDialog::consequences(
    const StreamOverview& stream, const ConsumerOverview& c) const
{
    QString text = tr("Its place in the stream is forgotten: delivered up to %1, everything acked "
                      "up to %2. Unanswered messages: %L3; still waiting for it: %L4. A new "
                      "consumer starts where its own deliver policy says.")
                       .arg(c.counts.deliveredStreamSeq.value())
                       .arg(c.counts.floorStreamSeq.value())
                       .arg(c.counts.ackPending)
                       .arg(c.counts.pending);
    text += QStringLiteral("\n\n");
    switch (stream.config.retention) {
    case Retention::Limits:
        text += tr("The stream keeps its messages: its retention is limits.");
        break;
    case Retention::Interest:
        text += stream.consumers.size() <= 1
            ? tr("It is the last interest in this stream: the messages that only it held go with "
                 "it, and what is "
                 "published after that is not stored at all.")
            : tr("Its interest goes with it: messages that only it had not acked yet leave the "
                 "stream.");
        break;
    case Retention::WorkQueue:
        text +=
            tr("The work queue keeps the messages that nobody acked; the next consumer gets them.");
        break;
    }
    if (c.counts.waitingPulls > 0)
        text += QStringLiteral("\n\n")
            + tr("%Ln pull request(s) wait now; each is told that the consumer was deleted (409).",
                nullptr,
                text::plural(c.counts.waitingPulls));
    return text;
}

void DeleteConsumerDialog::refresh()
{
    setWindowTitle(tr("Delete the consumer %1 of %2").arg(m_consumer, m_stream));
    m_delete->setText(tr("&Delete the consumer"));
    m_cancel->setText(tr("&Cancel"));
    if (m_connection)
        m_sameAs->setServer(m_connection->options().servers.value(0));
    m_sameAs->setAction(client::ConsumerDeleteAction{m_stream, m_consumer});
    const StreamOverview* s = m_source ? m_source->stream(m_stream) : nullptr;
    const ConsumerOverview* found = nullptr;
    if (s) {
        for (const ConsumerOverview& c : s->consumers) {
            if (QString::fromStdString(c.name) == m_consumer)
                found = &c;
        }
    }
    m_text->setText(
        found ? consequences(*s, *found) : tr("This consumer does not exist any more."));
    m_delete->setEnabled(found && m_connection && m_connection->isConnected());
}

void DeleteConsumerDialog::carryOut()
{
    if (!m_connection)
        return;
    m_delete->setEnabled(false);
    client::deleteConsumer(
        *m_connection, m_stream, m_consumer, this, [this](const client::ApiAnswer& answer) {
            if (!answer.ok()) {
                forms::say(m_result,
                    Tone::Bad,
                    QString(answer.error->text() + QLatin1Char(' ') + answer.error->meaning()));
                m_delete->setEnabled(true);
                return;
            }
            if (m_source)
                m_source->refreshOverview();
            emit deleted();
            accept();
        });
}

void DeleteConsumerDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        refresh();
    GrowingDialog::changeEvent(event);
}

} // namespace jetglass::dialogs
