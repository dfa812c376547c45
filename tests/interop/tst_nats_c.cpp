// SPDX-License-Identifier: GPL-3.0-or-later
// The seeds' examples with the official C client against the broker's own binary.
#include "c_client.h"

#include <array>
#include <cstring>
#include <set>
#include <string>

using interop::Batch;
using interop::Owned;

class TestNatsC : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void cleanupTestCase();

    void replicasNeedACluster();
    void syncAndAsyncPublish();
    void aRetriedPublishIsADuplicate();
    void pullConsumerAcksEveryKind();
    void pushConsumerRedeliversAfterAckWait();
    void threeWorkersOnAWorkQueue();
    void twoConsumersOnAnInterestStream();
    void keyValue();
    void restartKeepsEverything();

private:
    void connectClient();
    void addStream(
        const char* name, const char* subject, jsRetentionPolicy retention = js_LimitsPolicy);
    [[nodiscard]] std::uint64_t messageCount(const char* stream);

    interop::Broker m_broker;
    Owned<natsConnection> m_connection;
    Owned<jsCtx> m_js;
    std::set<std::string> m_streams;
};

void TestNatsC::connectClient()
{
    natsConnection* connection = nullptr;
    QVERIFY_OK(natsConnection_ConnectTo(&connection, m_broker.url()));
    m_connection.reset(connection);
    jsCtx* js = nullptr;
    QVERIFY_OK(natsConnection_JetStream(&js, connection, nullptr));
    m_js.reset(js);
}

void TestNatsC::initTestCase()
{
    m_broker.start();
}

void TestNatsC::init()
{
    connectClient();
}

void TestNatsC::cleanup()
{
    for (const std::string& name : m_streams)
        js_DeleteStream(m_js.get(), name.c_str(), nullptr, nullptr);
    m_streams.clear();
    m_js.reset();
    m_connection.reset();
}

void TestNatsC::cleanupTestCase()
{
    m_broker.stop();
}

void TestNatsC::addStream(const char* name, const char* subject, jsRetentionPolicy retention)
{
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = name;
    config.Subjects = &subject;
    config.SubjectsLen = 1;
    config.Retention = retention;
    config.Storage = js_FileStorage;
    QVERIFY_OK(js_AddStream(nullptr, m_js.get(), &config, nullptr, nullptr));
    m_streams.insert(name);
}

std::uint64_t TestNatsC::messageCount(const char* stream)
{
    jsStreamInfo* raw = nullptr;
    if (js_GetStreamInfo(&raw, m_js.get(), stream, nullptr, nullptr) != NATS_OK)
        return UINT64_MAX;
    const Owned<jsStreamInfo> info(raw);
    return info->State.Msgs;
}

void TestNatsC::replicasNeedACluster()
{
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    const char* subject = "orders.>";
    config.Name = "ORDERS";
    config.Subjects = &subject;
    config.SubjectsLen = 1;
    config.Replicas = 3;
    jsErrCode code{};
    QVERIFY(js_AddStream(nullptr, m_js.get(), &config, nullptr, &code) != NATS_OK);
    QCOMPARE(int(code), 10074);
}

void TestNatsC::syncAndAsyncPublish()
{
    addStream("ORDERS", "orders.>");
    jsPubAck* raw = nullptr;
    QVERIFY_OK(js_Publish(&raw, m_js.get(), "orders.created", "{}", 2, nullptr, nullptr));
    const Owned<jsPubAck> ack(raw);
    QCOMPARE(ack->Sequence, std::uint64_t(1));
    QCOMPARE(QByteArray(ack->Stream), QByteArray("ORDERS"));
    const std::string payload(1024, 'x');
    for (int i = 0; i < 20000; ++i)
        QVERIFY_OK(js_PublishAsync(
            m_js.get(), "orders.created", payload.data(), int(payload.size()), nullptr));
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MaxWait = 20000;
    QVERIFY_OK(js_PublishAsyncComplete(m_js.get(), &options));
    natsMsgList pending{};
    QVERIFY(js_PublishAsyncGetPendingList(&pending, m_js.get()) == NATS_NOT_FOUND);
    QCOMPARE(messageCount("ORDERS"), std::uint64_t(20001));
}

void TestNatsC::aRetriedPublishIsADuplicate()
{
    addStream("ORDERS", "orders.>");
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MsgId = "order-123";
    for (int attempt = 0; attempt < 3; ++attempt) {
        jsPubAck* raw = nullptr;
        QVERIFY_OK(js_Publish(&raw, m_js.get(), "orders.created", "x", 1, &options, nullptr));
        const Owned<jsPubAck> ack(raw);
        QCOMPARE(ack->Sequence, std::uint64_t(1));
        QCOMPARE(ack->Duplicate, attempt > 0);
    }
    QCOMPARE(messageCount("ORDERS"), std::uint64_t(1));
}

void TestNatsC::pullConsumerAcksEveryKind()
{
    addStream("ORDERS", "orders.>");
    for (const char* body : {"ack", "nak", "delay", "working", "term"})
        QVERIFY_OK(js_Publish(
            nullptr, m_js.get(), "orders.created", body, int(std::strlen(body)), nullptr, nullptr));
    natsSubscription* raw = nullptr;
    QVERIFY_OK(
        js_PullSubscribe(&raw, m_js.get(), "orders.>", "order-worker", nullptr, nullptr, nullptr));
    const Owned<natsSubscription> sub(raw);
    Batch first;
    QVERIFY_OK(natsSubscription_Fetch(&first.list, sub.get(), 5, 5000, nullptr));
    QCOMPARE(first.list.Count, 5);
    QVERIFY_OK(natsMsg_AckSync(first.list.Msgs[0], nullptr, nullptr));
    QVERIFY_OK(natsMsg_Nak(first.list.Msgs[1], nullptr));
    QVERIFY_OK(natsMsg_NakWithDelay(first.list.Msgs[2], 100, nullptr)); // milliseconds
    QVERIFY_OK(natsMsg_InProgress(first.list.Msgs[3], nullptr));
    QVERIFY_OK(natsMsg_AckSync(first.list.Msgs[3], nullptr, nullptr));
    QVERIFY_OK(natsMsg_Term(first.list.Msgs[4], nullptr));
    for (const char* expected : {"nak", "delay"}) {
        Batch again;
        QVERIFY_OK(natsSubscription_Fetch(&again.list, sub.get(), 1, 5000, nullptr));
        QCOMPARE(QByteArray(natsMsg_GetData(again.list.Msgs[0]),
                     natsMsg_GetDataLength(again.list.Msgs[0])),
            QByteArray(expected));
        jsMsgMetaData* meta = nullptr;
        QVERIFY_OK(natsMsg_GetMetaData(&meta, again.list.Msgs[0]));
        QCOMPARE(meta->NumDelivered, std::uint64_t(2));
        jsMsgMetaData_Destroy(meta);
        QVERIFY_OK(natsMsg_AckSync(again.list.Msgs[0], nullptr, nullptr));
    }
    jsConsumerInfo* rawInfo = nullptr;
    QVERIFY_OK(
        js_GetConsumerInfo(&rawInfo, m_js.get(), "ORDERS", "order-worker", nullptr, nullptr));
    const Owned<jsConsumerInfo> info(rawInfo);
    QCOMPARE(info->NumAckPending, std::int64_t(0));
    QCOMPARE(info->AckFloor.Stream, std::uint64_t(5));
}

void TestNatsC::pushConsumerRedeliversAfterAckWait()
{
    addStream("EVENTS", "events.*");
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Config.Durable = "event-processor";
    options.Config.DeliverSubject = "event.deliver";
    options.Config.AckWait = 300'000'000;
    options.ManualAck = true;
    natsSubscription* raw = nullptr;
    QVERIFY_OK(js_SubscribeSync(&raw, m_js.get(), "events.*", nullptr, &options, nullptr));
    const Owned<natsSubscription> sub(raw);
    QVERIFY_OK(js_Publish(nullptr, m_js.get(), "events.user", "login", 5, nullptr, nullptr));
    for (std::uint64_t delivery = 1; delivery <= 2; ++delivery) {
        natsMsg* rawMessage = nullptr;
        QVERIFY_OK(natsSubscription_NextMsg(&rawMessage, sub.get(), 5000));
        const Owned<natsMsg> message(rawMessage);
        QCOMPARE(QByteArray(natsMsg_GetSubject(message.get())), QByteArray("events.user"));
        jsMsgMetaData* meta = nullptr;
        QVERIFY_OK(natsMsg_GetMetaData(&meta, message.get()));
        QCOMPARE(meta->NumDelivered, delivery);
        jsMsgMetaData_Destroy(meta);
        if (delivery == 2)
            QVERIFY_OK(natsMsg_AckSync(message.get(), nullptr, nullptr));
    }
}

void TestNatsC::threeWorkersOnAWorkQueue()
{
    addStream("TASKS", "tasks.>", js_WorkQueuePolicy);
    for (int i = 0; i < 30; ++i)
        QVERIFY_OK(js_Publish(nullptr, m_js.get(), "tasks.mail", "x", 1, nullptr, nullptr));
    std::array<Owned<natsSubscription>, 3> workers;
    for (auto& worker : workers) {
        natsSubscription* raw = nullptr;
        QVERIFY_OK(
            js_PullSubscribe(&raw, m_js.get(), "tasks.>", "workers", nullptr, nullptr, nullptr));
        worker.reset(raw);
    }
    std::set<std::uint64_t> done;
    for (int round = 0; done.size() < 30 && round < 30; ++round) {
        Batch batch;
        QVERIFY_OK(natsSubscription_Fetch(
            &batch.list, workers[std::size_t(round % 3)].get(), 4, 2000, nullptr));
        for (int i = 0; i < batch.list.Count; ++i) {
            jsMsgMetaData* meta = nullptr;
            QVERIFY_OK(natsMsg_GetMetaData(&meta, batch.list.Msgs[i]));
            QVERIFY(done.insert(meta->Sequence.Stream).second);
            jsMsgMetaData_Destroy(meta);
            QVERIFY_OK(natsMsg_AckSync(batch.list.Msgs[i], nullptr, nullptr));
        }
    }
    QCOMPARE(done.size(), std::size_t(30));
    QCOMPARE(messageCount("TASKS"), std::uint64_t(0));
}

void TestNatsC::twoConsumersOnAnInterestStream()
{
    addStream("NOTIFICATIONS", "notify.>", js_InterestPolicy);
    QVERIFY_OK(js_Publish(nullptr, m_js.get(), "notify.none", "x", 1, nullptr, nullptr));
    QCOMPARE(messageCount("NOTIFICATIONS"), std::uint64_t(0));
    std::array<Owned<natsSubscription>, 2> subs;
    for (std::size_t i = 0; i < subs.size(); ++i) {
        natsSubscription* raw = nullptr;
        QVERIFY_OK(js_PullSubscribe(
            &raw, m_js.get(), "notify.>", i == 0 ? "A" : "B", nullptr, nullptr, nullptr));
        subs[i].reset(raw);
    }
    QVERIFY_OK(js_Publish(nullptr, m_js.get(), "notify.user", "x", 1, nullptr, nullptr));
    for (std::size_t i = 0; i < subs.size(); ++i) {
        Batch batch;
        QVERIFY_OK(natsSubscription_Fetch(&batch.list, subs[i].get(), 1, 2000, nullptr));
        QVERIFY_OK(natsMsg_AckSync(batch.list.Msgs[0], nullptr, nullptr));
        QCOMPARE(messageCount("NOTIFICATIONS"), std::uint64_t(i == 0 ? 1 : 0));
    }
}

void TestNatsC::keyValue()
{
    kvConfig config;
    kvConfig_Init(&config);
    config.Bucket = "settings";
    config.History = 3;
    kvStore* kv = nullptr;
    QVERIFY_OK(js_CreateKeyValue(&kv, m_js.get(), &config));
    m_streams.insert("KV_settings");
    std::uint64_t revision = 0;
    QVERIFY_OK(kvStore_PutString(&revision, kv, "theme", "light"));
    QCOMPARE(revision, std::uint64_t(1));
    QVERIFY_OK(kvStore_UpdateString(&revision, kv, "theme", "dark", 1));
    QVERIFY(kvStore_UpdateString(&revision, kv, "theme", "late", 1) != NATS_OK);
    kvEntry* entry = nullptr;
    QVERIFY_OK(kvStore_Get(&entry, kv, "theme"));
    QCOMPARE(QByteArray(kvEntry_ValueString(entry)), QByteArray("dark"));
    kvEntry_Destroy(entry);
    kvEntryList history{};
    QVERIFY_OK(kvStore_History(&history, kv, "theme", nullptr));
    QCOMPARE(history.Count, 2);
    kvEntryList_Destroy(&history);
    QVERIFY_OK(kvStore_Delete(kv, "theme"));
    QCOMPARE(int(kvStore_Get(&entry, kv, "theme")), int(NATS_NOT_FOUND));
    kvStore_Destroy(kv);
}

void TestNatsC::restartKeepsEverything()
{
    addStream("ORDERS", "orders.>");
    for (int i = 0; i < 10; ++i)
        QVERIFY_OK(js_Publish(nullptr, m_js.get(), "orders.created", "x", 1, nullptr, nullptr));
    {
        natsSubscription* raw = nullptr;
        QVERIFY_OK(
            js_PullSubscribe(&raw, m_js.get(), "orders.>", "keeper", nullptr, nullptr, nullptr));
        const Owned<natsSubscription> sub(raw);
        Batch batch;
        QVERIFY_OK(natsSubscription_Fetch(&batch.list, sub.get(), 4, 2000, nullptr));
        for (int i = 0; i < batch.list.Count; ++i)
            QVERIFY_OK(natsMsg_AckSync(batch.list.Msgs[i], nullptr, nullptr));
    }
    m_js.reset();
    m_connection.reset();
    m_broker.kill();
    m_broker.start();
    connectClient();
    QCOMPARE(messageCount("ORDERS"), std::uint64_t(10));
    jsConsumerInfo* raw = nullptr;
    QVERIFY_OK(js_GetConsumerInfo(&raw, m_js.get(), "ORDERS", "keeper", nullptr, nullptr));
    const Owned<jsConsumerInfo> info(raw);
    QCOMPARE(info->AckFloor.Stream, std::uint64_t(4));
    QCOMPARE(info->NumPending, std::uint64_t(6));
}

QTEST_GUILESS_MAIN(TestNatsC)
#include "tst_nats_c.moc"
