// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/config_dialog.h"

#include "client/consumer_admin.h"
#include "client/stream_admin.h"
#include "forms/config_diff.h"
#include "forms/config_form.h"
#include "forms/consumer_form.h"
#include "forms/same_as_view.h"
#include "forms/stream_fields.h"
#include "forms/stream_form.h"
#include "forms/tone.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace jetglass::dialogs {

using namespace Qt::StringLiterals;
using forms::Tone;

ConfigDialog::ConfigDialog(
    client::Connection* connection, sources::FlowSource* source, QWidget* parent)
    : QDialog(parent)
    , m_connection(connection)
    , m_source(source)
    , m_scroll(new QScrollArea(this))
    , m_finding(new QLabel(this))
    , m_changesLabel(new QLabel(this))
    , m_changes(new QLabel(this))
    , m_sameAs(new forms::SameAsView(this))
    , m_save(new QPushButton(this))
    , m_cancel(new QPushButton(this))
{
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_finding->setWordWrap(true);
    m_changes->setWordWrap(true);
    m_changes->setTextFormat(Qt::RichText);
    QFont bold = font();
    bold.setBold(true);
    m_changesLabel->setFont(bold);
    m_save->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_finding, 1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_save);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_scroll, 4);
    layout->addWidget(m_changesLabel);
    layout->addWidget(m_changes);
    layout->addWidget(m_sameAs, 1);
    layout->addLayout(buttons);
    connect(m_save, &QPushButton::clicked, this, &ConfigDialog::save);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_soon.setSingleShot(true);
    m_soon.setInterval(120);
    connect(&m_soon, &QTimer::timeout, this, [this] { updateSameAs(m_sameAs); });
    if (connection)
        connect(connection, &client::Connection::stateChanged, this, &ConfigDialog::refresh);
    resize(fontMetrics().averageCharWidth() * 100, fontMetrics().lineSpacing() * 44);
}

void ConfigDialog::setForm(QWidget* form)
{
    auto* page = new QWidget(m_scroll);
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(form);
    m_scroll->setWidget(page);
    if (m_connection)
        m_sameAs->setServer(m_connection->options().servers.value(0));
    retranslate();
    refresh();
}

void ConfigDialog::refresh()
{
    const bool connected = m_connection && m_connection->isConnected();
    bool any = true;
    if (isEditing()) {
        m_changes->setText(changes(&any));
        m_changesLabel->setVisible(true);
    } else {
        m_changesLabel->hide();
    }
    m_changes->setVisible(isEditing());
    tellFinding();
    m_save->setEnabled(finding().ok() && connected && any && !m_sending);
    m_save->setDefault(isNamed());
    m_save->setText(isEditing() ? tr("&Save changes")
            : isNamed()         ? tr("&Create")
                                : tr("&Create without a name"));
    m_soon.start();
}

bool ConfigDialog::lacksOnlyItsName() const
{
    // The rules look at the name first; what cannot be read has no error code.
    return needsName() && !isEditing() && name().isEmpty() && finding().errCode != 0;
}

void ConfigDialog::tellFinding()
{
    const forms::FormFinding& f = finding();
    if (lacksOnlyItsName() && !m_tried) {
        forms::say(m_finding, Tone::Quiet, tr("It needs a name."));
    } else if (!f.ok()) {
        QString text = f.errCode == 0
            ? f.text
            : tr("The server would refuse this: %1 (error %2).").arg(f.text).arg(f.errCode);
        const QString meaning =
            client::ApiError{client::ApiError::Kind::Api, f.code, f.errCode, {}}.meaning();
        if (!f.detail.isEmpty())
            text += u' ' + f.detail;
        if (f.errCode != 10052 && f.errCode != 10065 && !meaning.isEmpty())
            text += u' ' + meaning;
        forms::say(m_finding, Tone::Bad, text);
    } else if (!m_connection || !m_connection->isConnected()) {
        forms::say(m_finding, Tone::Waiting, m_connection ? m_connection->stateText() : QString());
    } else if (!m_sending) {
        forms::say(m_finding, Tone::Quiet, QString());
    }
}

void ConfigDialog::save()
{
    if (!m_save->isEnabled())
        return;
    m_sending = true;
    forms::say(m_finding, Tone::Plain, tr("Waiting for the server …"));
    m_save->setEnabled(false);
    send([this](const client::ApiAnswer& answer) { onAnswer(answer); });
}

void ConfigDialog::onAnswer(const client::ApiAnswer& answer)
{
    m_sending = false;
    refresh();
    if (!answer.ok()) {
        forms::say(
            m_finding, Tone::Bad, QString(answer.error->text() + u' ' + answer.error->meaning()));
        return;
    }
    if (m_source)
        m_source->refreshOverview();
    QString made = answer.json.value(u"name"_s).toString();
    if (made.isEmpty())
        made = name();
    emit saved(made);
    accept();
}

QString ConfigDialog::resultText() const
{
    return m_finding->text();
}

void ConfigDialog::retranslate()
{
    setWindowTitle(title());
    m_changesLabel->setText(tr("What this edit changes"));
    m_cancel->setText(tr("Cance&l"));
}

void ConfigDialog::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && !isNamed()) {
        forms::say(m_finding,
            Tone::Waiting,
            tr("It has no name yet. Write one, or press the button to create it without."));
        return;
    }
    if (enter && lacksOnlyItsName()) {
        m_tried = true;
        tellFinding();
    }
    QDialog::keyPressEvent(event);
}

void ConfigDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
    QDialog::changeEvent(event);
}

StreamDialog::StreamDialog(client::Connection* connection,
    sources::FlowSource* source,
    const QJsonObject& existing,
    QWidget* parent)
    : ConfigDialog(connection, source, parent)
    , m_form(new forms::StreamForm(this))
{
    if (!existing.isEmpty())
        m_form->setExisting(existing);
    refreshOthers();
    setForm(m_form);
    connect(m_form, &forms::StreamForm::changed, this, &StreamDialog::refresh);
    if (source)
        connect(source, &sources::FlowSource::overviewChanged, this, &StreamDialog::refreshOthers);
    if (!m_form->isEditing())
        m_form->form()->focusField(u"name"_s);
}

void StreamDialog::refreshOthers()
{
    QList<forms::OtherStream> others;
    if (m_source) {
        for (const StreamOverview& stream : m_source->overview()->streams) {
            forms::OtherStream other{QString::fromStdString(stream.name), {}};
            for (const std::string& subject : stream.config.subjects)
                other.subjects.append(QString::fromStdString(subject));
            others.append(std::move(other));
        }
    }
    m_form->setOthers(std::move(others));
}

bool StreamDialog::isEditing() const
{
    return m_form->isEditing();
}

const forms::FormFinding& StreamDialog::finding() const
{
    return m_form->finding();
}

QString StreamDialog::changes(bool* any) const
{
    const auto list =
        forms::configDiff(forms::streamFields(), m_form->original(), m_form->config());
    *any = !list.isEmpty();
    return forms::diffText(list, palette());
}

void StreamDialog::updateSameAs(forms::SameAsView* view)
{
    view->setAction(client::StreamAction{m_form->config(), isEditing()});
}

void StreamDialog::send(client::ApiHandler handler)
{
    if (isEditing())
        client::updateStream(*m_connection, m_form->config(), this, std::move(handler));
    else
        client::createStream(*m_connection, m_form->config(), this, std::move(handler));
}

QString StreamDialog::name() const
{
    return m_form->config().value(u"name"_s).toString();
}

QString StreamDialog::title() const
{
    return isEditing() ? tr("Edit the stream %1").arg(name()) : tr("Create a stream");
}

ConsumerDialog::ConsumerDialog(client::Connection* connection,
    sources::FlowSource* source,
    const QJsonObject& stream,
    const QJsonObject& existing,
    QWidget* parent)
    : ConfigDialog(connection, source, parent)
    , m_stream(stream.value(u"name"_s).toString())
    , m_form(new forms::ConsumerForm(this))
{
    if (existing.isEmpty())
        m_form->setNew(stream);
    else
        m_form->setExisting(stream, existing);
    setForm(m_form);
    connect(m_form, &forms::ConsumerForm::changed, this, &ConsumerDialog::refresh);
    if (!m_form->isEditing())
        m_form->form()->focusField(u"durable_name"_s);
}

bool ConsumerDialog::isEditing() const
{
    return m_form->isEditing();
}

const forms::FormFinding& ConsumerDialog::finding() const
{
    return m_form->finding();
}

QString ConsumerDialog::changes(bool* any) const
{
    QJsonObject before = m_form->original();
    QJsonObject after = m_form->config();
    // One filter is told in another member than several; the difference is none to the reader.
    for (QJsonObject* o : {&before, &after}) {
        const QString single = o->take(u"filter_subject"_s).toString();
        if (!single.isEmpty())
            o->insert(u"filter_subjects"_s, QJsonArray{single});
    }
    const auto list = forms::configDiff(forms::consumerFields(), before, after);
    *any = !list.isEmpty();
    return forms::diffText(list, palette());
}

void ConsumerDialog::updateSameAs(forms::SameAsView* view)
{
    view->setAction(client::ConsumerAddAction{m_stream, m_form->config(), isEditing()});
}

void ConsumerDialog::send(client::ApiHandler handler)
{
    client::createConsumer(*m_connection,
        m_stream,
        m_form->config(),
        isEditing() ? client::ConsumerAction::Update : client::ConsumerAction::Create,
        this,
        std::move(handler));
}

QString ConsumerDialog::name() const
{
    const QString durable = m_form->config().value(u"durable_name"_s).toString();
    return durable.isEmpty() ? m_form->config().value(u"name"_s).toString() : durable;
}

bool ConsumerDialog::isNamed() const
{
    return isEditing() || !name().isEmpty();
}

QString ConsumerDialog::title() const
{
    return isEditing() ? tr("Edit the consumer %1 of %2").arg(name(), m_stream)
                       : tr("Create a consumer of %1").arg(m_stream);
}

} // namespace jetglass::dialogs
