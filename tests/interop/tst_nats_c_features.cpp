// SPDX-License-Identifier: GPL-3.0-or-later
// What users of the official C client use besides the seeds' examples, against the broker's own
// binary.
#include "c_client.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <set>
#include <string>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

using interop::Batch;
using interop::dataOf;
using interop::Owned;

namespace {

constexpr std::int64_t kPatienceMs = 10'000;

/// What the library allocates meanwhile is not ours to free.
struct ForgivenLeaks
{
#ifdef __SANITIZE_ADDRESS__
    __lsan::ScopedDisabler disabler;
#endif
};

} // namespace

class TestNatsCFeatures : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { m_broker.start(); }
    void init();
    void cleanup();
    void cleanupTestCase() { m_broker.stop(); }

    void headersTravel();
    void aQueueGroupAnswersRequests();
    void nobodyAnswers();
    void expectationsAreChecked();
    void asyncAcksReachTheHandler();
    void anOrderedConsumerReadsInOrder();
    void aPushQueueGroupShares();
    void startsAndFilters();
    void purgesAndReadsDirectly();
    void aMirrorAndASource();
    void keyValueWatchAndHistory();
    void keysExpireWithTheirBucket();

private:
    void addStream(jsStreamConfig& config, const char* name, const char* subject = nullptr);
    void fill(const char* subject, int count);
    void next(Owned<natsMsg>& message, natsSubscription* sub);
    void createBucket(Owned<kvStore>& kv, kvConfig& config, const char* bucket);

    interop::Broker m_broker;
    Owned<natsConnection> m_connection;
    Owned<jsCtx> m_js;
    std::set<std::string> m_streams;
};

void TestNatsCFeatures::init()
{
    natsConnection* connection = nullptr;
    QVERIFY_OK(natsConnection_ConnectTo(&connection, m_broker.url()));
    m_connection.reset(connection);
    jsCtx* js = nullptr;
    QVERIFY_OK(natsConnection_JetStream(&js, connection, nullptr));
    m_js.reset(js);
}

void TestNatsCFeatures::cleanup()
{
    for (const std::string& name : m_streams)
        js_DeleteStream(m_js.get(), name.c_str(), nullptr, nullptr);
    m_streams.clear();
    m_js.reset();
    m_connection.reset();
}

void TestNatsCFeatures::addStream(jsStreamConfig& config, const char* name, const char* subject)
{
    config.Name = name;
    if (subject != nullptr) {
        config.Subjects = &subject;
        config.SubjectsLen = 1;
    }
    m_streams.insert(name);
    QVERIFY_OK(js_AddStream(nullptr, m_js.get(), &config, nullptr, nullptr));
}

void TestNatsCFeatures::fill(const char* subject, int count)
{
    for (int i = 1; i <= count; ++i) {
        const QByteArray body = QByteArray::number(i);
        QVERIFY_OK(js_Publish(
            nullptr, m_js.get(), subject, body.data(), int(body.size()), nullptr, nullptr));
    }
}

void TestNatsCFeatures::next(Owned<natsMsg>& message, natsSubscription* sub)
{
    natsMsg* raw = nullptr;
    QVERIFY_OK(natsSubscription_NextMsg(&raw, sub, kPatienceMs));
    message.reset(raw);
}

void TestNatsCFeatures::headersTravel()
{
    natsSubscription* rawSub = nullptr;
    QVERIFY_OK(natsConnection_SubscribeSync(&rawSub, m_connection.get(), "a.*.c"));
    const Owned<natsSubscription> sub(rawSub);
    natsMsg* raw = nullptr;
    QVERIFY_OK(natsMsg_Create(&raw, "a.b.c", "reply.here", "body", 4));
    const Owned<natsMsg> sent(raw);
    QVERIFY_OK(natsMsgHeader_Set(sent.get(), "Trace", "1"));
    QVERIFY_OK(natsMsgHeader_Add(sent.get(), "Trace", "2"));
    QVERIFY_OK(natsConnection_PublishMsg(m_connection.get(), sent.get()));
    Owned<natsMsg> got;
    next(got, sub.get());
    QVERIFY(got);
    QCOMPARE(dataOf(got.get()), QByteArray("body"));
    QCOMPARE(QByteArray(natsMsg_GetReply(got.get())), QByteArray("reply.here"));
    const char** values = nullptr;
    int count = 0;
    QVERIFY_OK(natsMsgHeader_Values(got.get(), "Trace", &values, &count));
    QCOMPARE(count, 2);
    QCOMPARE(QByteArray(values[1]), QByteArray("2"));
    free(static_cast<void*>(values));
}

void TestNatsCFeatures::aQueueGroupAnswersRequests()
{
    std::array<std::atomic<int>, 2> answered{};
    std::array<Owned<natsSubscription>, 2> workers;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        natsSubscription* raw = nullptr;
        QVERIFY_OK(natsConnection_QueueSubscribe(
            &raw,
            m_connection.get(),
            "work",
            "workers",
            [](natsConnection* nc, natsSubscription*, natsMsg* message, void* count) {
                ++*static_cast<std::atomic<int>*>(count);
                natsConnection_PublishString(nc, natsMsg_GetReply(message), "done");
                natsMsg_Destroy(message);
            },
            &answered[i]));
        workers[i].reset(raw);
    }
    for (int i = 0; i < 60; ++i) {
        natsMsg* raw = nullptr;
        QVERIFY_OK(
            natsConnection_RequestString(&raw, m_connection.get(), "work", "x", kPatienceMs));
        const Owned<natsMsg> answer(raw);
        QCOMPARE(dataOf(answer.get()), QByteArray("done"));
    }
    QCOMPARE(answered[0] + answered[1], 60);
    QVERIFY(answered[0] > 0 && answered[1] > 0);
}

void TestNatsCFeatures::nobodyAnswers()
{
    natsMsg* raw = nullptr;
    const natsStatus status =
        natsConnection_RequestString(&raw, m_connection.get(), "nobody", "x", kPatienceMs);
    QCOMPARE(int(status), int(NATS_NO_RESPONDERS));
}

void TestNatsCFeatures::expectationsAreChecked()
{
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    addStream(config, "S", "s.>");
    jsPubOptions options;
    const auto codeOf = [&] {
        jsErrCode code{};
        js_Publish(nullptr, m_js.get(), "s.a", "x", 1, &options, &code);
        return int(code);
    };
    jsPubOptions_Init(&options);
    options.ExpectStream = "T";
    QCOMPARE(codeOf(), 10060);
    jsPubOptions_Init(&options);
    options.ExpectLastSeq = 9;
    QCOMPARE(codeOf(), 10071);
    jsPubOptions_Init(&options);
    options.ExpectLastMsgId = "x";
    QCOMPARE(codeOf(), 10070);
    jsPubOptions_Init(&options);
    options.ExpectStream = "S";
    options.MsgId = "first";
    QCOMPARE(codeOf(), 0);
    jsPubOptions_Init(&options);
    options.ExpectLastMsgId = "first";
    options.ExpectLastSeq = 1;
    QCOMPARE(codeOf(), 0);
}

void TestNatsCFeatures::asyncAcksReachTheHandler()
{
    struct Seen
    {
        std::atomic<int> acks{0};
        std::atomic<int> errors{0};
    } seen;
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.AckHandlerClosure = &seen;
    options.PublishAsync.AckHandler =
        [](jsCtx*, natsMsg* message, jsPubAck* ack, jsPubAckErr*, void* closure) {
            auto* counts = static_cast<Seen*>(closure);
            ++(ack != nullptr ? counts->acks : counts->errors);
            natsMsg_Destroy(message);
        };
    jsCtx* raw = nullptr;
    QVERIFY_OK(natsConnection_JetStream(&raw, m_connection.get(), &options));
    const Owned<jsCtx> js(raw);
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.MaxMsgSize = 10;
    addStream(config, "S", "s.>");
    for (int i = 0; i < 100; ++i)
        QVERIFY_OK(
            js_PublishAsync(js.get(), "s.a", "longer than ten", i % 10 == 0 ? 15 : 6, nullptr));
    jsPubOptions wait;
    jsPubOptions_Init(&wait);
    wait.MaxWait = kPatienceMs;
    QVERIFY_OK(js_PublishAsyncComplete(js.get(), &wait));
    QTRY_COMPARE(seen.acks + seen.errors, 100);
    QCOMPARE(seen.errors, 10);
}

void TestNatsCFeatures::anOrderedConsumerReadsInOrder()
{
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    addStream(config, "S", "s.>");
    fill("s.a", 500);
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Ordered = true;
    natsSubscription* raw = nullptr;
    QVERIFY_OK(js_SubscribeSync(&raw, m_js.get(), "s.>", nullptr, &options, nullptr));
    const Owned<natsSubscription> sub(raw);
    for (int i = 1; i <= 500; ++i) {
        Owned<natsMsg> message;
        next(message, sub.get());
        QVERIFY(message);
        QCOMPARE(dataOf(message.get()), QByteArray::number(i));
    }
}

void TestNatsCFeatures::aPushQueueGroupShares()
{
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    addStream(config, "S", "s.>");
    std::array<std::atomic<int>, 2> taken{};
    std::array<Owned<natsSubscription>, 2> subs;
    for (std::size_t i = 0; i < subs.size(); ++i) {
        jsSubOptions options;
        jsSubOptions_Init(&options);
        options.Queue = "group";
        natsSubscription* raw = nullptr;
        QVERIFY_OK(js_Subscribe(
            &raw,
            m_js.get(),
            "s.>",
            [](natsConnection*, natsSubscription*, natsMsg* message, void* count) {
                ++*static_cast<std::atomic<int>*>(count);
                natsMsg_Destroy(message); // acknowledged by the library
            },
            &taken[i],
            nullptr,
            &options,
            nullptr));
        subs[i].reset(raw);
    }
    fill("s.a", 60);
    QTRY_COMPARE_WITH_TIMEOUT(taken[0] + taken[1], 60, int(kPatienceMs));
    QVERIFY(taken[0] > 0 && taken[1] > 0);
}

void TestNatsCFeatures::startsAndFilters()
{
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    addStream(config, "S", "s.>");
    fill("s.a", 3);
    fill("s.b", 3);
    struct Row
    {
        const char* filter;
        jsDeliverPolicy policy;
        std::uint64_t start;
        QList<std::uint64_t> want;
    };
    for (const Row& row : {Row{"s.>", js_DeliverAll, 0, {1, 2, 3, 4, 5, 6}},
             Row{"s.a", js_DeliverAll, 0, {1, 2, 3}},
             Row{"s.>", js_DeliverLast, 0, {6}},
             Row{"s.>", js_DeliverLastPerSubject, 0, {3, 6}},
             Row{"s.>", js_DeliverByStartSequence, 5, {5, 6}}}) {
        jsSubOptions options;
        jsSubOptions_Init(&options);
        options.Config.DeliverPolicy = row.policy;
        options.Config.OptStartSeq = row.start;
        natsSubscription* raw = nullptr;
        QVERIFY_OK(js_SubscribeSync(&raw, m_js.get(), row.filter, nullptr, &options, nullptr));
        const Owned<natsSubscription> sub(raw);
        for (const std::uint64_t seq : row.want) {
            Owned<natsMsg> message;
            next(message, sub.get());
            QVERIFY(message);
            QCOMPARE(interop::sequenceOf(message.get()), seq);
        }
    }
}

void TestNatsCFeatures::purgesAndReadsDirectly()
{
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.AllowDirect = true;
    addStream(config, "S", "s.>");
    fill("s.a", 10);
    fill("s.b", 10);
    jsDirectGetMsgOptions get;
    jsDirectGetMsgOptions_Init(&get);
    get.LastBySubject = "s.a";
    natsMsg* raw = nullptr;
    QVERIFY_OK(js_DirectGetMsg(&raw, m_js.get(), "S", nullptr, &get));
    QCOMPARE(natsMsg_GetSequence(raw), std::uint64_t(10));
    natsMsg_Destroy(raw);
    QVERIFY_OK(js_DeleteMsg(m_js.get(), "S", 20, nullptr, nullptr));
    jsErrCode code{};
    QVERIFY(js_GetMsg(&raw, m_js.get(), "S", 20, nullptr, &code) != NATS_OK);
    QCOMPARE(int(code), 10037);
    jsOptions options;
    jsOptions_Init(&options);
    options.Stream.Purge.Subject = "s.a";
    QVERIFY_OK(js_PurgeStream(m_js.get(), "S", &options, nullptr));
    jsOptions_Init(&options);
    options.Stream.Purge.Keep = 4;
    QVERIFY_OK(js_PurgeStream(m_js.get(), "S", &options, nullptr));
    jsStreamInfo* rawInfo = nullptr;
    QVERIFY_OK(js_GetStreamInfo(&rawInfo, m_js.get(), "S", nullptr, nullptr));
    const Owned<jsStreamInfo> info(rawInfo);
    QCOMPARE(info->State.Msgs, std::uint64_t(4));
    QCOMPARE(info->State.FirstSeq, std::uint64_t(16));
}

void TestNatsCFeatures::aMirrorAndASource()
{
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    addStream(config, "ORDERS", "orders.>");
    jsStreamSource source;
    jsStreamSource_Init(&source);
    source.Name = "ORDERS";
    jsStreamConfig_Init(&config);
    config.Mirror = &source;
    addStream(config, "BACKUP");
    jsStreamSource* sources = &source;
    jsStreamConfig_Init(&config);
    config.Sources = &sources;
    config.SourcesLen = 1;
    addStream(config, "GLOBAL");
    fill("orders.created", 20);
    const auto count = [this](const char* stream) {
        jsStreamInfo* raw = nullptr;
        if (js_GetStreamInfo(&raw, m_js.get(), stream, nullptr, nullptr) != NATS_OK)
            return std::uint64_t(0);
        return Owned<jsStreamInfo>(raw)->State.Msgs;
    };
    QTRY_COMPARE_WITH_TIMEOUT(count("BACKUP"), std::uint64_t(20), int(kPatienceMs));
    QTRY_COMPARE_WITH_TIMEOUT(count("GLOBAL"), std::uint64_t(20), int(kPatienceMs));
}

void TestNatsCFeatures::createBucket(Owned<kvStore>& kv, kvConfig& config, const char* bucket)
{
    config.Bucket = bucket;
    m_streams.insert(std::string("KV_") + bucket);
    kvStore* raw = nullptr;
    QVERIFY_OK(js_CreateKeyValue(&raw, m_js.get(), &config));
    kv.reset(raw);
}

void TestNatsCFeatures::keyValueWatchAndHistory()
{
    kvConfig config;
    kvConfig_Init(&config);
    config.History = 5;
    Owned<kvStore> kv;
    createBucket(kv, config, "watched");
    for (const char* value : {"1", "2", "3"})
        QVERIFY_OK(kvStore_PutString(nullptr, kv.get(), "a.x", value));
    kvWatchOptions options;
    kvWatchOptions_Init(&options);
    options.IncludeHistory = true;
    kvWatcher* rawWatcher = nullptr;
    QVERIFY_OK(kvStore_Watch(&rawWatcher, kv.get(), "a.*", &options));
    const Owned<kvWatcher> watcher(rawWatcher);
    QByteArrayList seen;
    const auto take = [&](int count) {
        for (int i = 0; i < count; ++i) {
            kvEntry* raw = nullptr;
            QVERIFY_OK(kvWatcher_Next(&raw, watcher.get(), kPatienceMs));
            const Owned<kvEntry> entry(raw); // null once what was there is told
            if (!entry)
                seen << "|";
            else if (kvEntry_Operation(entry.get()) == kvOp_Put)
                seen << QByteArray(kvEntry_ValueString(entry.get()));
            else
                seen << (kvEntry_Operation(entry.get()) == kvOp_Delete ? "deleted" : "purged");
        }
    };
    take(4);
    QVERIFY_OK(kvStore_PutString(nullptr, kv.get(), "b.x", "not watched"));
    QVERIFY_OK(kvStore_CreateString(nullptr, kv.get(), "a.y", "live"));
    QVERIFY_OK(kvStore_Delete(kv.get(), "a.y"));
    QVERIFY_OK(kvStore_Purge(kv.get(), "a.x", nullptr));
    take(3);
    QCOMPARE(seen.join(' '), QByteArray("1 2 3 | live deleted purged"));
    kvKeysList keys{};
    QVERIFY_OK(kvStore_Keys(&keys, kv.get(), nullptr));
    QCOMPARE(keys.Count, 1);
    QCOMPARE(QByteArray(keys.Keys[0]), QByteArray("b.x"));
    kvKeysList_Destroy(&keys);
    kvPurgeOptions purge;
    kvPurgeOptions_Init(&purge);
    purge.DeleteMarkersOlderThan = -1;
    {
        [[maybe_unused]] const ForgivenLeaks leaks; // an entry for each marker, in nats.c 3.4
        QVERIFY_OK(kvStore_PurgeDeletes(kv.get(), &purge));
    }
    kvEntryList history{};
    QCOMPARE(int(kvStore_History(&history, kv.get(), "a.x", nullptr)), int(NATS_NOT_FOUND));
}

void TestNatsCFeatures::keysExpireWithTheirBucket()
{
    kvConfig config;
    kvConfig_Init(&config);
    config.TTL = 300'000'000;
    Owned<kvStore> kv;
    createBucket(kv, config, "short");
    QVERIFY_OK(kvStore_PutString(nullptr, kv.get(), "k", "v"));
    const auto gone = [&] {
        kvEntry* raw = nullptr;
        const natsStatus status = kvStore_Get(&raw, kv.get(), "k");
        kvEntry_Destroy(raw);
        return status == NATS_NOT_FOUND;
    };
    QTRY_VERIFY_WITH_TIMEOUT(gone(), int(kPatienceMs));
}

QTEST_GUILESS_MAIN(TestNatsCFeatures)
#include "tst_nats_c_features.moc"
