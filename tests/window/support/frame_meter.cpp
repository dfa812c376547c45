// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/frame_meter.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <ctime>

namespace jetglass::tests {

namespace {

constexpr int kFrameMs = 16;

} // namespace

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double percentile(const std::vector<FrameCost>& frames, double FrameCost::*part, double share)
{
    if (frames.empty())
        return 0;
    std::vector<double> values;
    for (const FrameCost& frame : frames)
        values.push_back(frame.*part);
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(at))];
}

MeasuredApplication::MeasuredApplication(int& argc, char** argv)
    : QApplication(argc, argv)
{
}

bool MeasuredApplication::notify(QObject* receiver, QEvent* event)
{
    // Threads of Qt's own deliver through here, too; events inside an event belong to it.
    if (QThread::currentThread() != thread() || m_depth > 0)
        return QApplication::notify(receiver, event);
    ++m_depth;
    const double before = threadMs();
    QElapsedTimer wall;
    wall.start();
    const bool taken = QApplication::notify(receiver, event);
    m_busy.cpu += threadMs() - before;
    m_busy.wall += static_cast<double>(wall.nsecsElapsed()) / 1e6;
    --m_depth;
    return taken;
}

std::vector<FrameCost> MeasuredApplication::frames(int count, const std::function<void(int)>& act)
{
    std::vector<FrameCost> costs;
    QEventLoop loop;
    QTimer tick;
    int acted = 0;
    tick.setTimerType(Qt::PreciseTimer);
    QObject::connect(&tick, &QTimer::timeout, &loop, [&] {
        if (acted > 0)
            costs.push_back(m_busy);
        m_busy = {};
        if (acted == count)
            return loop.quit();
        act(acted++);
    });
    // Events below this call are frames of their own.
    const int outside = std::exchange(m_depth, 0);
    tick.start(kFrameMs);
    loop.exec();
    m_depth = outside;
    return costs;
}

} // namespace jetglass::tests
