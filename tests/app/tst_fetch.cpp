// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/fetch.h"
#include "client/publish.h"

#include <QTest>

using namespace jetglass::client;
using namespace std::chrono_literals;

class TestFetch : public QObject
{
    Q_OBJECT
private slots:
    void readsAckSubjects_data();
    void readsAckSubjects();
    void refusesOtherSubjects_data();
    void refusesOtherSubjects();
    void writesAnswers();
    void writesRequests();
    void readsPubAcks_data();
    void readsPubAcks();
};

void TestFetch::readsAckSubjects_data()
{
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("domain");
    QTest::newRow("short form") << QStringLiteral(
        "$JS.ACK.ORDERS.payments.3.42.57.1700000000000000000.5")
                                << QString();
    QTest::newRow("long form without a domain")
        << QStringLiteral("$JS.ACK._.aabbccdd.ORDERS.payments.3.42.57.1700000000000000000.5")
        << QString();
    QTest::newRow("long form with a domain and a random token")
        << QStringLiteral("$JS.ACK.hub.aabbccdd.ORDERS.payments.3.42.57.1700000000000000000.5.xyz")
        << QStringLiteral("hub");
}

void TestFetch::readsAckSubjects()
{
    QFETCH(QString, subject);
    const auto info = parseAckSubject(subject);
    QVERIFY(info.has_value());
    QTEST(info->domain, "domain");
    QCOMPARE(info->stream, QStringLiteral("ORDERS"));
    QCOMPARE(info->consumer, QStringLiteral("payments"));
    QCOMPARE(info->delivered, quint64(3));
    QCOMPARE(info->streamSeq, quint64(42));
    QCOMPARE(info->consumerSeq, quint64(57));
    QCOMPARE(info->timestamp, qint64(1700000000000000000));
    QCOMPARE(info->pending, quint64(5));
    // Written back, it is the short form, which every server takes.
    QCOMPARE(
        ackSubject(*info), QStringLiteral("$JS.ACK.ORDERS.payments.3.42.57.1700000000000000000.5"));
}

void TestFetch::refusesOtherSubjects_data()
{
    QTest::addColumn<QString>("subject");
    QTest::newRow("an inbox") << QStringLiteral("_INBOX.a.b");
    QTest::newRow("too short") << QStringLiteral("$JS.ACK.ORDERS.payments.3.42.57.1");
    QTest::newRow("between the forms") << QStringLiteral("$JS.ACK._.ORDERS.payments.3.42.57.1.5");
    QTest::newRow("no number") << QStringLiteral("$JS.ACK.ORDERS.payments.x.42.57.1.5");
}

void TestFetch::refusesOtherSubjects()
{
    QFETCH(QString, subject);
    QVERIFY(!parseAckSubject(subject).has_value());
}

void TestFetch::writesAnswers()
{
    QCOMPARE(ackPayload(AckKind::Ack), QByteArray("+ACK"));
    QCOMPARE(ackPayload(AckKind::Nak), QByteArray("-NAK"));
    QCOMPARE(ackPayload(AckKind::NakDelay, 5s), QByteArray("-NAK {\"delay\":5000000000}"));
    QCOMPARE(ackPayload(AckKind::InProgress), QByteArray("+WPI"));
    QCOMPARE(ackPayload(AckKind::Term), QByteArray("+TERM"));
    QCOMPARE(ackNextPayload(3), QByteArray("+NXT {\"batch\":3}"));
}

void TestFetch::writesRequests()
{
    FetchRequest r;
    r.stream = QStringLiteral("ORDERS");
    r.consumer = QStringLiteral("payments");
    r.batch = 10;
    r.expires = 2s;
    QCOMPARE(r.subject(), QStringLiteral("$JS.API.CONSUMER.MSG.NEXT.ORDERS.payments"));
    QCOMPARE(r.toJson(),
        (QJsonObject{{QStringLiteral("batch"), 10}, {QStringLiteral("expires"), 2000000000}}));
    r.noWait = true;
    QCOMPARE(r.toJson(),
        (QJsonObject{{QStringLiteral("batch"), 10}, {QStringLiteral("no_wait"), true}}));
}

void TestFetch::readsPubAcks_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<QString>("result");
    QTest::newRow("stored") << QByteArray("{\"stream\":\"ORDERS\",\"seq\":55}")
                            << QStringLiteral("ORDERS 55 0 0");
    QTest::newRow("duplicate") << QByteArray(
        "{\"stream\":\"ORDERS\",\"seq\":55,\"duplicate\": true}")
                               << QStringLiteral("ORDERS 55 1 0");
    QTest::newRow("refused") << QByteArray(
        "{\"error\":{\"code\":400,\"err_code\":10071,\"description\":\"wrong last "
        "sequence: 1\"},\"stream\":\"ORDERS\",\"seq\":0}")
                             << QStringLiteral("ORDERS 0 0 10071");
}

void TestFetch::readsPubAcks()
{
    QFETCH(QByteArray, payload);
    Reply reply;
    reply.message.payload = payload;
    const PubAck ack = parsePubAck(reply);
    QTEST(QStringLiteral("%1 %2 %3 %4")
              .arg(ack.stream)
              .arg(ack.seq)
              .arg(ack.duplicate ? 1 : 0)
              .arg(ack.error ? ack.error->errCode : 0),
        "result");
}

QTEST_GUILESS_MAIN(TestFetch)
#include "tst_fetch.moc"
