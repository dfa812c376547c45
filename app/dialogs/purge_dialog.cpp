// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/purge_dialog.h"

#include "client/subject_text.h"
#include "dialogs/preview_view.h"
#include "forms/same_as_view.h"
#include "forms/tone.h"
#include "forms/units.h"
#include "text/quantity.h"

#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace jetglass::dialogs {

using forms::Tone;

namespace {

std::optional<quint64> positive(const QString& text)
{
    const auto n = text.trimmed().isEmpty() ? std::nullopt : forms::parseCount(text);
    if (!n || *n <= 0)
        return std::nullopt;
    return static_cast<quint64>(*n);
}

} // namespace

PurgeDialog::PurgeDialog(client::Connection* connection,
    sources::FlowSource* source,
    const QString& stream,
    QWidget* parent)
    : GrowingDialog(parent)
    , m_connection(connection)
    , m_controller(connection, source, stream, controllers::PurgeController::Subject::Purge)
{
    build();
    retranslate();
    using controllers::PurgeController;
    connect(&m_controller, &PurgeController::previewChanged, this, &PurgeDialog::refresh);
    connect(&m_controller, &PurgeController::done, this, [this](quint64 count) {
        emit purged(count);
        accept();
    });
    connect(&m_controller, &PurgeController::failed, this, [this](const client::ApiError& error) {
        forms::say(m_result, Tone::Bad, QString(error.text() + QLatin1Char(' ') + error.meaning()));
        m_controller.refresh();
    });
    // The stream goes on while the dialog is open, and so does the preview.
    m_again.setInterval(1000);
    connect(&m_again, &QTimer::timeout, &m_controller, &PurgeController::refresh);
    m_again.start();
    refresh();
}

void PurgeDialog::build()
{
    auto* form = new QFormLayout;
    m_all = new QRadioButton(this);
    m_all->setChecked(true);
    m_bySeq = new QRadioButton(this);
    m_seq = new QLineEdit(this);
    m_byKeep = new QRadioButton(this);
    m_keep = new QLineEdit(this);
    m_filterLabel = new QLabel(this);
    m_filter = new QLineEdit(this);
    m_filterLabel->setBuddy(m_filter);
    form->addRow(m_all);
    form->addRow(m_bySeq, m_seq);
    form->addRow(m_byKeep, m_keep);
    form->addRow(m_filterLabel, m_filter);
    m_seq->setObjectName(QStringLiteral("purgeSeq"));
    m_keep->setObjectName(QStringLiteral("purgeKeep"));
    m_preview = new PreviewView(this);
    m_sameAs = new forms::SameAsView(this);
    m_result = new QLabel(this);
    m_result->setWordWrap(true);
    m_purge = new QPushButton(this);
    m_cancel = new QPushButton(this);
    m_cancel->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_result, 1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_purge);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_preview, 3);
    layout->addWidget(m_sameAs, 1);
    layout->addLayout(buttons);
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().lineSpacing() * 36);
    for (QRadioButton* b : {m_all, m_bySeq, m_byKeep})
        connect(b, &QRadioButton::toggled, this, &PurgeDialog::onEdited);
    for (QLineEdit* e : {m_seq, m_keep, m_filter})
        connect(e, &QLineEdit::textChanged, this, &PurgeDialog::onEdited);
    // Who writes a number means the option that it belongs to. The fields stay enabled: one that is
    // switched off under the cursor hands the rest of the typing to its neighbour.
    connect(m_seq, &QLineEdit::textEdited, m_bySeq, [this] { m_bySeq->setChecked(true); });
    connect(m_keep, &QLineEdit::textEdited, m_byKeep, [this] { m_byKeep->setChecked(true); });
    connect(m_purge, &QPushButton::clicked, this, [this] {
        m_purge->setEnabled(false);
        m_controller.carryOut();
    });
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
}

void PurgeDialog::setRequest(const client::PurgeRequest& request)
{
    m_filter->setText(request.filter);
    if (request.seq > 0) {
        m_bySeq->setChecked(true);
        m_seq->setText(QString::number(request.seq));
    } else if (request.keep > 0) {
        m_byKeep->setChecked(true);
        m_keep->setText(QString::number(request.keep));
    } else {
        m_all->setChecked(true);
    }
    onEdited();
}

client::PurgeRequest PurgeDialog::request() const
{
    client::PurgeRequest r;
    r.filter = m_filter->text().trimmed();
    if (m_bySeq->isChecked())
        r.seq = positive(m_seq->text()).value_or(0);
    if (m_byKeep->isChecked())
        r.keep = positive(m_keep->text()).value_or(0);
    return r;
}

void PurgeDialog::onEdited()
{
    m_result->clear();
    m_controller.setRequest(request());
}

void PurgeDialog::refresh()
{
    if (m_connection)
        m_sameAs->setServer(m_connection->options().servers.value(0));
    // A missing number would turn 'up to' into 'all': then there is nothing to preview and nothing
    // to press.
    QString problem;
    if (m_bySeq->isChecked() && !positive(m_seq->text()))
        problem = tr("Write the sequence that is the first to stay.");
    else if (m_byKeep->isChecked() && !positive(m_keep->text()))
        problem = tr("Write how many messages stay.");
    else if (!m_filter->text().trimmed().isEmpty()
        && !client::isValidSubject(m_filter->text().trimmed()))
        problem = tr("The filter is not a subject.");
    if (!problem.isEmpty())
        forms::say(m_result, Tone::Waiting, problem);
    // Nor is there a command to copy.
    m_sameAs->setVisible(problem.isEmpty());
    if (problem.isEmpty())
        m_sameAs->setAction(client::PurgeAction{m_controller.stream(), m_controller.request()});
    const bool fresh = m_controller.isFresh() && problem.isEmpty();
    m_preview->setVisible(problem.isEmpty());
    m_preview->setJump(m_controller.jumpsTo());
    if (fresh)
        m_preview->setPreview(m_controller.preview());
    else
        m_preview->setAsking();
    const PreviewAnswer& p = m_controller.preview();
    const bool connected = m_connection && m_connection->isConnected();
    const bool able = fresh && connected && p.found && p.error.empty() && p.count > 0;
    m_purge->setEnabled(able);
    m_purge->setText(
        able ? tr("&Remove %Ln message(s)", nullptr, text::plural(p.count)) : tr("&Remove"));
}

void PurgeDialog::retranslate()
{
    setWindowTitle(tr("Purge the stream %1").arg(m_controller.stream()));
    m_all->setText(tr("&All messages"));
    m_bySeq->setText(tr("All &before the sequence"));
    m_seq->setToolTip(tr("This sequence and what follows stays (seq)."));
    m_seq->setAccessibleName(m_bySeq->text());
    m_byKeep->setText(tr("All but the &newest"));
    m_keep->setToolTip(tr("So many messages stay, with a subject below so many of those (keep)."));
    m_keep->setAccessibleName(m_byKeep->text());
    m_filterLabel->setText(tr("&Only the subject"));
    m_filter->setPlaceholderText(tr("all"));
    m_cancel->setText(tr("&Cancel"));
}

void PurgeDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
    GrowingDialog::changeEvent(event);
}

} // namespace jetglass::dialogs
