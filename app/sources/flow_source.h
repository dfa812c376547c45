// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/explain.h"
#include "broker/flow_event.h"
#include "broker/message_query.h"
#include "broker/overview_query.h"
#include "broker/preview.h"
#include "broker/range_query.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace jetglass::sources {

/// Where the window looks: the embedded broker, a remote server or a recording. It only looks;
/// every action goes through app/client as any program's would. Lives on the GUI thread. Questions
/// are asynchronous: the callback runs on the GUI thread, later than the call, and never when \a
/// context has been destroyed or the source has gone.
class FlowSource : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    template<class Answer>
    using Reply = std::function<void(const Answer&)>;

    /// True for the broker inside this program: exact states, removals, dedup and pull tables are
    /// there.
    [[nodiscard]] virtual bool isEmbedded() const = 0;
    /// What a client connects to, "nats://127.0.0.1:4222"; empty when there is nothing to connect
    /// to.
    [[nodiscard]] virtual QString serverUrl() const = 0;
    /// Events that never reached the window (a full ring), since the start.
    [[nodiscard]] virtual quint64 lostEvents() const = 0;
    /// True while more comes in than is worth folding: views draw from summaries at 10 Hz and say
    /// so.
    [[nodiscard]] virtual bool isSummarizing() const = 0;
    /// Broker time now, wall nanoseconds; what countdowns count against.
    [[nodiscard]] virtual qint64 now() const = 0;

    /// The newest overview; never null, empty before the first answer.
    [[nodiscard]] std::shared_ptr<const BrokerOverview> overview() const { return m_overview; }
    [[nodiscard]] const StreamOverview* stream(StreamId id) const;
    [[nodiscard]] const StreamOverview* stream(const QString& name) const;
    [[nodiscard]] const ConsumerOverview* consumer(StreamId stream, ConsumerId id) const;

    /// Questions put since the start: looking must not become a load of its own.
    [[nodiscard]] quint64 questionsAsked() const { return m_questions; }

    /// Asks for a fresh overview soon; several calls make one question.
    virtual void refreshOverview() = 0;

    virtual void ask(RangeQuestion question, QObject* context, Reply<RangeAnswer> reply) = 0;
    virtual void ask(DensityQuestion question, QObject* context, Reply<DensityAnswer> reply) = 0;
    virtual void ask(MessageQuestion question, QObject* context, Reply<MessageAnswer> reply) = 0;
    virtual void ask(ExplainQuestion question, QObject* context, Reply<ExplainAnswer> reply) = 0;
    virtual void ask(PreviewQuestion question, QObject* context, Reply<PreviewAnswer> reply) = 0;
    virtual void ask(RemovalsQuestion question, QObject* context, Reply<RemovalsAnswer> reply) = 0;
    virtual void askDedup(StreamId stream, QObject* context, Reply<DedupAnswer> reply) = 0;
    virtual void askPulls(
        StreamId stream, ConsumerId consumer, QObject* context, Reply<PullsAnswer> reply) = 0;
    virtual void askClients(QObject* context, Reply<ClientsAnswer> reply) = 0;

signals:
    /// At most once a frame, in order of number. Not emitted while summarizing.
    void eventsReady(const std::vector<jetglass::FlowEvent>& events);
    /// A fresh overview() is there.
    void overviewChanged();
    /// Events were left out (lost, or not folded): what was derived from events must be asked for
    /// again.
    void eventsSkipped();
    void lostEventsChanged(quint64 lost);
    void summarizingChanged(bool summarizing);
    /// While summarizing, ten times a second.
    void summaryTick();
    /// With each tick and when it is over: the newest of the events that were not handed out, for
    /// who only lists what happened last.
    void newestEvents(const std::vector<jetglass::FlowEvent>& events);

protected:
    void countQuestion() { ++m_questions; }
    void setOverview(std::shared_ptr<const BrokerOverview> overview);

private:
    quint64 m_questions = 0;
    std::shared_ptr<const BrokerOverview> m_overview = std::make_shared<const BrokerOverview>();
};

} // namespace jetglass::sources
