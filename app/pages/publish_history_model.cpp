// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/publish_history_model.h"

#include "forms/tone.h"

#include <QApplication>

namespace jetglass::pages {

void PublishHistoryModel::add(Entry entry)
{
    m_new.push_back(std::move(entry));
    if (m_new.size() > static_cast<std::size_t>(kMaxRows))
        m_new.erase(m_new.begin(), m_new.end() - kMaxRows);
}

void PublishHistoryModel::flush()
{
    if (m_new.empty())
        return;
    const int n = static_cast<int>(m_new.size());
    beginInsertRows({}, 0, n - 1);
    for (Entry& e : m_new)
        m_entries.push_front(std::move(e));
    m_new.clear();
    endInsertRows();
    const int rows = static_cast<int>(m_entries.size());
    if (rows > kMaxRows) {
        beginRemoveRows({}, kMaxRows, rows - 1);
        m_entries.resize(static_cast<std::size_t>(kMaxRows));
        endRemoveRows();
    }
}

void PublishHistoryModel::clear()
{
    beginResetModel();
    m_entries.clear();
    m_new.clear();
    endResetModel();
}

int PublishHistoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int PublishHistoryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString PublishHistoryModel::resultText(const std::optional<client::PubAck>& ack)
{
    if (!ack)
        return tr("sent, no ack asked for");
    if (!ack->ok())
        return ack->error->text();
    if (ack->duplicate)
        return tr("%1 %2, duplicate: nothing new was stored").arg(ack->stream).arg(ack->seq);
    return QStringLiteral("%1 %2").arg(ack->stream).arg(ack->seq);
}

QVariant PublishHistoryModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Entry& e = entry(index.row());
    if (role == Qt::ForegroundRole && index.column() == Result && e.ack) {
        const forms::Tone tone = !e.ack->ok() ? forms::Tone::Bad
            : e.ack->duplicate                ? forms::Tone::Waiting
                                              : forms::Tone::Good;
        return forms::toneColor(tone, QApplication::palette());
    }
    if (role == Qt::ToolTipRole && e.ack && !e.ack->ok())
        return QString(e.ack->error->text() + QLatin1Char('\n') + e.ack->error->meaning());
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Time:
        return e.time.toLocalTime().toString(QStringLiteral("hh:mm:ss.zzz"));
    case Subject:
        return e.message.subject;
    case Result:
        return resultText(e.ack);
    default:
        return {};
    }
}

QVariant PublishHistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Subject:
        return tr("Subject");
    case Result:
        return tr("Result");
    default:
        return {};
    }
}

} // namespace jetglass::pages
