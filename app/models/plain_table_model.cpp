// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/plain_table_model.h"

#include <algorithm>

namespace jetglass::models {

void PlainTableModel::setHeaders(const QStringList& headers, const QStringList& toolTips)
{
    if (headers.size() != m_headers.size()) {
        beginResetModel();
        m_rows.clear();
        m_headers = headers;
        m_headerTips = toolTips;
        endResetModel();
        return;
    }
    m_headers = headers;
    m_headerTips = toolTips;
    if (!m_headers.isEmpty())
        emit headerDataChanged(Qt::Horizontal, 0, static_cast<int>(m_headers.size()) - 1);
}

void PlainTableModel::setRows(std::vector<Row> rows)
{
    const auto has = [](const std::vector<Row>& list, quint64 key) {
        return std::any_of(
            list.begin(), list.end(), [key](const Row& row) { return row.key == key; });
    };
    const bool sameKeys = rows.size() == m_rows.size()
        && std::equal(rows.begin(), rows.end(), m_rows.begin(), [](const Row& a, const Row& b) {
               return a.key == b.key;
           });
    const bool first = m_rows.empty() && !rows.empty();
    if (!sameKeys) {
        for (int i = static_cast<int>(m_rows.size()) - 1; i >= 0; --i) {
            if (has(rows, m_rows[static_cast<std::size_t>(i)].key))
                continue;
            beginRemoveRows({}, i, i);
            m_rows.erase(m_rows.begin() + i);
            endRemoveRows();
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i < m_rows.size() && m_rows[i].key == rows[i].key)
                continue;
            if (has(m_rows, rows[i].key))
                break; // another order: the rest is replaced below
            beginInsertRows({}, static_cast<int>(i), static_cast<int>(i));
            m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(i), rows[i]);
            endInsertRows();
        }
    }
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (first)
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int PlainTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PlainTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant PlainTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == KeyRole)
        return QVariant::fromValue<quint64>(row.key);
    const auto column = static_cast<std::size_t>(index.column());
    if (column >= row.cells.size())
        return {};
    const Cell& cell = row.cells[column];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.toolTip.isEmpty() ? QVariant() : cell.toolTip;
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (cell.right ? Qt::AlignRight : Qt::AlignLeft));
    case ToneRole:
        return cell.tone;
    default:
        return {};
    }
}

QVariant PlainTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return m_headers.value(section);
    if (role == Qt::ToolTipRole)
        return m_headerTips.value(section);
    if (role == Qt::TextAlignmentRole && !m_rows.empty()) {
        // A title stands over its numbers.
        const auto column = static_cast<std::size_t>(section);
        const std::vector<Cell>& cells = m_rows.front().cells;
        const bool right = column < cells.size() && cells[column].right;
        return QVariant(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft));
    }
    return {};
}

} // namespace jetglass::models
