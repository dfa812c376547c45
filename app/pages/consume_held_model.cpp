// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/consume_held_model.h"

#include "forms/tone.h"
#include "text/state_text.h"

#include <QApplication>
#include <QLocale>

#include <algorithm>

namespace jetglass::pages {

using controllers::ConsumeController;
using controllers::HeldMessage;
using forms::Tone;

namespace {

Tone toneOf(const HeldMessage& m)
{
    if (m.noEffect)
        return Tone::Quiet;
    switch (m.state) {
    case HeldMessage::State::Acked:
        return Tone::Good;
    case HeldMessage::State::Held:
    case HeldMessage::State::Naked:
        return Tone::Waiting;
    case HeldMessage::State::Failed:
    case HeldMessage::State::Expired:
    case HeldMessage::State::Terminated:
        return Tone::Bad;
    case HeldMessage::State::Sent:
    case HeldMessage::State::NoAckNeeded:
    case HeldMessage::State::Removed:
        break;
    }
    return Tone::Quiet;
}

QString secondsLeft(qint64 ns)
{
    const double s = std::max(0.0, static_cast<double>(ns) / 1e9);
    return QLocale().toString(s, 'f', s < 10 ? 1 : 0);
}

QString oneLine(const QByteArray& payload)
{
    QString text = QString::fromUtf8(payload.left(200));
    for (QChar& c : text) {
        if (c.isSpace())
            c = QLatin1Char(' ');
        else if (!c.isPrint())
            c = QChar(0x00b7);
    }
    return text;
}

} // namespace

ConsumeHeldModel::ConsumeHeldModel(ConsumeController* controller, QObject* parent)
    : QAbstractTableModel(parent)
    , m_controller(controller)
{
    // The controller tells after its list has changed, so the number of rows that views may ask for
    // is kept here.
    connect(controller, &ConsumeController::added, this, [this](qsizetype index) {
        beginInsertRows({}, static_cast<int>(index), static_cast<int>(index));
        ++m_rows;
        endInsertRows();
    });
    connect(
        controller, &ConsumeController::removed, this, [this](qsizetype first, qsizetype count) {
            beginRemoveRows({}, static_cast<int>(first), static_cast<int>(first + count - 1));
            m_rows -= static_cast<int>(count);
            endRemoveRows();
        });
    connect(controller, &ConsumeController::changed, this, [this](qsizetype row) {
        emit dataChanged(
            index(static_cast<int>(row), 0), index(static_cast<int>(row), ColumnCount - 1));
    });
}

int ConsumeHeldModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int ConsumeHeldModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const HeldMessage& ConsumeHeldModel::held(int row) const
{
    return m_controller->held()[row];
}

void ConsumeHeldModel::tick()
{
    if (m_rows > 0)
        emit dataChanged(index(0, State), index(m_rows - 1, State), {Qt::DisplayRole});
}

QString ConsumeHeldModel::stateText(const HeldMessage& m) const
{
    const QString left = secondsLeft(m.dueAt - m_controller->now());
    if (m.noEffect)
        return tr("late · no effect");
    switch (m.state) {
    case HeldMessage::State::Held:
        return (m.extended > 0 ? tr("in progress · %1 s") : tr("held · %1 s")).arg(left);
    case HeldMessage::State::Sent:
        return tr("answer sent …");
    case HeldMessage::State::Acked:
        return m.lateBy > 0 ? tr("acked late") : tr("acked");
    case HeldMessage::State::Naked:
        return m.dueAt > m_controller->now() ? tr("nak'd · %1 s").arg(left) : tr("nak'd");
    case HeldMessage::State::Terminated:
        return tr("terminated");
    case HeldMessage::State::Expired:
        return tr("ack wait over");
    case HeldMessage::State::NoAckNeeded:
        return tr("no ack needed");
    case HeldMessage::State::Failed:
        return tr("not confirmed");
    case HeldMessage::State::Removed:
        return tr("removed");
    }
    return {};
}

QStringList ConsumeHeldModel::widestStates()
{
    const QString left = secondsLeft(59'900'000'000);
    return {tr("in progress · %1 s").arg(left),
        tr("late · no effect"),
        tr("answer sent …"),
        tr("ack wait over"),
        tr("no ack needed"),
        tr("not confirmed")};
}

QString ConsumeHeldModel::sentenceOfState(const HeldMessage& m) const
{
    const QString left = secondsLeft(m.dueAt - m_controller->now());
    switch (m.state) {
    case HeldMessage::State::Held:
        if (m.extended > 0)
            return tr("In progress (sent %n time(s)): it comes again in %1 s unless you answer.",
                nullptr,
                m.extended)
                .arg(left);
        return tr("Held by this window: it comes again in %1 s unless you answer.").arg(left);
    case HeldMessage::State::Sent:
        return tr("The answer is on its way.");
    case HeldMessage::State::Acked:
        return tr("Acked: done for this consumer.");
    case HeldMessage::State::Naked:
        if (m.dueAt > m_controller->now())
            return tr("Nak'd: it comes again in %1 s.").arg(left);
        return tr("Nak'd: it comes again with the next request.");
    case HeldMessage::State::Terminated:
        return tr("Terminated: it never comes again to this consumer.");
    case HeldMessage::State::Expired:
        return tr("The ack wait is over: the server gives it out again at the next request. An "
                  "answer now is late, but it may still count.");
    case HeldMessage::State::NoAckNeeded:
        return tr("This consumer expects no answer.");
    case HeldMessage::State::Removed:
        return tr("It has left the stream (%1): it does not come again, and there is nothing left "
                  "to answer for.")
            .arg(text::removalName(m.removal));
    case HeldMessage::State::Failed:
        break; // the note says it
    }
    return {};
}

QString ConsumeHeldModel::sentence(const HeldMessage& m) const
{
    const QString state = m.lateBy > 0 && !m.note.isEmpty() ? QString() : sentenceOfState(m);
    QStringList parts;
    for (const QString& part : {state, m.note}) {
        if (!part.isEmpty())
            parts.append(part);
    }
    return parts.join(QLatin1Char(' '));
}

/// Numbers to the right, and their titles over them.
QVariant ConsumeHeldModel::alignmentOf(int column)
{
    const bool right = column == Sequence || column == Delivered || column == Behind;
    return QVariant(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft));
}

QVariant ConsumeHeldModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_controller->held().size())
        return {};
    const HeldMessage& m = held(index.row());
    if (role == Qt::ForegroundRole && index.column() == State)
        return forms::toneColor(toneOf(m), QApplication::palette());
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(index.column());
    if (role == Qt::ToolTipRole) {
        if (index.column() == State)
            return sentence(m);
        if (index.column() == Subject)
            return m.message.subject;
        if (index.column() == Payload)
            return QString::fromUtf8(m.message.payload.left(2000));
        return {};
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Sequence:
        return m.info.streamSeq > 0 ? QString::number(m.info.streamSeq) : QString();
    case Subject:
        return m.message.subject;
    case Delivered:
        return m.info.delivered > 0 ? QString::number(m.info.delivered) : QString();
    case State:
        return stateText(m);
    case Behind:
        return QString::number(m.info.pending);
    case Payload:
        return oneLine(m.message.payload);
    default:
        return {};
    }
}

QVariant ConsumeHeldModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Sequence:
            return tr("Seq");
        case Subject:
            return tr("Subject");
        case Delivered:
            return QStringLiteral("×");
        case State:
            return tr("State");
        case Behind:
            return tr("Behind it");
        case Payload:
            return tr("Payload");
        default:
            return {};
        }
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Sequence:
            return tr("Position in the stream (stream sequence).");
        case Delivered:
            return tr("How often this consumer has been given this message (num_delivered).");
        case Behind:
            return tr("Matching messages that waited behind it at that moment (num_pending).");
        default:
            return {};
        }
    }
    return {};
}

} // namespace jetglass::pages
