// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/message_state.h"

#include <QString>

namespace jetglass::items {

/// The stream above its lanes.
struct StreamItem
{
    QString name;
    QString kind; ///< one muted line: "limits · file · max_msgs 60"
    QString status; ///< one line more, may be empty: "2 removed"
    Tone statusTone = Tone::Muted;
    quint64 nextOut = 0; ///< the sequence that retention removes next, 0 = none
    Tone nextOutTone = Tone::Normal; ///< Waiting if a timer removes it
    QString nextOutText; ///< "next out by max_age: 27 in 6 min"
    QString tailText; ///< right end of the stream row: "+0.4 s"; may be empty
};

/// One consumer's lane. Texts come ready in the reader's language; the view adds "ack floor n" and
/// "delivered n" by itself.
struct LaneItem
{
    QString name;
    QString kind; ///< "pull · explicit · ack_wait 30 s"
    QString status; ///< "4 of 5 slots held"
    Tone statusTone = Tone::Muted;
    quint64 start = 0; ///< sequence where the consumer began
    quint64 delivered = 0; ///< delivered.stream_seq, 0 = nothing yet
    quint64 ackFloor = 0; ///< ack_floor.stream_seq
    QString floorNote; ///< what holds the floor, amber: "floor waits for 42 (back in 7.6 s)"
    QString stall; ///< why nothing moves, red; empty = it moves
    quint64 stallSeq = 0; ///< where the stall is, 0 = right behind the cursor
    QString pull; ///< open request: "pull: 3 left · 4.1 s"
    bool inferred = false; ///< not told by the broker but concluded from outside
};

/// One consumer's view of one sequence.
struct LaneCell
{
    CellState state = CellState::NotMatched;
    bool overridden = false; ///< somebody acted on it from the window
    quint32 deliveries = 0;
    qint64 since = 0; ///< wall ns of the last transition, 0 = not remembered
    qint64 deadline = 0; ///< wall ns: ack due or nak'd until, 0 = none
    quint32 holder = 0; ///< client that holds or settled it, see LaneSource::clientName(); 0 = none
};

/// One sequence of the stream.
struct StreamCell
{
    bool stored = false;
    RemovalCause removal = RemovalCause::None; ///< why it is not stored
    quint8 hue = 0; ///< 0..3: one of the subject hues, given by the source in order of appearance
    bool placeholder = false; ///< stored, but its content was never recorded
    quint64 size = 0; ///< headers and payload, bytes
    qint64 time = 0; ///< wall ns of storage
    QString subject;
    QString tag; ///< at most about four letters that tell subjects apart without colour
};

} // namespace jetglass::items
