// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes/lane_words.h"

#include "style/words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace jetglass::lanes {

using style::Words;

namespace {

struct LaneWords
{
    Q_DECLARE_TR_FUNCTIONS(Lanes)
};

QString joined(const QStringList& lines, bool rich)
{
    if (!rich) {
        return lines.join(QStringLiteral(". "));
    }
    QString html = QStringLiteral("<p style='white-space:pre-wrap; margin:2px'>");
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QString line = lines[i].toHtmlEscaped();
        html += i == 0 ? QString(QStringLiteral("<b>") % line % QStringLiteral("</b>"))
                       : QString(QStringLiteral("<br>") % line);
    }
    return html % QStringLiteral("</p>");
}

QStringList streamLines(const items::LaneSource& source, quint64 seq)
{
    const items::StreamCell* cell = source.streamCell(seq);
    const QString head = LaneWords::tr("%1 message %2").arg(source.stream().name).arg(seq);
    if (cell == nullptr) {
        return {head, LaneWords::tr("loading")};
    }
    QStringList lines{head};
    if (!cell->stored) {
        lines << Words::removal(cell->removal);
        return lines;
    }
    lines
        << cell->subject
        << LaneWords::tr("%1, stored %2").arg(Words::size(cell->size), Words::dateTime(cell->time));
    if (cell->placeholder) {
        lines << LaneWords::tr("its content was never recorded; this is a placeholder");
    }
    if (seq == source.stream().nextOut) {
        lines << source.stream().nextOutText;
    }
    return lines;
}

} // namespace

QString cellWords(const items::LaneSource& source, int lane, quint64 seq, bool rich)
{
    if (lane == kStreamLane) {
        return joined(streamLines(source, seq), rich);
    }
    const auto& lanes = source.lanes();
    if (lane < 0 || lane >= static_cast<int>(lanes.size())) {
        return {};
    }
    const items::LaneItem& item = lanes[static_cast<std::size_t>(lane)];
    QStringList lines{LaneWords::tr("%1, message %2").arg(item.name).arg(seq)};
    const items::LaneCell* cell = source.laneCell(lane, seq);
    if (cell == nullptr) {
        lines << LaneWords::tr("loading");
        return joined(lines, rich);
    }
    const items::StreamCell* stored = source.streamCell(seq);
    if (stored != nullptr && !stored->stored
        && (items::neverDelivered(cell->state)
            || items::gapOf(stored->removal) == items::Gap::Skipped)) {
        lines << Words::removal(stored->removal); // no filter or start is the reason any more
        return joined(lines, rich);
    }
    lines << Words::cell(*cell, source.now(), source.clientName(cell->holder))
          << Words::stateMeaning(cell->state);
    if (cell->overridden) {
        lines << LaneWords::tr("overridden: answered from this window");
    }
    if (stored != nullptr) {
        lines << (stored->stored ? stored->subject : Words::removal(stored->removal));
    }
    if (item.inferred) {
        lines << LaneWords::tr("concluded from outside, not told by the broker");
    }
    return joined(lines, rich);
}

QString headerWords(const items::LaneSource& source, int lane)
{
    QStringList lines;
    if (lane == kStreamLane) {
        const items::StreamItem& stream = source.stream();
        lines << stream.name << stream.kind << stream.status << stream.nextOutText;
    } else {
        const auto& lanes = source.lanes();
        if (lane < 0 || lane >= static_cast<int>(lanes.size())) {
            return {};
        }
        const items::LaneItem& item = lanes[static_cast<std::size_t>(lane)];
        lines << item.name << item.kind << item.status
              << LaneWords::tr("delivered up to %1 (delivered.stream_seq)").arg(item.delivered)
              << LaneWords::tr("done without a gap up to %1 (ack_floor.stream_seq)")
                     .arg(item.ackFloor)
              << item.floorNote << item.stall << item.pull;
    }
    lines.removeAll(QString());
    return joined(lines, true);
}

QString densityWords(
    const items::LaneSource& source, const items::DensityStrip& strip, int lane, quint64 seq)
{
    const auto found = std::lower_bound(strip.columns.begin(),
        strip.columns.end(),
        seq,
        [](const items::DensityColumn& column, quint64 value) { return column.last < value; });
    if (found == strip.columns.end() || found->first > seq || lane >= strip.laneCount) {
        return {};
    }
    const QString name = lane == kStreamLane ? source.stream().name
                                             : source.lanes()[static_cast<std::size_t>(lane)].name;
    QStringList lines{
        LaneWords::tr("%1, messages %2 to %3").arg(name).arg(found->first).arg(found->last)};
    if (lane == kStreamLane) {
        lines << LaneWords::tr("%1 stored").arg(Words::count(found->stored))
              << LaneWords::tr("%1 removed or never there").arg(Words::count(found->removed));
    } else {
        const auto column = static_cast<std::size_t>(found - strip.columns.begin());
        for (int i = 0; i < items::kCellStateCount; ++i) {
            const auto state = static_cast<items::CellState>(i);
            const quint64 count = strip.count(column, lane, state);
            if (count > 0) {
                lines << QString(Words::count(count) % QLatin1Char(' ') % Words::state(state));
            }
        }
    }
    if (found->estimated) {
        lines << LaneWords::tr("estimated: the block of these messages is not loaded");
    }
    return joined(lines, true);
}

QString overviewWords(const items::LaneSource& source, quint64 first, quint64 last)
{
    return LaneWords::tr("%1: messages %2 to %3 on screen, %n consumer(s)",
        nullptr,
        static_cast<int>(source.lanes().size()))
        .arg(source.stream().name)
        .arg(first)
        .arg(last);
}

} // namespace jetglass::lanes
