// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/broker.h"
#include "broker/flow_ring.h"
#include "sources/flow_source.h"

#include <QElapsedTimer>
#include <QTimer>

#include <mutex>

namespace jetglass::sources {

/// Looks into a broker that runs in this process. It owns the ring that the broker fills, empties
/// it once a frame and brings answers from the broker thread to the GUI thread. The broker must
/// outlive it; the GUI thread never waits for the broker, except in the destructor, which waits for
/// an observer call that is under way.
class EmbeddedSource final : public FlowSource
{
    Q_OBJECT
public:
    static constexpr std::size_t kFoldLimit =
        4000; ///< events in a frame above which folding does not pay
    static constexpr int kFrameMs = 16;

    explicit EmbeddedSource(Broker& broker, QObject* parent = nullptr);
    /// \a ringCapacity is for tests of the loss path.
    EmbeddedSource(Broker& broker, std::size_t ringCapacity, QObject* parent);
    ~EmbeddedSource() override;

    [[nodiscard]] bool isEmbedded() const override { return true; }
    [[nodiscard]] QString serverUrl() const override;
    [[nodiscard]] quint64 lostEvents() const override { return m_lost; }
    [[nodiscard]] bool isSummarizing() const override { return m_summarizing; }
    [[nodiscard]] qint64 now() const override;

    void refreshOverview() override;
    void ask(RangeQuestion question, QObject* context, Reply<RangeAnswer> reply) override;
    void ask(DensityQuestion question, QObject* context, Reply<DensityAnswer> reply) override;
    void ask(MessageQuestion question, QObject* context, Reply<MessageAnswer> reply) override;
    void ask(ExplainQuestion question, QObject* context, Reply<ExplainAnswer> reply) override;
    void ask(PreviewQuestion question, QObject* context, Reply<PreviewAnswer> reply) override;
    void ask(RemovalsQuestion question, QObject* context, Reply<RemovalsAnswer> reply) override;
    void askDedup(StreamId stream, QObject* context, Reply<DedupAnswer> reply) override;
    void askPulls(
        StreamId stream, ConsumerId consumer, QObject* context, Reply<PullsAnswer> reply) override;
    void askClients(QObject* context, Reply<ClientsAnswer> reply) override;

private:
    /// Survives the source, so that an answer that comes too late finds nobody instead of a
    /// dangling pointer.
    struct Bridge
    {
        std::mutex mutex;
        QObject* receiver = nullptr;
    };

    template<class Answer>
    std::function<void(Answer)> toGuiThread(QObject* context, Reply<Answer> reply);

    void frame();
    void setSummarizing(bool on);
    void handOutNewest();
    void takeOverview(std::shared_ptr<const BrokerOverview> overview);
    void scheduleOverview(const std::vector<FlowEvent>& events);

    Broker& m_broker;
    FlowRing m_ring;
    std::shared_ptr<Bridge> m_bridge = std::make_shared<Bridge>();
    QTimer m_frameTimer;
    std::vector<FlowEvent> m_events;
    std::vector<FlowEvent> m_newest; ///< while summarizing
    quint64 m_lost = 0;
    bool m_summarizing = false;
    int m_calmFrames = 0;
    int m_framesSinceTick = 0;
    bool m_overviewAsked = false;
    bool m_overviewWanted = false;
    bool m_countsDirty = false;
    QElapsedTimer m_overviewAge;
    qint64 m_clockOffset = 0; ///< broker's wall time minus the system's, ns
};

} // namespace jetglass::sources
