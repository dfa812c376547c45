// SPDX-License-Identifier: GPL-3.0-or-later
// A replay waits as the publishers did. Both clocks are stepped: the broker's, which stamped the
// messages, and the one that the replay waits on.
#include "broker/broker.h"
#include "client/connection.h"
#include "controllers/replay_controller.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using controllers::ReplayController;
using controllers::ReplayPlan;

namespace {

constexpr qint64 kMs = 1'000'000;
constexpr qint64 kNever = -1;
/// Milliseconds between the messages as they were published.
constexpr int kGaps[] = {1000, 500, 3000};

class SteppedClock final : public controllers::PaceClock
{
public:
    void restart() override { m_now = 0; }
    [[nodiscard]] qint64 now() const override { return m_now; }
    void wakeAt(qint64 due, std::function<void()> wake) override
    {
        m_due = due;
        m_wake = std::move(wake);
    }
    void forget() override { m_due = kNever; }

    [[nodiscard]] qint64 due() const { return m_due; }
    void step(qint64 ns)
    {
        m_now += ns;
        if (m_due == kNever || m_due > m_now)
            return;
        m_due = kNever;
        const std::function<void()> wake = std::move(m_wake);
        wake();
    }

private:
    qint64 m_now = 0;
    qint64 m_due = kNever;
    std::function<void()> m_wake;
};

} // namespace

class TestReplayPace : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void waitsAsThePublishersDid_data();
    void waitsAsThePublishersDid();
    void isCancelledInTheMidst();
    void cleanupTestCase();

private:
    [[nodiscard]] bool ask(const char* subject, const QByteArray& payload);
    static ReplayPlan plan(double speed);

    QTemporaryDir m_folder;
    std::unique_ptr<Broker> m_broker;
    client::Connection m_connection;
};

bool TestReplayPace::ask(const char* subject, const QByteArray& payload)
{
    constexpr int kPatienceMs = 5000;
    client::Message message;
    message.subject = QString::fromLatin1(subject);
    message.payload = payload;
    std::optional<bool> good;
    m_connection.request(message, kPatienceMs, this, [&good](const client::Reply& reply) {
        good = reply.answered() && !reply.message.payload.contains("\"error\"");
    });
    return QTest::qWaitFor([&good] { return good.has_value(); }, kPatienceMs * 2) && *good;
}

ReplayPlan TestReplayPace::plan(double speed)
{
    ReplayPlan plan;
    plan.stream = QStringLiteral("ORDERS");
    plan.first = 1;
    plan.last = std::size(kGaps) + 1;
    plan.speed = speed;
    return plan;
}

void TestReplayPace::initTestCase()
{
    BrokerConfig config;
    config.port = -1;
    config.lab = true;
    config.log.quiet = true;
    config.jetstream.enabled = true;
    config.jetstream.storeDir = m_folder.path().toStdString();
    auto started = Broker::start(std::move(config));
    QVERIFY2(started.ok(), started.ok() ? "" : started.error().text.c_str());
    m_broker = std::move(*started);
    client::ConnectOptions options;
    options.servers = {QStringLiteral("nats://127.0.0.1:%1").arg(m_broker->port())};
    m_connection.open(options);
    QTRY_VERIFY(m_connection.isConnected());
    QVERIFY(ask("$JS.API.STREAM.CREATE.ORDERS",
        R"({"name":"ORDERS","subjects":["orders"],"storage":"memory","num_replicas":1})"));
    QVERIFY(ask("$LAB.CLOCK.PAUSE", {}));
    QVERIFY(ask("orders", "first"));
    for (const int gap : kGaps) {
        QVERIFY(ask("$LAB.CLOCK.ADVANCE", "{\"ms\":" + QByteArray::number(gap) + '}'));
        QVERIFY(ask("orders", "next"));
    }
}

void TestReplayPace::cleanupTestCase()
{
    m_connection.close();
    if (m_broker)
        m_broker->stop();
}

void TestReplayPace::waitsAsThePublishersDid_data()
{
    QTest::addColumn<double>("speed");
    QTest::addRow("at the original pace") << 1.0;
    QTest::addRow("twice as fast") << 2.0;
    QTest::addRow("half as fast") << 0.5;
}

void TestReplayPace::waitsAsThePublishersDid()
{
    QFETCH(double, speed);
    auto owned = std::make_unique<SteppedClock>();
    SteppedClock& clock = *owned;
    ReplayController replay(&m_connection, std::move(owned));
    QSignalSpy finished(&replay, &ReplayController::finished);
    replay.start(plan(speed), false, false);
    QTRY_COMPARE(replay.progress().published, 1U); // the first one waits for nobody
    quint64 published = 1;
    qint64 due = 0;
    for (const int gap : kGaps) {
        const auto wait = static_cast<qint64>(gap / speed) * kMs;
        due += wait;
        QTRY_COMPARE(clock.due(), due);
        QCOMPARE(replay.progress().permille(), static_cast<int>(published * 250));
        clock.step(wait - 1);
        QCOMPARE(replay.progress().published, published);
        QCOMPARE(finished.count(), 0);
        clock.step(1);
        QCOMPARE(replay.progress().published, ++published);
        QCOMPARE(replay.progress().at, published);
    }
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(replay.progress().permille(), 1000);
    QVERIFY(!replay.progress().running && !replay.progress().cancelled);
}

void TestReplayPace::isCancelledInTheMidst()
{
    auto owned = std::make_unique<SteppedClock>();
    SteppedClock& clock = *owned;
    ReplayController replay(&m_connection, std::move(owned));
    QSignalSpy finished(&replay, &ReplayController::finished);
    replay.start(plan(1), false, false);
    QTRY_COMPARE(clock.due(), kGaps[0] * kMs);
    clock.step(kGaps[0] * kMs);
    QTRY_COMPARE(clock.due(), (kGaps[0] + kGaps[1]) * kMs);
    QCOMPARE(replay.progress().published, 2U);
    replay.cancel();
    QCOMPARE(finished.count(), 1);
    QVERIFY(replay.progress().cancelled && !replay.progress().running);
    QCOMPARE(replay.progress().permille(), 500);
    QCOMPARE(clock.due(), kNever);
    clock.step(60'000 * kMs);
    QCOMPARE(replay.progress().published, 2U);
    QCOMPARE(finished.count(), 1);
}

QTEST_GUILESS_MAIN(TestReplayPace)
#include "tst_replay_pace.moc"
