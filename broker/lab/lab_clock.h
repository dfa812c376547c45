// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/clock.h"

#include <string>
#include <string_view>

namespace jetglass::lab {

/// JetStream's time as the lab bends it: real, paused, scaled, moved forward. It rides on a source
/// clock (the machine's, or a manual one in tests). As long as nobody has touched it, it is the
/// source clock. Once touched, both readings run on one virtual line, so that ages and deadlines
/// stay consistent:
///     virtual = base + (source - sourceBase) * rate      (rate 0 while paused)
/// Invariant: now() never goes back.
class LabClock final : public Clock
{
public:
    /// \a source is refreshed by this clock.
    explicit LabClock(Clock& source);

    void refresh() override;
    [[nodiscard]] std::int64_t realDelayUntil(std::int64_t deadline) const override;

    void pause();
    void resume();
    /// Virtual seconds per real second: 0.01 to 10,000. Does not resume.
    void setRate(double rate);
    /// Forward to a reading of now(); one in the past changes nothing.
    void moveTo(std::int64_t reading);

    [[nodiscard]] bool isReal() const { return !m_touched; }
    [[nodiscard]] bool paused() const { return m_paused; }
    [[nodiscard]] double rate() const { return m_rate; }
    /// How far wallTime() is ahead of the machine's, ns.
    [[nodiscard]] std::int64_t offset() const;
    /// Back to the machine's time. Only for a broker whose streams are gone: stamps would lie in
    /// the future.
    void reset();

    /// Offset, rate and pause as text for the catalog; empty when the clock is real.
    [[nodiscard]] std::string save() const;
    /// False if the text is not one of ours.
    bool restore(std::string_view saved);

private:
    void touch();
    void rebase();

    Clock& m_source;
    bool m_touched = false;
    bool m_paused = false;
    double m_rate = 1.0;
    std::int64_t m_sourceBase = 0; ///< source.now() at the last change
    std::int64_t m_nowBase = 0;
    std::int64_t m_wallBase = 0;
};

} // namespace jetglass::lab
