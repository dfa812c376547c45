// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/held_list.h"

#include "forms/tone.h"
#include "pages/consume_parts.h"
#include "pages/table_style.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace jetglass::pages {

using controllers::HeldMessage;
using forms::Tone;

namespace {

/// From this width on, in characters, there is room for a column more.
constexpr int kRoomForBehind = 64;
constexpr int kRoomForPayload = 84;

} // namespace

HeldFilter::HeldFilter(ConsumeHeldModel& model)
    : m_model(model)
{
    setSourceModel(&model);
}

void HeldFilter::setConsumer(const QString& stream, const QString& consumer)
{
    m_stream = stream;
    m_consumer = consumer;
    invalidateFilter();
}

const HeldMessage& HeldFilter::held(const QModelIndex& at) const
{
    return m_model.held(mapToSource(at).row());
}

bool HeldFilter::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const
{
    const controllers::ConsumerTerms& terms = m_model.held(row).terms;
    return terms.stream == m_stream && terms.consumer == m_consumer;
}

HeldList::HeldList(controllers::ConsumeController& controller, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_model(&controller)
    , m_filter(m_model)
    , m_view(new QTableView(this))
    , m_status(new SteadyLabel(2, this))
    , m_elsewhere(wrappingLabel(this))
{
    m_view->setModel(&m_filter);
    setUpTable(*m_view);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setTextElideMode(Qt::ElideLeft); // subjects differ at their end
    m_view->setMinimumHeight(fontMetrics().lineSpacing() * 8);
    m_view->viewport()->installEventFilter(this);
    m_elsewhere->setTextFormat(Qt::RichText);
    m_elsewhere->setTextInteractionFlags(
        Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_elsewhere->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_status);
    layout->addWidget(m_elsewhere);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showStatus();
        emit selectionChanged();
    });
    connect(m_elsewhere, &QLabel::linkActivated, this, [this](const QString& link) {
        const qsizetype slash = link.indexOf(QLatin1Char('/'));
        emit consumerWanted(link.left(slash), link.mid(slash + 1));
    });
    connect(&controller, &controllers::ConsumeController::changed, this, &HeldList::showStatus);
    // After the rows are known to the filter, which was connected before.
    connect(&controller, &controllers::ConsumeController::added, this, &HeldList::select);
    retranslate();
}

/// The first message of a fetch is selected, so that the keyboard can go on at once.
void HeldList::select(qsizetype index)
{
    const QModelIndex at =
        m_filter.mapFromSource(m_model.index(static_cast<int>(index), ConsumeHeldModel::Sequence));
    if (at.isValid() && m_view->selectionModel()->selectedRows().isEmpty())
        m_view->selectRow(at.row());
}

void HeldList::selectNext(quint64 id)
{
    for (int row = 0; row < m_filter.rowCount(); ++row) {
        const HeldMessage& m = m_filter.held(m_filter.index(row, 0));
        if (m.id > id && m.isHeld())
            return m_view->selectRow(row);
    }
}

void HeldList::setConsumer(const QString& stream, const QString& consumer)
{
    if (stream == m_stream && consumer == m_consumer)
        return;
    m_stream = stream;
    m_consumer = consumer;
    m_filter.setConsumer(stream, consumer);
    tick();
    emit selectionChanged();
}

QList<quint64> HeldList::answerable() const
{
    QList<quint64> ids;
    for (const QModelIndex& at : m_view->selectionModel()->selectedRows()) {
        if (const HeldMessage& m = m_filter.held(at); m.canAnswer())
            ids.append(m.id);
    }
    return ids;
}

const HeldMessage* HeldList::current() const
{
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : &m_filter.held(rows.first());
}

QString HeldList::obstacle() const
{
    if (m_filter.rowCount() == 0)
        return tr("Nothing of this consumer is held here. Fetch messages, then answer for them.");
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (rows.isEmpty())
        return tr("Select a message in the list to answer for it.");
    if (!answerable().isEmpty())
        return {};
    if (rows.size() == 1 && current()->state == HeldMessage::State::Removed)
        return tr("Its message has left the stream: there is nothing left to answer for.");
    return rows.size() == 1 && current()->state == HeldMessage::State::NoAckNeeded
        ? tr("This consumer expects no answer.")
        : tr("What is selected has its answer. Select a message that is held.");
}

void HeldList::showStatus()
{
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (rows.isEmpty())
        return forms::say(m_status, Tone::Quiet, obstacle());
    if (rows.size() > 1) {
        return forms::say(m_status,
            Tone::Plain,
            tr("%n message(s) selected, %1 of them can be answered.",
                nullptr,
                static_cast<int>(rows.size()))
                .arg(answerable().size()));
    }
    const HeldMessage& m = *current();
    const bool bad = m.state == HeldMessage::State::Failed;
    const bool waits = m.isHeld() || m.state == HeldMessage::State::Expired;
    forms::say(m_status,
        bad         ? Tone::Bad
            : waits ? Tone::Waiting
                    : Tone::Plain,
        QStringLiteral("%1: %2").arg(m.info.streamSeq).arg(m_model.sentence(m)));
}

/// What other consumers gave to this window runs out of its ack wait all the same.
void HeldList::showElsewhere()
{
    std::map<std::pair<QString, QString>, int> others;
    for (const HeldMessage& m : m_controller.held()) {
        if (m.isHeld() && (m.terms.stream != m_stream || m.terms.consumer != m_consumer))
            ++others[{m.terms.stream, m.terms.consumer}];
    }
    QStringList parts;
    for (const auto& [whose, count] : others) {
        const auto& [stream, consumer] = whose;
        const QString name =
            stream == m_stream ? consumer : QStringLiteral("%1 › %2").arg(stream, consumer);
        const QString link = stream + QLatin1Char('/') + consumer;
        parts.append(QStringLiteral("<a href=\"%1\">%2</a> (%3)")
                         .arg(link.toHtmlEscaped(), name.toHtmlEscaped())
                         .arg(count));
    }
    m_elsewhere->setVisible(!parts.isEmpty());
    if (!parts.isEmpty())
        forms::say(
            m_elsewhere, Tone::Quiet, tr("Also held: %1").arg(parts.join(QStringLiteral(", "))));
}

void HeldList::tick()
{
    m_model.tick();
    showStatus();
    showElsewhere();
}

/// The subject takes what the numbers and the state leave; in a narrow panel the rest is told below
/// the table.
void HeldList::fitColumns()
{
    const int room = m_view->viewport()->width() / std::max(1, fontMetrics().averageCharWidth());
    m_view->setColumnHidden(ConsumeHeldModel::Behind, room < kRoomForBehind);
    m_view->setColumnHidden(ConsumeHeldModel::Payload, room < kRoomForPayload);
}

void HeldList::retranslate()
{
    const QFontMetrics metrics = m_view->fontMetrics();
    constexpr int kAir = 10;
    int state = 0;
    for (const QString& text : ConsumeHeldModel::widestStates())
        state = std::max(state, metrics.horizontalAdvance(text));
    QHeaderView* header = m_view->horizontalHeader();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(metrics.horizontalAdvance(QLatin1Char('0')) * 2 + kAir);
    header->setSectionResizeMode(ConsumeHeldModel::Subject, QHeaderView::Stretch);
    header->setSectionResizeMode(ConsumeHeldModel::Payload, QHeaderView::Stretch);
    header->resizeSection(
        ConsumeHeldModel::Sequence, metrics.horizontalAdvance(QStringLiteral("00000")) + kAir);
    header->resizeSection(
        ConsumeHeldModel::Delivered, metrics.horizontalAdvance(QStringLiteral("00")) + kAir);
    header->resizeSection(ConsumeHeldModel::State, state + kAir);
    header->resizeSection(ConsumeHeldModel::Behind,
        metrics.horizontalAdvance(
            m_model.headerData(ConsumeHeldModel::Behind, Qt::Horizontal, Qt::DisplayRole)
                .toString())
            + kAir);
    m_view->setAccessibleName(tr("Messages of this consumer that this window holds"));
    fitColumns();
    showStatus();
    showElsewhere();
}

bool HeldList::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_view->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    return QWidget::eventFilter(watched, event);
}

void HeldList::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace jetglass::pages
