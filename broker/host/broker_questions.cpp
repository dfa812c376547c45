// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/jetstream.h"
#include "host/host_broker.h"
#include "queries/answers.h"
#include "queries/inquiry.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetglass::host {

void HostBroker::askClients(Reply<ClientsAnswer> reply)
{
    m_core->loop().post([this, reply = std::move(reply)] {
        ClientsAnswer answer;
        for (const server::ConnectionRecord& record : m_core->engine().openConnections()) {
            ClientRow row;
            row.id = record.id;
            row.name = record.name;
            row.lang = record.lang;
            row.version = record.version;
            row.address = record.host + ':' + std::to_string(record.port);
            row.user = record.user;
            row.subscriptions = record.subscriptions;
            row.inMsgs = record.in.messages;
            row.outMsgs = record.out.messages;
            row.inBytes = record.in.bytes;
            row.outBytes = record.out.bytes;
            row.pendingBytes = record.pendingBytes;
            row.start = record.start;
            answer.rows.push_back(std::move(row));
        }
        reply(std::move(answer));
    });
}

void HostBroker::askOverview(Reply<BrokerOverview> reply)
{
    m_core->loop().post([this, reply = std::move(reply)] {
        BrokerOverview overview;
        const server::EngineCounts counts = m_core->engine().counts();
        overview.lastEvent = m_core->hub().lastNumber();
        overview.time = m_core->clock().wallTime();
        overview.server.connections = counts.connections;
        overview.server.inMsgs = counts.in.messages;
        overview.server.outMsgs = counts.out.messages;
        overview.server.inBytes = counts.in.bytes;
        overview.server.outBytes = counts.out.bytes;
        overview.server.slowConsumers = counts.slowConsumers;
        overview.server.subscriptions = counts.subscriptions;
        for (const std::string& name : m_core->jetstream().accountNames()) {
            api::JetStream* jetstream = m_core->jetstream().account(name);
            if (jetstream == nullptr)
                continue;
            std::vector<StreamOverview> streams = queries::overview(jetstream->registry());
            std::move(streams.begin(), streams.end(), std::back_inserter(overview.streams));
        }
        reply(std::move(overview));
    });
}

template<class Answer, class Ask>
void HostBroker::answerFor(StreamId stream, Reply<Answer> reply, Ask ask)
{
    m_core->loop().post([this, stream, reply = std::move(reply), ask = std::move(ask)] {
        api::JetStream* jetstream = m_core->jetstream().ofStream(stream);
        reply(jetstream == nullptr ? Answer{} : ask(jetstream->registry()));
    });
}

template<class Question, class Answer>
void HostBroker::answerQuestion(Question question, Reply<Answer> reply)
{
    const StreamId stream = question.stream;
    answerFor<Answer>(
        stream, std::move(reply), [this, question = std::move(question)](auto& registry) {
            return queries::answer(question, registry, m_core->hub());
        });
}

void HostBroker::ask(RangeQuestion question, Reply<RangeAnswer> reply)
{
    answerQuestion(std::move(question), std::move(reply));
}

/// A part of a long answer, then the turns of others, then the next part.
template<class Inquiry, class Answer>
void HostBroker::goOn(StreamId stream, std::shared_ptr<Inquiry> inquiry, Reply<Answer> reply)
{
    static constexpr std::int64_t kPart = 1'000'000;
    // Its account may have gone between two parts.
    if (m_core->jetstream().ofStream(stream) == nullptr)
        return reply({});
    base::SteadyTime& time = base::SteadyTime::real();
    if (inquiry->advance({time, time.nanoseconds() + kPart}))
        return reply(inquiry->take());
    m_core->loop().post([this, stream, inquiry = std::move(inquiry), reply = std::move(reply)] {
        goOn(stream, inquiry, reply);
    });
}

void HostBroker::ask(DensityQuestion question, Reply<DensityAnswer> reply)
{
    m_core->loop().post([this, question = std::move(question), reply = std::move(reply)] {
        api::JetStream* jetstream = m_core->jetstream().ofStream(question.stream);
        if (jetstream == nullptr)
            return reply({});
        goOn(question.stream,
            std::make_shared<queries::DensityInquiry>(
                question, jetstream->registry(), m_core->hub()),
            reply);
    });
}

void HostBroker::ask(MessageQuestion question, Reply<MessageAnswer> reply)
{
    answerQuestion(std::move(question), std::move(reply));
}

void HostBroker::ask(ExplainQuestion question, Reply<ExplainAnswer> reply)
{
    answerQuestion(question, std::move(reply));
}

void HostBroker::ask(PreviewQuestion question, Reply<PreviewAnswer> reply)
{
    m_core->loop().post([this, question = std::move(question), reply = std::move(reply)] {
        api::JetStream* jetstream = m_core->jetstream().ofStream(question.stream);
        if (jetstream == nullptr)
            return reply({});
        goOn(question.stream,
            std::make_shared<queries::PreviewInquiry>(question, jetstream->registry()),
            reply);
    });
}

void HostBroker::ask(RemovalsQuestion question, Reply<RemovalsAnswer> reply)
{
    answerQuestion(question, std::move(reply));
}

void HostBroker::askDedup(StreamId stream, Reply<DedupAnswer> reply)
{
    answerFor<DedupAnswer>(stream, std::move(reply), [stream](streams::StreamRegistry& registry) {
        return queries::answerDedup(stream, registry);
    });
}

void HostBroker::askPulls(StreamId stream, ConsumerId consumer, Reply<PullsAnswer> reply)
{
    answerFor<PullsAnswer>(
        stream, std::move(reply), [stream, consumer](streams::StreamRegistry& registry) {
            return queries::answerPulls(stream, consumer, registry);
        });
}

} // namespace jetglass::host
