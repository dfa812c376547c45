// SPDX-License-Identifier: GPL-3.0-or-later
// One workload on the core of the broker, and in each run one call of the file system fails, or
// that one and all that follow. Whatever the broker has confirmed is there afterwards; whatever it
// has refused is not.
#include "fault_model.h"

#include <QtTest>

#include <cstdlib>

using namespace jetglass;
using namespace jetglass::faults;

namespace {

/// What becomes of the broker behind the workload.
enum class End
{
    Kill, ///< while the disk still fails
    HealKill,
    HealStop
};
constexpr End kEnds[]{End::Kill, End::HealKill, End::HealStop};
constexpr std::uint64_t kSeed = 7;
/// One in so many cases runs by default. No multiple of 2 or 3, so that all ends have their turn.
constexpr std::size_t kShare = 13;

void firstHalf(Model& m)
{
    m.createStream("A", R"("compression":"s2","allow_rollup_hdrs":true,"allow_atomic":true)");
    m.createStream("W", R"("retention":"workqueue")");
    m.createStream("I", R"("retention":"interest")");
    m.createStream("M", R"("storage":"memory")");
    m.createConsumer("A", "c", "");
    m.createConsumer("A", "d", "a.x");
    m.createConsumer("W", "q", "");
    m.createConsumer("I", "x", "i.>");
    m.createConsumer("I", "y", "i.b");
    for (int i = 0; i < 6; ++i) {
        m.publish(
            i % 2 == 0 ? "a.x" : "a.y", "Nats-Msg-Id: id" + std::to_string(i / 2 * 2 + i % 2));
        m.publish("w.a");
        m.publish(i % 2 == 0 ? "i.a" : "i.b");
    }
    m.publish("a.y", "Nats-Msg-Id: id5"); // a duplicate
    m.publish("a.r");
    m.publish("a.r", "Nats-Rollup: sub");
    m.publishBatch("A", "a.x", 3);
    m.consume("A", "c", 5);
    m.consume("A", "d", 2);
    m.consume("W", "q", 4);
    m.consume("I", "x", 4);
    m.consume("I", "y", 2);
}

void secondHalf(Model& m, Client& client)
{
    client.wait(1250); // snapshots, and the logs are cut
    m.publish("m.a");
    m.removeMessage("A", 1);
    m.purge("A", "a.r");
    m.updateStream(
        "A", R"("max_msgs":8,"compression":"s2","allow_rollup_hdrs":true,"allow_atomic":true)");
    m.updateConsumer("A", "d", "a.y");
    m.updateConsumer("I", "x", "i.b");
    m.consume("A", "c", 3);
    for (int i = 0; i < 4; ++i)
        m.publish("a.x");
    m.deleteConsumer("A", "d");
    m.consume("W", "q", 2);
    m.deleteStream("I");
    m.createStream("I", R"("retention":"interest")");
    m.createConsumer("I", "x", "");
    m.publish("i.a");
    m.publish("m.a");
    client.wait(1250);
}

/// The memory stream ends with each broker.
void workload(Client& client, Model& m)
{
    if (!client.start())
        return;
    firstHalf(m);
    client.stop();
    const bool started = client.start();
    m.restarted();
    if (!started)
        return;
    m.createStream("M", R"("storage":"memory")");
    secondHalf(m, client);
}

struct Case
{
    std::size_t call = 0;
    Fault fault{};
    bool lasting = false;
    bool syncAlways = false;
    End end{};
};

/// Empty if all is as it must be.
std::string run(const Case& c)
{
    Client client(kSeed, c.syncAlways);
    client.disk().failAt(c.call, c.fault, c.lasting);
    Model model(client, c.lasting);
    workload(client, model);
    if (c.end != End::Kill) {
        client.disk().heal();
        if (client.up()) {
            client.wait(2500);
            model.checkGoesOn();
            model.check("before the restart", false);
        }
    }
    if (client.up()) {
        if (c.end == End::HealStop)
            client.stop();
        else
            client.kill();
    }
    client.disk().heal();
    const bool started = client.start();
    model.restarted();
    if (!started)
        client.complain("the broker does not start");
    model.check("after the restart", true);
    std::string all;
    for (const std::string& line : client.complaints)
        all += "\n  " + line;
    if (all.empty())
        return all;
    const FaultAtCall::Made& made = client.disk().calls().at(c.call);
    return std::string(nameOf(c.fault)) + (c.lasting ? " from call " : " at call ")
        + std::to_string(c.call) + " (" + nameOf(made.call) + " " + made.path + ")"
        + (c.syncAlways ? ", sync_always" : "") + ", end " + std::to_string(static_cast<int>(c.end))
        + ":" + all;
}

} // namespace

class TestFaultAtEveryCall : public QObject
{
    Q_OBJECT

private slots:
    void sound_data();
    void sound();
    void faults_data();
    void faults();
};

void TestFaultAtEveryCall::sound_data()
{
    QTest::addColumn<bool>("syncAlways");
    QTest::newRow("default") << false;
    QTest::newRow("sync_always") << true;
}

/// Without a fault nothing is refused, and the same seed makes the same calls.
void TestFaultAtEveryCall::sound()
{
    QFETCH(bool, syncAlways);
    const std::string text = run({~std::size_t{0}, Fault::Io, false, syncAlways, End::HealStop});
    QVERIFY2(text.empty(), text.c_str());
}

void TestFaultAtEveryCall::faults_data()
{
    QTest::addColumn<bool>("syncAlways");
    QTest::addColumn<int>("fault");
    for (const bool syncAlways : {false, true})
        for (const Fault fault : kFaults)
            QTest::addRow("%s, %s", syncAlways ? "sync_always" : "default", nameOf(fault))
                << syncAlways << static_cast<int>(fault);
}

/// FAULT_ALL=1 takes all calls and all ends; FAULT_CALL=n only the n-th call.
void TestFaultAtEveryCall::faults()
{
    QFETCH(bool, syncAlways);
    QFETCH(int, fault);
    const char* const only = std::getenv("FAULT_CALL");
    const bool all = std::getenv("FAULT_ALL") != nullptr || only != nullptr;
    std::vector<FaultAtCall::Made> calls;
    {
        Client sound(kSeed, syncAlways);
        Model model(sound, false);
        workload(sound, model);
        calls = sound.disk().calls();
    }
    std::size_t cases = 0;
    int failures = 0;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        if (!canMeet(static_cast<Fault>(fault), calls[call].call)
            || (only && call != std::strtoul(only, nullptr, 10)))
            continue;
        for (const bool lasting : {false, true})
            for (const End end : kEnds) {
                if (cases++ % kShare != 0 && !all)
                    continue;
                const std::string text =
                    run({call, static_cast<Fault>(fault), lasting, syncAlways, end});
                if (text.empty())
                    continue;
                ++failures;
                qWarning("%s", text.c_str());
            }
    }
    QVERIFY(cases > 0);
    QCOMPARE(failures, 0);
}

QTEST_GUILESS_MAIN(TestFaultAtEveryCall)
#include "tst_fault_at_every_call.moc"
