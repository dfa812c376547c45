// SPDX-License-Identifier: GPL-3.0-or-later
#include "minimap/overview_strip.h"

#include "style/metrics.h"
#include "style/theme.h"
#include "style/words.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace jetglass::minimap {

using style::Theme;

namespace {

constexpr quint64 kHistory = 24; ///< as in the lane view: removed ones before the first
constexpr int kLeastWindow = 8; ///< pixels, so that it can be grabbed

} // namespace

OverviewStrip::OverviewStrip(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    retranslate();
}

void OverviewStrip::retranslate()
{
    setAccessibleName(tr("Whole stream"));
    setToolTip(tr("The whole stream; the frame is what the lanes show. Drag it to move."));
    update();
}

void OverviewStrip::setSource(items::LaneSource* source)
{
    if (m_source != nullptr) {
        m_source->disconnect(this);
    }
    m_source = source;
    m_range = {};
    if (m_source != nullptr) {
        using items::LaneSource;
        connect(m_source, &LaneSource::boundsChanged, this, &OverviewStrip::updateWhole);
        connect(m_source, &LaneSource::densityChanged, this, &OverviewStrip::refreshPicture);
        connect(m_source, &LaneSource::laneUpdated, this, [this] { update(); });
        connect(m_source, &LaneSource::lanesChanged, this, [this] { update(); });
    }
    updateWhole();
}

void OverviewStrip::updateWhole()
{
    axis::SeqRange whole;
    if (m_source != nullptr && m_source->lastSeq() != 0
        && m_source->lastSeq() >= m_source->firstSeq()) {
        const quint64 first = std::max<quint64>(1, m_source->firstSeq());
        whole = {first > kHistory ? first - kHistory : 1, m_source->lastSeq()};
    }
    if (m_range.setWhole(whole)) {
        m_range.setWindow(m_shown);
        // Of a large stream a few messages more are less than a pixel.
        m_pictureStale = m_pictureStale || !looksLike(m_pictured, whole);
        update();
    }
}

bool OverviewStrip::looksLike(const axis::SeqRange& one, const axis::SeqRange& other) const
{
    const auto apart = [](quint64 a, quint64 b) { return a > b ? a - b : b - a; };
    const auto width = static_cast<quint64>(trackRect().width());
    return !one.isEmpty() && !other.isEmpty()
        && std::max(apart(one.first, other.first), apart(one.last, other.last))
        < (other.last - other.first + 1) / width;
}

void OverviewStrip::refreshPicture()
{
    m_pictureStale = true;
    update();
}

void OverviewStrip::setWindow(quint64 first, quint64 last)
{
    m_shown = {first, last};
    if (m_range.setWindow(m_shown)) {
        update();
    }
}

void OverviewStrip::setHeaderWidth(int width)
{
    if (width != m_headerWidth) {
        m_headerWidth = width;
        refreshPicture();
    }
}

QSize OverviewStrip::sizeHint() const
{
    const style::Metrics m = style::Metrics::of(font());
    return {600, m.line + m.pad * 2};
}

QSize OverviewStrip::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

QRect OverviewStrip::trackRect() const
{
    const style::Metrics m = style::Metrics::of(font());
    return QRect(m_headerWidth + m.gap,
        m.gap * 2,
        std::max(1, width() - m_headerWidth - m.gap * 2),
        height() - m.gap * 5);
}

int OverviewStrip::xOf(quint64 seq) const
{
    const QRect track = trackRect();
    return track.left() + static_cast<int>(m_range.shareOf(seq) * track.width());
}

QRect OverviewStrip::windowRect() const
{
    if (m_range.window().isEmpty()) {
        return {};
    }
    const QRect track = trackRect();
    int left = xOf(m_range.window().first);
    int right = xOf(m_range.window().last + 1);
    if (right - left < kLeastWindow) {
        left = std::min(left, track.right() - kLeastWindow);
        right = left + kLeastWindow;
    }
    return QRect(left, track.top() - 3, right - left, track.height() + 6);
}

void OverviewStrip::paintTrack(QPainter& painter, const QRect& track)
{
    const Theme& theme = Theme::of(palette());
    if (m_pictureStale || m_picture.size() != track.size()) {
        const auto strip =
            m_source->density(m_range.whole().first, m_range.whole().last, track.width());
        m_picture = QImage(track.size(), QImage::Format_ARGB32_Premultiplied);
        m_picture.fill(theme.neutralFill);
        m_pictureStale = false;
        m_pictured = m_range.whole();
        if (strip) {
            auto* pixels = reinterpret_cast<QRgb*>(m_picture.bits());
            const auto stride = m_picture.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
            const QRgb hue = theme.hue(0).rgb();
            const QRgb faint = theme.faint.rgb();
            const QRgb base = theme.base.rgb();
            std::size_t column = 0;
            for (int x = 0; x < track.width(); ++x) {
                const double share = (x + 0.5) / track.width();
                const quint64 seq = m_range.seqAtShare(share);
                while (column + 1 < strip->columns.size() && strip->columns[column].last < seq) {
                    ++column;
                }
                if (strip->columns.empty() || !(strip->columns[column].first <= seq)) {
                    continue;
                }
                const auto& entry = strip->columns[column];
                const double all = static_cast<double>(entry.stored + entry.removed);
                const double stored = all > 0 ? static_cast<double>(entry.stored) / all : 0;
                const int top = static_cast<int>((1 - stored) * track.height());
                QRgb* pixel = pixels + x;
                for (int y = 0; y < track.height(); ++y, pixel += stride) {
                    // Removed ones are hatched here as everywhere.
                    *pixel = y >= top ? hue : (x + y) % 5 == 0 ? faint : base;
                }
            }
        }
    }
    painter.drawImage(track.topLeft(), m_picture);
}

void OverviewStrip::paintCursors(QPainter& painter, const QRect& track)
{
    const Theme& theme = Theme::of(palette());
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    for (const items::LaneItem& lane : m_source->lanes()) {
        const qreal x = xOf(lane.delivered + 1);
        const qreal y = track.bottom() + 3;
        // A small triangle per consumer; a blocked one is red and flat at the bottom.
        painter.setBrush(lane.stall.isEmpty() ? theme.accent : theme.redBorder);
        const QPointF triangle[] = {{x, y}, {x - 3.5, y + 5}, {x + 3.5, y + 5}};
        painter.drawPolygon(triangle, 3);
        if (!lane.stall.isEmpty()) {
            painter.drawRect(QRectF(x - 3.5, y - 1, 7, 1.5));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void OverviewStrip::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = Theme::of(palette());
    const style::Metrics m = style::Metrics::of(font());
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    const QRect track = trackRect();
    if (m_headerWidth > m.pad * 2) {
        painter.setFont(m.small);
        painter.setPen(theme.muted);
        const QRect label(m.pad, track.top(), m_headerWidth - m.pad, track.height());
        painter.drawText(label,
            Qt::AlignVCenter,
            QFontMetrics(m.small).elidedText(tr("whole stream"), Qt::ElideRight, label.width()));
    }
    if (m_source == nullptr || m_range.whole().isEmpty()) {
        painter.fillRect(track, theme.neutralFill);
        return;
    }
    paintTrack(painter, track);
    paintCursors(painter, track);
    painter.setPen(theme.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(track.adjusted(-1, -1, 0, 0));
    const QRect window = windowRect();
    if (!window.isNull()) {
        QColor veil = theme.window;
        veil.setAlphaF(0.55F);
        painter.fillRect(
            QRect(track.left(), track.top(), window.left() - track.left(), track.height()), veil);
        painter.fillRect(
            QRect(window.right(), track.top(), track.right() - window.right() + 1, track.height()),
            veil);
        QPen pen(theme.accent, hasFocus() ? 3 : 2);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(pen);
        painter.drawRoundedRect(QRectF(window).adjusted(0, 1, 0, -1), 3, 3);
    }
}

void OverviewStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    } else if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        refreshPicture();
    }
}

void OverviewStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refreshPicture();
}

void OverviewStrip::moveTo(int x)
{
    const QRect track = trackRect();
    const double share = static_cast<double>(x - track.left()) / track.width();
    const quint64 first = m_range.seqAtShare(share);
    if (m_range.moveWindow(first)) {
        m_shown = m_range.window();
        update();
    }
    emit windowMoved(m_range.window().first);
}

void OverviewStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_range.window().isEmpty()) {
        return;
    }
    const QPoint at = event->position().toPoint();
    const QRect window = windowRect();
    if (window.contains(at)) {
        m_grab = at.x() - window.left();
    } else {
        // A click beside the window brings it there, held in its middle.
        m_grab = window.width() / 2;
        moveTo(at.x() - *m_grab);
    }
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event)
{
    if (m_grab) {
        moveTo(event->position().toPoint().x() - *m_grab);
    }
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent* /*event*/)
{
    m_grab.reset();
}

void OverviewStrip::keyPressEvent(QKeyEvent* event)
{
    const axis::SeqRange window = m_range.window();
    if (window.isEmpty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const quint64 step = std::max<quint64>(1, window.count() / 4);
    quint64 first = window.first;
    switch (event->key()) {
    case Qt::Key_Left:
        first -= std::min(first, step);
        break;
    case Qt::Key_Right:
        first += step;
        break;
    case Qt::Key_PageUp:
        first -= std::min(first, window.count());
        break;
    case Qt::Key_PageDown:
        first += window.count();
        break;
    case Qt::Key_Home:
        first = m_range.whole().first;
        break;
    case Qt::Key_End:
        first = m_range.whole().last;
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (m_range.moveWindow(first)) {
        m_shown = m_range.window();
        update();
        emit windowMoved(m_range.window().first);
    }
}

void OverviewStrip::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void OverviewStrip::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace jetglass::minimap
