// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/message_item.h"

#include <QObject>

#include <optional>

namespace jetglass::items {

/// Rows of the message table by 64-bit position. Positions are stable: a message keeps its own when
/// older ones go (without a filter the position is the sequence). GUI thread only; the same rules
/// as LaneSource.
class PageSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// No rows when lastPosition() < firstPosition().
    [[nodiscard]] virtual quint64 firstPosition() const = 0;
    [[nodiscard]] virtual quint64 lastPosition() const = 0;
    /// Null = not known yet, drawn as loading.
    [[nodiscard]] virtual const MessageItem* row(quint64 position) const = 0;
    virtual void request(quint64 first, quint64 last) = 0; ///< answered by changed()
    /// Sequence of a row even if its content is still loading, and back; nothing if it cannot be
    /// known.
    [[nodiscard]] virtual std::optional<quint64> seqAt(quint64 position) const = 0;
    [[nodiscard]] virtual std::optional<quint64> positionOf(quint64 seq) const = 0;

signals:
    void boundsChanged(); ///< rows came or went at the ends
    void changed(quint64 first, quint64 last);
    void reset(); ///< other rows altogether (another stream, another filter)
};

} // namespace jetglass::items
