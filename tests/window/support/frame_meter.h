// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QString>

#include <functional>
#include <vector>

namespace jetglass::tests {

/// CPU time of the calling thread, in milliseconds.
[[nodiscard]] double threadMs();

/// What one frame cost the GUI thread, in milliseconds.
struct FrameCost
{
    double cpu = 0; ///< work alone: another program's work does not count
    double wall = 0; ///< with what the machine did in between
};

/// The smallest value that \a share of the frames does not exceed.
[[nodiscard]] double percentile(
    const std::vector<FrameCost>& frames, double FrameCost::*part, double share);

/// An application that knows how long its thread is busy with events: timers, input, painting and
/// answers alike. Time spent asleep is not counted.
class MeasuredApplication final : public QApplication
{
public:
    MeasuredApplication(int& argc, char** argv);

    bool notify(QObject* receiver, QEvent* event) override;

    /// Acts once every 16 ms, \a count times, and runs the event loop in between. A frame is an
    /// act with everything that follows from it until the next one.
    std::vector<FrameCost> frames(int count, const std::function<void(int)>& act);

private:
    int m_depth = 0;
    FrameCost m_busy;
};

} // namespace jetglass::tests
