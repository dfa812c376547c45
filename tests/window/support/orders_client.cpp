// SPDX-License-Identifier: GPL-3.0-or-later
// A program of its own beside the window: the order example of a nats.c user. It does what it is
// told on standard input, a line at a time, and says what came of it, so that a test decides when
// each step happens.
//   orders_client URL
//     stream                      ORDERS on orders.>, kept in files
//     worker ACK_WAIT_S MAX       durable pull consumer order-worker, explicit acks
//     publish SUBJECT PAYLOAD     answers with the sequence of the pub ack
//     fetch COUNT                 answers with SEQUENCE:DELIVERED of each
//     ack|nak|term|working SEQUENCE
//     advance MS                  moves the broker's clock
#include <nats/nats.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace {

template<class T, void (*free)(T*)>
struct Free
{
    void operator()(T* p) const { free(p); }
};
template<class T, void (*free)(T*)>
using Owned = std::unique_ptr<T, Free<T, free>>;
using Message = Owned<natsMsg, natsMsg_Destroy>;

constexpr std::int64_t kPatienceMs = 10'000;

class OrdersClient
{
public:
    natsStatus open(const char* url)
    {
        natsOptions* options = nullptr;
        natsStatus status = natsOptions_Create(&options);
        const Owned<natsOptions, natsOptions_Destroy> owned(options);
        if (status == NATS_OK)
            status = natsOptions_SetURL(options, url);
        if (status == NATS_OK)
            status = natsOptions_SetName(options, "orders-client");
        natsConnection* connection = nullptr;
        if (status == NATS_OK)
            status = natsConnection_Connect(&connection, options);
        m_connection.reset(connection);
        jsCtx* js = nullptr;
        if (status == NATS_OK)
            status = natsConnection_JetStream(&js, connection, nullptr);
        m_js.reset(js);
        return status;
    }

    /// What came of it goes to \a answer.
    natsStatus run(const std::string& verb, std::istream& words, std::ostream& answer)
    {
        if (verb == "stream")
            return stream();
        if (verb == "worker")
            return worker(words);
        if (verb == "publish")
            return publish(words, answer);
        if (verb == "fetch")
            return fetch(words, answer);
        if (verb == "advance")
            return advance(words);
        return settle(verb, words);
    }

private:
    natsStatus stream()
    {
        jsStreamConfig config;
        jsStreamConfig_Init(&config);
        const char* subject = "orders.>";
        config.Name = "ORDERS";
        config.Subjects = &subject;
        config.SubjectsLen = 1;
        config.Storage = js_FileStorage;
        return js_AddStream(nullptr, m_js.get(), &config, nullptr, nullptr);
    }

    natsStatus worker(std::istream& words)
    {
        std::int64_t ackWait = 0;
        std::int64_t maxDeliver = 0;
        words >> ackWait >> maxDeliver;
        jsConsumerConfig config;
        jsConsumerConfig_Init(&config);
        config.Durable = "order-worker";
        config.AckPolicy = js_AckExplicit;
        config.AckWait = ackWait * 1'000'000'000;
        config.MaxDeliver = maxDeliver;
        natsStatus status =
            js_AddConsumer(nullptr, m_js.get(), "ORDERS", &config, nullptr, nullptr);
        jsSubOptions bind;
        jsSubOptions_Init(&bind);
        bind.Stream = "ORDERS";
        bind.Consumer = "order-worker";
        natsSubscription* subscription = nullptr;
        if (status == NATS_OK)
            status = js_PullSubscribe(
                &subscription, m_js.get(), nullptr, nullptr, nullptr, &bind, nullptr);
        m_subscription.reset(subscription);
        return status;
    }

    natsStatus publish(std::istream& words, std::ostream& answer)
    {
        std::string subject;
        std::string payload;
        words >> subject >> payload;
        jsPubAck* ack = nullptr;
        const natsStatus status = js_Publish(&ack,
            m_js.get(),
            subject.c_str(),
            payload.data(),
            static_cast<int>(payload.size()),
            nullptr,
            nullptr);
        const Owned<jsPubAck, jsPubAck_Destroy> owned(ack);
        if (status == NATS_OK)
            answer << ' ' << ack->Sequence;
        return status;
    }

    natsStatus fetch(std::istream& words, std::ostream& answer)
    {
        int count = 0;
        words >> count;
        natsMsgList list{};
        const natsStatus status =
            natsSubscription_Fetch(&list, m_subscription.get(), count, kPatienceMs, nullptr);
        for (int i = 0; i < list.Count; ++i) {
            jsMsgMetaData* meta = nullptr;
            Message message(list.Msgs[i]);
            list.Msgs[i] = nullptr;
            if (natsMsg_GetMetaData(&meta, message.get()) != NATS_OK)
                continue;
            answer << ' ' << meta->Sequence.Stream << ':' << meta->NumDelivered;
            m_held[meta->Sequence.Stream] = std::move(message);
            jsMsgMetaData_Destroy(meta);
        }
        natsMsgList_Destroy(&list);
        return status;
    }

    natsStatus settle(const std::string& verb, std::istream& words)
    {
        std::uint64_t sequence = 0;
        words >> sequence;
        const auto held = m_held.find(sequence);
        if (held == m_held.end())
            return NATS_NOT_FOUND;
        natsMsg* message = held->second.get();
        if (verb == "ack")
            return natsMsg_AckSync(message, nullptr, nullptr);
        if (verb == "nak")
            return natsMsg_Nak(message, nullptr);
        if (verb == "term")
            return natsMsg_Term(message, nullptr);
        if (verb == "working")
            return natsMsg_InProgress(message, nullptr);
        return NATS_INVALID_ARG;
    }

    natsStatus advance(std::istream& words)
    {
        std::string ms;
        words >> ms;
        const std::string body = "{\"ms\":" + ms + "}";
        natsMsg* reply = nullptr;
        const natsStatus status = natsConnection_RequestString(
            &reply, m_connection.get(), "$LAB.CLOCK.ADVANCE", body.c_str(), kPatienceMs);
        const Message owned(reply);
        return status;
    }

    Owned<natsConnection, natsConnection_Destroy> m_connection;
    Owned<jsCtx, jsCtx_Destroy> m_js;
    Owned<natsSubscription, natsSubscription_Destroy> m_subscription;
    std::map<std::uint64_t, Message> m_held; ///< newest delivery of each sequence
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("orders_client URL\n", stderr);
        return 2;
    }
    {
        OrdersClient client;
        natsStatus status = client.open(argv[1]);
        std::cout << (status == NATS_OK ? "ok" : natsStatus_GetText(status)) << std::endl;
        std::string line;
        while (status == NATS_OK && std::getline(std::cin, line)) {
            std::istringstream words(line);
            std::string verb;
            words >> verb;
            std::ostringstream answer;
            const natsStatus done = client.run(verb, words, answer);
            std::cout << (done == NATS_OK ? "ok" : natsStatus_GetText(done)) << answer.str()
                      << std::endl;
        }
    }
    nats_Close();
    return 0;
}
