// SPDX-License-Identifier: GPL-3.0-or-later
// A change that could not be saved has not happened, neither now nor after a restart; and what has
// been confirmed counts, whatever has failed before.
#include "fault_client.h"

#include <QtTest>

using namespace jetglass;
using namespace jetglass::faults;

class TestRefusedChanges : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_client.reset(); }
    void streamUpdateRemovesNothing();
    void streamDeletionLeavesTheStream();
    void streamCreationLeavesNothing();
    void filterChangeKeepsMessages();
    void consumerDeletionLeavesTheConsumer();
    void consumerResetMovesNothing();
    void consumerCreationLeavesNothing();
    void ackCountsOnlyWhenItIsWritten();
    void requestsBehindADeletionAreAnswered();

private:
    void breakDisk() { m_client->disk().failAt(m_client->disk().calls().size(), Fault::Io, true); }
    void restart()
    {
        m_client->disk().heal();
        m_client->kill();
        QVERIFY(m_client->start());
    }
    Json ask(const std::string& subject, const std::string& body = {}) const
    {
        return m_client->ask("$JS.API." + subject, body).body;
    }
    [[nodiscard]] Json messages() const { return ask("STREAM.INFO.S")["state"]["messages"]; }
    Json create(const std::string& more) const;
    Json consumer(const std::string& filter) const;
    void publish(int count)
    {
        for (int i = 0; i < count; ++i)
            QVERIFY(m_client->ask(i % 2 == 0 ? "s.a" : "s.b", "m" + std::to_string(i)).good());
    }

    std::unique_ptr<Client> m_client;
};

Json TestRefusedChanges::create(const std::string& more) const
{
    return ask("STREAM.CREATE.S", R"({"name":"S","subjects":["s.>"])" + more + "}");
}

Json TestRefusedChanges::consumer(const std::string& filter) const
{
    return ask("CONSUMER.DURABLE.CREATE.S.C",
        R"({"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit",)"
        R"("ack_wait":1000000000,"filter_subject":")"
            + filter + "\"}}");
}

void TestRefusedChanges::init()
{
    m_client = std::make_unique<Client>(1, false);
    QVERIFY(m_client->start());
}

void TestRefusedChanges::streamUpdateRemovesNothing()
{
    create({});
    publish(5);
    breakDisk();
    const std::string lower = R"({"name":"S","subjects":["s.>"],"max_msgs":1})";
    QCOMPARE(ask("STREAM.UPDATE.S", lower)["error"]["err_code"], 10069);
    QCOMPARE(messages(), 5);
    QCOMPARE(ask("STREAM.INFO.S")["config"]["max_msgs"], -1);
    restart();
    QCOMPARE(messages(), 5);
    QVERIFY(!ask("STREAM.UPDATE.S", lower).contains("error"));
    QCOMPARE(messages(), 1);
}

void TestRefusedChanges::streamDeletionLeavesTheStream()
{
    create({});
    consumer("s.>");
    publish(4);
    breakDisk();
    QCOMPARE(ask("STREAM.DELETE.S")["error"]["err_code"], 10050);
    m_client->disk().heal();
    QCOMPARE(messages(), 4);
    QCOMPARE(m_client->fetch("S", "C", 9).size(), std::size_t{4});
    publish(1);
    restart();
    QCOMPARE(messages(), 5);
    QVERIFY(ask("STREAM.DELETE.S")["success"].get<bool>());
    restart();
    QVERIFY(ask("STREAM.INFO.S").contains("error"));
    create({});
    QCOMPARE(messages(), 0);
}

void TestRefusedChanges::streamCreationLeavesNothing()
{
    breakDisk();
    QCOMPARE(create({})["error"]["err_code"], 10049);
    QVERIFY(ask("STREAM.INFO.S").contains("error"));
    m_client->disk().heal();
    QVERIFY(!create({}).contains("error"));
    publish(1);
    restart();
    QCOMPARE(messages(), 1);
}

/// Interest retention looks again what is needed when a filter has changed, not before.
void TestRefusedChanges::filterChangeKeepsMessages()
{
    create(R"(,"retention":"interest")");
    consumer("s.>");
    publish(4);
    breakDisk();
    QCOMPARE(consumer("s.a")["error"]["err_code"], 10104);
    QCOMPARE(messages(), 4);
    QCOMPARE(ask("CONSUMER.INFO.S.C")["config"]["filter_subject"], Json("s.>"));
    restart();
    QCOMPARE(messages(), 4);
    QCOMPARE(m_client->fetch("S", "C", 9).size(), std::size_t{4});
}

void TestRefusedChanges::consumerDeletionLeavesTheConsumer()
{
    create(R"(,"retention":"interest")");
    consumer("s.>");
    publish(4);
    breakDisk();
    QVERIFY(ask("CONSUMER.DELETE.S.C").contains("error"));
    m_client->disk().heal();
    QCOMPARE(messages(), 4);
    QCOMPARE(m_client->fetch("S", "C", 9).size(), std::size_t{4});
}

void TestRefusedChanges::consumerCreationLeavesNothing()
{
    create({});
    publish(2);
    breakDisk();
    QCOMPARE(consumer("s.>")["error"]["err_code"], 10104);
    QCOMPARE(ask("CONSUMER.NAMES.S")["total"], 0);
    m_client->disk().heal();
    QVERIFY(!consumer("s.>").contains("error"));
    QCOMPARE(m_client->fetch("S", "C", 9).size(), std::size_t{2});
}

/// An ack whose record is lost is not confirmed, also when it comes again and changes nothing.
void TestRefusedChanges::consumerResetMovesNothing()
{
    create({});
    consumer("s.>");
    publish(3);
    QCOMPARE(m_client->fetch("S", "C", 2).size(), std::size_t{2});
    breakDisk();
    const Json refused = ask("CONSUMER.RESET.S.C", R"({"seq":1})");
    QCOMPARE(refused["error"]["err_code"], 10104);
    QCOMPARE(ask("CONSUMER.INFO.S.C")["delivered"]["stream_seq"], 2);
    // Nor while the states are not in the catalog yet.
    QCOMPARE(ask("CONSUMER.RESET.S.C")["error"]["err_code"], 10104);
    m_client->disk().heal();
    m_client->wait(3000);
    QCOMPARE(ask("CONSUMER.INFO.S.C")["delivered"]["stream_seq"], 2);
    restart();
    QCOMPARE(ask("CONSUMER.INFO.S.C")["delivered"]["stream_seq"], 2);
    QCOMPARE(ask("CONSUMER.RESET.S.C", R"({"seq":1})")["reset_seq"], 1);
}

void TestRefusedChanges::ackCountsOnlyWhenItIsWritten()
{
    create({});
    consumer("s.>");
    publish(2);
    const auto got = m_client->fetch("S", "C", 1);
    QCOMPARE(got.size(), std::size_t{1});
    breakDisk();
    m_client->tell("s.c", "so that the stream has to write in that turn too");
    m_client->ack(got.front(), "first");
    m_client->ack(got.front(), "again");
    QVERIFY(m_client->confirmed().empty());
    m_client->disk().heal();
    m_client->wait(1500);
    QCOMPARE(m_client->confirmed().size(), std::size_t{2});
    restart();
    m_client->wait(2000);
    const auto rest = m_client->fetch("S", "C", 9);
    QCOMPARE(rest.size(), std::size_t{1});
    QCOMPARE(rest.front().payload, std::string("m1"));
}

void TestRefusedChanges::requestsBehindADeletionAreAnswered()
{
    create({});
    m_client->tell("$JS.API.STREAM.DELETE.S");
    QCOMPARE(m_client->ask("s.a", "late").body["error"]["err_code"], 10059);
    create({});
    m_client->tell("$JS.API.STREAM.DELETE.S");
    QCOMPARE(ask("STREAM.INFO.S")["error"]["err_code"], 10059);
    QVERIFY2(m_client->complaints.empty(), "somebody waits for an answer");
}

QTEST_GUILESS_MAIN(TestRefusedChanges)
#include "tst_refused_changes.moc"
