// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/message_notes.h"
#include "text/quantity.h"

#include <QLocale>
#include <QStringList>
#include <QTest>

using namespace jetglass;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kSecond = 1'000'000'000;
constexpr qint64 kStored = 1'700'000'000 * kSecond;

QString plain(QString text)
{
    return text.replace(QChar(0xA0), QLatin1Char(' '));
}

StreamConfig everything()
{
    StreamConfig config;
    config.allowMsgCounter = true;
    config.allowMsgSchedules = true;
    config.allowMsgTtl = true;
    config.duplicateWindow = 120 * kSecond;
    return config;
}

MessageRow message(const QString& headers, const QString& payload = {})
{
    MessageRow row;
    row.seq = StreamSeq(7);
    row.time = kStored;
    row.subject = "orders.new";
    if (!headers.isEmpty()) {
        row.headers = "NATS/1.0\r\n";
        for (const QString& line : headers.split(u'\n'))
            row.headers += line.toStdString() + "\r\n";
        row.headers += "\r\n";
    }
    row.payload = payload.toStdString();
    return row;
}

} // namespace

class TestMessageNotes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void headersInWords_data();
    void headersInWords();
    void whatTheBrokerSays();
    void nothingWithoutTheStreamsLeave();
};

void TestMessageNotes::initTestCase()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    text::showUtc(true);
}

void TestMessageNotes::headersInWords_data()
{
    QTest::addColumn<QString>("headers");
    QTest::addColumn<QString>("payload");
    QTest::addColumn<QString>("brief");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("none") << ""
                          << "x"
                          << ""
                          << "";
    QTest::newRow("of the user") << "Trace: 1"
                                 << "x"
                                 << ""
                                 << "";
    QTest::newRow("the case counts") << "nats-incr: 1"
                                     << R"({"val":"1"})"
                                     << ""
                                     << "";
    QTest::newRow("counter") << "Nats-Incr: +5"
                             << R"({"val":"42"})"
                             << "counter at 42 (+5)"
                             << "The counter of its subject stands at 42 after +5 (Nats-Incr).";
    QTest::newRow("counter without sign")
        << "Nats-Incr: 5"
        << R"({"val":"123456789012345678901234567890"})"
        << "counter at 123456789012345678901234567890 (+5)"
        << "The counter of its subject stands at 123456789012345678901234567890 after +5 "
           "(Nats-Incr).";
    QTest::newRow("counter down")
        << "Nats-Incr: -5"
        << R"({"val":"-3"})"
        << "counter at -3 (-5)"
        << "The counter of its subject stands at -3 after -5 (Nats-Incr).";
    QTest::newRow("schedule that is over")
        << "Nats-Schedule: @every 10s\nNats-Schedule-Target: jobs.x"
        << "x"
        << "schedule @every 10s → jobs.x"
        << "A schedule: @every 10s stores a message on jobs.x (Nats-Schedule). It is over.";
    QTest::newRow("stored by one that ended")
        << "Nats-Scheduler: jobs.at\nNats-Schedule-Next: purge"
        << "x"
        << "from schedule jobs.at"
        << "Stored by the schedule on jobs.at (Nats-Scheduler). The schedule ended with it.";
    QTest::newRow("stored by one that goes on")
        << "Nats-Scheduler: jobs.at\nNats-Schedule-Next: 2023-11-14T22:15:00Z"
        << "x"
        << "from schedule jobs.at"
        << "Stored by the schedule on jobs.at (Nats-Scheduler). The schedule's next time was to be "
           "22:15:00.000.";
    QTest::newRow("delete marker")
        << "Nats-Marker-Reason: MaxAge\nNats-Rollup: sub"
        << ""
        << "delete marker: MaxAge"
        << "A delete marker: the last message of its subject became too old (Nats-Marker-Reason).\n"
           "It replaced all earlier messages of its subject (Nats-Rollup).";
    QTest::newRow("deleted key")
        << "KV-Operation: DEL"
        << ""
        << "key deleted"
        << "The key of a bucket was deleted; its history stays (KV-Operation).";
    QTest::newRow("rollup of all")
        << "Nats-Rollup: all"
        << "x"
        << "rollup"
        << "It replaced all earlier messages of the stream (Nats-Rollup).";
    QTest::newRow("never") << "Nats-TTL: never"
                           << "x"
                           << "TTL never"
                           << "No age takes it: max_age does not count for it (Nats-TTL: never).";
    QTest::newRow("copy") << "Nats-Stream-Source: ORIGIN:a1b2 1234 > > orders.new"
                          << "x"
                          << "from ORIGIN"
                          << "Copied from ORIGIN, where it has the sequence 1,234 "
                             "(Nats-Stream-Source).";
    QTest::newRow("copy under another subject") << "Nats-Stream-Source: ORIGIN 3 > > raw.new"
                                                << "x"
                                                << "from ORIGIN"
                                                << "Copied from ORIGIN, where it has the sequence "
                                                   "3 (Nats-Stream-Source). Its subject there "
                                                   "is raw.new.";
    QTest::newRow("end of a batch")
        << "Nats-Batch-Id: b7\nNats-Batch-Sequence: 3\nNats-Batch-Commit: 1"
        << "x"
        << "batch 3"
        << "Number 3 of the batch b7 (Nats-Batch-Id). It committed the batch.";
    QTest::newRow("message id") << "Nats-Msg-Id: o-1"
                                << "x"
                                << ""
                                << "Its message id is o-1: for another 1 min 50 s a second one is "
                                   "dropped as a duplicate (duplicate_window).";
}

void TestMessageNotes::headersInWords()
{
    QFETCH(QString, headers);
    QFETCH(QString, payload);
    QStringList briefs;
    QStringList sentences;
    for (const text::MessageNote& note :
        text::messageNotes(message(headers, payload), everything(), kStored + 10 * kSecond)) {
        if (!note.brief.isEmpty())
            briefs << note.brief;
        sentences << plain(note.sentence);
    }
    QTEST(plain(briefs.join(u'|')), "brief");
    QTEST(sentences.join(u'\n'), "sentence");
}

void TestMessageNotes::whatTheBrokerSays()
{
    MessageRow row = message(u"Nats-TTL: 30"_s);
    row.endsBy = Removal::Ttl;
    row.endsAt = kStored + 30 * kSecond;
    auto notes = text::messageNotes(row, everything(), kStored + 10 * kSecond);
    QCOMPARE(notes.size(), std::size_t{1});
    QCOMPARE(notes[0].brief, u"TTL 30s"_s);
    QCOMPARE(plain(notes[0].sentence), u"It goes in 20 s by its own TTL of 30s (Nats-TTL)."_s);
    row = message({});
    row.endsBy = Removal::MaxAge;
    row.endsAt = kStored + 3600 * kSecond;
    notes = text::messageNotes(row, {}, kStored);
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY(notes[0].brief.isEmpty());
    QCOMPARE(plain(notes[0].sentence), u"It goes in 1 h by max_age."_s);
    row = message(u"Nats-Schedule: @every 10s\nNats-Schedule-Target: jobs.x\n"
                  "Nats-Schedule-Source: jobs.template"_s);
    row.firesAt = kStored + 8 * kSecond;
    notes = text::messageNotes(row, everything(), kStored);
    QCOMPARE(plain(notes.at(0).sentence),
        u"A schedule: @every 10s stores a message on jobs.x (Nats-Schedule). It takes the content "
        u"of "
        "the last message on jobs.template. Next in 8 s."_s);
}

/// The headers mean nothing to a stream that does not have the feature.
void TestMessageNotes::nothingWithoutTheStreamsLeave()
{
    const MessageRow row =
        message(u"Nats-Incr: 1\nNats-Schedule: @every 10s\nNats-TTL: never"_s, uR"({"val":"1"})"_s);
    QVERIFY(text::messageNotes(row, StreamConfig{}, kStored).empty());
}

QTEST_MAIN(TestMessageNotes)
#include "tst_message_notes.moc"
