// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/worker.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace jetglass::host {

/// A thread beside the broker's for slow work: file syncs, SQLite, bcrypt. It starts with the first
/// job. The done functions go through \a post back to the broker loop.
class WorkerThread final : public store::Worker
{
public:
    using Post = std::function<void(std::function<void()>)>;
    explicit WorkerThread(Post post);
    ~WorkerThread() override; ///< as stop()

    void run(std::function<void()> job, std::function<void()> done) override;
    void drain() override;
    /// Runs what is queued, then ends the thread. Later jobs run on the caller's thread.
    void stop();
    /// Forgets what is queued and ends the thread after the job under way: a crash.
    void abandon();

private:
    struct Job
    {
        std::function<void()> work;
        std::function<void()> done;
    };
    void loop();
    void end(bool dropQueued);
    void runHere(Job job);

    Post m_post;
    std::mutex m_mutex;
    std::condition_variable m_wake; ///< something to do, or the end
    std::condition_variable m_idle; ///< nothing queued, nothing under way
    std::deque<Job> m_jobs; ///< guarded by m_mutex, as all below
    bool m_busy = false;
    bool m_ending = false;
    bool m_abandoned = false;
    std::thread m_thread;
};

} // namespace jetglass::host
