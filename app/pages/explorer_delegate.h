// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace jetglass::pages {

/// A row of the explorer: name, muted hint, badge of trouble, number at the right end. The number
/// is never cut; the name gives way first.
class ExplorerDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter,
        const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(
        const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintSection(
        QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    int paintBadge(QPainter& painter,
        const QStyleOptionViewItem& option,
        const QString& badge,
        int right,
        int nameEnd) const;
};

} // namespace jetglass::pages
