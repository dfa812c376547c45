// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/worker.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

namespace jetglass::simulation {

/// The thread beside the loop, run by the world: jobs in order, their answers later still. A crash
/// drops what has not run.
class SimWorker final : public store::Worker
{
public:
    void run(std::function<void()> job, std::function<void()> done) override
    {
        if (!m_dead)
            m_jobs.push_back({std::move(job), std::move(done)});
    }
    void drain() override
    {
        while (!m_jobs.empty())
            runOne();
    }
    void runOne()
    {
        if (m_jobs.empty())
            return;
        Job job = std::move(m_jobs.front());
        m_jobs.pop_front();
        job.work();
        if (job.done)
            m_answers.push_back(std::move(job.done));
    }
    /// Calls back for what has run; true if there was something.
    bool answer()
    {
        const bool any = !m_answers.empty();
        while (!m_answers.empty()) {
            const auto done = std::move(m_answers.front());
            m_answers.pop_front();
            done();
        }
        return any;
    }
    [[nodiscard]] bool idle() const { return m_jobs.empty() && m_answers.empty(); }
    [[nodiscard]] bool hasJobs() const { return !m_jobs.empty(); }
    /// Nothing runs any more.
    void abandon()
    {
        m_dead = true;
        m_jobs.clear();
        m_answers.clear();
    }

private:
    struct Job
    {
        std::function<void()> work;
        std::function<void()> done;
    };
    std::deque<Job> m_jobs;
    std::deque<std::function<void()>> m_answers;
    bool m_dead = false;
};

} // namespace jetglass::simulation
