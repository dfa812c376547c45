// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/worker.h"

#include <deque>
#include <functional>
#include <utility>

namespace jetglass::tests {

/// Runs jobs at once, or when a test says so.
class HeldWorker final : public store::Worker
{
public:
    bool held = false;
    void letGo()
    {
        held = false;
        drain();
    }
    void run(std::function<void()> job, std::function<void()> done) override
    {
        m_jobs.emplace_back(std::move(job), std::move(done));
        if (!held)
            drain();
    }
    void drain() override
    {
        while (runOne()) { }
    }
    bool runOne()
    {
        if (m_jobs.empty())
            return false;
        const auto [job, done] = std::move(m_jobs.front());
        m_jobs.pop_front();
        job();
        if (done)
            done();
        return true;
    }

private:
    std::deque<std::pair<std::function<void()>, std::function<void()>>> m_jobs;
};

} // namespace jetglass::tests
