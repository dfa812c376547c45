// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/table_style.h"

#include "style/theme.h"

#include <QHeaderView>
#include <QTableView>

namespace jetglass::pages {

void setUpTable(QTableView& table)
{
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setTextElideMode(Qt::ElideRight);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 6);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setStretchLastSection(true);
    table.horizontalHeader()->setMinimumSectionSize(40);
}

void fitColumns(QTableView& table)
{
    table.resizeColumnsToContents();
    QHeaderView* header = table.horizontalHeader();
    for (int column = 0; column + 1 < header->count(); ++column)
        header->resizeSection(column, header->sectionSize(column) + 16);
}

ToneDelegate::ToneDelegate(int toneRole, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_toneRole(toneRole)
{
}

void ToneDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto tone = static_cast<items::Tone>(index.data(m_toneRole).toInt());
    if (tone == items::Tone::Normal)
        return;
    const QColor color = style::Theme::of(option->palette).tone(tone);
    option->palette.setColor(QPalette::Text, color);
    option->palette.setColor(QPalette::HighlightedText, color);
    if (tone != items::Tone::Muted)
        option->font.setWeight(QFont::DemiBold);
}

} // namespace jetglass::pages
