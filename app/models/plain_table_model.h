// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace jetglass::models {

/// A table of a few thousand rows at most whose owner knows all rows: removals, message ids, pull
/// requests, connections, settings. Rows have a key, so that an update keeps selection and scroll
/// position.
class PlainTableModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role
    {
        ToneRole = Qt::UserRole + 1,
        KeyRole
    };
    struct Cell
    {
        QString text;
        QString toolTip;
        bool right = false; ///< numbers
        int tone = 0; ///< items::Tone
    };
    struct Row
    {
        quint64 key = 0;
        std::vector<Cell> cells;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setHeaders(const QStringList& headers, const QStringList& toolTips = {});
    void setRows(std::vector<Row> rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(
        const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_headers;
    QStringList m_headerTips;
    std::vector<Row> m_rows;
};

} // namespace jetglass::models
