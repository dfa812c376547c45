// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/consumer_admin.h"
#include "client/stream_admin.h"
#include "controllers/consume_controller.h"
#include "controllers/publish_controller.h"
#include "controllers/replay_controller.h"
#include "scenes/scene.h"
#include "support/server_process.h"

#include <QDateTime>
#include <QJsonArray>
#include <QSignalSpy>
#include <QTest>

using namespace jetglass;
using namespace jetglass::controllers;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// The controllers against a real broker over TCP.
class TestControllers : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void saysWhyItCannotConnect();
    void publishesAndTellsDuplicates();
    void publishesManyAndCounts();
    void tellsRefusals();
    void tellsThatNobodyListens();
    void cancelsARun();
    void fetchesAndAnswers();
    void fetchEndsWithTheServersWords();
    void replaysARange_data();
    void replaysARange();
    void purges();
    void theExampleStands();

private:
    client::ApiAnswer wait(const std::function<void(client::ApiHandler)>& call);
    PublishProgress publish(const PublishJob& job);
    [[nodiscard]] quint64 messages(const QString& stream);
    static PublishJob job(const QString& subject, quint64 count);

    support::ServerProcess m_server;
    client::Connection m_connection;
};

void TestControllers::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.output().constData());
    client::ConnectOptions o;
    o.servers = {m_server.url()};
    m_connection.open(o);
    QTRY_VERIFY(m_connection.isConnected());
}

void TestControllers::init()
{
    for (const QString& name : {u"ORDERS"_s, u"COPY"_s})
        wait([&](auto h) { client::deleteStream(m_connection, name, this, h); });
    const QJsonObject config{{u"name"_s, u"ORDERS"_s},
        {u"subjects"_s, QJsonArray{u"orders.>"_s}},
        {u"storage"_s, u"memory"_s},
        {u"max_msgs"_s, 5000},
        {u"discard"_s, u"new"_s}};
    const client::ApiAnswer made =
        wait([&](auto h) { client::createStream(m_connection, config, this, h); });
    QVERIFY2(made.ok(), made.ok() ? "" : qPrintable(made.error->text()));
}

client::ApiAnswer TestControllers::wait(const std::function<void(client::ApiHandler)>& call)
{
    std::optional<client::ApiAnswer> answer;
    call([&](const client::ApiAnswer& a) { answer = a; });
    (void)QTest::qWaitFor([&] { return answer.has_value(); }, 6000);
    return answer.value_or(client::ApiAnswer{});
}

PublishJob TestControllers::job(const QString& subject, quint64 count)
{
    PublishJob j;
    j.message.subject = subject;
    j.message.payload = "{\"n\":{{counter}}}";
    j.count = count;
    return j;
}

PublishProgress TestControllers::publish(const PublishJob& job)
{
    PublishController c(&m_connection);
    QSignalSpy finished(&c, &PublishController::finished);
    c.start(job);
    (void)QTest::qWaitFor([&] { return finished.count() > 0; }, 20000);
    return c.progress();
}

quint64 TestControllers::messages(const QString& stream)
{
    const client::ApiAnswer a =
        wait([&](auto h) { client::streamInfo(m_connection, stream, this, h); });
    return static_cast<quint64>(
        a.json.value(u"state"_s).toObject().value(u"messages"_s).toInteger());
}

void TestControllers::saysWhyItCannotConnect()
{
    client::Connection c;
    client::ConnectOptions o;
    o.servers = {u"nats://127.0.0.1:1"_s};
    o.timeoutMs = 500;
    c.open(o);
    QTRY_COMPARE(c.state(), client::Connection::State::Failed);
    QVERIFY(c.stateText().contains(u"127.0.0.1:1"_s));
    // A request is answered all the same, so that no panel waits for ever.
    std::optional<client::Reply> reply;
    c.request({u"x"_s, {}, {}, {}, 0, {}}, 1000, this, [&](const client::Reply& r) { reply = r; });
    QTRY_VERIFY(reply.has_value());
    QCOMPARE(reply->outcome, client::Reply::Outcome::NotConnected);
}

void TestControllers::publishesAndTellsDuplicates()
{
    PublishJob j = job(u"orders.created"_s, 1);
    j.message.headers = {{u"Nats-Msg-Id"_s, u"order-{{counter}}"_s}};
    const PublishProgress first = publish(j);
    QCOMPARE(first.stored, quint64(1));
    const PublishProgress second = publish(j);
    QCOMPARE(second.stored, quint64(0));
    QCOMPARE(second.duplicates, quint64(1));
    QCOMPARE(messages(u"ORDERS"_s), quint64(1));
}

void TestControllers::publishesManyAndCounts()
{
    const PublishProgress p = publish(job(u"orders.{{counter}}"_s, 2000));
    QCOMPARE(p.sent, quint64(2000));
    QCOMPARE(p.stored, quint64(2000));
    QCOMPARE(p.failed, quint64(0));
    QVERIFY(!p.running);
    QCOMPARE(messages(u"ORDERS"_s), quint64(2000));
}

void TestControllers::tellsRefusals()
{
    PublishController c(&m_connection);
    QSignalSpy answered(&c, &PublishController::answered);
    PublishJob j = job(u"orders.created"_s, 1);
    j.message.headers = {{u"Nats-Expected-Last-Sequence"_s, u"99"_s}};
    c.start(j);
    QTRY_COMPARE(answered.count(), 1);
    const auto ack = answered.first().at(1).value<client::PubAck>();
    QVERIFY(ack.error.has_value());
    QCOMPARE(ack.error->errCode, 10071);
    QCOMPARE(ack.error->description, u"wrong last sequence: 0"_s);
    QVERIFY(!ack.error->meaning().isEmpty());
    QCOMPARE(c.progress().failed, quint64(1));
}

void TestControllers::tellsThatNobodyListens()
{
    PublishController c(&m_connection);
    QSignalSpy answered(&c, &PublishController::answered);
    c.start(job(u"elsewhere"_s, 1));
    QTRY_COMPARE(answered.count(), 1);
    QCOMPARE(answered.first().at(1).value<client::PubAck>().error->kind,
        client::ApiError::Kind::NoResponders);
}

void TestControllers::cancelsARun()
{
    PublishController c(&m_connection);
    QSignalSpy finished(&c, &PublishController::finished);
    PublishJob j = job(u"orders.x"_s, 1000000);
    j.perSecond = 50;
    c.start(j);
    QTRY_VERIFY(c.progress().stored > 0);
    c.cancel();
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(c.progress().cancelled);
    QCOMPARE(c.progress().stored, c.progress().sent);
    QVERIFY(c.progress().sent < 1000);
}

void TestControllers::fetchesAndAnswers()
{
    QCOMPARE(publish(job(u"orders.created"_s, 5)).stored, quint64(5));
    const QJsonObject config{{u"durable_name"_s, u"payments"_s}, {u"ack_policy"_s, u"explicit"_s}};
    QVERIFY(wait([&](auto h) {
        client::createConsumer(
            m_connection, u"ORDERS"_s, config, client::ConsumerAction::Create, this, h);
    }).ok());
    qint64 now = 0;
    ConsumeController c(&m_connection, [&now] { return now; });
    c.setTerms({u"ORDERS"_s, u"payments"_s, 30s, {}, false});
    QSignalSpy ended(&c, &ConsumeController::fetchEnded);
    client::FetchRequest r;
    r.stream = u"ORDERS"_s;
    r.consumer = u"payments"_s;
    r.batch = 5;
    c.fetch(r);
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(c.held().size(), qsizetype(5));
    QCOMPARE(c.held()[0].info.streamSeq, quint64(1));
    QCOMPARE(c.held()[0].info.delivered, quint64(1));
    QCOMPARE(c.held()[0].info.pending, quint64(4));
    QCOMPARE(c.held()[0].dueAt, qint64(30000000000));

    using State = HeldMessage::State;
    const auto id = [&](qsizetype i) { return c.held()[i].id; };
    c.answer(id(0), client::AckKind::Ack);
    c.answer(id(1), client::AckKind::Nak);
    c.answer(id(2), client::AckKind::NakDelay, 3600s);
    now = 10000000000;
    c.answer(id(3), client::AckKind::InProgress);
    c.answer(id(4), client::AckKind::Term);
    QTRY_COMPARE(c.held()[0].state, State::Acked);
    QTRY_COMPARE(c.held()[1].state, State::Naked);
    QTRY_COMPARE(c.held()[2].state, State::Naked);
    QTRY_COMPARE(c.held()[3].extended, 1);
    QTRY_COMPARE(c.held()[4].state, State::Terminated);
    QCOMPARE(c.held()[3].dueAt, qint64(40000000000));

    // The plain nak is the only one that comes again now.
    r.noWait = true;
    c.fetch(r);
    QTRY_COMPARE(ended.count(), 2);
    QCOMPARE(c.held().size(), qsizetype(6));
    QCOMPARE(c.held()[5].info.streamSeq, quint64(2));
    QCOMPARE(c.held()[5].info.delivered, quint64(2));

    now = 100000000000;
    c.expire();
    QCOMPARE(c.held()[3].state, State::Expired);
    c.clearSettled();
    QVERIFY(c.held().isEmpty());
}

void TestControllers::fetchEndsWithTheServersWords()
{
    const QJsonObject config{{u"durable_name"_s, u"payments"_s}, {u"ack_policy"_s, u"explicit"_s}};
    QVERIFY(wait([&](auto h) {
        client::createConsumer(
            m_connection, u"ORDERS"_s, config, client::ConsumerAction::Create, this, h);
    }).ok());
    client::Fetcher f(&m_connection);
    QSignalSpy ended(&f, &client::Fetcher::ended);
    client::FetchRequest r;
    r.stream = u"ORDERS"_s;
    r.consumer = u"payments"_s;
    r.noWait = true;
    f.fetch(r);
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(ended.last().first().value<client::FetchEnd>().status, 404);
    r.consumer = u"nobody"_s;
    f.fetch(r);
    QTRY_COMPARE(ended.count(), 2);
    QCOMPARE(ended.last().first().value<client::FetchEnd>().status, 503);
}

void TestControllers::replaysARange_data()
{
    QTest::addColumn<bool>("direct");
    QTest::newRow("by DIRECT.GET") << true;
    QTest::newRow("by MSG.GET") << false;
}

void TestControllers::replaysARange()
{
    QFETCH(bool, direct);
    QJsonObject config{{u"name"_s, u"ORDERS"_s},
        {u"subjects"_s, QJsonArray{u"orders.>"_s}},
        {u"storage"_s, u"memory"_s},
        {u"max_msgs"_s, 5000},
        {u"discard"_s, u"new"_s},
        {u"allow_direct"_s, direct}};
    QVERIFY(wait([&](auto h) { client::updateStream(m_connection, config, this, h); }).ok());
    const QJsonObject copy{{u"name"_s, u"COPY"_s},
        {u"subjects"_s, QJsonArray{u"replay.>"_s}},
        {u"storage"_s, u"memory"_s}};
    QVERIFY(wait([&](auto h) { client::createStream(m_connection, copy, this, h); }).ok());
    PublishJob j = job(u"orders.{{counter}}"_s, 300);
    j.message.headers = {{u"Nats-Msg-Id"_s, u"id-{{counter}}"_s}, {u"Trace"_s, u"t{{counter}}"_s}};
    QCOMPARE(publish(j).stored, quint64(300));
    // A gap in the middle is stepped over.
    for (const quint64 seq : {quint64(50), quint64(51), quint64(52)})
        QVERIFY(wait([&](auto h) {
            client::deleteMessage(m_connection, u"ORDERS"_s, seq, false, this, h);
        }).ok());

    ReplayController c(&m_connection);
    QSignalSpy finished(&c, &ReplayController::finished);
    ReplayPlan plan;
    plan.stream = u"ORDERS"_s;
    plan.first = 41;
    plan.last = 260;
    plan.speed = 0;
    c.start(plan, direct, true);
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY2(!c.progress().error, c.progress().error ? qPrintable(c.progress().error->text()) : "");
    QCOMPARE(c.progress().published, quint64(217));
    QCOMPARE(c.progress().permille(), 1000);
    QCOMPARE(messages(u"COPY"_s), quint64(217));
    QCOMPARE(messages(u"ORDERS"_s), quint64(297));

    const client::ApiAnswer first = wait([&](auto h) {
        client::callApi(m_connection, u"STREAM.MSG.GET.COPY"_s, {{u"seq"_s, 1}}, this, h);
    });
    const QJsonObject m = first.json.value(u"message"_s).toObject();
    QCOMPARE(m.value(u"subject"_s).toString(), u"replay.orders.41"_s);
    const QByteArray headers = QByteArray::fromBase64(m.value(u"hdrs"_s).toString().toLatin1());
    QVERIFY(headers.contains("Trace: t41"));
    QVERIFY(!headers.contains("Nats-Msg-Id"));
    QVERIFY(!headers.contains("Nats-Sequence"));
}

void TestControllers::purges()
{
    QCOMPARE(publish(job(u"orders.{{counter}}"_s, 10)).stored, quint64(10));
    const client::ApiAnswer a = wait([&](auto h) {
        client::purgeStream(m_connection, u"ORDERS"_s, {0, 3, {}}, this, h);
    });
    QVERIFY(a.ok());
    QCOMPARE(a.json.value(u"purged"_s).toInteger(), qint64(7));
    QCOMPARE(messages(u"ORDERS"_s), quint64(3));
}

/// Its client is only about to connect when the scene begins.
void TestControllers::theExampleStands()
{
    QVERIFY(wait([&](auto h) { client::deleteStream(m_connection, u"ORDERS"_s, this, h); }).ok());
    scenes::Stage stage(m_server.url());
    std::optional<QString> problem;
    stage.play(u"example"_s, [&problem](const QString& words) { problem = words; });
    QTRY_VERIFY(problem.has_value());
    QCOMPARE(*problem, QString());
    QCOMPARE(messages(u"ORDERS"_s), quint64(5));
}

QTEST_GUILESS_MAIN(TestControllers)
#include "tst_controllers.moc"
