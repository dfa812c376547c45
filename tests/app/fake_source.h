// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/flow_source.h"

#include <deque>
#include <utility>

namespace jetglass::tests {

/// A source whose overview, events and answers a test writes by hand. Questions wait until the test
/// answers them.
class FakeSource final : public sources::FlowSource
{
public:
    template<class Question, class Answer>
    struct Asked
    {
        Question question;
        QObject* context = nullptr;
        Reply<Answer> reply;
        void answer(const Answer& a) const { reply(a); }
    };

    [[nodiscard]] bool isEmbedded() const override { return true; }
    [[nodiscard]] QString serverUrl() const override
    {
        return QStringLiteral("nats://127.0.0.1:4222");
    }
    [[nodiscard]] quint64 lostEvents() const override { return lost; }
    [[nodiscard]] bool isSummarizing() const override { return summarizing; }
    [[nodiscard]] qint64 now() const override { return clock; }
    void refreshOverview() override { ++overviewsWanted; }

    void ask(RangeQuestion q, QObject* c, Reply<RangeAnswer> r) override
    {
        ranges.push_back({std::move(q), c, std::move(r)});
    }
    void ask(DensityQuestion q, QObject* c, Reply<DensityAnswer> r) override
    {
        densities.push_back({std::move(q), c, std::move(r)});
    }
    void ask(MessageQuestion q, QObject* c, Reply<MessageAnswer> r) override
    {
        messages.push_back({std::move(q), c, std::move(r)});
    }
    void ask(ExplainQuestion q, QObject* c, Reply<ExplainAnswer> r) override
    {
        explains.push_back({q, c, std::move(r)});
    }
    void ask(PreviewQuestion, QObject*, Reply<PreviewAnswer>) override { }
    void ask(RemovalsQuestion, QObject*, Reply<RemovalsAnswer>) override { }
    void askDedup(StreamId, QObject*, Reply<DedupAnswer>) override { }
    void askPulls(StreamId, ConsumerId, QObject*, Reply<PullsAnswer>) override { }
    void askClients(QObject* c, Reply<ClientsAnswer> r) override
    {
        clients.push_back({0, c, std::move(r)});
    }

    void show(const BrokerOverview& overview)
    {
        setOverview(std::make_shared<const BrokerOverview>(overview));
    }
    void send(const std::vector<FlowEvent>& events) { emit eventsReady(events); }

    std::deque<Asked<RangeQuestion, RangeAnswer>> ranges;
    std::deque<Asked<DensityQuestion, DensityAnswer>> densities;
    std::deque<Asked<MessageQuestion, MessageAnswer>> messages;
    std::deque<Asked<ExplainQuestion, ExplainAnswer>> explains;
    std::deque<Asked<int, ClientsAnswer>> clients;
    quint64 lost = 0;
    bool summarizing = false;
    qint64 clock = 1'000'000'000'000;
    int overviewsWanted = 0;
};

/// One stream S (id 1) with messages first..last and consumers C1, C2 ... (ids 11, 12 ...), all
/// without filter.
inline BrokerOverview oneStream(std::uint64_t first, std::uint64_t last, int consumers)
{
    BrokerOverview overview;
    StreamOverview stream;
    stream.id = StreamId{1};
    stream.name = "S";
    stream.config.name = "S";
    stream.config.subjects = {"s.>"};
    stream.counts.messages = last + 1 - first;
    stream.counts.first = StreamSeq(first);
    stream.counts.last = StreamSeq(last);
    for (int i = 0; i < consumers; ++i) {
        ConsumerOverview consumer;
        consumer.id = ConsumerId{static_cast<std::uint32_t>(11 + i)};
        consumer.name = "C" + std::to_string(i + 1);
        consumer.config.durableName = consumer.name;
        consumer.config.ackPolicy = AckPolicy::Explicit;
        consumer.config.ackWait = 30'000'000'000;
        consumer.config.maxAckPending = 5;
        consumer.counts.pending = stream.counts.messages;
        stream.consumers.push_back(consumer);
    }
    overview.streams.push_back(stream);
    return overview;
}

/// An event of stream 1, consumer 11.
inline FlowEvent flow(
    std::uint64_t number, FlowKind kind, std::uint64_t seq, std::uint64_t second = 0)
{
    FlowEvent e;
    e.number = number;
    e.time = 1'000'000'000'000 + static_cast<std::int64_t>(number);
    e.kind = kind;
    e.seq = StreamSeq(seq);
    e.second = second;
    e.stream = StreamId{1};
    e.consumer = kind <= FlowKind::PubAckSent ? ConsumerId{} : ConsumerId{11};
    e.deliveries = kind == FlowKind::Delivered ? 1 : 0;
    return e;
}

} // namespace jetglass::tests
