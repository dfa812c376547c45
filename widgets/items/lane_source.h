// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/density_strip.h"
#include "items/lane_item.h"

#include <QObject>

#include <memory>
#include <vector>

namespace jetglass::items {

/// What the lane view, the overview strip and their tests draw from: one stream and its consumers.
/// GUI thread only. Nothing here may wait: what is not known yet is null (drawn as loading) and
/// announced by a signal later. Returned pointers live until control returns to the event loop.
class LaneSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] virtual const StreamItem& stream() const = 0;
    [[nodiscard]] virtual const std::vector<LaneItem>& lanes() const = 0;
    /// The stream is empty when lastSeq() < firstSeq() or lastSeq() is 0.
    [[nodiscard]] virtual quint64 firstSeq() const = 0;
    [[nodiscard]] virtual quint64 lastSeq() const = 0;

    /// Null = not known yet.
    [[nodiscard]] virtual const StreamCell* streamCell(quint64 seq) const = 0;
    [[nodiscard]] virtual const LaneCell* laneCell(int lane, quint64 seq) const = 0;
    /// Of LaneCell::holder; may be empty.
    [[nodiscard]] virtual QString clientName(quint32 client) const = 0;
    /// The view shows these sequences now: what is missing is wanted, what is far away may be
    /// forgotten. Called often; at most a few thousand sequences. Answered by changed().
    virtual void request(quint64 first, quint64 last) = 0;

    /// Counts for first..last in about so many columns, or the newest ones that are at hand (their
    /// own first and last say what they cover), or null. Announced by densityChanged(). Two callers
    /// (lanes and overview) ask for different ranges in turn.
    [[nodiscard]] virtual std::shared_ptr<const DensityStrip> density(
        quint64 first, quint64 last, int columns) = 0;

    /// The clock that deadlines follow (wall ns), and whether it moves by itself.
    [[nodiscard]] virtual qint64 now() const = 0;
    [[nodiscard]] virtual bool clockRuns() const { return true; }

signals:
    void lanesChanged(); ///< other lanes, or another order
    void laneUpdated(int lane); ///< its texts, cursor or floor
    void streamUpdated(); ///< texts of stream()
    void boundsChanged(); ///< firstSeq or lastSeq
    void changed(quint64 first, quint64 last); ///< cells of any lane or of the stream
    void densityChanged();
};

} // namespace jetglass::items
