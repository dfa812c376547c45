// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/lane_view.h"

#include "lanes/lane_words.h"
#include "lanes/legend_strip.h"

#include <QAccessible>
#include <QEvent>
#include <QFontMetrics>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace jetglass::lanes {

using axis::SequenceAxis;

namespace {

constexpr int kTickMs = 100; ///< countdowns and counts move at most ten times a second
constexpr int kLeadIn = 6; ///< pixels before the first cell
constexpr quint64 kHistory = 24; ///< removed sequences kept in sight before the first stored one
constexpr int kLeastTail = 24; ///< pixels behind the last cell, room for the cursor

} // namespace

LaneView::LaneView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_pacer(*viewport())
    , m_bar(new QScrollBar(Qt::Horizontal, this))
    , m_live(new QToolButton(this))
    , m_legend(new LegendStrip(this))
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &LaneView::tick);
    m_liveCount.setSingleShot(true);
    m_liveCount.setInterval(kTickMs);
    connect(&m_liveCount, &QTimer::timeout, this, &LaneView::updateLiveButton);
    m_live->setCursor(Qt::ArrowCursor);
    m_live->setFocusPolicy(Qt::TabFocus);
    m_live->hide();
    connect(m_live, &QToolButton::clicked, this, [this] {
        setFollowing(true);
        setFocus();
    });
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_syncing) {
            scrollTo(m_scroll.positionOf(value), true);
        }
    });
    applyLook();
    retranslate();
}

LaneView::~LaneView() = default;

void LaneView::setSource(items::LaneSource* source)
{
    if (m_source == source) {
        return;
    }
    if (m_source != nullptr) {
        m_source->disconnect(this);
    }
    m_source = source;
    m_selection = {};
    m_lastWindow = {};
    if (m_source != nullptr) {
        connectSource();
    }
    m_following = true;
    relayout();
    updateLiveButton();
    emit followingChanged(true);
    viewport()->update();
}

void LaneView::connectSource()
{
    using items::LaneSource;
    connect(m_source, &LaneSource::lanesChanged, this, [this] {
        if (m_selection.lane >= static_cast<int>(m_source->lanes().size())) {
            m_selection.lane = kStreamLane;
        }
        relayout();
        viewport()->update();
    });
    connect(m_source, &LaneSource::laneUpdated, this, &LaneView::updateLane);
    connect(m_source, &LaneSource::streamUpdated, this, [this] {
        m_pacer.update(m_layout.streamRow());
    });
    connect(m_source, &LaneSource::boundsChanged, this, &LaneView::updateBounds);
    connect(m_source, &LaneSource::changed, this, &LaneView::updateColumns);
    connect(m_source, &LaneSource::densityChanged, this, [this] {
        if (!zoom().single()) {
            m_pacer.update(viewport()->rect());
        }
    });
    connect(m_source, &QObject::destroyed, this, [this] {
        m_source = nullptr;
        viewport()->update();
    });
}

void LaneView::applyLook()
{
    const style::Metrics metrics = style::Metrics::of(font());
    m_painter.setLook(style::Theme::of(palette()), metrics, devicePixelRatioF());
    m_layout.setMetrics(metrics);
    relayout();
    viewport()->update();
}

void LaneView::retranslate()
{
    m_live->setToolTip(tr("Follow the newest message again (End)"));
    setAccessibleName(tr("Messages and what each consumer has done with them"));
    m_painter.forgetTexts();
    updateLiveButton();
    viewport()->update();
}

bool LaneView::isEmpty() const
{
    return m_source == nullptr || m_source->lastSeq() == 0
        || m_source->lastSeq() < m_source->firstSeq();
}

quint64 LaneView::firstShown() const
{
    const quint64 first = std::max<quint64>(m_source->firstSeq(), 1);
    return first > kHistory ? first - kHistory : 1;
}

quint64 LaneView::lastShown() const
{
    return m_source->lastSeq();
}

axis::SeqRange LaneView::window() const
{
    if (isEmpty()) {
        return {};
    }
    return {std::max(m_layout.axis().firstVisible(), firstShown()),
        std::min(m_layout.axis().lastVisible(), lastShown())};
}

QSize LaneView::sizeHint() const
{
    return {900, 420};
}

int LaneView::tailRoom() const
{
    return std::max(kLeastTail, zoom().single() ? zoom().pixels : 0);
}

void LaneView::relayout()
{
    const int lanes = m_source == nullptr ? 0 : static_cast<int>(m_source->lanes().size());
    const int before = m_layout.headerWidth();
    const int header = m_header.width(m_source, m_painter.metrics(), viewport()->width());
    m_layout.arrange(viewport()->size(), lanes, header, verticalScrollBar()->value());
    m_syncing = true;
    const int hidden = m_layout.contentHeight() - m_layout.lanesArea().height();
    verticalScrollBar()->setRange(0, std::max(0, hidden));
    verticalScrollBar()->setPageStep(std::max(1, m_layout.lanesArea().height()));
    verticalScrollBar()->setSingleStep(std::max(1, m_layout.laneRow(0).height() / 3));
    m_syncing = false;
    m_layout.arrange(viewport()->size(), lanes, header, verticalScrollBar()->value());
    m_painter.forgetTimed();
    if (before != header) {
        placeLegend();
        emit headerWidthChanged(header);
    }
    updateBounds();
}

void LaneView::placeLegend()
{
    const QRect all = contentsRect();
    const int legend = m_legend->isHidden() ? 0 : m_legend->heightForWidth(viewport()->width());
    const int bar = m_bar->sizeHint().height();
    const QMargins margins(0, 0, 0, legend + bar);
    if (viewportMargins() != margins) {
        setViewportMargins(margins);
    }
    const int header = m_layout.headerWidth();
    const int wide = viewport()->width();
    m_bar->setGeometry(all.left() + header, all.bottom() + 1 - legend - bar, wide - header, bar);
    m_legend->setGeometry(all.left(), all.bottom() + 1 - legend, wide, legend);
}

void LaneView::setLegendVisible(bool visible)
{
    m_legend->setVisible(visible);
    placeLegend();
    relayout();
}

void LaneView::updateBounds()
{
    if (isEmpty()) {
        m_scroll.setRange(0, 0, 1);
        m_layout.setAxis(SequenceAxis(zoom(), 0, m_layout.axis().width()));
        syncBars();
        viewport()->update();
        return;
    }
    const SequenceAxis& axis = m_layout.axis();
    const qint64 first = axis.pixelOf(firstShown()) - kLeadIn;
    const qint64 end = axis.pixelOf(lastShown() + 1) + tailRoom();
    m_scroll.setRange(first, end - axis.width(), axis.width());
    if (m_following) {
        m_scroll.setPosition(m_scroll.last());
    }
    positionChanged();
    if (!m_liveCount.isActive()) {
        updateLiveButton();
        m_liveCount.start();
    }
}

void LaneView::scrollTo(qint64 left, bool byReader)
{
    if (byReader) {
        m_scroll.setPosition(left);
        // At the end the reader is live again; anywhere else the picture stays where it is.
        setFollowing(m_scroll.atEnd());
    } else {
        m_scroll.setPosition(left);
    }
    positionChanged();
}

void LaneView::positionChanged()
{
    const qint64 left = m_scroll.position();
    if (m_layout.axis().left() != left) {
        m_layout.setAxis(SequenceAxis(zoom(), left, m_layout.axis().width()));
        m_painter.forgetTimed();
    }
    // A new message moves the last label and the axis even if nothing scrolls.
    m_pacer.update(viewport()->rect());
    syncBars();
    const axis::SeqRange now = window();
    if (now == m_lastWindow) {
        return;
    }
    m_lastWindow = now;
    if (now.isEmpty() || m_source == nullptr) {
        return;
    }
    if (zoom().single()) {
        m_source->request(now.first, now.last);
    }
    emit windowChanged(now.first, now.last);
}

void LaneView::syncBars()
{
    m_syncing = true;
    QScrollBar* bar = m_bar;
    bar->setRange(0, m_scroll.barMaximum());
    bar->setPageStep(m_scroll.barPage());
    bar->setSingleStep(std::max(1, zoom().single() ? zoom().pixels : 16));
    bar->setValue(m_scroll.barValue());
    m_syncing = false;
}

void LaneView::setFollowing(bool following)
{
    if (following == m_following) {
        return;
    }
    m_following = following;
    m_seenLast = m_source == nullptr ? 0 : m_source->lastSeq();
    if (following) {
        updateBounds();
    }
    updateLiveButton();
    emit followingChanged(following);
}

void LaneView::updateLiveButton()
{
    const bool shown = !m_following && !isEmpty();
    m_live->setVisible(shown);
    if (!shown) {
        return;
    }
    const quint64 last = m_source->lastSeq();
    const quint64 behind = last > m_seenLast ? last - m_seenLast : 0;
    m_live->setText(behind == 0 ? tr("Back to live")
                                : tr("Back to live · %n new",
                                    nullptr,
                                    static_cast<int>(std::min<quint64>(behind, 1'000'000'000))));
    m_live->adjustSize();
    const QRect area = viewport()->geometry();
    m_live->move(area.right() - m_live->width() - m_painter.metrics().pad,
        area.bottom() - m_live->height() - m_painter.metrics().pad);
    m_live->raise();
}

void LaneView::updateColumns(quint64 first, quint64 last)
{
    if (isEmpty() || !zoom().single()) {
        return;
    }
    const int left = std::max(0, m_layout.axis().xOf(first)) + m_layout.headerWidth() - 4;
    const int right = m_layout.axis().xOf(last + 1) + m_layout.headerWidth() + 4;
    if (right >= m_layout.headerWidth() && left <= viewport()->width()) {
        m_pacer.update(QRect(left, 0, right - left, viewport()->height()));
    }
}

void LaneView::updateLane(int lane)
{
    m_pacer.update(m_layout.laneRow(lane) & m_layout.lanesArea());
}

void LaneView::tick()
{
    if (m_source == nullptr || !m_source->clockRuns() || m_painter.timedRects().empty()) {
        m_tick.stop();
        return;
    }
    QRegion region;
    for (const QRect& rect : m_painter.timedRects()) {
        region += rect & m_layout.lanesArea();
    }
    m_painter.forgetTimed();
    viewport()->update(region);
}

void LaneView::paintEvent(QPaintEvent* event)
{
    m_pacer.painted(event->region());
    QPainter painter(viewport());
    const style::Theme& theme = m_painter.theme();
    if (isEmpty() && (m_source == nullptr || m_source->lanes().empty())) {
        painter.fillRect(event->rect(), theme.window);
        painter.setPen(theme.muted);
        painter.drawText(viewport()->rect().adjusted(20, 20, -20, -20),
            Qt::AlignCenter | Qt::TextWordWrap,
            m_source == nullptr ? tr("Select a stream to see its messages and consumers.")
                                : tr("The stream is empty. Publish a message to see it here."));
        return;
    }
    m_painter.setRatio(devicePixelRatioF());
    LaneFrame frame;
    frame.source = m_source;
    frame.layout = &m_layout;
    frame.selection = m_selection;
    frame.focused = hasFocus();
    if (!isEmpty()) {
        frame.first = firstShown();
        frame.last = lastShown();
        if (!zoom().single()) {
            const axis::SeqRange now = window();
            frame.density = m_source->density(now.first, now.last, m_layout.axis().width());
            m_density = frame.density;
        }
    }
    for (const QRect& dirty : event->region()) {
        frame.dirty = dirty;
        painter.setClipRect(dirty);
        m_painter.paint(painter, frame);
    }
    if (isEmpty()) {
        painter.setClipping(false);
        painter.setPen(theme.muted);
        painter.drawText(m_layout.streamRow().adjusted(m_layout.headerWidth(), 0, 0, 0),
            Qt::AlignCenter,
            tr("The stream is empty. Publish a message to see it here."));
    }
    if (!m_painter.timedRects().empty() && !m_tick.isActive() && isVisible()
        && m_source->clockRuns()) {
        m_tick.start();
    }
}

void LaneView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    placeLegend();
    relayout();
    updateLiveButton();
}

void LaneView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    switch (event->type()) {
    case QEvent::LanguageChange:
        retranslate();
        placeLegend();
        break;
    case QEvent::PaletteChange:
    case QEvent::StyleChange:
        applyLook();
        break;
    case QEvent::FontChange:
        applyLook();
        placeLegend();
        break;
    default:
        break;
    }
}

void LaneView::showEvent(QShowEvent* event)
{
    QAbstractScrollArea::showEvent(event);
    applyLook();
    placeLegend();
    viewport()->update();
}

void LaneView::hideEvent(QHideEvent* event)
{
    m_tick.stop();
    QAbstractScrollArea::hideEvent(event);
}

void LaneView::scrollContentsBy(int /*dx*/, int /*dy*/)
{
    if (m_syncing) {
        return;
    }
    m_layout.arrange(viewport()->size(),
        m_layout.laneCount(),
        m_layout.headerWidth(),
        verticalScrollBar()->value());
    m_painter.forgetTimed();
    viewport()->update();
}

QRect LaneView::selectionRect(const LaneSelection& selection) const
{
    if (selection.seq == 0) {
        return {};
    }
    const QRect cell = m_layout.cellRect(kStreamLane, selection.seq);
    return QRect(cell.left() - 40, 0, cell.width() + 80, viewport()->height());
}

void LaneView::select(quint64 seq, int lane)
{
    const LaneSelection next{seq, seq == 0 ? kStreamLane : lane};
    if (next == m_selection) {
        return;
    }
    m_pacer.update(selectionRect(m_selection));
    m_selection = next;
    m_pacer.update(selectionRect(m_selection));
    m_pacer.update(QRect(0, 0, m_layout.headerWidth(), viewport()->height()));
    announce();
}

void LaneView::announce()
{
    if (m_source == nullptr) {
        return;
    }
    const axis::SeqRange now = window();
    setAccessibleDescription(m_selection.seq == 0
            ? overviewWords(*m_source, now.first, now.last)
            : cellWords(*m_source, m_selection.lane, m_selection.seq, false));
    QAccessibleEvent change(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&change);
}

} // namespace jetglass::lanes
