// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream_bench.h"
#include "streams/decimal.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using jetglass::streams::Decimal;
using jetglass::tests::StreamBench;

class tst_Counter : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<StreamBench>(m_folder->path().toStdString());
    }
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void reads_data();
    void reads();
    void adds_data();
    void adds();
    void counts();
    void countsInOneTurn();
    void refuses_data();
    void refuses();
    void refusesBrokenValues();
    void keepsTheSizeLimit();
    void addsWhatASourceGained();
    void startsAnewAfterAPurge();
    void comesBackAfterARestart();

private:
    std::string count(const std::string& subject, const std::string& by)
    {
        return m_bench->publish(subject, {}, "Nats-Incr: " + by);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StreamBench> m_bench;
};

void tst_Counter::reads_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value"); // null = not a number
    QTest::newRow("plain") << "12"
                           << "12";
    QTest::newRow("plus") << "+12"
                          << "12";
    QTest::newRow("minus") << "-12"
                           << "-12";
    QTest::newRow("zeros") << "-0012"
                           << "-12";
    QTest::newRow("minus zero") << "-000"
                                << "0";
    QTest::newRow("large") << "340282366920938463463374607431768211456"
                           << "340282366920938463463374607431768211456";
    for (const char* text : {"", "-", "+", "1.5", "1e3", " 1", "1 ", "0x1", "--1", "1_000"})
        QTest::newRow(text[0] == 0 ? "empty" : text) << text << QString();
}

void tst_Counter::reads()
{
    QFETCH(QString, text);
    QFETCH(QString, value);
    const auto read = Decimal::parse(text.toStdString());
    QCOMPARE(read.has_value(), !value.isNull());
    if (read)
        QCOMPARE(QString::fromStdString(read->text()), value);
}

void tst_Counter::adds_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QString>("sum");
    QTest::addColumn<QString>("difference");
    QTest::newRow("small") << "2"
                           << "3"
                           << "5"
                           << "-1";
    QTest::newRow("carry") << "999"
                           << "1"
                           << "1000"
                           << "998";
    QTest::newRow("borrow") << "1000"
                            << "-1"
                            << "999"
                            << "1001";
    QTest::newRow("both negative") << "-7"
                                   << "-8"
                                   << "-15"
                                   << "1";
    QTest::newRow("to zero") << "-7"
                             << "7"
                             << "0"
                             << "-14";
    QTest::newRow("nothing from nothing") << "0"
                                          << "0"
                                          << "0"
                                          << "0";
    QTest::newRow("sign changes") << "5"
                                  << "-12"
                                  << "-7"
                                  << "17";
    QTest::newRow("above 64 bits") << "18446744073709551615"
                                   << "1"
                                   << "18446744073709551616"
                                   << "18446744073709551614";
}

void tst_Counter::adds()
{
    QFETCH(QString, a);
    QFETCH(QString, b);
    const Decimal left = Decimal::parse(a.toStdString()).value();
    const Decimal right = Decimal::parse(b.toStdString()).value();
    QTEST(QString::fromStdString(left.plus(right).text()), "sum");
    QTEST(QString::fromStdString(right.plus(left).text()), "sum");
    QTEST(QString::fromStdString(left.minus(right).text()), "difference");
}

void tst_Counter::counts()
{
    m_bench->create(R"("subjects":["c.>"],"allow_msg_counter":true)");
    QCOMPARE(count("c.a", "1"), std::string(R"({"stream":"S","seq":1,"val":"1"})"));
    QCOMPARE(count("c.a", "-3"), std::string(R"({"stream":"S","seq":2,"val":"-2"})"));
    QCOMPARE(count("c.b", "+7"), std::string(R"({"stream":"S","seq":3,"val":"7"})"));
    QCOMPARE(count("c.a", "0"), std::string(R"({"stream":"S","seq":4,"val":"-2"})"));
    store::MessageView message;
    QVERIFY(m_bench->stream().store().load(StreamSeq(4), message));
    QCOMPARE(std::string(message.payload), std::string(R"({"val":"-2"})"));
    QCOMPARE(std::string(message.headers), std::string("NATS/1.0\r\nNats-Incr: 0\r\n\r\n"));
}

void tst_Counter::countsInOneTurn()
{
    m_bench->create(R"("subjects":["c"],"allow_msg_counter":true)");
    m_bench->stage("c", {}, "Nats-Incr: 5");
    const std::string second = m_bench->stage("c", {}, "Nats-Incr: 6");
    m_bench->run();
    QCOMPARE(
        m_bench->bus->lastPayload(second), std::string(R"({"stream":"S","seq":2,"val":"11"})"));
}

void tst_Counter::refuses_data()
{
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("payload");
    QTest::addColumn<QString>("headers");
    QTest::addColumn<int>("code");
    QTest::newRow("no counter stream") << "p"
                                       << ""
                                       << "Nats-Incr: 1" << 10168;
    QTest::newRow("not a number comes first") << "p"
                                              << ""
                                              << "Nats-Incr: x" << 10171;
    QTest::newRow("payload") << "c"
                             << "x"
                             << "Nats-Incr: 1" << 10170;
    QTest::newRow("no increment") << "c"
                                  << ""
                                  << "A: b" << 10169;
    QTest::newRow("no headers") << "c"
                                << "x"
                                << "" << 10169;
    QTest::newRow("rollup") << "c"
                            << ""
                            << "Nats-Incr: 1\r\nNats-Rollup: sub" << 10171;
    QTest::newRow("expectation") << "c"
                                 << ""
                                 << "Nats-Incr: 1\r\nNats-Expected-Last-Sequence: 0" << 10171;
    QTest::newRow("duplicate") << "c"
                               << ""
                               << "Nats-Incr: 1\r\nNats-Msg-Id: a" << 0;
}

void tst_Counter::refuses()
{
    QFETCH(QString, subject);
    QFETCH(QString, payload);
    QFETCH(QString, headers);
    m_bench->create(R"("subjects":["c"],"allow_msg_counter":true,"allow_rollup_hdrs":true)");
    m_bench->create(R"("subjects":["p"])", "P");
    const std::string ack =
        m_bench->publish(subject.toStdString(), payload.toStdString(), headers.toStdString());
    QTEST(m_bench->errorOf(ack), "code");
}

void tst_Counter::refusesBrokenValues()
{
    // A plain stream holds something else, and a counter copies it.
    m_bench->create(R"("subjects":["o"])", "O");
    m_bench->publish("o", "no counter", "A: b");
    m_bench->create(R"("allow_msg_counter":true,"sources":[{"name":"O"}])");
    m_bench->advance(200);
    CHECK_JSON(m_bench->state()["messages"], 0);
}

void tst_Counter::keepsTheSizeLimit()
{
    // What is stored is larger than what came.
    m_bench->create(R"("subjects":["c"],"allow_msg_counter":true,"max_msg_size":37)");
    QCOMPARE(m_bench->errorOf(count("c", "1")), 0);
    QCOMPARE(m_bench->errorOf(count("c", "9")), 10054);
}

void tst_Counter::addsWhatASourceGained()
{
    m_bench->create(R"("subjects":["o.>"],"allow_msg_counter":true)", "O");
    count("o.a", "3");
    count("o.a", "4");
    m_bench->create(
        R"("subjects":["s.>"],"allow_msg_counter":true,
            "sources":[{"name":"O","subject_transforms":[{"src":"o.>","dest":"s.>"}]}])");
    m_bench->advance(200);
    QCOMPARE(count("s.a", "10"), std::string(R"({"stream":"S","seq":3,"val":"17"})"));
    count("o.a", "1");
    QCOMPARE(count("s.a", "0"), std::string(R"({"stream":"S","seq":5,"val":"18"})"));
    store::MessageView message;
    QVERIFY(m_bench->stream().store().load(StreamSeq(4), message));
    const QString headers =
        QString::fromUtf8(message.headers.data(), static_cast<qsizetype>(message.headers.size()));
    QVERIFY2(headers.startsWith(QLatin1String(
                 "NATS/1.0\r\nNats-Incr: 1\r\nNats-Counter-Sources: {\"O\":{\"o.a\":\"8\"}}\r\n"))
            || headers.contains(QLatin1String("Nats-Counter-Sources: {\"O\":{\"o.a\":\"8\"}}")),
        qPrintable(headers));
}

void tst_Counter::startsAnewAfterAPurge()
{
    m_bench->create(R"("subjects":["c"],"allow_msg_counter":true)");
    count("c", "5");
    count("c", "5");
    m_bench->request("STREAM.MSG.DELETE.S", R"({"seq":2})");
    QCOMPARE(count("c", "1"), std::string(R"({"stream":"S","seq":3,"val":"6"})"));
    m_bench->request("STREAM.PURGE.S");
    QCOMPARE(count("c", "1"), std::string(R"({"stream":"S","seq":4,"val":"1"})"));
}

void tst_Counter::comesBackAfterARestart()
{
    m_bench->create(R"("subjects":["c"],"allow_msg_counter":true)");
    count("c", "5");
    m_bench->restart();
    QCOMPARE(count("c", "2"), std::string(R"({"stream":"S","seq":2,"val":"7"})"));
}

QTEST_GUILESS_MAIN(tst_Counter)
#include "tst_counter.moc"
