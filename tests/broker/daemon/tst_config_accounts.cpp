// SPDX-License-Identifier: GPL-3.0-or-later
// What a configuration says of subjects between accounts: mappings, exports, imports, traces.
#include "config_text.h"

#include <QTest>

using namespace jetglass;
using daemon::LoadedConfig;
using tests::joined;
using tests::load;

class TestConfigAccounts : public QObject
{
    Q_OBJECT
private slots:
    void refuses_data();
    void refuses();
    void tracesAndLatency();
};

void TestConfigAccounts::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* text, const char* error) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(error);
    };
    row("mappings { \"a..b\": c }", "Subject \"a..b\" is not a valid subject");
    row("mappings { a: [ {destination: b, weight: 80}, {destination: c, weight: 30} ] }",
        "Error adding mapping for \"a\" : total weight needs to be <= 100");
    row("mappings { \"a.*\": \"b.{{wildcard(2)}}\" }",
        "Error adding mapping for \"a.*\" to \"b.{{wildcard(2)}}\" : invalid mapping destination: "
        "wildcard index out of range in {{wildcard(2)}}: [2]");
    row("mappings { a: {dest: \"{{nope(1)}}\", weight: 1} }",
        "Error adding mapping for \"a\" : invalid mapping destination: unknown function in "
        "{{nope(1)}}");
    row("mappings { a: [ {dest: b, weight: 1}, {dest: b, weight: 1} ] }",
        "Error adding mapping for \"a\" : duplicate entry for \"b\"");
    row("mappings { a: [ {dest: b} ] }", "Missing weight for mapping destination \"b\"");
    row("mappings { a: {dest: b, weight: 101} }", "Invalid weight 101 for mapping destination");
    row("mappings { a: {dest: b, weight: \"5x\"} }", "Invalid weight \"5x\" for mapping");
    row("mappings { a: {dest: b, weight: 5, x: 1} }",
        "Unknown field \"x\" for mapping destination");
    row("mappings { a: [b] }", "Expected an entry for the mapping destination");
    row("mappings { a: 7 }", "Expected an entry for the mapping destination");
    row("accounts { A { exports: [ {stream: a, allow_trace: true} ] } }",
        "Detected allow_trace directive on non-service");
    row("accounts { A { exports: [ {stream: a, latency: l} ] } }",
        "Detected latency directive on non-service");
    row("accounts { A { exports: [ {service: a, latency: {sampling: 101, subject: l}} ] } }",
        "bad sampling percentage, should be 1-100");
    row("accounts { A { exports: [ {service: a, latency: {sampling: 5}} ] } }",
        "Latency subject required, but missing");
    row("accounts { A { exports: [ {service: a, latency: \"l.*\"} ] } }",
        "Error adding service latency sampling for \"a\" on subject \"l.*\": invalid publish "
        "subject");
    row("accounts { A { exports: [ {service: a, latency: l, response: stream} ] } }",
        "bad service response type");
    row("accounts { A { exports: [ {service: a} ] }\n"
        " B { imports: [ {service: {account: A, subject: a}, allow_trace: true} ] } }",
        "Detected allow_trace directive on a non-stream");
    row("accounts { A { msg_trace: \"t.*\" } }", "Trace destination \"t.*\" is not valid");
    row("accounts { A { msg_trace: {dest: t, sampling: 0} } }", "needs to be [1..100]");
}

void TestConfigAccounts::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    const QByteArray got = joined(load(text).errors);
    QVERIFY2(got.contains(error), got.constData());
}

void TestConfigAccounts::tracesAndLatency()
{
    const LoadedConfig loaded = load(R"(accounts {
  A {
    msg_trace: { dest: "t", sampling: "25%" }
    exports: [
      {service: "q.>", allow_trace: true, latency: {sampling: headers, subject: "took"}}
      {service: "r.>", latency: "took"}
      {service: "s.>", latency: {sampling: "40%", subject: "took"}}
      {stream: "o.>"}
    ]
  }
  B { trace_dest: "u", imports: [ {stream: {account: A, subject: "o.>"}, allow_trace: true} ] }
})");
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    const AccountConfig& a = loaded.config.accounts[0];
    QCOMPARE(a.traceDestination, std::string("t"));
    QCOMPARE(a.traceSampling, 25);
    QVERIFY(a.exports[0].allowTrace && !a.exports[1].allowTrace);
    QCOMPARE(a.exports[0].latencySampling, 0);
    QCOMPARE(a.exports[1].latencySubject, std::string("took"));
    QCOMPARE(a.exports[1].latencySampling, 100);
    QCOMPARE(a.exports[2].latencySampling, 40);
    const AccountConfig& b = loaded.config.accounts[1];
    QCOMPARE(b.traceDestination, std::string("u"));
    QVERIFY(b.imports[0].allowTrace);
}

QTEST_GUILESS_MAIN(TestConfigAccounts)
#include "tst_config_accounts.moc"
