// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/subject_text.h"
#include "controllers/replay_controller.h"
#include "controllers/replay_plan.h"

#include <QTest>

using namespace jetglass;
using namespace jetglass::controllers;

class TestReplayPlan : public QObject
{
    Q_OBJECT
private slots:
    void namesTargets();
    void dropsIdsUnlessAsked();
    void keepsThePace_data();
    void keepsThePace();
    void findsCaptureAndLoops_data();
    void findsCaptureAndLoops();
    void readsTimes_data();
    void readsTimes();
    void comparesSubjects_data();
    void comparesSubjects();
};

namespace {

StreamOverview stream(
    const char* name, std::vector<std::string> subjects, const char* source = nullptr)
{
    StreamOverview s;
    s.name = name;
    s.config.name = name;
    s.config.subjects = std::move(subjects);
    if (source) {
        StreamSource from;
        from.name = source;
        s.config.sources.push_back(from);
    }
    return s;
}

} // namespace

void TestReplayPlan::namesTargets()
{
    ReplayPlan p;
    QCOMPARE(replaySubject(p, QStringLiteral("orders.a")), QStringLiteral("replay.orders.a"));
    p.fixedSubject = QStringLiteral("test.in");
    QCOMPARE(replaySubject(p, QStringLiteral("orders.a")), QStringLiteral("test.in"));
}

void TestReplayPlan::dropsIdsUnlessAsked()
{
    const QList<client::Header> headers{{QStringLiteral("Nats-Msg-Id"), QStringLiteral("1")},
        {QStringLiteral("Nats-Expected-Last-Sequence"), QStringLiteral("7")},
        {QStringLiteral("Nats-Sequence"), QStringLiteral("8")},
        {QStringLiteral("Nats-TTL"), QStringLiteral("30s")},
        {QStringLiteral("Trace"), QStringLiteral("abc")}};
    ReplayPlan p;
    const QList<client::Header> without{headers[3], headers[4]};
    QCOMPARE(replayHeaders(p, headers), without);
    p.keepIds = true;
    const QList<client::Header> with{headers[0], headers[1], headers[3], headers[4]};
    QCOMPARE(replayHeaders(p, headers), with);
}

void TestReplayPlan::keepsThePace_data()
{
    QTest::addColumn<double>("speed");
    QTest::addColumn<qint64>("before");
    QTest::addColumn<qint64>("after");
    QTest::addColumn<qint64>("wait");
    QTest::newRow("as it was") << 1.0 << qint64(1000) << qint64(4000) << qint64(3000);
    QTest::newRow("three times as fast") << 3.0 << qint64(1000) << qint64(4000) << qint64(1000);
    QTest::newRow("half as fast") << 0.5 << qint64(1000) << qint64(4000) << qint64(6000);
    QTest::newRow("as fast as possible") << 0.0 << qint64(1000) << qint64(4000) << qint64(0);
    QTest::newRow("the first one does not wait") << 1.0 << qint64(0) << qint64(4000) << qint64(0);
    QTest::newRow("a clock that went back") << 1.0 << qint64(4000) << qint64(1000) << qint64(0);
}

void TestReplayPlan::keepsThePace()
{
    QFETCH(double, speed);
    QFETCH(qint64, before);
    QFETCH(qint64, after);
    ReplayPlan p;
    p.speed = speed;
    QTEST(replayDelay(p, before, after), "wait");
}

void TestReplayPlan::findsCaptureAndLoops_data()
{
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<QString>("fixed");
    QTest::addColumn<QString>("captured");
    QTest::addColumn<bool>("loop");
    QTest::newRow("nobody captures the proposal")
        << QStringLiteral("free") << QString() << QString() << false;
    QTest::newRow("another stream captures it")
        << QStringLiteral("replay") << QString() << QStringLiteral("COPY") << false;
    QTest::newRow("the stream itself captures it")
        << QString() << QStringLiteral("orders.again") << QStringLiteral("ORDERS") << true;
    QTest::newRow("a prefix inside its own subjects")
        << QStringLiteral("orders") << QString() << QStringLiteral("ORDERS") << true;
    QTest::newRow("a stream it sources from captures it")
        << QString() << QStringLiteral("raw.x") << QStringLiteral("RAW") << true;
    QTest::newRow("a stream two steps away captures it")
        << QString() << QStringLiteral("deep.x") << QStringLiteral("DEEP") << true;
}

void TestReplayPlan::findsCaptureAndLoops()
{
    const std::vector<StreamOverview> streams{stream("COPY", {"replay.>"}),
        stream("DEEP", {"deep.*"}),
        stream("ORDERS", {"orders.>"}, "RAW"),
        stream("RAW", {"raw.*"}, "DEEP")};
    QFETCH(QString, prefix);
    QFETCH(QString, fixed);
    ReplayPlan p;
    p.stream = QStringLiteral("ORDERS");
    p.filter = QStringLiteral("orders.*");
    p.prefix = prefix;
    p.fixedSubject = fixed;
    const ReplayTarget t = replayTarget(p, streams);
    QTEST(t.capturedBy.join(QLatin1Char(' ')), "captured");
    QTEST(t.loop, "loop");
}

void TestReplayPlan::readsTimes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ns");
    QTest::newRow("whole seconds")
        << QStringLiteral("2026-01-31T08:00:00Z") << qint64(1769846400000000000);
    QTest::newRow("nine digits") << QStringLiteral("2026-01-31T08:00:00.123456789Z")
                                 << qint64(1769846400123456789);
    QTest::newRow("trailing zeros cut")
        << QStringLiteral("2026-01-31T08:00:00.5Z") << qint64(1769846400500000000);
    QTest::newRow("not a time") << QStringLiteral("yesterday") << qint64(0);
}

void TestReplayPlan::readsTimes()
{
    QFETCH(QString, text);
    QTEST(wallTimeFromText(text), "ns");
}

void TestReplayPlan::comparesSubjects_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<bool>("collide");
    const auto row = [](const char* a, const char* b, bool collide) {
        QTest::addRow("%s and %s", a, b)
            << QString::fromLatin1(a) << QString::fromLatin1(b) << collide;
    };
    row("a.b", "a.b", true);
    row("a.b", "a.c", false);
    row("a.*", "*.c", true);
    row("a.>", "a", false);
    row("a.>", "*.b.c", true);
    row(">", "x", true);
    row("a.*", "a.b.c", false);
    row("a*", "ab", false);
}

void TestReplayPlan::comparesSubjects()
{
    QFETCH(QString, a);
    QFETCH(QString, b);
    QTEST(client::subjectsCollide(a, b), "collide");
    QTEST(client::subjectsCollide(b, a), "collide");
}

QTEST_GUILESS_MAIN(TestReplayPlan)
#include "tst_replay_plan.moc"
