// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <functional>

namespace jetglass::controllers {

/// Time as a replay needs it: how much has passed, and one call when more has. A test steps its
/// own.
class PaceClock
{
public:
    virtual ~PaceClock() = default;

    virtual void restart() = 0; ///< now() counts from here
    [[nodiscard]] virtual qint64 now() const = 0; ///< ns
    /// Calls \a wake once when now() is \a due or a little later. A further call moves it.
    virtual void wakeAt(qint64 due, std::function<void()> wake) = 0;
    virtual void forget() = 0; ///< no call any more
};

/// The machine's monotonic clock and the event loop.
class RealPaceClock final : public PaceClock
{
public:
    RealPaceClock();

    void restart() override { m_passed.start(); }
    [[nodiscard]] qint64 now() const override { return m_passed.nsecsElapsed(); }
    void wakeAt(qint64 due, std::function<void()> wake) override;
    void forget() override { m_timer.stop(); }

private:
    QElapsedTimer m_passed;
    QTimer m_timer;
    std::function<void()> m_wake;
};

} // namespace jetglass::controllers
