// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/inspector.h"

#include "pages/delivery_states.h"
#include "pages/payload_item.h"
#include "pages/why_card.h"
#include "payload/payload_view.h"
#include "text/breakable.h"
#include "text/message_notes.h"
#include "text/quantity.h"
#include "text/state_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace jetglass::pages {

namespace {

constexpr int kCountdownMs = 250;
constexpr int kSettleMs = 80;
constexpr std::size_t kNotedPayload = 4096; ///< a counter's is short
constexpr quint32 kPayloadBytes = 256 * 1024;

QLabel* boldLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

} // namespace

Inspector::Inspector(models::Session& session, bool canAct, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_canAct(canAct)
    , m_title(boldLabel(this))
    , m_time(new QLabel(this))
    , m_subject(new QLabel(this))
    , m_facts(new QLabel(this))
    , m_notes(new QLabel(this))
    , m_payload(new payload::PayloadView(this))
    , m_statesTitle(boldLabel(this))
    , m_states(new DeliveryStates(session, this))
    , m_why(new WhyCard(this))
    , m_empty(new QLabel(this))
    , m_content(new QWidget(this))
{
    build();
    connectAll();
    retranslate();
    showNothing();
}

void Inspector::build()
{
    QFont titleFont = m_title->font();
    titleFont.setPointSizeF(titleFont.pointSizeF() * 1.2);
    m_title->setFont(titleFont);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_subject->setWordWrap(true);
    m_subject->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_copySubject = new QAction(m_subject);
    m_subject->addAction(m_copySubject);
    connect(m_copySubject, &QAction::triggered, this, [this] {
        QApplication::clipboard()->setText(m_subject->toolTip());
    });
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_notes->setTextFormat(Qt::PlainText);
    m_notes->setWordWrap(true);
    m_time->setForegroundRole(QPalette::PlaceholderText);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_payload->setMinimumHeight(140);

    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_time);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setChildrenCollapsible(false);
    split->addWidget(buildStates());
    split->addWidget(m_payload);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setSizes({340, 260});
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(5);
    content->addLayout(head);
    content->addWidget(m_subject);
    content->addWidget(m_facts);
    content->addWidget(m_notes);
    content->addWidget(split, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->addWidget(m_content, 1);
    layout->addWidget(m_empty, 1);
}

/// Why it is where it is, and its state for each consumer: what scrolls above the payload.
QWidget* Inspector::buildStates()
{
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* above = new QWidget(scroll);
    auto* upper = new QVBoxLayout(above);
    upper->setContentsMargins(0, 0, 4, 0);
    upper->setSpacing(6);
    upper->addWidget(m_why);
    upper->addWidget(m_statesTitle);
    upper->addWidget(m_states);
    upper->addStretch(1);
    scroll->setWidget(above);
    return scroll;
}

void Inspector::connectAll()
{
    const models::Selection& selection = m_session.selection;
    connect(&selection, &models::Selection::sequenceChanged, this, &Inspector::subjectChanged);
    connect(&selection, &models::Selection::consumerChanged, this, &Inspector::subjectChanged);
    connect(&selection, &models::Selection::streamChanged, this, &Inspector::subjectChanged);
    connect(&m_session.live,
        &models::LiveView::cellsChanged,
        this,
        [this](StreamId id, quint64 first, quint64 last) {
            const quint64 seq = m_session.selection.sequence();
            if (id == m_session.selection.stream() && seq >= first && seq <= last)
                cellChanged();
        });
    connect(&m_session.live, &models::LiveView::countsChanged, this, [this](StreamId id) {
        m_dirty = m_dirty || id == m_session.selection.stream();
    });
    connect(&m_session.source, &sources::FlowSource::summaryTick, this, [this] { m_dirty = true; });
    connect(m_why, &WhyCard::settingClicked, this, &Inspector::settingClicked);
    connect(m_states, &DeliveryStates::consumerChosen, this, [this](ConsumerId consumer) {
        m_session.selection.setConsumer(m_session.selection.stream(), consumer);
    });
    connect(m_states, &DeliveryStates::overrideWanted, this, &Inspector::overrideWanted);
    m_settle.setSingleShot(true);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        if (m_moved)
            subjectChanged();
        else if (m_changed)
            cellChanged();
    });
    connect(&m_tick, &QTimer::timeout, this, &Inspector::tick);
    m_tick.start(kCountdownMs);
}

void Inspector::tick()
{
    if (!isVisible())
        return;
    if (m_dirty || m_explanation.changesWithTime)
        refreshWhy();
    if (m_dirty && m_shownSeq != 0)
        refreshStates();
    else
        showStates();
    showNotes();
    m_dirty = false;
}

/// A held arrow key moves on thirty times a second: what stands between is not worth reading.
void Inspector::subjectChanged()
{
    if (m_settle.isActive()) {
        m_moved = true;
        return;
    }
    m_settle.start(kSettleMs);
    showSubject();
}

/// A busy stream's cells are told of with every frame.
void Inspector::cellChanged()
{
    m_changed = m_settle.isActive();
    if (m_changed)
        return;
    m_settle.start(kSettleMs);
    refreshStates();
    refreshWhy();
}

void Inspector::showSubject()
{
    m_moved = false;
    m_changed = false;
    const models::Selection& selection = m_session.selection;
    if (selection.sequence() == 0 && selection.consumer() == ConsumerId{})
        return showNothing();
    m_empty->hide();
    m_content->show();
    const bool message = selection.sequence() != 0;
    for (QWidget* widget :
        std::initializer_list<QWidget*>{m_subject, m_facts, m_time, m_payload, m_states})
        widget->setVisible(message);
    if (!message) {
        m_row = {};
        showNotes();
        m_statesTitle->hide();
    }
    const StreamOverview* stream = m_session.source.stream(selection.stream());
    if (message) {
        showTitle(stream ? QString::fromStdString(stream->name) : QString(),
            text::count(selection.sequence()));
        refreshMessage();
        refreshStates();
    } else {
        const ConsumerOverview* consumer =
            m_session.source.consumer(selection.stream(), selection.consumer());
        showTitle(consumer ? QString::fromStdString(consumer->name) : QString(), {});
        m_shownSeq = 0;
    }
    m_why->setVisible(askedConsumer() != ConsumerId{});
    refreshWhy();
}

void Inspector::showTitle(const QString& name, const QString& seq)
{
    m_titleName = name;
    m_titleSeq = seq;
    m_title->setToolTip(name);
    fitTitle();
    QMetaObject::invokeMethod(
        this, &Inspector::fitTitle, Qt::QueuedConnection); // the time is beside it
}

/// A long name gives way to the sequence.
void Inspector::fitTitle()
{
    const QString tail = m_titleSeq.isEmpty() ? QString() : QLatin1Char(' ') + m_titleSeq;
    const QFontMetrics metrics = m_title->fontMetrics();
    m_title->setText(
        metrics.elidedText(
            m_titleName, Qt::ElideMiddle, m_title->width() - metrics.horizontalAdvance(tail))
        + tail);
}

void Inspector::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &Inspector::fitTitle, Qt::QueuedConnection);
}

void Inspector::showNothing()
{
    m_shownSeq = 0;
    m_content->hide();
    m_empty->show();
}

/// The selected consumer; without one the first that is not done with the message.
ConsumerId Inspector::askedConsumer() const
{
    const models::Selection& selection = m_session.selection;
    if (selection.consumer() != ConsumerId{} || selection.sequence() == 0)
        return selection.consumer();
    const auto row = std::find_if(m_range.rows.begin(),
        m_range.rows.end(),
        [&selection](const RangeRow& r) { return r.seq.value() == selection.sequence(); });
    if (row == m_range.rows.end())
        return {};
    ConsumerId any{};
    for (std::size_t i = 0; i < row->cells.size() && i < m_range.consumers.size(); ++i) {
        const items::Tone tone = toneOf(row->cells[i].state);
        if (tone == items::Tone::Waiting || tone == items::Tone::Blocked
            || row->cells[i].state == DeliveryState::Waiting)
            return m_range.consumers[i];
        if (any == ConsumerId{} && row->cells[i].state != DeliveryState::NotMatched)
            any = m_range.consumers[i];
    }
    return any;
}

void Inspector::refreshMessage()
{
    const quint64 seq = m_session.selection.sequence();
    MessageQuestion question;
    question.stream = m_session.selection.stream();
    question.first = StreamSeq(seq);
    question.count = 1;
    question.payloadLimit = kPayloadBytes;
    m_session.source.ask(
        question, this, [this, seq](const MessageAnswer& answer) { takeMessage(answer, seq); });
}

void Inspector::takeMessage(const MessageAnswer& answer, quint64 seq)
{
    if (seq != m_session.selection.sequence())
        return;
    m_shownSeq = seq;
    if (answer.rows.empty() || answer.rows.front().seq.value() != seq) {
        m_payload->clear();
        m_subject->clear();
        m_time->clear();
        m_facts->setText(tr("Not in the stream any more"));
        m_row = {};
        showNotes();
        return;
    }
    const MessageRow& row = answer.rows.front();
    const QString subject = QString::fromStdString(row.subject);
    m_subject->setText(text::breakable(subject));
    m_subject->setToolTip(subject);
    m_time->setText(text::moment(row.time, m_session.source.now()));
    m_time->setToolTip(text::exactTime(row.time));
    m_facts->setText(text::bytes(row.payloadSize + row.headers.size()));
    m_payload->setMessage(payloadItem(row));
    m_row = row;
    if (m_row.payload.size() > kNotedPayload)
        m_row.payload.clear();
    showNotes();
}

/// What it is besides its content; some of it comes nearer with time.
void Inspector::showNotes()
{
    const StreamOverview* stream = m_session.source.stream(m_session.selection.stream());
    QStringList lines;
    if (stream != nullptr && m_shownSeq != 0 && m_row.seq.value() == m_shownSeq)
        for (const text::MessageNote& note :
            text::messageNotes(m_row, stream->config, m_session.source.now()))
            lines << note.sentence;
    m_notes->setText(lines.join(u'\n'));
    m_notes->setVisible(!lines.isEmpty());
}

void Inspector::refreshStates()
{
    RangeQuestion question;
    question.stream = m_session.selection.stream();
    question.first = StreamSeq(m_session.selection.sequence());
    question.last = question.first;
    if (question.first.isZero())
        return;
    m_session.source.ask(question, this, [this](const RangeAnswer& answer) { takeRange(answer); });
}

void Inspector::takeRange(const RangeAnswer& answer)
{
    if (!answer.found || answer.rows.empty()
        || answer.rows.front().seq.value() != m_session.selection.sequence())
        return;
    const ConsumerId before = askedConsumer();
    m_range = answer;
    if (!answer.rows.front().stored && m_shownSeq != 0) {
        m_facts->setText(text::removalName(answer.rows.front().removal));
        m_row = {};
        showNotes();
    }
    showStates();
    if (askedConsumer() != before || m_why->isHidden()) {
        m_why->setVisible(askedConsumer() != ConsumerId{});
        refreshWhy();
    }
}

void Inspector::showStates()
{
    if (m_session.selection.sequence() == 0)
        return;
    m_statesTitle->setVisible(!m_range.consumers.empty());
    m_states->setStates(m_range, m_canAct);
}

void Inspector::refreshWhy()
{
    const ConsumerId consumer = askedConsumer();
    if (consumer == ConsumerId{})
        return;
    ExplainQuestion question;
    question.stream = m_session.selection.stream();
    question.consumer = consumer;
    question.seq = StreamSeq(m_session.selection.sequence());
    m_session.source.ask(question, this, [this, question](const ExplainAnswer& answer) {
        const bool current = question.stream == m_session.selection.stream()
            && question.consumer == askedConsumer()
            && question.seq.value() == m_session.selection.sequence();
        if (current)
            showWhy(answer);
    });
}

void Inspector::showWhy(const ExplainAnswer& answer)
{
    m_answer = answer;
    text::ExplainContext context;
    const ConsumerOverview* consumer =
        m_session.source.consumer(m_session.selection.stream(), askedConsumer());
    context.consumer = consumer ? QString::fromStdString(consumer->name) : QString();
    context.seq = m_session.selection.sequence();
    context.now = m_session.source.now();
    context.clientName = [this](ClientId id) { return m_session.clients.nameOf(id); };
    m_explanation = text::explain(answer, context);
    m_why->setExplanation(m_explanation);
}

void Inspector::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (!m_content->isHidden())
            showSubject();
    }
    QWidget::changeEvent(event);
}

void Inspector::retranslate()
{
    m_statesTitle->setText(tr("For each consumer"));
    m_copySubject->setText(tr("Copy subject"));
    m_states->retranslate();
    m_empty->setText(
        tr("Choose a message in the lanes or in the table to see its content, its state for each "
           "consumer, and what it is waiting for."));
}

} // namespace jetglass::pages
