// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/override_dialog.h"

#include "forms/tone.h"
#include "text/quantity.h"
#include "text/state_text.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace jetglass::dialogs {

using client::AckKind;
using forms::Tone;

namespace {

constexpr int kFollowMs = 250;

bool isPendingState(DeliveryState state)
{
    return state == DeliveryState::Delivered || state == DeliveryState::InProgress
        || state == DeliveryState::Naked || state == DeliveryState::RedeliveryDue;
}

} // namespace

OverrideDialog::OverrideDialog(controllers::OverrideController& controller,
    models::Session& session,
    StreamSeq seq,
    ConsumerId preferred,
    QWidget* parent)
    : QDialog(parent)
    , m_controller(controller)
    , m_session(session)
    , m_stream(session.selection.stream())
    , m_seq(seq)
    , m_preferred(preferred)
    , m_group(new QButtonGroup(this))
    , m_consumer(new QComboBox(this))
    , m_consumerLabel(new QLabel(this))
    , m_state(new QLabel(this))
    , m_delay(new QDoubleSpinBox(this))
    , m_warning(new QLabel(this))
    , m_sameLabel(new QLabel(this))
    , m_same(new QLineEdit(this))
    , m_result(new QLabel(this))
    , m_cancel(new QPushButton(this))
    , m_carryOut(new QPushButton(this))
{
    build();
    connect(m_group, &QButtonGroup::idToggled, this, &OverrideDialog::refresh);
    connect(m_delay, &QDoubleSpinBox::valueChanged, this, &OverrideDialog::refresh);
    connect(m_consumer, &QComboBox::currentIndexChanged, this, &OverrideDialog::refresh);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_carryOut, &QPushButton::clicked, this, &OverrideDialog::carryOut);
    connect(&m_controller, &controllers::OverrideController::done, this, [this] {
        if (m_sent)
            accept();
    });
    connect(&m_controller,
        &controllers::OverrideController::failed,
        this,
        [this](const QString& words) {
            m_sent = false;
            forms::say(m_result, Tone::Bad, words);
            refresh();
        });
    connect(&m_tick, &QTimer::timeout, this, &OverrideDialog::ask);
    m_tick.start(kFollowMs);
    retranslate();
    ask();
}

void OverrideDialog::build()
{
    auto* layout = new QVBoxLayout(this);
    auto* head = new QHBoxLayout;
    m_consumerLabel->setBuddy(m_consumer);
    head->addWidget(m_consumerLabel);
    head->addWidget(m_consumer, 1);
    layout->addLayout(head);
    m_state->setWordWrap(true);
    layout->addWidget(m_state);
    layout->addSpacing(6);
    m_delay->setRange(0.1, 86'400);
    m_delay->setDecimals(1);
    m_delay->setValue(5);
    for (const AckKind kind :
        {AckKind::Ack, AckKind::Nak, AckKind::NakDelay, AckKind::InProgress, AckKind::Term})
        addVerb(kind);
    m_verbs.front().button->setChecked(true);
    layout->addSpacing(6);
    m_warning->setWordWrap(true);
    layout->addWidget(m_warning);
    auto* same = new QHBoxLayout;
    m_same->setReadOnly(true);
    m_same->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_sameLabel->setBuddy(m_same);
    same->addWidget(m_sameLabel);
    same->addWidget(m_same, 1);
    layout->addLayout(same);
    layout->addStretch(1);
    auto* line = new QHBoxLayout;
    m_result->setWordWrap(true);
    m_cancel->setDefault(true); // Return alone must not act
    m_carryOut->setAutoDefault(false);
    line->addWidget(m_result, 1);
    line->addWidget(m_cancel);
    line->addWidget(m_carryOut);
    layout->addLayout(line);
    resize(fontMetrics().averageCharWidth() * 78, sizeHint().height());
}

void OverrideDialog::addVerb(AckKind kind)
{
    auto* layout = static_cast<QVBoxLayout*>(this->layout());
    auto* line = new QHBoxLayout;
    auto* button = new QRadioButton(this);
    m_group->addButton(button, static_cast<int>(kind));
    line->addWidget(button);
    if (kind == AckKind::NakDelay)
        line->addWidget(m_delay);
    line->addStretch(1);
    auto* effect = new QLabel(this);
    effect->setWordWrap(true);
    effect->setIndent(24);
    layout->addLayout(line);
    layout->addWidget(effect);
    m_verbs.push_back({kind, button, effect});
}

void OverrideDialog::choose(AckKind kind)
{
    m_group->button(static_cast<int>(kind))->setChecked(true);
}

AckKind OverrideDialog::kind() const
{
    return static_cast<AckKind>(m_group->checkedId());
}

void OverrideDialog::ask()
{
    RangeQuestion question;
    question.stream = m_stream;
    question.first = m_seq;
    question.last = m_seq;
    m_session.source.ask(question, this, [this](const RangeAnswer& answer) { take(answer); });
}

/// The consumers that have it pending can be chosen; the one that was chosen stays. An open list is
/// left alone as long as it says the same.
void OverrideDialog::take(const RangeAnswer& answer)
{
    m_answer = answer;
    const ConsumerId chosen = m_consumer->count() == 0 ? m_preferred : consumer();
    std::vector<std::pair<QString, quint32>> entries;
    if (!answer.rows.empty()) {
        const RangeRow& row = answer.rows.front();
        for (std::size_t i = 0; i < row.cells.size() && i < answer.consumers.size(); ++i) {
            const ConsumerOverview* known =
                m_session.source.consumer(m_stream, answer.consumers[i]);
            if (known && (isPendingState(row.cells[i].state) || answer.consumers[i] == chosen))
                entries.emplace_back(
                    QString::fromStdString(known->name), static_cast<quint32>(answer.consumers[i]));
        }
    }
    bool same = static_cast<int>(entries.size()) == m_consumer->count();
    for (int i = 0; same && i < m_consumer->count(); ++i)
        same = m_consumer->itemData(i).toUInt() == entries[static_cast<std::size_t>(i)].second;
    if (!same) {
        const QSignalBlocker block(m_consumer);
        m_consumer->clear();
        for (const auto& [name, id] : entries)
            m_consumer->addItem(name, id);
        const int at = m_consumer->findData(static_cast<quint32>(chosen));
        m_consumer->setCurrentIndex(std::max(0, at));
    }
    refresh();
}

ConsumerId OverrideDialog::consumer() const
{
    return ConsumerId{m_consumer->currentData().toUInt()};
}

const ConsumerOverview* OverrideDialog::overview() const
{
    return m_session.source.consumer(m_stream, consumer());
}

const DeliveryCell* OverrideDialog::cell() const
{
    const auto at = std::find(m_answer.consumers.begin(), m_answer.consumers.end(), consumer());
    if (at == m_answer.consumers.end() || m_answer.rows.empty())
        return nullptr;
    const auto index = static_cast<std::size_t>(at - m_answer.consumers.begin());
    const RangeRow& row = m_answer.rows.front();
    return index < row.cells.size() ? &row.cells[index] : nullptr;
}

controllers::Override OverrideDialog::wanted() const
{
    const StreamOverview* stream = m_session.source.stream(m_stream);
    const ConsumerOverview* held = overview();
    const DeliveryCell* delivery = cell();
    controllers::Override what;
    if (!stream || !held || !delivery)
        return what;
    what.delivery.stream = QString::fromStdString(stream->name);
    what.delivery.consumer = QString::fromStdString(held->name);
    what.delivery.delivered = delivery->deliveries;
    what.delivery.streamSeq = m_seq.value();
    what.delivery.consumerSeq = delivery->consumerSeq.value();
    what.delivery.timestamp = m_answer.rows.front().time;
    what.delivery.pending = held->counts.pending;
    what.kind = kind();
    what.delay = std::chrono::milliseconds(qRound64(m_delay->value() * 1000));
    return what;
}

QString OverrideDialog::command() const
{
    const controllers::Override what = wanted();
    const DeliveryCell* delivery = cell();
    if (what.delivery.stream.isEmpty() || !delivery || !isPendingState(delivery->state))
        return {};
    return QStringLiteral("nats pub '%1' '%2'")
        .arg(client::ackSubject(what.delivery),
            QString::fromUtf8(client::ackPayload(what.kind, what.delay)));
}

void OverrideDialog::refresh()
{
    m_delay->setEnabled(kind() == AckKind::NakDelay);
    refreshVerbs();
    refreshState();
    if (m_same->text() != command()) {
        m_same->setText(command());
        m_same->setCursorPosition(0);
    }
    const DeliveryCell* delivery = cell();
    m_carryOut->setEnabled(!m_sent && delivery && isPendingState(delivery->state));
    // Sentences wrap: the dialog grows with them, and stays as high as the reader made it.
    const int wanted = layout()->totalHeightForWidth(width());
    if (height() < wanted)
        resize(width(), wanted);
}

void OverrideDialog::refreshState()
{
    const DeliveryCell* delivery = cell();
    if (!delivery) {
        forms::say(m_state, Tone::Quiet, tr("No consumer holds a delivery of this message."));
        return;
    }
    QStringList parts{
        text::stateName(delivery->state), tr("delivery %1").arg(text::count(delivery->deliveries))};
    const QString holder = m_session.clients.nameOf(delivery->client);
    if (!holder.isEmpty())
        parts << holder;
    if (delivery->deadline > 0)
        parts << tr("back in %1").arg(text::duration(delivery->deadline - m_session.source.now()));
    const bool pending = isPendingState(delivery->state);
    if (!pending)
        parts << tr("not pending any more, so there is nothing to override");
    forms::say(m_state, pending ? Tone::Waiting : Tone::Quiet, parts.join(QStringLiteral(" · ")));
    forms::say(m_warning,
        Tone::Quiet,
        holder.isEmpty()
            ? tr(
                "The client that has it is not told. Its own answer still counts if the message is "
                "open when it comes.")
            : tr(
                "%1 is not told. Its own answer still counts if the message is open when it comes.")
                  .arg(holder));
}

void OverrideDialog::refreshVerbs()
{
    const ConsumerOverview* held = overview();
    const bool all = held && held->config.ackPolicy == AckPolicy::All;
    for (const Verb& verb : m_verbs) {
        QString effect;
        switch (verb.kind) {
        case AckKind::Ack:
            effect = all ? tr("Done, and with it everything before it: this consumer acks all.")
                         : tr("Done: it never comes again to this consumer. With interest or "
                              "work-queue retention the stream may drop it.");
            break;
        case AckKind::Nak:
            effect = tr("Not done: it comes again at once, without backoff, to whoever asks next.");
            break;
        case AckKind::NakDelay:
            effect = tr("Not done: it comes again after this delay and keeps its place in "
                        "max_ack_pending until then.");
            break;
        case AckKind::InProgress:
            effect = tr("Still working: the ack wait starts anew for the client that has it.");
            break;
        case AckKind::Term:
            effect = all ? tr("Given up, and with it everything before it: this consumer acks all.")
                         : tr("Given up: it never comes again to this consumer. It stays in the "
                              "stream unless retention drops it.");
            break;
        }
        forms::say(verb.effect, Tone::Quiet, effect);
    }
}

void OverrideDialog::carryOut()
{
    m_sent = true;
    forms::say(m_result, Tone::Plain, tr("Sending …"));
    m_carryOut->setEnabled(false);
    m_controller.send(wanted());
}

void OverrideDialog::retranslate()
{
    const StreamOverview* stream = m_session.source.stream(m_stream);
    const QString name = stream ? QString::fromStdString(stream->name) : QString();
    setWindowTitle(tr("Override a delivery of %1 %2").arg(name, text::count(m_seq.value())));
    m_consumerLabel->setText(tr("&Consumer"));
    m_sameLabel->setText(tr("&Same as"));
    m_delay->setSuffix(tr(" s"));
    m_delay->setAccessibleName(tr("Delay of the nak"));
    m_cancel->setText(tr("Cance&l"));
    m_carryOut->setText(tr("&Override"));
    const QStringList verbs{
        tr("&Ack"), tr("&Nak"), tr("Nak with &delay"), tr("In &progress"), tr("&Term")};
    for (std::size_t i = 0; i < m_verbs.size(); ++i)
        m_verbs[i].button->setText(verbs[static_cast<qsizetype>(i)]);
    refresh();
}

void OverrideDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

} // namespace jetglass::dialogs
