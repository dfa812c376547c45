// SPDX-License-Identifier: GPL-3.0-or-later
#include "host/host_broker.h"

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
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

void HostBroker::ask(RangeQuestion, Reply<RangeAnswer> reply)
{
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

void HostBroker::ask(DensityQuestion, Reply<DensityAnswer> reply)
{
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

void HostBroker::ask(MessageQuestion, Reply<MessageAnswer> reply)
{
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

void HostBroker::ask(ExplainQuestion, Reply<ExplainAnswer> reply)
{
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

void HostBroker::ask(PreviewQuestion, Reply<PreviewAnswer> reply)
{
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

void HostBroker::ask(RemovalsQuestion, Reply<RemovalsAnswer> reply)
{
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

void HostBroker::askDedup(StreamId, Reply<DedupAnswer> reply)
{
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

void HostBroker::askPulls(StreamId, ConsumerId, Reply<PullsAnswer> reply)
{
    m_core->loop().post([reply = std::move(reply)] { reply({}); });
}

} // namespace jetglass::host
