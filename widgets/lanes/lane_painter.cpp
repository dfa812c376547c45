// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/lane_painter.h"

#include "lanes/density_image.h"
#include "style/words.h"

#include <QPainter>

#include <algorithm>

namespace jetglass::lanes {

using items::CellState;
using style::Words;

namespace {

constexpr int kLoadingLook = -1;
/// What a consumer did with a message that has left the stream since.
constexpr double kGoneOpacity = 0.45;

/// How a state is told apart when it is a pixel or a few wide: by colour and by height.
struct TickLook
{
    QColor color;
    double height = 1; ///< share of the row, standing on its bottom
};

double tickHeight(CellState state)
{
    switch (state) {
    case CellState::AckedAbove:
    case CellState::Naked:
    case CellState::RedeliveryDue:
        return 0.6;
    case CellState::Waiting:
        return 0.35;
    case CellState::NotMatched:
    case CellState::BeforeStart:
        return 0.08;
    default:
        return 1;
    }
}

TickLook tickLook(const style::Theme& theme, CellState state)
{
    return {theme.look(state).solid, tickHeight(state)};
}

} // namespace

double timeLeft(const items::LaneCell& cell, qint64 now)
{
    if (cell.deadline <= now) {
        return 0;
    }
    if (cell.since <= 0 || cell.since >= cell.deadline) {
        return 1;
    }
    return std::clamp(
        static_cast<double>(cell.deadline - now) / static_cast<double>(cell.deadline - cell.since),
        0.0,
        1.0);
}

void LanePainter::setLook(const style::Theme& theme, const style::Metrics& metrics, qreal ratio)
{
    m_theme = &theme;
    m_metrics = metrics;
    m_ratio = ratio;
    m_small.setFont(metrics.small);
    m_smallStrong.setFont(metrics.smallStrong);
    m_strong.setFont(metrics.strong);
    m_tags.clear();
    m_elided.clear();
    m_densityKey = {};
}

void LanePainter::forgetTexts()
{
    m_small.clear();
    m_smallStrong.clear();
    m_strong.clear();
    m_elided.clear();
}

std::pair<quint64, quint64> LanePainter::visible(const LaneFrame& frame) const
{
    const auto& axis = frame.layout->axis();
    const int origin = frame.layout->headerWidth();
    const quint64 first = axis.seqAt(std::max(frame.dirty.left() - origin, 0));
    const quint64 last =
        std::min(axis.seqAt(std::max(frame.dirty.right() - origin, 0)), frame.last);
    return {std::max(first, frame.first), last};
}

void LanePainter::paint(QPainter& painter, const LaneFrame& frame)
{
    const LaneLayout& layout = *frame.layout;
    const QSize cell(layout.cellWidth(), layout.cellHeight(0));
    const QString family = m_metrics.body.family();
    m_atlas.setUp(*m_theme, m_theme->window, cell, m_ratio, family);
    m_chosenAtlas.setUp(*m_theme, m_theme->selection, cell, m_ratio, family);
    m_streamAtlas.setUp(*m_theme,
        m_theme->window,
        QSize(layout.cellWidth(), layout.cellHeight(kStreamLane)),
        m_ratio,
        family);
    if (!layout.axis().zoom().single() && frame.density) {
        const DensityKey key{frame.density.get(),
            layout.axis().zoom(),
            layout.axis().left(),
            layout.axis().width(),
            layout.laneCount(),
            m_theme};
        if (key != m_densityKey) {
            m_densityKey = key;
            m_densityStrip = frame.density;
            m_densityEstimated = std::any_of(frame.density->columns.begin(),
                frame.density->columns.end(),
                [](const auto& column) { return column.estimated; });
            m_densityImages.assign(static_cast<std::size_t>(layout.laneCount()) + 1, QImage());
        }
    }
    lookAtStream(frame);
    paintBackground(painter, frame);
    if (frame.dirty.top() <= layout.axisRect().bottom()) {
        paintAxis(painter, frame);
    }
    painter.setClipRect(layout.lanesArea() & frame.dirty);
    const auto [firstLane, lastLane] = layout.lanesIn(frame.dirty);
    for (int lane = firstLane; lane <= lastLane; ++lane) {
        paintLane(painter, frame, lane);
    }
    painter.setClipRect(frame.dirty);
    if (frame.dirty.intersects(layout.streamRow())) {
        paintStream(painter, frame);
        paintStreamMarks(painter, frame);
        paintHeader(painter, frame, kStreamLane);
    }
    paintSelection(painter, frame);
}

void LanePainter::lookAtStream(const LaneFrame& frame)
{
    m_held.clear();
    if (!frame.layout->axis().zoom().cells()) {
        return;
    }
    const auto [first, last] = visible(frame);
    for (quint64 seq = first; seq <= last; ++seq) {
        m_held.push_back(heldOf(frame.source->streamCell(seq)));
    }
}

LanePainter::Held LanePainter::heldOf(const items::StreamCell* cell)
{
    if (cell == nullptr || cell->stored) {
        return cell == nullptr ? Held::Loading : Held::Stored;
    }
    switch (items::gapOf(cell->removal)) {
    case items::Gap::Lost:
        return Held::Lost;
    case items::Gap::Skipped:
        return Held::Skipped;
    case items::Gap::Removed:
        break;
    }
    return Held::Removed;
}

void LanePainter::paintBackground(QPainter& painter, const LaneFrame& frame)
{
    const LaneLayout& layout = *frame.layout;
    painter.fillRect(frame.dirty, m_theme->window);
    if (frame.selection.seq != 0 && layout.axis().zoom().cells()) {
        const QRect cell = layout.cellRect(kStreamLane, frame.selection.seq);
        const QRect band(cell.left() - 2,
            layout.axisRect().top(),
            cell.width() + 4,
            layout.lanesBottom() - layout.axisRect().top());
        painter.fillRect(band & layout.cellsArea().united(layout.axisRect()), m_theme->selection);
    }
}

void LanePainter::paintLane(QPainter& painter, const LaneFrame& frame, int lane)
{
    const LaneLayout& layout = *frame.layout;
    const QRect row = layout.laneRow(lane);
    painter.fillRect(QRect(row.left(), row.top(), row.width(), 1), m_theme->line);
    painter.save();
    painter.setClipRect(layout.cellsArea() & layout.lanesArea() & frame.dirty);
    const auto& zoom = layout.axis().zoom();
    if (zoom.cells()) {
        paintLaneCells(painter, frame, lane);
    } else if (zoom.single()) {
        paintRuns(painter, frame, lane);
    } else {
        paintDensity(painter, frame, lane);
    }
    paintLaneMarks(painter, frame, lane);
    paintNotes(painter, frame, lane);
    painter.restore();
    if (frame.dirty.left() < layout.headerWidth()) {
        paintHeader(painter, frame, lane);
    }
}

void LanePainter::paintLaneCells(QPainter& painter, const LaneFrame& frame, int lane)
{
    const LaneLayout& layout = *frame.layout;
    const int y = layout.cellTop(lane);
    if (!frame.dirty.intersects(
            QRect(frame.dirty.left(), y, frame.dirty.width(), layout.cellHeight(lane)))) {
        return;
    }
    const auto [first, last] = visible(frame);
    const int pitch = layout.axis().zoom().pixels;
    const bool details = layout.axis().zoom().details();
    const qint64 now = frame.source->now();
    int x = layout.headerWidth() + layout.axis().xOf(first);
    QRect timed;
    for (quint64 seq = first; seq <= last; ++seq, x += pitch) {
        const items::LaneCell* cell = frame.source->laneCell(lane, seq);
        const Held held = m_held[seq - first];
        style::GlyphAtlas& atlas = seq == frame.selection.seq ? m_chosenAtlas : m_atlas;
        if (cell == nullptr || held == Held::Loading) {
            atlas.drawLoading(painter, x, y);
            continue;
        }
        // What is gone and was never delivered has no state worth a shape.
        if (held == Held::Skipped) {
            atlas.drawGap(painter, x, y, items::Gap::Skipped);
            continue;
        }
        if (held != Held::Stored && items::neverDelivered(cell->state)) {
            atlas.drawGap(
                painter, x, y, held == Held::Lost ? items::Gap::Lost : items::Gap::Removed);
            continue;
        }
        const QRect rect(x, y, layout.cellWidth(), layout.cellHeight(lane));
        const bool faded = held != Held::Stored;
        if (faded) {
            painter.setOpacity(kGoneOpacity);
        }
        atlas.drawCell(painter, x, y, cell->state, cell->deliveries, timeLeft(*cell, now));
        if (faded) {
            painter.setOpacity(1);
        }
        if (cell->overridden) {
            painter.fillRect(rect.right() - 4, rect.top() + 1, 4, 4, m_theme->accent);
        }
        if (style::GlyphAtlas::hasRing(cell->state)) {
            timed |= rect;
        }
        if (details) {
            paintDetail(painter, rect, *cell, now);
        }
    }
    if (!timed.isNull()) {
        m_timed.push_back(timed);
    }
}

void LanePainter::paintDetail(
    QPainter& painter, const QRect& cell, const items::LaneCell& state, qint64 now)
{
    const int textLeft = cell.left() + cell.height();
    if (!style::GlyphAtlas::hasRing(state.state) || state.deadline <= 0) {
        return;
    }
    const QString text = Words::duration(std::max<qint64>(0, state.deadline - now));
    if (smallWidth(text, false) <= cell.right() - textLeft) {
        drawSmall(painter,
            QPoint(textLeft, cell.center().y() - m_metrics.smallLine / 2),
            text,
            m_theme->amber,
            false);
    }
}

void LanePainter::paintRuns(QPainter& painter, const LaneFrame& frame, int lane)
{
    const LaneLayout& layout = *frame.layout;
    const auto [first, last] = visible(frame);
    const auto* source = frame.source;
    LaneLayout::mergeRuns(
        layout.axis(),
        first,
        last,
        [source, lane](quint64 seq) {
            const items::LaneCell* cell = source->laneCell(lane, seq);
            return cell == nullptr ? kLoadingLook : static_cast<int>(cell->state);
        },
        m_runs);
    const int bottom = layout.cellTop(lane) + layout.cellHeight(lane);
    const int height = layout.cellHeight(lane);
    for (const CellRun& run : m_runs) {
        const int x = layout.headerWidth() + run.x;
        if (run.look == kLoadingLook) {
            painter.fillRect(x, bottom - height / 2 - 2, run.width, 4, m_theme->neutralFill);
            continue;
        }
        const TickLook look = tickLook(*m_theme, static_cast<CellState>(run.look));
        const int tall = std::max(2, static_cast<int>(look.height * height));
        painter.fillRect(x, bottom - tall, run.width, tall, look.color);
    }
}

void LanePainter::paintDensity(QPainter& painter, const LaneFrame& frame, int lane)
{
    const LaneLayout& layout = *frame.layout;
    const QRect row(
        layout.headerWidth(), layout.cellTop(lane), layout.axis().width(), layout.cellHeight(lane));
    painter.fillRect(
        QRect(row.left(), row.bottom() + 1, row.width(), 1) & frame.dirty, m_theme->line);
    if (!frame.density || row.isEmpty()) {
        painter.fillRect(
            row.adjusted(0, row.height() / 2 - 2, 0, -row.height() / 2 + 2), m_theme->neutralFill);
        return;
    }
    QImage& image = m_densityImages[static_cast<std::size_t>(lane) + 1];
    if (image.isNull()) {
        image = QImage(row.size(), QImage::Format_ARGB32_Premultiplied);
        if (lane == kStreamLane) {
            paintStreamDensity(image, *frame.density, layout.axis(), *m_theme);
        } else {
            paintLaneDensity(image, *frame.density, lane, layout.axis(), *m_theme);
        }
    }
    painter.drawImage(row.topLeft(), image);
}

void LanePainter::paintStream(QPainter& painter, const LaneFrame& frame)
{
    const LaneLayout& layout = *frame.layout;
    painter.save();
    painter.setClipRect(layout.cellsArea() & layout.streamRow() & frame.dirty);
    const auto [first, last] = visible(frame);
    if (layout.axis().zoom().cells()) {
        for (quint64 seq = first; seq <= last; ++seq) {
            paintStreamCell(painter, frame, seq);
        }
    } else if (layout.axis().zoom().single()) {
        const auto* source = frame.source;
        constexpr int kGap = 100;
        constexpr int kSkipped = 101;
        LaneLayout::mergeRuns(
            layout.axis(),
            first,
            last,
            [source](quint64 seq) {
                const items::StreamCell* cell = source->streamCell(seq);
                if (cell == nullptr || cell->stored) {
                    return cell == nullptr ? kLoadingLook : static_cast<int>(cell->hue);
                }
                return cell->removal == items::RemovalCause::Skipped ? kSkipped : kGap;
            },
            m_runs);
        const QRect row(0, layout.cellTop(kStreamLane), 0, layout.cellHeight(kStreamLane));
        for (const CellRun& run : m_runs) {
            const QRect box(layout.headerWidth() + run.x, row.top(), run.width, row.height());
            if (run.look == kSkipped) {
                painter.fillRect(
                    QRect(box.left(), box.center().y(), box.width(), 1), m_theme->faint);
            } else if (run.look == kGap) {
                painter.fillRect(box, QBrush(m_theme->faint, Qt::BDiagPattern));
            } else {
                painter.fillRect(box,
                    run.look == kLoadingLook ? m_theme->neutralFill
                                             : m_theme->hue(static_cast<quint8>(run.look)));
            }
        }
    } else {
        paintDensity(painter, frame, kStreamLane);
    }
    painter.restore();
}

void LanePainter::paintStreamCell(QPainter& painter, const LaneFrame& frame, quint64 seq)
{
    const LaneLayout& layout = *frame.layout;
    const QRect rect = layout.cellRect(kStreamLane, seq);
    const items::StreamCell* cell = frame.source->streamCell(seq);
    if (cell == nullptr) {
        m_streamAtlas.drawLoading(painter, rect.left(), rect.top());
        return;
    }
    if (!cell->stored) {
        m_streamAtlas.drawGap(painter, rect.left(), rect.top(), items::gapOf(cell->removal));
        return;
    }
    const QColor& hue = m_theme->hue(cell->hue);
    painter.fillRect(rect, hue);
    if (cell->placeholder) {
        painter.fillRect(rect.adjusted(1, 1, -1, -1), m_theme->window);
        painter.fillRect(rect.adjusted(1, 1, -1, -1), QBrush(hue, Qt::Dense5Pattern));
    }
    const int room = rect.width() - 2;
    if (room < m_metrics.smallDigit || cell->tag.isEmpty()) {
        return;
    }
    const QString tag = fittedTag(cell->tag, room);
    const int width = smallWidth(tag, false);
    const bool details = layout.axis().zoom().details() && rect.height() >= m_metrics.smallLine * 2;
    const int top = details ? rect.top() + 1 : rect.center().y() - m_metrics.smallLine / 2 + 1;
    drawSmall(
        painter, QPoint(rect.center().x() + 1 - width / 2, top), tag, m_theme->hueText, false);
    if (details) {
        const QString size = Words::size(cell->size);
        const int sizeWidth = smallWidth(size, false);
        if (sizeWidth <= room) {
            drawSmall(painter,
                QPoint(rect.center().x() + 1 - sizeWidth / 2, top + m_metrics.smallLine),
                size,
                m_theme->hueText,
                false);
        }
    }
}

void LanePainter::drawSmall(
    QPainter& painter, QPoint topLeft, const QString& text, const QColor& color, bool strong)
{
    style::TextCache& cache = strong ? m_smallStrong : m_small;
    painter.setFont(cache.font());
    painter.setPen(color);
    cache.draw(painter, topLeft, text);
}

int LanePainter::smallWidth(const QString& text, bool strong)
{
    return (strong ? m_smallStrong : m_small).width(text);
}

QString LanePainter::fittedTag(const QString& tag, int width)
{
    if (m_tagWidth != width) {
        m_tagWidth = width;
        m_tags.clear();
    }
    const auto found = m_tags.constFind(tag);
    if (found != m_tags.constEnd()) {
        return *found;
    }
    qsizetype length = tag.size();
    while (length > 1 && smallWidth(tag.left(length), false) > width) {
        --length;
    }
    return *m_tags.insert(tag, tag.left(length));
}

} // namespace jetglass::lanes
