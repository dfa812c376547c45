// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/worker.h"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace jetglass::store {

/// Keeps jobs until they are asked for, so that writes wait together and something can come in
/// between.
class LateWorker final : public Worker
{
public:
    void run(std::function<void()> job, std::function<void()> done) override
    {
        m_jobs.emplace_back(std::move(job), std::move(done));
    }
    void drain() override
    {
        while (!m_jobs.empty()) {
            auto [job, done] = std::move(m_jobs.front());
            m_jobs.erase(m_jobs.begin());
            job();
            if (done)
                done();
        }
    }
    /// Only the jobs: the answers come later.
    void runJobs()
    {
        for (auto& [job, done] : m_jobs) {
            job();
            job = [] {};
        }
    }
    [[nodiscard]] std::size_t waiting() const { return m_jobs.size(); }

private:
    std::vector<std::pair<std::function<void()>, std::function<void()>>> m_jobs;
};

} // namespace jetglass::store
