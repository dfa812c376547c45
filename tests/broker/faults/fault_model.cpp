// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault_model.h"

#include "base/base64.h"
#include "base/json.h"

#include <algorithm>
#include <cctype>

namespace jetglass::faults {

std::string Model::streamOf(const std::string& subject)
{
    return {static_cast<char>(std::toupper(static_cast<unsigned char>(subject.front())))};
}

bool Model::matches(const std::string& filter, const std::string& subject)
{
    return filter.empty() || filter.ends_with('>') || filter == subject;
}

Model::Stream* Model::known(const std::string& name)
{
    const auto found = m_streams.find(name);
    const bool there =
        found != m_streams.end() && found->second.state == State::Sure && !found->second.away;
    return there && m_client.up() ? &found->second : nullptr;
}

Json Model::info(const std::string& what)
{
    const Answer answer = m_client.ask("$JS.API." + what);
    return answer.good() ? answer.body : Json();
}

std::string Model::configOf(const std::string& name, const std::string& more) const
{
    const std::string subject = std::string(1, static_cast<char>(std::tolower(name.front())));
    return R"({"name":")" + name + R"(","subjects":[")" + subject + R"(.>"])"
        + (more.empty() ? "" : "," + more) + "}";
}

void Model::createStream(const std::string& name, const std::string& more)
{
    if (!m_client.up() || (m_streams.contains(name) && m_streams[name].away))
        return;
    const Answer answer = m_client.ask("$JS.API.STREAM.CREATE." + name, configOf(name, more));
    Stream& stream = m_streams[name];
    // It may still be the one whose deletion was refused.
    const bool another = stream.state != State::Open;
    for (auto& [consumer, entry] : stream.consumers)
        entry.state = State::Open;
    stream.state = answer.good() ? State::Sure : isOpen(answer) ? State::Open : State::Gone;
    stream.limits = {-1};
    stream.interest = more.find("interest") != std::string::npos;
    stream.queue = more.find("workqueue") != std::string::npos;
    stream.memory = more.find("memory") != std::string::npos;
    if (another)
        stream.consumers.clear();
    if (answer.refused() && m_client.up() && !info("STREAM.INFO." + name).is_null())
        complain("stream " + name + " is there, refused: " + answer.error());
}

void Model::updateStream(const std::string& name, const std::string& more)
{
    Stream* stream = known(name);
    if (!stream)
        return;
    const Json before = info("STREAM.INFO." + name);
    const Answer answer = m_client.ask("$JS.API.STREAM.UPDATE." + name, configOf(name, more));
    const Json asked = base::parseJson("{" + more.substr(0, more.find(",\"")) + "}");
    const std::int64_t limit = asked.value("max_msgs", std::int64_t{-1});
    if (answer.good()) {
        stream->limits = {limit};
    } else if (answer.refused()) {
        const Json after = info("STREAM.INFO." + name);
        if (!before.is_null() && before["config"] != after["config"])
            complain("refused update of stream " + name + " has changed it");
        if (!before.is_null() && before["state"]["messages"] != after["state"]["messages"])
            complain("refused update of stream " + name + " has removed messages");
        if (isOpen(answer))
            stream->limits.insert(limit);
    }
    applyLimit(*stream);
}

void Model::deleteStream(const std::string& name)
{
    Stream* stream = known(name);
    if (!stream)
        return;
    const Json before = info("STREAM.INFO." + name);
    const Answer answer = m_client.ask("$JS.API.STREAM.DELETE." + name);
    if (answer.good()) {
        stream->state = State::Gone;
        for (Message& message : stream->messages)
            message.state = State::Gone;
    } else if (answer.refused()) {
        const Json after = info("STREAM.INFO." + name);
        if (!before.is_null()
            && (after.is_null() || before["state"] != after["state"]
                || before["config"] != after["config"]))
            complain("refused deletion of stream " + name + " has changed it: " + after.dump());
        if (isOpen(answer))
            stream->state = State::Open;
    }
}

std::string Model::consumerConfig(
    const std::string& stream, const std::string& name, const std::string& filter) const
{
    return R"({"stream_name":")" + stream + R"(","config":{"durable_name":")" + name
        + R"(","ack_policy":"explicit","ack_wait":2000000000)"
        + (filter.empty() ? "" : R"(,"filter_subject":")" + filter + "\"") + "}}";
}

void Model::createConsumer(
    const std::string& stream, const std::string& name, const std::string& filter)
{
    Stream* of = known(stream);
    if (!of)
        return;
    const std::string where = stream + "." + name;
    const Answer answer = m_client.ask(
        "$JS.API.CONSUMER.DURABLE.CREATE." + where, consumerConfig(stream, name, filter));
    Consumer& before = of->consumers[name];
    const bool absent = before.state == State::Gone;
    Consumer consumer;
    consumer.filters = consumer.ever = {filter};
    consumer.state = answer.good() ? State::Sure : isOpen(answer) ? State::Open : State::Gone;
    before = consumer;
    if (absent && answer.refused() && !info("CONSUMER.INFO." + where).is_null())
        complain("consumer " + where + " is there, refused: " + answer.error());
}

void Model::updateConsumer(
    const std::string& stream, const std::string& name, const std::string& filter)
{
    Stream* of = known(stream);
    if (!of || of->consumers[name].state != State::Sure)
        return;
    Consumer& consumer = of->consumers[name];
    const std::string where = stream + "." + name;
    const Json before = info("CONSUMER.INFO." + where);
    const Json stored = info("STREAM.INFO." + stream);
    const Answer answer = m_client.ask(
        "$JS.API.CONSUMER.DURABLE.CREATE." + where, consumerConfig(stream, name, filter));
    if (answer.good()) {
        consumer.filters = {filter};
        consumer.ever.insert(filter);
    } else if (answer.refused()) {
        const Json after = info("CONSUMER.INFO." + where);
        if (!before.is_null()
            && (before["config"] != after["config"]
                || before["num_pending"] != after["num_pending"]))
            complain("refused update of consumer " + where + " has changed it");
        if (!stored.is_null()
            && stored["state"]["messages"] != info("STREAM.INFO." + stream)["state"]["messages"])
            complain("refused update of consumer " + where + " has removed messages");
        if (isOpen(answer)) {
            consumer.filters.insert(filter);
            consumer.ever.insert(filter);
        }
    }
    settleNeeds(*of);
}

void Model::deleteConsumer(const std::string& stream, const std::string& name)
{
    Stream* of = known(stream);
    if (!of || of->consumers[name].state != State::Sure)
        return;
    Consumer& consumer = of->consumers[name];
    const std::string where = stream + "." + name;
    const Answer answer = m_client.ask("$JS.API.CONSUMER.DELETE." + where);
    if (answer.good())
        consumer.state = State::Gone;
    else if (answer.refused() && info("CONSUMER.INFO." + where).is_null())
        complain("refused deletion of consumer " + where + " has deleted it");
    if (answer.refused() && isOpen(answer))
        consumer.state = State::Open;
    settleNeeds(*of);
}

std::string Model::nextPayload()
{
    ++m_payloads;
    return "m" + std::to_string(m_payloads) + "."
        + std::string(150, static_cast<char>('a' + m_payloads % 26));
}

void Model::publish(const std::string& subject, const std::string& header)
{
    Stream* stream = known(streamOf(subject));
    if (!stream)
        return;
    const std::string payload = nextPayload();
    const Answer answer = m_client.ask(
        subject, payload, header.empty() ? header : "NATS/1.0\r\n" + header + "\r\n\r\n");
    if (!answer.came)
        return;
    if (answer.good() && answer.body.contains("duplicate"))
        return;
    if (header.find("Rollup") != std::string::npos)
        for (Message& message : stream->messages)
            if (message.subject == subject && message.state == State::Sure) {
                if (answer.good())
                    message.state = State::Gone;
                else if (isOpen(answer))
                    message.state = State::Open;
            }
    Message message{0, subject, payload, State::Sure, 0};
    if (answer.good())
        message.seq = answer.body.value("seq", std::uint64_t{0});
    else
        message.state = isOpen(answer) ? State::Open : State::Gone;
    stream->messages.push_back(message);
    applyLimit(*stream);
    settleNeeds(*stream);
}

void Model::publishBatch(const std::string& name, const std::string& subject, int count)
{
    Stream* stream = known(name);
    if (!stream)
        return;
    const int batch = ++m_batches;
    std::vector<Message> messages;
    Answer answer;
    for (int i = 1; i <= count; ++i) {
        const std::string payload = nextPayload();
        messages.push_back({0, subject, payload, State::Sure, batch});
        const std::string headers = "NATS/1.0\r\nNats-Batch-Id: b" + std::to_string(batch)
            + "\r\nNats-Batch-Sequence: " + std::to_string(i)
            + (i == count ? "\r\nNats-Batch-Commit: 1" : "") + "\r\n\r\n";
        if (i < count)
            m_client.tell(subject, payload, headers);
        else
            answer = m_client.ask(subject, payload, headers);
    }
    if (!answer.came)
        return;
    const std::uint64_t last = answer.good() ? answer.body.value("seq", std::uint64_t{0}) : 0;
    for (int i = 0; i < count; ++i) {
        Message& message = messages[static_cast<std::size_t>(i)];
        if (last > 0)
            message.seq = last - static_cast<std::uint64_t>(count - 1 - i);
        else
            message.state = isOpen(answer) ? State::Open : State::Gone;
        stream->messages.push_back(message);
    }
    applyLimit(*stream);
}

void Model::removeMessage(const std::string& name, std::size_t index)
{
    Stream* stream = known(name);
    if (!stream || stream->messages.size() <= index || stream->messages[index].state != State::Sure)
        return;
    Message& message = stream->messages[index];
    const Answer answer = m_client.ask(
        "$JS.API.STREAM.MSG.DELETE." + name, "{\"seq\":" + std::to_string(message.seq) + "}");
    if (answer.good())
        message.state = State::Gone;
    else if (isOpen(answer))
        message.state = State::Open;
}

void Model::purge(const std::string& name, const std::string& subject)
{
    Stream* stream = known(name);
    if (!stream)
        return;
    const Answer answer =
        m_client.ask("$JS.API.STREAM.PURGE." + name, R"({"filter":")" + subject + "\"}");
    for (Message& message : stream->messages)
        if (message.subject == subject && message.state != State::Gone) {
            if (answer.good())
                message.state = State::Gone;
            else if (isOpen(answer))
                message.state = State::Open;
        }
}

void Model::consume(const std::string& name, const std::string& consumer, int most)
{
    Stream* stream = known(name);
    if (!stream || stream->consumers[consumer].state != State::Sure)
        return;
    Consumer& by = stream->consumers[consumer];
    const std::vector<Wire> got = m_client.fetch(name, consumer, most);
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (i + 1 == got.size() && got.size() > 1) {
            m_client.tell(got[i].reply, "-NAK");
            break;
        }
        by.acked.insert(got[i].payload);
        m_client.ack(got[i], name + "." + consumer + "." + got[i].payload);
    }
    settleNeeds(*stream);
}

/// What nobody needs any more may go, now or later.
void Model::settleNeeds(Stream& stream)
{
    if (!stream.interest && !stream.queue)
        return;
    for (Message& message : stream.messages) {
        const bool needed = std::any_of(
            stream.consumers.begin(), stream.consumers.end(), [&message](const auto& entry) {
                const Consumer& one = entry.second;
                return one.state == State::Sure && !one.acked.contains(message.payload)
                    && std::all_of(
                        one.ever.begin(), one.ever.end(), [&](const std::string& filter) {
                            return matches(filter, message.subject);
                        });
            });
        const bool acked = std::any_of(stream.consumers.begin(),
            stream.consumers.end(),
            [&message](const auto& entry) { return entry.second.acked.contains(message.payload); });
        if (message.state == State::Sure && (stream.queue ? acked : !needed))
            message.state = State::Open;
    }
}

void Model::applyLimit(Stream& stream)
{
    const std::int64_t limit = *stream.limits.rbegin();
    if (limit <= 0)
        return;
    std::int64_t newer = 0;
    for (auto message = stream.messages.rbegin(); message != stream.messages.rend(); ++message) {
        if (message->state == State::Gone)
            continue;
        if (++newer > limit)
            message->state = State::Open;
    }
}

void Model::restarted()
{
    std::erase_if(m_streams, [](const auto& entry) { return entry.second.memory; });
    for (auto& [name, stream] : m_streams)
        stream.away = m_client.up() && m_client.disk().failsOrFailed()
            && stream.state == State::Sure && info("STREAM.INFO." + name).is_null();
}

void Model::check(const std::string& when, bool deliveries)
{
    m_when = when;
    if (!m_client.up())
        return complain("the broker does not run");
    for (auto& [name, stream] : m_streams)
        checkStream(name, stream);
    if (deliveries)
        m_client.wait(2500); // what is pending comes again
    for (auto& [name, stream] : m_streams)
        for (auto& [consumer, entry] : stream.consumers)
            if (deliveries && stream.state == State::Sure && entry.state == State::Sure)
                checkDelivery(name, consumer, stream, entry);
}

void Model::checkStream(const std::string& name, Stream& stream)
{
    if (stream.away)
        return;
    const Json found = info("STREAM.INFO." + name);
    if (stream.state == State::Gone && !found.is_null())
        complain("stream " + name + " is there again: " + found.dump());
    if (stream.state != State::Sure)
        return;
    if (found.is_null())
        return complain("stream " + name + " is lost");
    if (!stream.limits.contains(found["config"].value("max_msgs", std::int64_t{-1})))
        complain("stream " + name + " has another limit: " + found["config"].dump());
    checkMessages(name, stream);
    for (auto& [consumer, entry] : stream.consumers)
        checkConsumer(name + "." + consumer, entry);
}

std::map<std::string, Model::Found> Model::walk(const std::string& name, std::uint64_t& count)
{
    std::map<std::string, Found> all;
    for (std::uint64_t at = 1;;) {
        const Answer answer = m_client.ask("$JS.API.STREAM.MSG.GET." + name,
            R"({"next_by_subj":">","seq":)" + std::to_string(at) + "}");
        if (!answer.good())
            return all;
        const Json& message = answer.body["message"];
        at = message["seq"].get<std::uint64_t>() + 1;
        ++count;
        const auto payload = base::parseBase64(message.value("data", std::string()));
        const std::string text = payload.value_or("?");
        if (!all.emplace(text, Found{at - 1, message["subject"]}).second)
            complain("stream " + name + " has a message twice: " + text.substr(0, 8));
    }
}

void Model::checkMessages(const std::string& name, Stream& stream)
{
    std::uint64_t count = 0;
    const auto found = walk(name, count);
    const Json state = info("STREAM.INFO." + name)["state"];
    if (state["messages"] != count)
        complain(
            "stream " + name + " counts " + state.dump() + " and has " + std::to_string(count));
    std::map<int, std::set<bool>> batches;
    std::set<std::string> known;
    for (const Message& message : stream.messages) {
        const auto one = found.find(message.payload);
        const bool there = one != found.end();
        known.insert(message.payload);
        const std::string words =
            "stream " + name + ": message " + message.payload.substr(0, 5) + " " + message.subject;
        if (there && message.state == State::Gone)
            complain(words + " is there");
        if (!there && message.state == State::Sure)
            complain(words + " is lost, its sequence was " + std::to_string(message.seq));
        if (there && message.seq > 0
            && (one->second.seq != message.seq || one->second.subject != message.subject))
            complain(words + " has changed");
        if (message.batch > 0 && message.seq == 0)
            batches[message.batch].insert(there);
    }
    for (const auto& [batch, there] : batches)
        if (there.size() > 1)
            complain("stream " + name + " has a part of a batch");
    for (const auto& [payload, one] : found)
        if (!known.contains(payload))
            complain("stream " + name + " has what nobody published: " + payload.substr(0, 8));
}

void Model::checkConsumer(const std::string& where, Consumer& consumer)
{
    const Json found = info("CONSUMER.INFO." + where);
    if (consumer.state == State::Gone && !found.is_null())
        complain("consumer " + where + " is there again");
    if (consumer.state != State::Sure)
        return;
    if (found.is_null())
        return complain("consumer " + where + " is lost");
    if (!consumer.filters.contains(found["config"].value("filter_subject", std::string())))
        complain("consumer " + where + " has another filter: " + found["config"].dump());
}

void Model::checkDelivery(
    const std::string& name, const std::string& consumer, Stream& stream, Consumer& by)
{
    std::set<std::string> given;
    for (const Wire& wire : m_client.fetch(name, consumer, 500)) {
        given.insert(wire.payload);
        if (m_client.confirmed().contains(name + "." + consumer + "." + wire.payload))
            complain("consumer " + name + "." + consumer
                + " gets what it has acknowledged: " + wire.payload.substr(0, 5));
    }
    for (const Message& message : stream.messages) {
        const bool wanted = message.state == State::Sure && !by.acked.contains(message.payload)
            && std::all_of(by.ever.begin(), by.ever.end(), [&](const std::string& filter) {
                   return matches(filter, message.subject);
               });
        if (wanted && !given.contains(message.payload))
            complain("consumer " + name + "." + consumer + " does not get "
                + message.payload.substr(0, 5));
    }
    const Json info_ = info("CONSUMER.INFO." + name + "." + consumer);
    if (info_.value("num_pending", 1) != 0
        || info_.value("num_ack_pending", std::size_t{0}) != given.size())
        complain("consumer " + name + "." + consumer + " was given " + std::to_string(given.size())
            + " and counts " + info_.dump());
}

void Model::checkGoesOn()
{
    m_when = "after the fault";
    for (auto& [name, stream] : m_streams) {
        if (stream.state != State::Sure || stream.away)
            continue;
        const std::string subject =
            std::string(1, static_cast<char>(std::tolower(name.front()))) + ".z";
        const std::size_t before = stream.messages.size();
        const Answer answer = m_client.ask("$JS.API.STREAM.PURGE." + name, R"({"filter":"none"})");
        publish(subject);
        const bool refused = stream.messages.size() > before && stream.messages.back().seq == 0;
        if (refused && !answer.leavesOpen())
            complain("stream " + name + " does not take messages again");
    }
}

} // namespace jetglass::faults
