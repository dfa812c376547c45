// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/log.h"
#include "broker/broker.h"
#include "host/broker_core.h"
#include "host/monitor_http.h"
#include "host/run_files.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace jetglass::host {

/// jetglass::Broker over real parts: owns the broker thread and hands over between it and everybody
/// else.
class HostBroker final : public Broker
{
public:
    /// \a log may be shared with the caller, who then can write into it before and after.
    static Result<std::unique_ptr<HostBroker>> start(BrokerConfig config,
        std::shared_ptr<base::Log> log,
        std::unique_ptr<store::FileSystem> files = nullptr);
    ~HostBroker() override;

    void stop() override;
    void abandon() override;
    Result<void> reload(BrokerConfig config) override;
    void lameDuck() override;
    [[nodiscard]] bool stopped() const override { return m_stopped; }
    void wait() override;
    [[nodiscard]] bool inLameDuck() const { return m_lameDuck; }

    [[nodiscard]] std::string host() const override;
    [[nodiscard]] std::uint16_t port() const override;
    [[nodiscard]] std::uint16_t httpPort() const override;
    [[nodiscard]] std::string serverId() const override { return m_serverId; }
    [[nodiscard]] std::string storeDirectory() const override { return m_storeDirectory; }
    [[nodiscard]] RecoveryReport recoveryReport() const override { return m_recoveryReport; }

    /// Called on the broker thread when a request in the system account asks for a reload. Set it
    /// right after start().
    void setReloadWish(std::function<void()> wish);

    void addObserver(FlowObserver& observer) override;
    void removeObserver(FlowObserver& observer) override;

    void askOverview(Reply<BrokerOverview> reply) override;
    void ask(RangeQuestion question, Reply<RangeAnswer> reply) override;
    void ask(DensityQuestion question, Reply<DensityAnswer> reply) override;
    void ask(MessageQuestion question, Reply<MessageAnswer> reply) override;
    void ask(ExplainQuestion question, Reply<ExplainAnswer> reply) override;
    void ask(PreviewQuestion question, Reply<PreviewAnswer> reply) override;
    void ask(RemovalsQuestion question, Reply<RemovalsAnswer> reply) override;
    void askDedup(StreamId stream, Reply<DedupAnswer> reply) override;
    void askPulls(StreamId stream, ConsumerId consumer, Reply<PullsAnswer> reply) override;
    void askClients(Reply<ClientsAnswer> reply) override;

private:
    HostBroker(BrokerConfig config,
        std::shared_ptr<base::Log> log,
        std::unique_ptr<store::FileSystem> files);
    Result<void> begin();
    Result<void> startMonitor();
    [[nodiscard]] std::string webSocketUrl() const;
    Result<void> writeRunFiles(const BrokerConfig& config);
    void threadMain();
    template<class Answer, class Ask>
    void answerFor(StreamId stream, Reply<Answer> reply, Ask ask);
    template<class Inquiry, class Answer>
    void goOn(StreamId stream, std::shared_ptr<Inquiry> inquiry, Reply<Answer> reply);
    template<class Question, class Answer>
    void answerQuestion(Question question, Reply<Answer> reply);
    /// Runs \a task on the broker thread and waits for it; on the caller's when the broker thread
    /// has ended.
    void runOnBroker(const std::function<void()>& task);
    void end(bool crashed);

    std::shared_ptr<base::Log> m_log;
    std::unique_ptr<BrokerCore> m_core;
    std::unique_ptr<MonitorHttp> m_monitor;
    RunFiles m_runFiles;
    std::string m_serverId;
    std::string m_storeDirectory;
    RecoveryReport m_recoveryReport;
    std::int64_t m_configLoaded = 0; ///< wall ns

    std::mutex m_control; ///< one of stop, abandon, reload, lameDuck at a time
    std::atomic<bool> m_stopped{false};
    std::atomic<bool> m_lameDuck{false};
    std::mutex m_stopMutex;
    std::condition_variable m_stopSignal;
    std::thread m_thread;
};

} // namespace jetglass::host
