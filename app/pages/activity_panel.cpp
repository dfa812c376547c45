// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/activity_panel.h"

#include "items/message_state.h"
#include "pages/table_style.h"
#include "text/quantity.h"
#include "text/state_text.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace jetglass::pages {

using models::EventLogModel;
using models::PlainTableModel;

namespace {

constexpr int kTickMs = 500;
constexpr std::array<EventLogModel::Group, 5> kGroups{EventLogModel::Messages,
    EventLogModel::Deliveries,
    EventLogModel::Requests,
    EventLogModel::Assets,
    EventLogModel::Details};

QTableView* table(QAbstractItemModel& model, int toneRole, QWidget* parent)
{
    auto* view = new QTableView(parent);
    setUpTable(*view);
    view->setModel(&model);
    view->setItemDelegate(new ToneDelegate(toneRole, view));
    return view;
}

} // namespace

ActivityPanel::ActivityPanel(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_log(session.live, session.clients)
    , m_tabs(new QTabWidget(this))
    , m_logView(table(m_log, EventLogModel::ToneRole, this))
    , m_removalsView(table(m_removals, PlainTableModel::ToneRole, this))
    , m_dedupView(table(m_dedup, PlainTableModel::ToneRole, this))
    , m_pullsView(table(m_pulls, PlainTableModel::ToneRole, this))
    , m_show(new QToolButton(this))
    , m_gap(new QLabel(this))
    , m_only(new QToolButton(this))
    , m_pause(new QToolButton(this))
    , m_all(new QCheckBox(this))
{
    m_logView->setObjectName(QStringLiteral("eventLog"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(buildLog(), QString());
    m_tabs->addTab(m_removalsView, QString());
    m_tabs->addTab(m_dedupView, QString());
    m_tabs->addTab(m_pullsView, QString());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);
    connect(&session.source, &sources::FlowSource::eventsSkipped, this, [this] {
        m_gapAt = m_session.source.now();
        showGap();
    });
    connect(m_logView, &QTableView::clicked, this, &ActivityPanel::chooseFromLog);
    connect(
        &session.selection, &models::Selection::streamChanged, this, &ActivityPanel::scopeChanged);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ActivityPanel::refreshVisible);
    connect(&m_tick, &QTimer::timeout, this, &ActivityPanel::refreshVisible);
    m_tick.start(kTickMs);
    scopeChanged();
    retranslate();
}

QWidget* ActivityPanel::buildLog()
{
    auto* page = new QWidget(m_tabs);
    auto* filters = new QHBoxLayout;
    filters->setContentsMargins(8, 3, 8, 3);
    filters->setSpacing(10);
    m_show->setPopupMode(QToolButton::InstantPopup);
    m_show->setAutoRaise(true);
    auto* menu = new QMenu(m_show);
    for (const EventLogModel::Group group : kGroups) {
        QAction* action = menu->addAction(QString());
        action->setCheckable(true);
        action->setChecked(m_log.groups().testFlag(group));
        connect(action, &QAction::toggled, this, [this, group](bool on) {
            EventLogModel::Groups groups = m_log.groups();
            groups.setFlag(group, on);
            m_log.setGroups(groups);
        });
        m_groups.push_back(action);
    }
    m_show->setMenu(menu);
    filters->addWidget(m_show);
    m_gap->setForegroundRole(QPalette::PlaceholderText);
    m_gap->hide();
    filters->addWidget(m_gap);
    filters->addStretch(1);
    m_only->hide();
    connect(m_only, &QToolButton::clicked, this, [this] { showSequence(0); });
    filters->addWidget(m_only);
    m_all->setChecked(false);
    connect(m_all, &QCheckBox::toggled, this, &ActivityPanel::scopeChanged);
    filters->addWidget(m_all);
    m_pause->setCheckable(true);
    m_pause->setAutoRaise(true);
    connect(m_pause, &QToolButton::toggled, this, [this](bool on) {
        m_log.setPaused(on);
        retranslate();
    });
    filters->addWidget(m_pause);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(filters);
    layout->addWidget(m_logView, 1);
    const QFontMetrics metrics = m_logView->fontMetrics();
    QHeaderView* header = m_logView->horizontalHeader();
    header->resizeSection(
        EventLogModel::TimeColumn, metrics.horizontalAdvance(QStringLiteral("00:00:00.000")) + 12);
    header->resizeSection(
        EventLogModel::WhereColumn, metrics.horizontalAdvance(QLatin1Char('n')) * 9);
    header->resizeSection(
        EventLogModel::SeqColumn, metrics.horizontalAdvance(QStringLiteral("1,000,000")) + 14);
    return page;
}

void ActivityPanel::scopeChanged()
{
    showSequence(0);
    m_log.setScope(m_all->isChecked() ? StreamId{} : m_session.selection.stream());
    m_removals.setRows({});
    m_dedup.setRows({});
    m_pulls.setRows({});
    m_pullAnswers.clear();
    refreshVisible();
}

/// Events that came too fast are not in the list: an empty list must not look as if nothing had
/// happened.
void ActivityPanel::showGap()
{
    m_gap->setVisible(m_gapAt != 0);
    m_gap->setText(tr("not all are listed (%1)").arg(text::clockTime(m_gapAt).left(8)));
    m_gap->setToolTip(tr("Around this time events came too fast to be listed one by one. Counts "
                         "and lanes are exact."));
}

void ActivityPanel::showSequence(quint64 seq)
{
    m_sequence = seq;
    m_log.setSequence(StreamSeq(seq));
    m_only->setVisible(seq != 0);
    m_only->setText(tr("Only %1 ✕").arg(text::count(seq)));
    m_only->setToolTip(tr("Show events of all messages again"));
    if (seq != 0)
        m_tabs->setCurrentIndex(0);
}

void ActivityPanel::chooseFromLog(const QModelIndex& index)
{
    const auto stream = static_cast<StreamId>(index.data(EventLogModel::StreamRole).toUInt());
    const auto consumer = static_cast<ConsumerId>(index.data(EventLogModel::ConsumerRole).toUInt());
    const quint64 seq = index.data(EventLogModel::SeqRole).toULongLong();
    if (!m_session.source.stream(stream))
        return;
    m_session.selection.setStream(stream);
    if (consumer != ConsumerId{})
        m_session.selection.setConsumer(stream, consumer);
    if (seq != 0)
        m_session.selection.setSequence(seq);
}

void ActivityPanel::refreshVisible()
{
    if (!isVisible() || m_session.selection.stream() == StreamId{})
        return;
    QWidget* page = m_tabs->currentWidget();
    if (page == m_removalsView)
        refreshRemovals();
    else if (page == m_dedupView)
        refreshDedup();
    else if (page == m_pullsView)
        refreshPulls();
}

void ActivityPanel::refreshRemovals()
{
    RemovalsQuestion question;
    question.stream = m_session.selection.stream();
    m_session.source.ask(question, this, [this](const RemovalsAnswer& answer) {
        std::vector<PlainTableModel::Row> rows;
        for (const RemovalRow& r : answer.rows) {
            const QString range = r.first == r.last
                ? text::count(r.first.value())
                : QStringLiteral("%1 – %2").arg(
                    text::count(r.first.value()), text::count(r.last.value()));
            rows.push_back({r.first.value() ^ (r.last.value() << 20) ^ static_cast<quint64>(r.time),
                {{text::moment(r.time, m_session.source.now()), text::exactTime(r.time)},
                    {range, {}, true},
                    {text::count(r.count), {}, true},
                    {text::bytes(r.bytes), {}, true},
                    {text::removalName(r.cause), {}},
                    {byWhom(answer, r.client), {}}}});
        }
        m_removals.setRows(std::move(rows));
        fitOnce(*m_removalsView);
    });
}

QString ActivityPanel::byWhom(const RemovalsAnswer& answer, ClientId client) const
{
    const auto number = static_cast<std::uint32_t>(client);
    if ((number & kPastClient) == 0)
        return m_session.clients.nameOf(client);
    const std::size_t place = number & ~kPastClient;
    return place < answer.pastClients.size() ? models::ClientDirectory::shownName(
               QString::fromStdString(answer.pastClients[place]), ClientId{})
                                             : QString();
}

void ActivityPanel::refreshDedup()
{
    m_session.source.askDedup(
        m_session.selection.stream(), this, [this](const DedupAnswer& answer) {
            std::vector<PlainTableModel::Row> rows;
            const qint64 now = m_session.source.now();
            for (const DedupRow& r : answer.rows) {
                const QString id = QString::fromStdString(r.id);
                rows.push_back({static_cast<quint64>(qHash(id, 1)),
                    {{id, id},
                        {text::count(r.seq.value()), {}, true},
                        {text::duration(r.expires - now), text::exactTime(r.expires)}}});
            }
            m_dedup.setRows(std::move(rows));
            fitOnce(*m_dedupView);
        });
}

void ActivityPanel::refreshPulls()
{
    const StreamOverview* stream = m_session.source.stream(m_session.selection.stream());
    if (!stream)
        return;
    for (const ConsumerOverview& consumer : stream->consumers) {
        if (!consumer.config.isPush())
            m_session.source.askPulls(
                stream->id, consumer.id, this, [this, id = consumer.id](const PullsAnswer& answer) {
                    takePulls(id, answer);
                });
    }
}

void ActivityPanel::takePulls(ConsumerId consumer, const PullsAnswer& answer)
{
    m_pullAnswers[consumer] = answer;
    const StreamOverview* stream = m_session.source.stream(m_session.selection.stream());
    if (!stream)
        return;
    std::vector<PlainTableModel::Row> rows;
    const qint64 now = m_session.source.now();
    for (const ConsumerOverview& c : stream->consumers) {
        const auto known = m_pullAnswers.find(c.id);
        if (known == m_pullAnswers.end())
            continue;
        quint64 place = 0;
        for (const PullRow& r : known->second.rows) {
            rows.push_back({static_cast<quint64>(c.id) << 32 | place,
                {{QString::fromStdString(c.name), {}},
                    {text::count(++place), {}, true},
                    {m_session.clients.nameOf(r.client), {}},
                    {text::count(r.batchLeft), {}, true},
                    {r.bytesLeft > 0 ? text::bytes(static_cast<quint64>(r.bytesLeft)) : QString(),
                        {},
                        true},
                    {r.expires > 0 ? text::duration(r.expires - now) : tr("never"), {}},
                    {QString::fromStdString(r.reply), {}}}});
        }
    }
    m_pulls.setRows(std::move(rows));
    fitOnce(*m_pullsView);
}

/// Columns take the width of the first rows and then stay, so that nothing jumps under the pointer.
void ActivityPanel::fitOnce(QTableView& view)
{
    if (view.model()->rowCount() == 0 || view.property("fitted").toBool())
        return;
    view.setProperty("fitted", true);
    fitColumns(view);
}

void ActivityPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        m_log.retranslate();
    }
    QWidget::changeEvent(event);
}

void ActivityPanel::retranslate()
{
    const QStringList groups{
        tr("Messages"), tr("Deliveries"), tr("Requests"), tr("Streams and clients"), tr("Details")};
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        m_groups[i]->setText(groups[static_cast<qsizetype>(i)]);
    m_groups.back()->setToolTip(tr("Pub acks, floors, served requests, heartbeats"));
    m_show->setText(tr("Show"));
    m_show->setToolTip(tr("Which kinds of events are listed"));
    m_all->setText(tr("All streams"));
    m_pause->setText(m_log.isPaused() ? tr("Go on") : tr("Hold still"));
    m_pause->setToolTip(tr("Stops the list, not the broker. What comes meanwhile is kept."));
    m_tabs->setTabText(0, tr("Events"));
    m_tabs->setTabText(1, tr("Removals"));
    m_tabs->setTabText(2, tr("Message ids"));
    m_tabs->setTabText(3, tr("Pull requests"));
    m_tabs->setTabToolTip(
        2, tr("The dedup window (duplicate_window): ids that would be recognized as duplicates"));
    // The longest of what comes often stands whole, in every language.
    int widest = 0;
    for (const FlowKind kind : {FlowKind::StreamCreated,
             FlowKind::Delivered,
             FlowKind::TimedOut,
             FlowKind::Exhausted,
             FlowKind::PullEnded})
        widest =
            std::max(widest, m_logView->fontMetrics().horizontalAdvance(text::eventName(kind)));
    m_logView->horizontalHeader()->resizeSection(EventLogModel::EventColumn, widest + 14);
    m_removals.setHeaders(
        {tr("Time"), tr("Sequences"), tr("Messages"), tr("Size"), tr("Cause"), tr("By")});
    m_dedup.setHeaders(
        {tr("Message id"), tr("Sequence"), tr("Remembered for")}, {QStringLiteral("Nats-Msg-Id")});
    m_pulls.setHeaders({tr("Consumer"),
                           tr("Place"),
                           tr("Client"),
                           tr("Messages left"),
                           tr("Bytes left"),
                           tr("Ends in"),
                           tr("Reply subject")},
        {{},
            {},
            {},
            QStringLiteral("batch"),
            QStringLiteral("max_bytes"),
            QStringLiteral("expires")});
}

} // namespace jetglass::pages
