// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/consume_page.h"

#include "controllers/held_watch.h"
#include "forms/flow_layout.h"
#include "forms/same_as_view.h"
#include "forms/tone.h"
#include "pages/consume_parts.h"
#include "pages/held_list.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFontDatabase>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

namespace jetglass::pages {

using client::AckKind;
using controllers::ConsumeController;
using controllers::HeldMessage;
using forms::Tone;

namespace {

ConsumeController::Clock clockOf(sources::FlowSource* source)
{
    // Countdowns follow the broker's clock, which a lesson may pause or speed up.
    return [source = QPointer<sources::FlowSource>(source)] {
        return source ? source->now() : QDateTime::currentMSecsSinceEpoch() * 1000000;
    };
}

ConsumeController::CellQuestion cellsOf(sources::FlowSource* source)
{
    return
        [source = QPointer<sources::FlowSource>(source)](
            const HeldMessage& held, QObject* context, const ConsumeController::CellReply& reply) {
            if (!source || held.terms.consumerId == ConsumerId{})
                return reply(std::nullopt);
            RangeQuestion question;
            question.consumers = {held.terms.consumerId};
            question.stream = held.terms.streamId;
            question.first = question.last = StreamSeq(held.info.streamSeq);
            source->ask(question, context, [reply](const RangeAnswer& answer) {
                if (answer.rows.empty() || answer.rows.front().cells.empty())
                    return reply(std::nullopt);
                reply(answer.rows.front().cells.front());
            });
        };
}

} // namespace

ConsumePage::ConsumePage(
    client::Connection* connection, sources::FlowSource* source, QWidget* parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_source(source)
    , m_controller(connection, clockOf(source))
{
    m_controller.setCellQuestion(cellsOf(source));
    if (source)
        new controllers::HeldWatch(m_controller, *source, &m_controller);
    build();
    connectAll();
    retranslate();
    refreshStreams();
    refreshButtons();
}

void ConsumePage::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(6);
    buildRequest(layout);
    m_list = new HeldList(m_controller, this);
    view()->installEventFilter(this); // its search by typing would take the letters
    layout->addWidget(m_list, 4);
    buildVerbs(layout);
    m_payloadLabel = new QLabel(this);
    m_payload = new QPlainTextEdit(this);
    m_payload->setReadOnly(true);
    m_payload->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_payload->setTabChangesFocus(true);
    keepLow(m_payload, 5);
    m_payloadLabel->setBuddy(m_payload);
    layout->addWidget(m_payloadLabel);
    layout->addWidget(m_payload, 1);
    m_sameAs = new forms::SameAsView(this);
    keepLow(m_sameAs, 10);
    layout->addWidget(m_sameAs, 1);
}

void ConsumePage::buildRequest(QVBoxLayout* layout)
{
    m_streamLabel = new QLabel(this);
    m_stream = new QComboBox(this);
    m_consumerLabel = new QLabel(this);
    m_consumer = new QComboBox(this);
    for (QComboBox* box : {m_stream, m_consumer}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    m_streamLabel->setBuddy(m_stream);
    m_consumerLabel->setBuddy(m_consumer);
    auto* which = new QGridLayout;
    which->addWidget(m_streamLabel, 0, 0);
    which->addWidget(m_stream, 0, 1);
    which->addWidget(m_consumerLabel, 1, 0);
    which->addWidget(m_consumer, 1, 1);
    which->setColumnStretch(1, 1);
    layout->addLayout(which);
    m_facts = new SteadyLabel(3, this);
    layout->addWidget(m_facts);

    m_batchLabel = new QLabel(this);
    m_batch = new QSpinBox(this);
    m_batch->setRange(1, 1000);
    m_batch->setValue(5);
    m_batchLabel->setBuddy(m_batch);
    m_expiresLabel = new QLabel(this);
    m_expires = new QDoubleSpinBox(this);
    m_expires->setRange(0.1, 3600);
    m_expires->setDecimals(1);
    m_expires->setValue(5);
    m_expiresLabel->setBuddy(m_expires);
    m_noWait = new QCheckBox(this);
    m_fetch = new QPushButton(this);
    setFocusProxy(m_fetch);
    m_stop = new QPushButton(this);
    auto* line = new forms::FlowLayout;
    line->addWidget(m_fetch);
    line->addWidget(m_stop);
    line->addWidget(together({m_batchLabel, m_batch}, this));
    line->addWidget(together({m_expiresLabel, m_expires}, this));
    line->addWidget(m_noWait);
    layout->addLayout(line);
    m_result = new SteadyLabel(1, this);
    layout->addWidget(m_result);
}

void ConsumePage::buildVerbs(QVBoxLayout* layout)
{
    auto* line = new forms::FlowLayout;
    for (const AckKind kind :
        {AckKind::Ack, AckKind::Nak, AckKind::NakDelay, AckKind::InProgress, AckKind::Term}) {
        auto* button = new QPushButton(this);
        m_verbs.append({kind, button});
        if (kind == AckKind::NakDelay) {
            m_delay = new QDoubleSpinBox(this);
            m_delay->setRange(0.1, 86400);
            m_delay->setDecimals(1);
            m_delay->setValue(5);
            line->addWidget(together({button, m_delay}, this));
        } else {
            line->addWidget(button);
        }
    }
    m_ackNext = new QPushButton(this);
    m_clear = new QPushButton(this);
    line->addWidget(m_ackNext);
    line->addWidget(m_clear);
    layout->addLayout(line);
    m_effect = wrappingLabel(this);
    layout->addWidget(m_effect);
}

void ConsumePage::connectAll()
{
    m_tick.setInterval(100);
    connect(&m_tick, &QTimer::timeout, this, &ConsumePage::tick);
    m_tick.start();
    connect(m_stream, &QComboBox::currentIndexChanged, this, &ConsumePage::refreshConsumers);
    connect(m_consumer, &QComboBox::currentIndexChanged, this, &ConsumePage::refreshConsumer);
    connect(m_batch, &QSpinBox::valueChanged, this, &ConsumePage::refreshSameAs);
    connect(m_expires, &QDoubleSpinBox::valueChanged, this, &ConsumePage::refreshSameAs);
    connect(m_noWait, &QCheckBox::toggled, this, [this](bool on) {
        m_expires->setEnabled(!on);
        refreshSameAs();
    });
    connect(m_fetch, &QPushButton::clicked, this, &ConsumePage::fetch);
    connect(m_stop, &QPushButton::clicked, &m_controller, &ConsumeController::stop);
    connect(m_clear, &QPushButton::clicked, &m_controller, &ConsumeController::clearSettled);
    connect(m_ackNext, &QPushButton::clicked, this, &ConsumePage::ackNext);
    for (const Verb& v : m_verbs)
        connect(
            v.button, &QPushButton::clicked, this, [this, kind = v.kind] { answerSelected(kind); });
    connect(m_list, &HeldList::selectionChanged, this, [this] {
        refreshButtons();
        refreshPayload();
    });
    connect(m_list, &HeldList::consumerWanted, this, &ConsumePage::setConsumer);
    connect(&m_controller, &ConsumeController::stateChanged, this, &ConsumePage::refreshButtons);
    connect(&m_controller, &ConsumeController::changed, this, &ConsumePage::refreshButtons);
    connect(&m_controller, &ConsumeController::removed, this, &ConsumePage::refreshButtons);
    connect(&m_controller, &ConsumeController::added, this, &ConsumePage::refreshButtons);
    connect(
        &m_controller, &ConsumeController::fetchEnded, this, [this](const client::FetchEnd& end) {
            m_lastEnd = end;
            const bool bad = end.status == 503 || end.status == 409 || end.status == -1;
            forms::say(m_result, bad ? Tone::Bad : Tone::Plain, end.words());
        });
    if (m_connection)
        connect(
            m_connection, &client::Connection::stateChanged, this, &ConsumePage::refreshButtons);
    if (m_source)
        connect(
            m_source, &sources::FlowSource::overviewChanged, this, &ConsumePage::refreshStreams);
}

client::FetchRequest ConsumePage::request() const
{
    client::FetchRequest r;
    r.stream = m_stream->currentText();
    r.consumer = m_consumer->currentText();
    r.batch = m_batch->value();
    r.expires = std::chrono::milliseconds(qRound64(m_expires->value() * 1000));
    r.noWait = m_noWait->isChecked();
    if (const ConsumerOverview* c = consumer(); c && !c->config.priorityGroups.empty())
        r.group = QString::fromStdString(c->config.priorityGroups.front());
    return r;
}

void ConsumePage::fetch()
{
    const ConsumerOverview* c = consumer();
    if (!c || !m_fetch->isEnabled())
        return;
    m_showVerb = false;
    if (c->config.isPush()) {
        forms::say(m_result,
            Tone::Plain,
            tr("Listening on %1.").arg(QString::fromStdString(c->config.deliverSubject)));
        m_controller.listen(QString::fromStdString(c->config.deliverSubject),
            QString::fromStdString(c->config.deliverGroup));
        return;
    }
    forms::say(m_result, Tone::Plain, tr("Asking for %n message(s) …", nullptr, m_batch->value()));
    view()->clearSelection();
    m_controller.fetch(request());
    refreshSameAs();
}

QTableView* ConsumePage::view() const
{
    return m_list->view();
}

void ConsumePage::answerSelected(AckKind kind)
{
    const auto delay = std::chrono::milliseconds(qRound64(m_delay->value() * 1000));
    const QList<quint64> ids = m_list->answerable();
    if (ids.isEmpty())
        return;
    const bool held = m_list->current()->isHeld();
    m_lastVerb = kind;
    m_showVerb = true;
    for (const quint64 id : ids)
        m_controller.answer(
            id, kind, kind == AckKind::NakDelay ? delay : std::chrono::nanoseconds(0));
    refreshSameAs();
    // On to the next one that is held, as someone working through a list would; what a late answer
    // did is worth a look.
    if (kind != AckKind::InProgress && ids.size() == 1 && held)
        m_list->selectNext(ids.first());
}

void ConsumePage::ackNext()
{
    const QList<quint64> ids = m_list->answerable();
    if (ids.size() == 1)
        m_controller.ackNext(ids.first());
}

void ConsumePage::refreshButtons()
{
    const bool connected = m_connection && m_connection->isConnected();
    const ConsumerOverview* c = consumer();
    const bool push = c && c->config.isPush();
    const bool busy = m_controller.isFetching() || m_controller.isListening();
    // A button that is switched off passes the focus on to whatever comes next; the list is where
    // the keyboard goes on.
    const auto enable = [this](QPushButton* button, bool on) {
        if (!on && window()->focusWidget() == button)
            view()->setFocus();
        button->setEnabled(on);
    };
    enable(m_fetch, connected && c && !busy);
    m_fetch->setText(push ? tr("&Listen") : tr("&Fetch"));
    m_fetch->setToolTip(!connected && m_connection ? m_connection->stateText()
            : push ? tr("Subscribes to the deliver subject; the consumer then pushes what waits.")
                   : tr("Sends one pull request (F)."));
    m_stop->setVisible(busy);
    for (QWidget* w : {static_cast<QWidget*>(m_batch),
             static_cast<QWidget*>(m_expires),
             static_cast<QWidget*>(m_noWait)})
        w->setVisible(!push);
    m_batchLabel->setVisible(!push);
    m_expiresLabel->setVisible(!push);
    const QList<quint64> ids = m_list->answerable();
    const QString obstacle =
        !connected && m_connection ? m_connection->stateText() : m_list->obstacle();
    for (const Verb& v : m_verbs) {
        enable(v.button, connected && !ids.isEmpty());
        v.button->setToolTip(ids.isEmpty() ? obstacle : verbWords(v.kind).effect);
    }
    const bool held = ids.size() == 1 && m_list->current()->isHeld();
    enable(m_ackNext, connected && held && !push);
    m_ackNext->setToolTip(push ? tr("Only pull consumers can be asked for the next message.")
            : held ? tr("Acks this message and takes the next one in the same step, +NXT (X).")
                   : tr("Select one message that is held."));
}

void ConsumePage::refreshPayload()
{
    const HeldMessage* held = m_list->current();
    if (!held) {
        m_payload->clear();
        return;
    }
    const client::Message& m = held->message;
    QString text;
    for (const client::Header& h : m.headers)
        text += h.name + QStringLiteral(": ") + h.value + QLatin1Char('\n');
    if (!text.isEmpty())
        text += QLatin1Char('\n');
    m_payload->setPlainText(text + QString::fromUtf8(m.payload.left(65536)));
}

void ConsumePage::refreshSameAs()
{
    if (m_connection)
        m_sameAs->setServer(m_connection->options().servers.value(0));
    if (m_consumer->currentText().isEmpty())
        return;
    if (m_showVerb) {
        m_sameAs->setAction(client::AckAction{m_stream->currentText(),
            m_consumer->currentText(),
            m_lastVerb,
            std::chrono::milliseconds(qRound64(m_delay->value() * 1000))});
        return;
    }
    m_sameAs->setAction(client::FetchAction{request()});
}

void ConsumePage::tick()
{
    m_controller.expire();
    if (isVisible())
        m_list->tick();
}

void ConsumePage::retranslate()
{
    m_streamLabel->setText(tr("St&ream"));
    m_consumerLabel->setText(tr("&Consumer"));
    m_batchLabel->setText(tr("&Batch"));
    m_batch->setToolTip(tr("At most this many messages for one request (batch)."));
    m_expiresLabel->setText(tr("w&ait"));
    m_expires->setSuffix(tr(" s"));
    m_expires->setToolTip(
        tr("How long the server keeps the request while nothing is there (expires)."));
    m_noWait->setText(tr("d&o not wait"));
    m_noWait->setToolTip(tr("Answers at once with what is there, or with 404 (no_wait)."));
    m_stop->setText(tr("S&top"));
    m_clear->setText(tr("Clear s&ettled"));
    m_clear->setToolTip(
        tr("Takes answered messages off this list. It changes nothing at the server."));
    m_ackNext->setText(tr("Ack + ne&xt"));
    m_delay->setSuffix(tr(" s"));
    m_delay->setAccessibleName(tr("Delay of the nak"));
    m_payloadLabel->setText(tr("Headers and pa&yload of the selected message"));
    for (const Verb& v : m_verbs)
        v.button->setText(verbWords(v.kind).text);
    forms::say(m_effect,
        Tone::Quiet,
        tr("Ack (A): done. Nak (N): again at once. Nak in (D): again after the delay. In progress "
           "(P): the ack wait starts anew. Term (T): never again."));
}

void ConsumePage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refreshConsumer();
        if (m_lastEnd)
            m_result->setText(m_lastEnd->words());
    }
    QWidget::changeEvent(event);
}

} // namespace jetglass::pages
