// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace jetglass::store {

/// Where slow file work goes (fdatasync, SQLite, compaction): jobs run one after the other away
/// from the broker thread; \a done runs on the broker loop. An inline worker runs both at once, for
/// tests and simulation.
class Worker
{
public:
    virtual ~Worker() = default;
    virtual void run(std::function<void()> job, std::function<void()> done) = 0;
    /// Blocks until all jobs given so far have run (their done calls may still be queued on the
    /// loop).
    virtual void drain() = 0;
};

class InlineWorker final : public Worker
{
public:
    void run(std::function<void()> job, std::function<void()> done) override
    {
        job();
        if (done)
            done();
    }
    void drain() override { }
};

} // namespace jetglass::store
