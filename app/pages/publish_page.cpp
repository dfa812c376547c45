// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/publish_page.h"

#include "client/message_template.h"
#include "client/subject_text.h"
#include "forms/flow_layout.h"
#include "forms/same_as_view.h"
#include "forms/tone.h"
#include "pages/consume_parts.h"
#include "pages/header_table.h"

#include <QCheckBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QStringListModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace jetglass::pages {

using forms::Tone;

namespace {

constexpr qsizetype kMaxCompletions = 500;

QLabel* wrapping(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::NoFocus);
    return label;
}

} // namespace

PublishPage::PublishPage(
    client::Connection* connection, sources::FlowSource* source, QWidget* parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_source(source)
    , m_controller(connection)
{
    build();
    connectAll();
    retranslate();
    refreshSubjects();
    refreshHints();
    refreshRun();
    refreshSameAs();
}

void PublishPage::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(6);
    buildMessage(layout);
    buildRun(layout);
    m_sameAs = new forms::SameAsView(this);
    layout->addWidget(m_sameAs, 2);
    m_historyLabel = new QLabel(this);
    layout->addWidget(m_historyLabel);
    m_historyView = new QTableView(this);
    m_historyView->setModel(&m_history);
    m_historyView->verticalHeader()->hide();
    m_historyView->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_historyView->horizontalHeader()->setStretchLastSection(true);
    m_historyView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_historyView->setSelectionMode(QAbstractItemView::SingleSelection);
    m_historyView->setShowGrid(false);
    m_historyView->setTabKeyNavigation(false);
    m_historyLabel->setBuddy(m_historyView);
    layout->addWidget(m_historyView, 2);
}

void PublishPage::buildMessage(QVBoxLayout* layout)
{
    m_subjectLabel = new QLabel(this);
    m_subject = new QLineEdit(this);
    m_subjectLabel->setBuddy(m_subject);
    setFocusProxy(m_subject);
    m_subjects = new QStringListModel(this);
    auto* completer = new QCompleter(m_subjects, this);
    completer->setCaseSensitivity(Qt::CaseSensitive);
    completer->setFilterMode(Qt::MatchContains);
    m_subject->setCompleter(completer);
    m_capture = wrapping(this);
    layout->addWidget(m_subjectLabel);
    layout->addWidget(m_subject);
    layout->addWidget(m_capture);

    m_headersLabel = new QLabel(this);
    m_addHeader = new QToolButton(this);
    m_addHeader->setPopupMode(QToolButton::InstantPopup);
    m_addHeader->setMenu(new QMenu(m_addHeader));
    m_headers = new HeaderTable(this);
    m_headers->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    m_headersLabel->setBuddy(m_headers);
    auto* headerLine = new QHBoxLayout;
    headerLine->addWidget(m_headersLabel, 1);
    headerLine->addWidget(m_addHeader);
    layout->addLayout(headerLine);
    layout->addWidget(m_headers);
    m_headersState = new QLabel(this);
    m_headersState->setWordWrap(true);
    m_headersState->hide();
    layout->addWidget(m_headersState);

    m_payloadLabel = new QLabel(this);
    m_payloadState = new QLabel(this);
    m_format = new QToolButton(this);
    m_payload = new QPlainTextEdit(this);
    m_payload->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_payload->setTabChangesFocus(true);
    m_payload->setMinimumHeight(m_payload->fontMetrics().lineSpacing() * 4);
    m_payloadLabel->setBuddy(m_payload);
    auto* payloadLine = new QHBoxLayout;
    payloadLine->addWidget(m_payloadLabel);
    payloadLine->addWidget(m_payloadState, 1);
    payloadLine->addWidget(m_format);
    layout->addLayout(payloadLine);
    layout->addWidget(m_payload, 2);
}

void PublishPage::buildRun(QVBoxLayout* layout)
{
    m_countLabel = new QLabel(this);
    m_count = new QSpinBox(this);
    m_count->setRange(1, 100000000);
    m_count->setGroupSeparatorShown(true);
    m_countLabel->setBuddy(m_count);
    m_rateLabel = new QLabel(this);
    m_rate = new QDoubleSpinBox(this);
    m_rate->setRange(0, 100000);
    m_rate->setDecimals(1);
    m_rateLabel->setBuddy(m_rate);
    m_acked = new QCheckBox(this);
    m_acked->setChecked(true);
    auto* options = new forms::FlowLayout;
    options->addWidget(together({m_countLabel, m_count}, this));
    options->addWidget(together({m_rateLabel, m_rate}, this));
    layout->addLayout(options);
    layout->addWidget(m_acked);

    m_publish = new QPushButton(this);
    m_publish->setDefault(true);
    m_stop = new QPushButton(this);
    m_result = wrapping(this);
    m_meaning = wrapping(this);
    QFont bold = font();
    bold.setBold(true);
    m_result->setFont(bold);
    auto* line = new QHBoxLayout;
    line->addWidget(m_publish);
    line->addWidget(m_stop);
    line->addWidget(m_result, 1);
    layout->addLayout(line);
    layout->addWidget(m_meaning);
}

void PublishPage::connectAll()
{
    m_flush.setInterval(33);
    m_soon.setSingleShot(true);
    m_soon.setInterval(120);
    connect(&m_flush, &QTimer::timeout, this, [this] {
        m_history.flush();
        if (!m_controller.progress().running)
            m_flush.stop();
    });
    connect(&m_soon, &QTimer::timeout, this, &PublishPage::refreshSameAs);
    const auto edited = [this] {
        refreshHints();
        m_soon.start();
    };
    connect(m_subject, &QLineEdit::textChanged, this, edited);
    connect(m_headers, &HeaderTable::edited, this, edited);
    connect(m_payload, &QPlainTextEdit::textChanged, this, edited);
    connect(m_count, &QSpinBox::valueChanged, this, edited);
    connect(m_rate, &QDoubleSpinBox::valueChanged, this, edited);
    connect(m_acked, &QCheckBox::toggled, this, edited);
    connect(m_format, &QToolButton::clicked, this, &PublishPage::formatJson);
    connect(m_publish, &QPushButton::clicked, this, &PublishPage::publish);
    connect(m_stop, &QPushButton::clicked, &m_controller, &controllers::PublishController::cancel);
    connect(m_subject, &QLineEdit::returnPressed, this, &PublishPage::publish);
    for (const auto key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* shortcut =
            new QShortcut(QKeySequence(QKeyCombination(Qt::ControlModifier, key)), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, &PublishPage::publish);
    }
    using controllers::PublishController;
    connect(&m_controller, &PublishController::answered, this, &PublishPage::onAnswered);
    connect(
        &m_controller, &PublishController::sentWithoutAck, this, [this](const client::Message& m) {
            m_history.add({QDateTime::currentDateTimeUtc(), m, std::nullopt});
        });
    connect(&m_controller, &PublishController::progressChanged, this, &PublishPage::onProgress);
    connect(m_historyView, &QTableView::activated, this, [this](const QModelIndex& index) {
        setMessage(m_history.entry(index.row()).message);
    });
    if (m_connection)
        connect(m_connection, &client::Connection::stateChanged, this, &PublishPage::refreshRun);
    if (m_source) {
        connect(m_source, &sources::FlowSource::overviewChanged, this, [this] {
            refreshSubjects();
            refreshHints();
        });
    }
}

void PublishPage::setMessage(const client::Message& message)
{
    m_subject->setText(message.subject);
    m_headers->setHeaders(message.headers);
    m_payload->setPlainText(QString::fromUtf8(message.payload));
}

client::Message PublishPage::message() const
{
    client::Message m;
    m.subject = m_subject->text().trimmed();
    m.headers = m_headers->headers();
    m.payload = m_payload->toPlainText().toUtf8();
    return m;
}

void PublishPage::setStream(const QString& stream)
{
    const StreamOverview* s = m_source ? m_source->stream(stream) : nullptr;
    if (!s || s->config.subjects.empty() || !m_subject->text().isEmpty())
        return;
    QString subject = QString::fromStdString(s->config.subjects.front());
    subject.replace(QLatin1Char('>'), QStringLiteral("new"))
        .replace(QLatin1Char('*'), QStringLiteral("new"));
    m_subject->setText(subject);
}

QString PublishPage::resultText() const
{
    return m_result->text();
}

void PublishPage::publish()
{
    if (!m_publish->isEnabled())
        return;
    controllers::PublishJob job;
    job.message = message();
    job.count = static_cast<quint64>(m_count->value());
    job.perSecond = m_rate->value();
    job.acked = m_acked->isChecked();
    m_lastAck.reset();
    m_meaning->clear();
    m_flush.start();
    m_controller.start(job);
}

void PublishPage::onAnswered(const client::Message& message, const client::PubAck& ack)
{
    // The last error stays readable while later messages succeed.
    if (!m_lastAck || !ack.ok() || m_lastAck->ok())
        m_lastAck = ack;
    m_history.add({QDateTime::currentDateTimeUtc(), message, ack});
    if (!m_flush.isActive())
        m_flush.start();
}

void PublishPage::onProgress(const controllers::PublishProgress& p)
{
    refreshRun();
    if (p.wanted == 1 && !p.running && m_lastAck) {
        const Tone tone = !m_lastAck->ok() ? Tone::Bad
            : m_lastAck->duplicate         ? Tone::Waiting
                                           : Tone::Good;
        forms::say(m_result, tone, PublishHistoryModel::resultText(m_lastAck));
        forms::say(
            m_meaning, Tone::Quiet, m_lastAck->ok() ? QString() : m_lastAck->error->meaning());
    } else if (!m_acked->isChecked()) {
        forms::say(m_result, Tone::Plain, tr("%L1 of %L2 sent").arg(p.sent).arg(p.wanted));
    } else if (p.sent > 0) {
        QString text = tr("%L1 of %L2 stored").arg(p.stored).arg(p.wanted);
        if (p.duplicates > 0)
            text += tr(", %L1 duplicates").arg(p.duplicates);
        if (p.failed > 0)
            text += tr(", %L1 refused").arg(p.failed);
        forms::say(m_result, p.failed > 0 ? Tone::Bad : p.running ? Tone::Plain : Tone::Good, text);
        if (m_lastAck && !m_lastAck->ok()) {
            forms::say(m_meaning,
                Tone::Quiet,
                QString(m_lastAck->error->text() + QLatin1Char(' ') + m_lastAck->error->meaning()));
        }
    }
    m_meaning->setVisible(!m_meaning->text().isEmpty());
}

void PublishPage::refreshSubjects()
{
    if (!m_source)
        return;
    QStringList list;
    for (const StreamOverview& s : m_source->overview()->streams) {
        for (const std::string& subject : s.config.subjects) {
            if (list.size() < kMaxCompletions)
                list.append(QString::fromStdString(subject));
        }
    }
    if (list != m_subjects->stringList())
        m_subjects->setStringList(list);
}

QString PublishPage::captureText(const QString& subject) const
{
    QStringList names;
    if (m_source) {
        for (const StreamOverview& s : m_source->overview()->streams) {
            for (const std::string& pattern : s.config.subjects) {
                if (client::subjectMatches(QString::fromStdString(pattern), subject))
                    names.append(QString::fromStdString(s.name));
            }
        }
    }
    if (names.isEmpty())
        return tr("No stream captures this subject: only clients that subscribe now would get it.");
    return tr("Captured by the stream %1.").arg(names.join(QStringLiteral(", ")));
}

void PublishPage::refreshHints()
{
    const QString subject = client::expandTemplate(
        m_subject->text().trimmed(), {1, QDateTime::currentDateTimeUtc(), QStringLiteral("id")});
    if (subject.isEmpty())
        forms::say(m_capture,
            Tone::Quiet,
            tr("A subject is words with dots between them, such as orders.created."));
    else if (!client::isValidSubject(subject))
        forms::say(m_capture,
            Tone::Bad,
            tr("Not a subject: no blanks, and no empty word between two dots."));
    else if (client::hasWildcard(subject))
        forms::say(m_capture,
            Tone::Waiting,
            tr("* and > are wildcards for subscribing; a message goes to one exact subject."));
    else
        forms::say(m_capture, Tone::Quiet, captureText(subject));

    const QByteArray payload =
        client::expandTemplate(message(), {1, QDateTime::currentDateTimeUtc(), {}}).payload;
    QJsonParseError parse;
    const bool looksLikeJson =
        payload.trimmed().startsWith('{') || payload.trimmed().startsWith('[');
    const QJsonDocument doc = QJsonDocument::fromJson(payload, &parse);
    m_format->setEnabled(!doc.isNull());
    if (!doc.isNull())
        forms::say(m_payloadState,
            Tone::Quiet,
            tr("JSON, %n byte(s)", nullptr, static_cast<int>(payload.size())));
    else if (looksLikeJson)
        forms::say(m_payloadState,
            Tone::Waiting,
            tr("not valid JSON at byte %1: %2").arg(parse.offset).arg(parse.errorString()));
    else
        forms::say(m_payloadState,
            Tone::Quiet,
            tr("text, %n byte(s)", nullptr, static_cast<int>(payload.size())));
    if (m_connection && payload.size() > m_connection->maxPayload())
        forms::say(m_payloadState,
            Tone::Bad,
            tr("larger than the server's max_payload of %L1 bytes")
                .arg(m_connection->maxPayload()));
    refreshRun();
}

void PublishPage::refreshRun()
{
    const bool connected = m_connection && m_connection->isConnected();
    const bool valid = client::isValidSubject(m_subject->text().trimmed());
    const bool running = m_controller.progress().running;
    const QString headers = m_headers->problem();
    m_headersState->setVisible(!headers.isEmpty());
    forms::say(m_headersState, Tone::Bad, headers);
    // A button that is switched off would pass the focus on to whatever comes next.
    m_stop->setVisible(running || m_stop->hasFocus());
    if (running && m_publish->hasFocus())
        m_stop->setFocus();
    m_publish->setEnabled(connected && valid && headers.isEmpty() && !running);
    if (!running && m_stop->hasFocus() && m_publish->isEnabled())
        m_publish->setFocus();
    m_stop->setVisible(running);
    m_publish->setToolTip(connected ? tr("Sends the message (Ctrl+Return).")
            : m_connection          ? m_connection->stateText()
                                    : QString());
    m_meaning->setVisible(!m_meaning->text().isEmpty());
}

void PublishPage::refreshSameAs()
{
    if (m_connection)
        m_sameAs->setServer(m_connection->options().servers.value(0));
    client::PublishAction a;
    a.message = message();
    if (a.message.subject.isEmpty())
        a.message.subject = QStringLiteral("orders.created");
    a.acked = m_acked->isChecked();
    a.count = static_cast<quint64>(m_count->value());
    a.perSecond = m_rate->value();
    m_sameAs->setAction(a);
}

void PublishPage::formatJson()
{
    const QJsonDocument doc = QJsonDocument::fromJson(m_payload->toPlainText().toUtf8());
    if (!doc.isNull())
        m_payload->setPlainText(QString::fromUtf8(doc.toJson(QJsonDocument::Indented)).trimmed());
}

void PublishPage::retranslate()
{
    m_subjectLabel->setText(tr("S&ubject"));
    m_headersLabel->setText(tr("He&aders"));
    m_addHeader->setText(tr("Add a known header"));
    m_addHeader->menu()->clear();
    m_headers->fillMenu(m_addHeader->menu());
    m_payloadLabel->setText(tr("Pa&yload"));
    m_payload->setPlaceholderText(QStringLiteral("{\"order_id\": \"ORD-{{counter}}\"}"));
    m_payload->setToolTip(tr("{{counter}}, {{counter:5}}, {{time}}, {{unix_ms}} and {{uuid}} are "
                             "replaced in subject, header values and payload."));
    m_format->setText(tr("Format"));
    m_format->setToolTip(tr("Indents the JSON."));
    m_countLabel->setText(tr("&Count"));
    m_rateLabel->setText(tr("&Rate"));
    m_rate->setSuffix(tr("/s"));
    m_rate->setSpecialValueText(tr("as fast as possible"));
    m_acked->setText(tr("&Wait for the pub ack of each message"));
    m_acked->setToolTip(tr(
        "Without it the message is sent as in Core NATS: nobody says whether a stream stored it."));
    m_publish->setText(tr("&Publish"));
    m_stop->setText(tr("S&top"));
    m_stop->setToolTip(tr("Sends no more. What was sent stays sent."));
    m_historyLabel->setText(tr("Se&nt by this panel"));
    m_historyView->setToolTip(tr("Double click or Return puts a message back into the panel."));
    m_historyView->setAccessibleName(tr("Sent messages and their results"));
    m_subject->setPlaceholderText(QStringLiteral("orders.created"));
}

void PublishPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refreshHints();
        onProgress(m_controller.progress());
    }
    QWidget::changeEvent(event);
}

} // namespace jetglass::pages
