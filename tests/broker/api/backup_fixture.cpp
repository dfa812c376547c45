// SPDX-License-Identifier: GPL-3.0-or-later
#include "backup_fixture.h"

namespace jetglass::tests {

void BackupFixture::turn()
{
    do
        m_bench->run();
    while (m_bench->turn.pending());
    m_bench->bus->callWatches();
    m_bench->run();
}

/// The chunks since the last call; acks go back if wanted. Sets m_end if the end has come.
std::size_t BackupFixture::takeChunks(std::string& into, bool ack)
{
    std::size_t taken = 0;
    for (; m_chunks < m_bench->bus->published().size(); ++m_chunks) {
        const Sent sent = m_bench->bus->published()[m_chunks];
        if (sent.subject != "snap.1")
            continue;
        ++taken;
        into += sent.payload;
        if (sent.payload.empty())
            m_end = sent.headers.empty() ? "none" : sent.headers;
        if (ack && !sent.reply.empty())
            m_bench->bus->inject(sent.reply, "");
    }
    return taken;
}

std::string BackupFixture::snapshot(const std::string& members)
{
    m_end.clear();
    m_bench->bus->removeClient("snap.1");
    watchSnapshot();
    m_chunks = m_bench->bus->published().size();
    m_bench->request("STREAM.SNAPSHOT.S", R"({"deliver_subject":"snap.1")" + members + "}");
    std::string backup;
    for (int i = 0; i < 10000 && m_end.empty(); ++i) {
        turn();
        takeChunks(backup, true);
    }
    return backup;
}

std::string BackupFixture::beginRestore(const std::string& config)
{
    Json answer = m_bench->request(
        "STREAM.RESTORE.S", R"({"config":)" + config + R"(,"state":{"messages":1}})");
    return answer.value("deliver_subject", "");
}

std::string BackupFixture::send(const std::string& subject, const std::string& chunk)
{
    const std::string reply = "chunk." + std::to_string(++m_replies);
    m_bench->bus->inject(subject, chunk, reply);
    turn();
    if (m_bench->bus->countPublished(reply) == 0)
        return "no answer";
    return m_bench->bus->lastPayload(reply);
}

BackupFixture::Json BackupFixture::restore(
    const std::string& backup, const std::string& config, std::size_t chunk)
{
    const std::string subject = beginRestore(config);
    for (std::size_t at = 0; at < backup.size(); at += chunk)
        if (const std::string answer = send(subject, backup.substr(at, chunk)); !answer.empty())
            return {{"chunk", answer}};
    return Json::parse(send(subject, ""));
}

void BackupFixture::fill(const char* storage)
{
    m_bench->create(R"("subjects":["s.>"],"storage":")" + std::string(storage) + "\"");
    for (int i = 1; i <= 50; ++i) {
        m_bench->clock.advance(1'000'000);
        m_bench->publish("s." + std::to_string(i % 7),
            std::string(static_cast<std::size_t>(i * 40), static_cast<char>('a' + i % 26)),
            i % 2 ? "K: v" + std::to_string(i) : "");
    }
    m_bench->request("STREAM.PURGE.S", R"({"seq":4})");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":10})");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":50})");
    m_bench->request("CONSUMER.CREATE.S.C",
        R"({"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit","filter_subject":"s.1"}})");
    m_bench->request("CONSUMER.CREATE.S.D",
        R"({"stream_name":"S","config":{"durable_name":"D","ack_policy":"explicit","deliver_policy":"new"}})");
    m_bench->bus->addClient("pull");
    m_bench->bus->inject("$JS.API.CONSUMER.MSG.NEXT.S.C", R"({"batch":3,"no_wait":true})", "pull");
    turn();
    for (const Sent& sent : m_bench->bus->delivered())
        if (sent.route == "pull" && sent.payload.size() == 400)
            m_bench->bus->inject(sent.reply, "+ACK");
    turn();
}

} // namespace jetglass::tests

#include "moc_backup_fixture.cpp"
