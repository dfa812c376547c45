// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/message_query.h"
#include "broker/stream_config.h"

#include <QString>

#include <vector>

namespace jetglass::text {

/// What a message is besides its payload: a counter's value, a schedule or what one has stored, a
/// delete marker, a copy, a part of a batch, something with a lifetime of its own.
struct MessageNote
{
    QString brief; ///< for a row of a table, does not change with time; empty = not worth a row
    QString sentence; ///< with what is to come, and the header or setting in brackets
};

/// Read from the headers, where the broker does not say it itself (MessageRow::endsAt, firesAt);
/// the most telling first. \a nowNs: wall time of the broker.
[[nodiscard]] std::vector<MessageNote> messageNotes(
    const MessageRow& row, const StreamConfig& config, qint64 nowNs);

} // namespace jetglass::text
