// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/explorer_delegate.h"

#include "models/stream_tree_model.h"
#include "style/theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace jetglass::pages {

using models::StreamTreeModel;

namespace {

constexpr int kGap = 8;
constexpr int kRight = 10;

QFont smaller(QFont font)
{
    font.setPointSizeF(std::max(6.5, font.pointSizeF() * 0.88));
    return font;
}

bool isSection(const QModelIndex& index)
{
    return index.data(StreamTreeModel::KindRole).toInt()
        == static_cast<int>(StreamTreeModel::NodeKind::Section);
}

} // namespace

void ExplorerDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (isSection(index))
        return paintSection(*painter, option, index);
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    row.text.clear();
    row.state &= ~QStyle::State_HasFocus;
    const QWidget* widget = option.widget;
    QStyle* style = widget ? widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &row, painter, widget);

    const style::Theme& theme = style::Theme::of(option.palette);
    painter->save();
    const bool stream = index.data(StreamTreeModel::KindRole).toInt()
        == static_cast<int>(StreamTreeModel::NodeKind::Stream);
    QFont nameFont = option.font;
    nameFont.setWeight(stream ? QFont::DemiBold : QFont::Normal);
    const QFont small = smaller(option.font);
    const QFontMetrics smallMetrics(small);
    int right = option.rect.right() - kRight;
    const QString fact = index.data(StreamTreeModel::FactRole).toString();
    if (!fact.isEmpty()) {
        const int width = smallMetrics.horizontalAdvance(fact);
        painter->setFont(small);
        painter->setPen(theme.muted);
        painter->drawText(QRect(right - width, option.rect.top(), width, option.rect.height()),
            Qt::AlignVCenter | Qt::AlignRight,
            fact);
        right -= width + kGap;
    }
    const QFontMetrics nameMetrics(nameFont);
    const QString fullName = index.data(Qt::DisplayRole).toString();
    const int left = option.rect.left() + 4;
    const int wanted = left
        + std::min(nameMetrics.horizontalAdvance(fullName), (option.rect.width() * 3) / 5) + kGap;
    right = paintBadge(
        *painter, option, index.data(StreamTreeModel::BadgeRole).toString(), right, wanted);
    const QString name =
        nameMetrics.elidedText(fullName, Qt::ElideMiddle, std::max(0, right - left));
    painter->setFont(nameFont);
    painter->setPen(theme.text);
    painter->drawText(QRect(left, option.rect.top(), right - left, option.rect.height()),
        Qt::AlignVCenter | Qt::AlignLeft,
        name);
    const QString hint = index.data(StreamTreeModel::HintRole).toString();
    const int hintLeft = left + nameMetrics.horizontalAdvance(name) + 6;
    if (!hint.isEmpty() && hintLeft + smallMetrics.horizontalAdvance(hint) <= right) {
        painter->setFont(small);
        painter->setPen(theme.muted);
        painter->drawText(
            QRect(hintLeft, option.rect.top(), right - hintLeft, option.rect.height()),
            Qt::AlignVCenter | Qt::AlignLeft,
            hint);
    }
    painter->restore();
}

void ExplorerDelegate::paintSection(
    QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const style::Theme& theme = style::Theme::of(option.palette);
    painter.save();
    QFont font = smaller(option.font);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(theme.muted);
    painter.drawText(option.rect.adjusted(4, 0, -kRight, -3),
        Qt::AlignLeft | Qt::AlignBottom,
        index.data().toString());
    painter.restore();
}

/// The whole word if the name keeps its room, else a red dot that stands for it.
int ExplorerDelegate::paintBadge(QPainter& painter,
    const QStyleOptionViewItem& option,
    const QString& badge,
    int right,
    int nameEnd) const
{
    if (badge.isEmpty())
        return right;
    const style::Theme& theme = style::Theme::of(option.palette);
    const QFont font = smaller(option.font);
    const QFontMetrics metrics(font);
    const int width = metrics.horizontalAdvance(badge) + 12;
    painter.setRenderHint(QPainter::Antialiasing);
    if (right - width < nameEnd) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.red);
        painter.drawEllipse(QRectF(right - 8, option.rect.center().y() - 3.5, 8, 8));
        return right - 8 - kGap;
    }
    const QRect box(right - width,
        option.rect.center().y() - metrics.height() / 2 - 1,
        width,
        metrics.height() + 2);
    painter.setPen(theme.redBorder);
    painter.setBrush(theme.redFill);
    painter.drawRoundedRect(
        QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), box.height() / 2.0, box.height() / 2.0);
    painter.setFont(font);
    painter.setPen(theme.red);
    painter.drawText(box, Qt::AlignCenter, badge);
    return right - width - kGap;
}

QSize ExplorerDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int height = option.fontMetrics.height() + (isSection(index) ? 16 : 8);
    return {80, height};
}

} // namespace jetglass::pages
