// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace jetglass::pages {

/// One look for all small tables: no grid, whole rows, dense, columns as wide as their content,
/// last one stretches.
void setUpTable(QTableView& table);

/// Columns as wide as their content, with air between them; the last one takes the rest.
void fitColumns(QTableView& table);

/// Paints a cell's text in the colour of its tone (the model's ToneRole) when it has one.
class ToneDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    ToneDelegate(int toneRole, QObject* parent);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_toneRole;
};

} // namespace jetglass::pages
