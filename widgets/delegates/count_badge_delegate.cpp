// SPDX-License-Identifier: GPL-3.0-or-later
#include "delegates/count_badge_delegate.h"

#include "items/message_state.h"
#include "items/roles.h"
#include "style/metrics.h"
#include "style/theme.h"

#include <QApplication>
#include <QFontMetrics>
#include <QPainter>

namespace jetglass::delegates {

using style::Theme;

namespace {

struct PillColors
{
    QColor fill;
    QColor ink;
};

PillColors pillColors(const Theme& theme, items::Tone tone)
{
    switch (tone) {
    case items::Tone::Waiting:
        return {theme.amberFill, theme.amber};
    case items::Tone::Blocked:
        return {theme.redFill, theme.red};
    case items::Tone::Done:
        return {theme.greenFill, theme.green};
    case items::Tone::Normal:
    case items::Tone::Muted:
        break;
    }
    return {theme.neutralFill, theme.text};
}

} // namespace

void CountBadgeDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString detail = index.data(items::DetailRole).toString();
    const QString badge = index.data(items::BadgeTextRole).toString();
    const auto tone = static_cast<items::Tone>(index.data(items::BadgeToneRole).toInt());
    const style::Metrics m = style::Metrics::of(item.font);
    const QFontMetrics small(m.small);
    const QFontMetrics strong(m.smallStrong);
    const int detailWidth = detail.isEmpty() ? 0 : small.horizontalAdvance(detail) + m.gap * 2;
    const int badgeWidth = badge.isEmpty() ? 0 : strong.horizontalAdvance(badge) + m.pad;

    // The style draws the row; the name gets the room that the numbers leave.
    const QStyle* style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    const QString name = item.text;
    const QRect text = style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget);
    const int room = text.width() - detailWidth - badgeWidth - m.gap * 2 - m.pad;
    item.text = QFontMetrics(item.font).elidedText(name, Qt::ElideRight, std::max(room, m.line));
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    const Theme& theme = Theme::of(item.palette);
    const bool chosen = item.state.testFlag(QStyle::State_Selected);
    int right = item.rect.right() - m.gap * 2;
    painter->save();
    if (badgeWidth > 0) {
        const QRectF pill(right - badgeWidth + 0.5,
            item.rect.center().y() - m.smallLine / 2.0 + 0.5,
            badgeWidth,
            m.smallLine);
        const PillColors colors = pillColors(theme, tone);
        painter->setRenderHint(QPainter::Antialiasing, true);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors.fill);
        painter->drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        painter->setFont(m.smallStrong);
        painter->setPen(colors.ink);
        painter->drawText(pill, Qt::AlignCenter, badge);
        right -= badgeWidth + m.gap * 2;
    }
    if (detailWidth > 0) {
        painter->setFont(m.small);
        painter->setPen(chosen ? item.palette.color(QPalette::HighlightedText) : theme.muted);
        painter->drawText(
            QRect(right - detailWidth, item.rect.top(), detailWidth, item.rect.height()),
            Qt::AlignRight | Qt::AlignVCenter,
            detail);
    }
    painter->restore();
}

QSize CountBadgeDelegate::sizeHint(
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const style::Metrics m = style::Metrics::of(option.font);
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    const QFontMetrics small(m.smallStrong);
    const int extra = small.horizontalAdvance(index.data(items::DetailRole).toString()
                          + index.data(items::BadgeTextRole).toString())
        + m.pad * 2;
    size.rheight() = std::max(size.height(), m.line + m.gap * 2);
    size.rwidth() += extra;
    return size;
}

} // namespace jetglass::delegates
