// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/options.h"

#include <QStringList>
#include <QTest>

using namespace jetglass;
using daemon::Options;

namespace {

Options parse(const QString& line)
{
    std::vector<std::string> arguments;
    const QStringList words = line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString& word : words)
        arguments.push_back(word.toStdString());
    return daemon::parseOptions(arguments);
}

BrokerConfig applied(const Options& options)
{
    BrokerConfig config;
    for (const auto& change : options.changes)
        change(config);
    return config;
}

} // namespace

class TestOptions : public QObject
{
    Q_OBJECT
private slots:
    void forms_data();
    void forms();
    void settings();
    void errors_data();
    void errors();
    void actions();
    void accepted();
    void flagsWinOverTheFile();
};

void TestOptions::forms_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("port");
    QTest::addColumn<bool>("jetstream");
    QTest::newRow("nothing") << QStringLiteral("") << 4222 << false;
    QTest::newRow("one dash") << QStringLiteral("-p 5000 -js") << 5000 << true;
    QTest::newRow("two dashes") << QStringLiteral("--port 5000 --jetstream") << 5000 << true;
    QTest::newRow("short with two dashes") << QStringLiteral("--p 5000 --js") << 5000 << true;
    QTest::newRow("equals") << QStringLiteral("-p=5000 -js=true") << 5000 << true;
    QTest::newRow("switched off") << QStringLiteral("-js -js=false") << 4222 << false;
    QTest::newRow("any free port") << QStringLiteral("-p -1") << -1 << false;
    QTest::newRow("a switch takes no word") << QStringLiteral("-js -p 1") << 1 << true;
    QTest::newRow("the last one counts") << QStringLiteral("-p 1 -p 2") << 2 << false;
}

void TestOptions::forms()
{
    QFETCH(QString, line);
    const Options options = parse(line);
    QVERIFY2(options.error.empty(), options.error.c_str());
    const BrokerConfig config = applied(options);
    QTEST(config.port, "port");
    QTEST(config.jetstream.enabled, "jetstream");
}

void TestOptions::settings()
{
    const BrokerConfig config = applied(parse(QStringLiteral(
        "-a 0.0.0.0 -n one -m 8222 -sd=/tmp/x -P pid -l log --ports_file_dir dir --user u --pass p "
        "-DV -T=false "
        "--logtime_utc --log_size_limit 9 --max_traced_msg_len 8 --client_advertise h:1 --lab")));
    QCOMPARE(config.host, std::string("0.0.0.0"));
    QCOMPARE(config.serverName, std::string("one"));
    QCOMPARE(config.httpPort, 8222);
    QCOMPARE(config.jetstream.storeDir, std::string("/tmp/x"));
    QVERIFY(!config.jetstream.enabled);
    QCOMPARE(config.pidFile, std::string("pid"));
    QCOMPARE(config.portsFileDir, std::string("dir"));
    QCOMPARE(config.log.file, std::string("log"));
    QVERIFY(config.log.debug && config.log.trace && !config.log.traceVerbose);
    QVERIFY(!config.log.time && config.log.utc);
    QCOMPARE(config.log.fileSizeLimit, std::int64_t{9});
    QCOMPARE(config.log.maxTracedMsgLen, std::int64_t{8});
    QCOMPARE(config.auth.user, std::string("u"));
    QCOMPARE(config.auth.password, std::string("p"));
    QCOMPARE(config.clientAdvertise, std::string("h:1"));
    QVERIFY(config.lab);
}

void TestOptions::errors_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("error");
    QTest::newRow("unknown") << QStringLiteral("-foo")
                             << QByteArray("flag provided but not defined: -foo");
    QTest::newRow("no value") << QStringLiteral("-p") << QByteArray("flag needs an argument: -p");
    QTest::newRow("no number") << QStringLiteral("-p abc")
                               << QByteArray("invalid value \"abc\" for flag -p: parse error");
    QTest::newRow("no boolean") << QStringLiteral("-js=maybe")
                                << QByteArray("invalid boolean value \"maybe\" for -js");
    QTest::newRow("port out of range")
        << QStringLiteral("-p 70000") << QByteArray("port out of range");
    QTest::newRow("user alone") << QStringLiteral("--user u") << QByteArray("--user needs --pass");
    QTest::newRow("pass alone") << QStringLiteral("--pass p") << QByteArray("--pass needs --user");
    QTest::newRow("user and token") << QStringLiteral("--user u --pass p --auth t")
                                    << QByteArray("Cannot have a user/pass and token");
    QTest::newRow("word") << QStringLiteral("start")
                          << QByteArray("unrecognized command: \"start\"");
    QTest::newRow("certificate without key") << QStringLiteral("--tls --tlscert a")
                                             << QByteArray("TLS needs both --tlscert and --tlskey");
}

void TestOptions::errors()
{
    QFETCH(QString, line);
    QFETCH(QByteArray, error);
    QCOMPARE(QByteArray::fromStdString(parse(line).error), error);
}

void TestOptions::actions()
{
    QVERIFY(parse(QStringLiteral("-v")).action == Options::Action::Version);
    QVERIFY(parse(QStringLiteral("--version")).action == Options::Action::Version);
    QVERIFY(parse(QStringLiteral("version")).action == Options::Action::Version);
    QVERIFY(parse(QStringLiteral("-h")).action == Options::Action::Help);
    QVERIFY(parse(QStringLiteral("help")).action == Options::Action::Help);
    QVERIFY(parse(QStringLiteral("-t -c x")).action == Options::Action::CheckConfig);
    QCOMPARE(parse(QStringLiteral("-config x")).configFile, std::string("x"));
    QCOMPARE(parse(QStringLiteral("--signal reload=17")).signal, std::string("reload=17"));
    QCOMPARE(parse(QStringLiteral("-sl ldm")).signal, std::string("ldm"));
    QVERIFY(parse(QStringLiteral("-p 1")).action == Options::Action::Run);
}

void TestOptions::accepted()
{
    const Options options =
        parse(QStringLiteral("-cluster nats://h:1 -routes nats://h:2 --cluster_name x "
                             "--no_advertise --connect_retries 3 -s"));
    QVERIFY(options.error.empty());
    // One line for clustering however many flags ask for it, one for syslog.
    QCOMPARE(options.warnings.size(), std::size_t{2});
    const Options tls = parse(QStringLiteral("-tls -tlscert a -tlskey b -tlscacert c"));
    QVERIFY(tls.error.empty());
    QVERIFY(tls.warnings.empty());
    BrokerConfig config;
    for (const auto& apply : tls.changes)
        apply(config);
    QVERIFY(config.tls.enabled && !config.tls.verify);
    QCOMPARE(config.tls.certFile, std::string("a"));
    QCOMPARE(config.tls.keyFile, std::string("b"));
    QCOMPARE(config.tls.caFile, std::string("c"));
}

void TestOptions::flagsWinOverTheFile()
{
    BrokerConfig config;
    config.port = 1;
    config.host = "from.file";
    for (const auto& change : parse(QStringLiteral("-p 2")).changes)
        change(config);
    QCOMPARE(config.port, 2);
    QCOMPARE(config.host, std::string("from.file"));
}

QTEST_GUILESS_MAIN(TestOptions)
#include "tst_options.moc"
