// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/legend_strip.h"

#include "items/message_state.h"
#include "style/cell_shapes.h"
#include "style/metrics.h"
#include "style/theme.h"
#include "style/words.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace jetglass::lanes {

using items::CellState;

namespace {

/// Below the states, so that one number tells both.
constexpr int entryOf(items::Gap gap)
{
    return -1 - static_cast<int>(gap);
}

constexpr items::Gap gapOf(int entry)
{
    return static_cast<items::Gap>(-1 - entry);
}

constexpr std::array kShown{CellState::Waiting,
    CellState::Delivered,
    CellState::InProgress,
    CellState::Naked,
    CellState::RedeliveryDue,
    CellState::Acked,
    CellState::AckedAbove,
    CellState::Settled,
    CellState::Terminated,
    CellState::Exhausted,
    CellState::NotMatched,
    CellState::BeforeStart};
/// The picture of a countdown in the legend: two thirds of the time are left.
constexpr double kSampleLeft = 0.66;

} // namespace

LegendStrip::LegendStrip(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    rebuild();
}

void LegendStrip::rebuild()
{
    m_entries.clear();
    for (const CellState state : kShown) {
        m_entries.push_back({static_cast<int>(state), style::Words::state(state), {}});
    }
    m_entries.push_back({entryOf(items::Gap::Removed), tr("removed"), {}});
    m_entries.push_back({entryOf(items::Gap::Skipped), tr("never existed"), {}});
    m_entries.push_back({entryOf(items::Gap::Lost), tr("lost"), {}});
    QStringList all;
    for (const Entry& entry : m_entries) {
        all << entry.text;
    }
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(all.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

int LegendStrip::arrange(int width)
{
    const style::Metrics m = style::Metrics::of(font());
    const QFontMetrics fm(m.small);
    const int swatch = m.line + 4;
    const int height = swatch + m.gap;
    int x = m.pad;
    int y = m.gap;
    for (Entry& entry : m_entries) {
        const int wide = swatch + m.gap + fm.horizontalAdvance(entry.text);
        if (x > m.pad && x + wide > width - m.pad) {
            x = m.pad;
            y += height;
        }
        entry.rect = QRect(x, y, wide, swatch);
        x += wide + m.pad * 3 / 2;
    }
    return y + swatch + m.gap;
}

int LegendStrip::heightForWidth(int width) const
{
    LegendStrip& self = const_cast<LegendStrip&>(*this);
    const std::vector<Entry> keep = m_entries;
    const int height = self.arrange(width);
    self.m_entries = keep;
    return height;
}

QSize LegendStrip::sizeHint() const
{
    constexpr int kUsual = 900;
    return {kUsual, heightForWidth(kUsual)};
}

QSize LegendStrip::minimumSizeHint() const
{
    return {120, style::Metrics::of(font()).line * 2};
}

void LegendStrip::paintEvent(QPaintEvent* /*event*/)
{
    const style::Theme& theme = style::Theme::of(palette());
    const style::Metrics m = style::Metrics::of(font());
    arrange(width());
    QPainter painter(this);
    painter.fillRect(rect(), theme.base);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    for (const Entry& entry : m_entries) {
        const QRectF swatch(entry.rect.topLeft(), QSize(entry.rect.height(), entry.rect.height()));
        painter.setRenderHint(QPainter::Antialiasing, true);
        if (entry.state < 0) {
            style::paintGap(painter, swatch, theme, gapOf(entry.state));
        } else {
            const auto state = static_cast<CellState>(entry.state);
            const QString count = state == CellState::Delivered ? QStringLiteral("2") : QString();
            style::paintCell(
                painter, swatch, theme.look(state), kSampleLeft, count, font().family());
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setFont(m.small);
        painter.setPen(theme.muted);
        painter.drawText(entry.rect.adjusted(entry.rect.height() + m.gap, 0, 2, 0),
            Qt::AlignVCenter,
            entry.text);
    }
}

void LegendStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) {
        rebuild();
    } else if (event->type() == QEvent::PaletteChange) {
        update();
    }
}

QString LegendStrip::meaning(const Entry& entry)
{
    if (entry.state >= 0) {
        return style::Words::stateMeaning(static_cast<CellState>(entry.state));
    }
    switch (gapOf(entry.state)) {
    case items::Gap::Removed:
        return tr(
            "No longer in the stream: by a limit, an ack, a purge or by hand. Its cause stands "
            "in the list of removals.");
    case items::Gap::Skipped:
        return tr("No message ever had this sequence: the stream began behind it (first_seq), a "
                  "purge went beyond the last message, or a mirror's origin lacked it.");
    case items::Gap::Lost:
        return style::Words::removal(items::RemovalCause::Lost);
    }
    return {};
}

bool LegendStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const Entry& entry : m_entries) {
        if (entry.rect.contains(help->pos())) {
            QToolTip::showText(help->globalPos(), meaning(entry), this, entry.rect);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

} // namespace jetglass::lanes
