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
    void importsThatStand_data();
    void importsThatStand();
    void refusesTogether_data();
    void refusesTogether();
    void tracesAndLatency();
    void limitsAndTokens();
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

void TestConfigAccounts::importsThatStand_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const char* text) {
        QTest::newRow(name) << QByteArray(text);
    };
    row("of an account's own",
        "accounts { A { exports: [ {service: a, accounts: [A]}, {stream: s} ], imports: ["
        " {service: {account: A, subject: a}}, {stream: {account: A, subject: s}} ] } }");
    row("a circle of accounts without one of subjects",
        "accounts {\n A { exports: [ {service: \"*\"} ]"
        ", imports: [ {service: {account: B, subject: b}} ] }\n"
        " B { exports: [ {service: b} ], imports: [ {service: {account: C, subject: c}} ] }\n"
        " C { exports: [ {service: \"*\"} ]"
        ", imports: [ {service: {account: A, subject: \"*\"}} ] } }");
    row("a prefix with its dot",
        "accounts { A { exports: [ {stream: s} ] }\n"
        " B { imports: [ {stream: {account: A, subject: s}, prefix: \"p.\"} ] } }");
}

void TestConfigAccounts::importsThatStand()
{
    QFETCH(QByteArray, text);
    const LoadedConfig loaded = load(text);
    QVERIFY2(loaded.errors.empty(), joined(loaded.errors).constData());
    for (const AccountConfig& account : loaded.config.accounts)
        for (const ImportConfig& taken : account.imports)
            QVERIFY2(taken.to.find("..") == std::string::npos, taken.to.c_str());
}

void TestConfigAccounts::refusesTogether_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* text, const char* error) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(error);
    };
    row("accounts: [A, A]", "Duplicate Account Entry: A");
    row("accounts: [\"$G\"]", "\"$G\" is a Reserved Account");
    row("accounts { \"$G\" {} }", "\"$G\" is a Reserved Account");
    row("accounts { A { nkey: nope } }", "Not a valid public nkey for an account: \"nope\"");
    row("accounts { A { cluster_traffic: owner } }", "unknown field \"cluster_traffic\"");
    row("accounts { A { jetstream { cluster_traffic: mine } } }", "Expected 'system' or 'owner'");
    row("accounts { A { jetstream { max_mem: \"5K\" } } }",
        "Expected a parseable size for \"max_mem\", got 5K");
    row("authorization { user: a, password: b }\naccounts { A { users: [{user: c}] } }",
        "Can not have a single user/pass and accounts");
    row("authorization { token: a }\naccounts { A { users: [{user: c}] } }",
        "Can not have a token and accounts");
    row("accounts { A { exports: [ {stream: a, accounts: [C]} ] } }",
        "\"C\" account not defined for stream export");
    row("accounts { A { exports: [ {stream: a, response: stream} ] } }",
        "Detected response directive on non-service");
    row("accounts { A { exports: [ {service: a, threshold: 5} ] } }",
        "must be a duration (quote it)");
    row("accounts { A { exports: [ {service: \"a.*\", account_token_position: 3} ] } }",
        "Error adding service export \"a.*\": no account token position 3");
    row("accounts { A { exports: [ {stream: \"a.*\", account_token_position: 1} ] } }",
        "Error adding stream export \"a.*\": no account token position 1");
    row("accounts { A { exports: [ {stream: \"a.*\", account_token_position: 2} ] }\n"
        " B { imports: [ {stream: {account: A, subject: \"a.C\"}} ] } }",
        "Error adding stream import \"a.C\": account \"B\" is not authorized");
    row("accounts { A { exports: [ {stream: a} ] }\n"
        " B { imports: [ {stream: {account: A, subject: a}, prefix: p, to: t} ] } }",
        "Stream import can not have a 'prefix' and a 'to' property");
    row("accounts { A { exports: [ {stream: a} ] }\n"
        " B { imports: [ {stream: {account: A, subject: a}, prefix: \"p.*\"} ] } }",
        "Error adding stream import \"a\": stream import prefix can not contain wildcard tokens");
    row("accounts { A { exports: [ {stream: a} ] }\n B { imports: ["
        " {stream: {account: A, subject: a}}, {stream: {account: A, subject: a}, to: b} ] } }",
        "Error adding stream import \"a\": stream import already exists");
    row("accounts { A { exports: [ {service: a}, {service: b} ] }\n B { imports: ["
        " {service: {account: A, subject: a}, to: x}, {service: {account: A, subject: b}, to: x} ] "
        "} }",
        "Duplicate service import subject \"x\", previously used in import for account \"A\", "
        "subject \"a\"");
    row("accounts {\n A { exports: [ {service: a} ]"
        ", imports: [ {service: {account: B, subject: b}, to: a} ] }\n"
        " B { exports: [ {service: b} ]"
        ", imports: [ {service: {account: A, subject: a}, to: b} ] } }",
        "import forms a cycle");
}

void TestConfigAccounts::refusesTogether()
{
    refuses();
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

void TestConfigAccounts::limitsAndTokens()
{
    const LoadedConfig loaded = load(R"(accounts {
  A {
    users: [ {user: a, allowed_connection_types: [websocket, STANDARD]} ]
    limits { max_conn: 1, max_subs: 2, max_payload: 3, max_leafs: 4 }
    exports: [ {stream: "a.*", account_token_position: 2} ]
    nkey: AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQTCQKRMFYYDENBWHA5DYPSAXJQ
  }
  B { imports: [ {stream: {account: A, subject: "a.B"}} ] }
  C { exports: [ {service: c} ], imports: [ {service: {account: D, subject: d}} ] }
  D { exports: [ {service: d} ], imports: [ {service: {account: C, subject: c}} ] }
})");
    const QByteArray wrong = joined(loaded.errors);
    QVERIFY2(loaded.errors.empty(), wrong.constData());
    QVERIFY2(loaded.warnings.empty(), joined(loaded.warnings).constData());
    const AccountConfig& a = loaded.config.accounts[0];
    QCOMPARE(a.maxConnections, std::int64_t{1});
    QCOMPARE(a.maxSubscriptions, std::int64_t{2});
    QCOMPARE(a.maxPayload, std::int64_t{3});
    QCOMPARE(a.exports[0].accountPosition, std::size_t{2});
    const std::vector<std::string> types{"WEBSOCKET", "STANDARD"};
    QCOMPARE(loaded.config.auth.users[0].connectionTypes, types);
}

QTEST_GUILESS_MAIN(TestConfigAccounts)
#include "tst_config_accounts.moc"
