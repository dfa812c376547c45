// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/worker_thread.h"

#include <utility>

namespace jetglass::host {

WorkerThread::WorkerThread(Post post)
    : m_post(std::move(post))
{
}

WorkerThread::~WorkerThread()
{
    stop();
}

void WorkerThread::run(std::function<void()> job, std::function<void()> done)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_abandoned)
            return;
        if (!m_ending) {
            m_jobs.push_back({std::move(job), std::move(done)});
            if (!m_thread.joinable())
                m_thread = std::thread([this] { loop(); });
            m_wake.notify_one();
            return;
        }
    }
    runHere({std::move(job), std::move(done)});
}

void WorkerThread::runHere(Job job)
{
    job.work();
    if (job.done)
        m_post(std::move(job.done));
}

void WorkerThread::drain()
{
    std::unique_lock lock(m_mutex);
    m_idle.wait(lock, [this] { return m_jobs.empty() && !m_busy; });
}

void WorkerThread::stop()
{
    end(false);
}

void WorkerThread::abandon()
{
    end(true);
}

void WorkerThread::end(bool dropQueued)
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        if (dropQueued) {
            m_abandoned = true;
            m_jobs.clear();
        }
        m_wake.notify_one();
    }
    if (m_thread.joinable())
        m_thread.join();
}

void WorkerThread::loop()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_ending || !m_jobs.empty(); });
        if (m_jobs.empty())
            break;
        Job job = std::move(m_jobs.front());
        m_jobs.pop_front();
        m_busy = true;
        lock.unlock();
        job.work();
        if (job.done)
            m_post(std::move(job.done));
        // What the job holds must be gone before drain() returns.
        job = {};
        lock.lock();
        m_busy = false;
        if (m_jobs.empty())
            m_idle.notify_all();
    }
    m_idle.notify_all();
}

} // namespace jetglass::host
