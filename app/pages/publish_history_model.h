// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/publish.h"

#include <QAbstractTableModel>
#include <QDateTime>

#include <deque>

namespace jetglass::pages {

/// The newest messages that this panel sent, newest first, with what became of each. Text is made
/// when asked for, so a change of language needs no reset.
class PublishHistoryModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    static constexpr int kMaxRows = 500;
    enum Column
    {
        Time,
        Subject,
        Result,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    struct Entry
    {
        QDateTime time;
        client::Message message;
        std::optional<client::PubAck> ack; ///< none: sent without asking
    };

    /// Gathers; a burst becomes one insert when flush() is called.
    void add(Entry entry);
    void flush();
    void clear();
    [[nodiscard]] const Entry& entry(int row) const
    {
        return m_entries[static_cast<std::size_t>(row)];
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override;

    /// "ORDERS 55", "ORDERS 55, duplicate" or the error.
    [[nodiscard]] static QString resultText(const std::optional<client::PubAck>& ack);

private:
    std::deque<Entry> m_entries;
    std::vector<Entry> m_new;
};

} // namespace jetglass::pages
