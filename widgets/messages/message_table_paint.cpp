// SPDX-License-Identifier: GPL-3.0-or-later
// Painting: rows, gaps, texts that are laid out once.
#include "messages/message_table.h"
#include "style/theme.h"
#include "style/words.h"

#include <QHeaderView>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetglass::messages {

using style::Theme;
using style::Words;

namespace {

bool isRightAligned(int column)
{
    return column == MessageTable::Seq || column == MessageTable::Size;
}

/// Texts of a row: its columns, and the note before the preview.
constexpr int kNote = MessageTable::kColumnCount;
constexpr quint64 kTexts = kNote + 1;

/// A few screens of rows: enough to scroll back and forth without laying out again.
constexpr qsizetype kMostTexts = 3000;

} // namespace

QRect MessageTable::cellRect(int column, int y) const
{
    return QRect(m_header->sectionViewportPosition(column),
        y,
        m_header->sectionSize(column),
        m_layout.rowHeight);
}

QString MessageTable::cellText(const items::MessageItem& item, int column) const
{
    switch (column) {
    case Seq:
        return Words::seq(item.seq);
    case Time:
        return Words::timeOfDay(item.time);
    case Subject:
        return item.subject;
    case Size:
        return Words::size(item.size);
    case Headers:
        return item.hasHeaders ? QStringLiteral("\u2630") : QString();
    case Preview:
        return item.preview;
    case kNote:
        return item.note;
    default:
        return {};
    }
}

void MessageTable::paintGap(QPainter& painter, const QRect& row, const items::MessageItem& item)
{
    const Theme& theme = Theme::of(palette());
    const bool lost = item.removal == items::RemovalCause::Lost;
    if (items::gapOf(item.removal) == items::Gap::Skipped) {
        painter.fillRect(QRect(row.left(), row.center().y(), row.width(), 1), theme.line);
    } else {
        painter.fillRect(row, QBrush(lost ? theme.redBorder : theme.line, Qt::BDiagPattern));
    }
    const QRect seqCell = cellRect(Seq, row.top()).adjusted(0, 0, -m_metrics.pad, 0);
    painter.fillRect(cellRect(Seq, row.top()).adjusted(0, 0, 0, -1), theme.base);
    painter.setPen(theme.muted);
    painter.drawText(seqCell, Qt::AlignRight | Qt::AlignVCenter, Words::seq(item.seq));
    const QString words = Words::removal(item.removal);
    const int width = QFontMetrics(m_metrics.body).horizontalAdvance(words);
    const QRect label(cellRect(Time, row.top()).left() + m_metrics.gap,
        row.top(),
        width + m_metrics.pad,
        row.height());
    painter.fillRect(label, theme.base);
    painter.setPen(lost ? theme.red : theme.muted);
    painter.drawText(
        label.adjusted(m_metrics.pad / 2, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
}

void MessageTable::forgetTexts(quint64 first, quint64 last)
{
    if (last < first || last - first >= static_cast<quint64>(kMostTexts)) {
        m_texts.clear();
        return;
    }
    for (quint64 key = first * kTexts; key < (last + 1) * kTexts; ++key) {
        m_texts.remove(key);
    }
}

void MessageTable::drawCellText(QPainter& painter,
    const QRect& cell,
    quint64 position,
    int column,
    const items::MessageItem& item)
{
    const Qt::TextElideMode mode = column == Subject ? Qt::ElideMiddle : Qt::ElideRight;
    const QString words = cellText(item, column);
    if (m_latin.covers(words)) {
        const Qt::Alignment side = isRightAligned(column) ? Qt::AlignRight : Qt::AlignLeft;
        m_latin.draw(painter, cell, side, mode, words);
        return;
    }
    const quint64 key = position * kTexts + static_cast<quint64>(column);
    auto found = m_texts.find(key);
    if (found == m_texts.end()) {
        if (m_texts.size() >= kMostTexts) {
            m_texts.clear();
        }
        QStaticText text(QFontMetrics(m_metrics.body).elidedText(words, mode, cell.width()));
        text.setTextFormat(Qt::PlainText);
        text.prepare(QTransform(), m_metrics.body);
        found = m_texts.insert(key, text);
    }
    const QSizeF size = found->size();
    const qreal left = isRightAligned(column) ? cell.right() + 1 - size.width() : cell.left();
    painter.drawStaticText(QPointF(left, cell.top() + (cell.height() - size.height()) / 2), *found);
}

/// In the accent's colour before the preview; gives how much room is taken.
int MessageTable::drawNote(
    QPainter& painter, const QRect& cell, quint64 position, const items::MessageItem& item)
{
    painter.setPen(Theme::of(palette()).accent);
    drawCellText(painter, cell, position, kNote, item);
    const int width = m_latin.covers(item.note)
        ? static_cast<int>(std::ceil(m_latin.width(item.note)))
        : QFontMetrics(m_metrics.body).horizontalAdvance(item.note);
    return width + 2 * m_metrics.gap;
}

void MessageTable::paintRow(QPainter& painter, quint64 position)
{
    const Theme& theme = Theme::of(palette());
    const QRect row(0, m_layout.yOf(position), viewport()->width(), m_layout.rowHeight);
    const bool current = m_current == position;
    painter.fillRect(row, current ? theme.selection : theme.base);
    painter.fillRect(QRect(row.left(), row.bottom(), row.width(), 1), theme.raised);
    const items::MessageItem* item = m_source->row(position);
    if (item == nullptr) {
        const std::optional<quint64> seq = m_source->seqAt(position);
        painter.setPen(theme.muted);
        if (seq) {
            painter.drawText(cellRect(Seq, row.top()).adjusted(0, 0, -m_metrics.pad, 0),
                Qt::AlignRight | Qt::AlignVCenter,
                Words::seq(*seq));
        }
        const QRect bar = cellRect(Subject, row.top());
        painter.fillRect(
            bar.adjusted(m_metrics.pad, bar.height() / 3, -bar.width() / 3, -bar.height() / 3),
            theme.neutralFill);
    } else if (!item->stored) {
        paintGap(painter, row, *item);
    } else {
        for (int column = 0; column < kColumnCount; ++column) {
            QRect cell = cellRect(column, row.top()).adjusted(m_metrics.pad, 0, -m_metrics.pad, 0);
            if (cell.right() < 0 || cell.left() > viewport()->width() || cell.width() <= 0) {
                continue;
            }
            if (column == Subject) {
                const int side = m_metrics.line / 2;
                painter.fillRect(QRect(cell.left(), cell.center().y() - side / 2, side, side),
                    theme.hue(item->hue));
                cell.setLeft(cell.left() + side + m_metrics.gap);
            }
            if (column == Preview && !item->note.isEmpty()) {
                cell.setLeft(cell.left() + drawNote(painter, cell, position, *item));
                if (cell.width() <= 0) {
                    continue;
                }
            }
            const bool strong = column == Subject || column == Preview;
            painter.setPen(strong ? theme.text : theme.muted);
            drawCellText(painter, cell, position, column, *item);
        }
    }
    if (current) {
        painter.fillRect(QRect(0, row.top(), 3, row.height()), theme.accent);
        if (hasFocus()) {
            painter.setPen(theme.accent);
            painter.drawRect(row.adjusted(0, 0, -1, -1));
        }
    }
}

void MessageTable::paintEvent(QPaintEvent* event)
{
    const Theme& theme = Theme::of(palette());
    QPainter painter(viewport());
    painter.setFont(m_metrics.body);
    if (m_source == nullptr || m_layout.isEmpty()) {
        painter.fillRect(event->rect(), theme.base);
        painter.setPen(theme.muted);
        painter.drawText(viewport()->rect().adjusted(20, 20, -20, -20),
            Qt::AlignCenter | Qt::TextWordWrap,
            m_source == nullptr ? tr("Select a stream to see its messages.") : tr("No messages."));
        return;
    }
    const quint64 last = m_layout.lastVisible();
    // Rows fill their own ground; only what lies around them is left.
    const int top = m_layout.yOf(m_layout.firstVisible());
    const int bottom = m_layout.yOf(last) + m_layout.rowHeight;
    QRect above = viewport()->rect();
    QRect below = above;
    above.setBottom(top - 1);
    below.setTop(bottom);
    painter.fillRect(above & event->rect(), theme.base);
    painter.fillRect(below & event->rect(), theme.base);
    for (quint64 position = m_layout.firstVisible(); position <= last; ++position) {
        if (QRect(0, m_layout.yOf(position), viewport()->width(), m_layout.rowHeight)
                .intersects(event->rect())) {
            paintRow(painter, position);
        }
    }
}

} // namespace jetglass::messages
