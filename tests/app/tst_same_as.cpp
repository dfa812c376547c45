// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/same_as.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace jetglass::client;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestSameAs : public QObject
{
    Q_OBJECT
private slots:
    void everyActionInEveryLanguage_data();
    void everyActionInEveryLanguage();
    void commands_data();
    void commands();
    void commandsFitTheirPlace_data();
    void commandsFitTheirPlace();
    void quotesForEachLanguage();
    void countsInALoop();
    void fallsBackToTheApi();
    void leavesDefaultsOut();
    void wholeGoProgram();

private:
    const QString m_url = u"nats://127.0.0.1:4222"_s;
};

namespace {

Message order(const QByteArray& payload = "{\"id\":{{counter}}}")
{
    Message m;
    m.subject = u"orders.created"_s;
    m.headers = {{u"Nats-Msg-Id"_s, u"id-{{counter}}"_s}};
    m.payload = payload;
    return m;
}

FetchRequest fetch()
{
    FetchRequest r;
    r.stream = u"ORDERS"_s;
    r.consumer = u"payments"_s;
    r.batch = 10;
    r.expires = 2s;
    return r;
}

const QJsonObject kStream{{u"name"_s, u"ORDERS"_s},
    {u"subjects"_s, QJsonArray{u"orders.>"_s}},
    {u"retention"_s, u"workqueue"_s},
    {u"max_age"_s, qint64(86400000000000)},
    {u"max_msgs"_s, -1},
    {u"storage"_s, u"file"_s}};

QList<std::pair<const char*, Action>> actions()
{
    return {{"publish", PublishAction{order(), true, 1, 0}},
        {"publish many, slowly", PublishAction{order(), true, 100, 10}},
        {"publish without ack", PublishAction{order(), false, 1, 0}},
        {"create a stream", StreamAction{kStream, false}},
        {"update a stream", StreamAction{kStream, true}},
        {"delete a stream", StreamDeleteAction{u"ORDERS"_s}},
        {"purge", PurgeAction{u"ORDERS"_s, {0, 5, u"orders.*"_s}}},
        {"create a consumer",
            ConsumerAddAction{u"ORDERS"_s,
                {{u"durable_name"_s, u"p"_s}, {u"ack_policy"_s, u"explicit"_s}},
                false}},
        {"update a consumer",
            ConsumerAddAction{u"ORDERS"_s,
                {{u"durable_name"_s, u"p"_s}, {u"ack_policy"_s, u"explicit"_s}},
                true}},
        {"delete a consumer", ConsumerDeleteAction{u"ORDERS"_s, u"p"_s}},
        {"fetch", FetchAction{fetch()}},
        {"ack", AckAction{u"ORDERS"_s, u"p"_s, AckKind::Ack, {}}},
        {"nak with delay", AckAction{u"ORDERS"_s, u"p"_s, AckKind::NakDelay, 5s}},
        {"replay", ReplayAction{u"ORDERS"_s, 3, 9, u"replay"_s, {}, 2, false, true}}};
}

} // namespace

void TestSameAs::everyActionInEveryLanguage_data()
{
    QTest::addColumn<int>("action");
    QTest::addColumn<int>("language");
    for (int a = 0; a < actions().size(); ++a) {
        for (const Language l : kLanguages)
            QTest::addRow("%s in %s", actions()[a].first, qPrintable(languageName(l)))
                << a << static_cast<int>(l);
    }
}

void TestSameAs::everyActionInEveryLanguage()
{
    QFETCH(int, action);
    QFETCH(int, language);
    const Action a = actions()[action].second;
    const auto l = static_cast<Language>(language);
    const QString text = sameAs(a, l, m_url);
    QVERIFY(!text.trimmed().isEmpty());
    QCOMPARE(sameAs(a, l, m_url), text);
    // Nothing of the writing itself may be left over.
    for (const QString& left : {u"%1"_s, u"%2"_s, u"%3"_s, u"\x01"_s})
        QVERIFY2(!text.contains(left), qPrintable(text));
    if (l != Language::Wire)
        QVERIFY2(text.contains(m_url), qPrintable(text));
    if (l == Language::Go || l == Language::C || l == Language::JavaScript)
        QCOMPARE(text.count(u'{'), text.count(u'}'));
}

void TestSameAs::commands_data()
{
    QTest::addColumn<int>("action");
    QTest::addColumn<QString>("command");
    const QString start = u"nats -s nats://127.0.0.1:4222 "_s;
    const auto row = [&](const char* name, const QString& rest) {
        const auto all = actions();
        const auto it = std::find_if(
            all.begin(), all.end(), [&](const auto& a) { return qstrcmp(a.first, name) == 0; });
        QTest::newRow(name) << static_cast<int>(it - all.begin()) << QString(start + rest);
    };
    row("publish", u"publish --jetstream -H 'Nats-Msg-Id: id-1' orders.created '{\"id\":1}'"_s);
    row("publish without ack", u"publish -H 'Nats-Msg-Id: id-1' orders.created '{\"id\":1}'"_s);
    row("create a stream",
        u"stream add ORDERS --no-allow-direct --subjects='orders.>' --retention=work --max-age=24h --defaults"_s);
    row("delete a stream", u"stream rm ORDERS --force"_s);
    row("purge", u"stream purge ORDERS --force --subject='orders.*' --keep=5"_s);
    row("create a consumer",
        u"consumer add ORDERS p --pull --deliver=all --ack=explicit --defaults"_s);
    row("delete a consumer", u"consumer rm ORDERS p --force"_s);
    row("fetch", u"consumer next ORDERS payments --count=10 --no-ack"_s);
    row("ack", u"consumer next ORDERS p --ack"_s);
}

void TestSameAs::commands()
{
    QFETCH(int, action);
    // Where a long line is broken is no part of the command.
    QString text = sameAs(actions()[action].second, Language::Cli, m_url);
    text.replace(u" \\\n "_s, QString());
    QTEST(text, "command");
}

void TestSameAs::commandsFitTheirPlace_data()
{
    QTest::addColumn<qsizetype>("columns");
    QTest::newRow("a terminal") << qsizetype(80);
    QTest::newRow("a narrow panel") << qsizetype(44);
}

/// A line may be longer than its place only where one word is.
void TestSameAs::commandsFitTheirPlace()
{
    QFETCH(qsizetype, columns);
    const QString url = u"nats://127.0.0.1:39937"_s;
    for (const auto& [name, action] : actions()) {
        const QString text = sameAs(action, Language::Cli, url, columns);
        const QStringList lines = text.split(u'\n');
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QString& line = lines[i];
            const bool goesOn = i > 0 && lines[i - 1].endsWith(u'\\');
            const bool lone = goesOn && !line.trimmed().contains(u" --"_s);
            if (qstrcmp(name, "replay") != 0) // its pipes have their own lines
                QVERIFY2(line.size() <= columns || lone, qPrintable(line));
        }
        // However it is cut, it is the same command.
        QString whole = sameAs(action, Language::Cli, url, 10'000);
        static const QRegularExpression cut(u" \\\\\n +|\n# "_s);
        QCOMPARE(QString(text).replace(cut, u" "_s), whole.replace(cut, u" "_s));
    }
}

void TestSameAs::quotesForEachLanguage()
{
    Message m;
    m.subject = u"a"_s;
    m.payload = "it's \"here\"\n\\";
    const PublishAction a{m, true, 1, 0};
    QVERIFY(sameAs(a, Language::Cli, m_url).contains(u"'it'\\''s \"here\"\n\\'"_s));
    for (const Language l : {Language::Go, Language::JavaScript, Language::Python, Language::C}) {
        const QString text = sameAs(a, l, m_url);
        QVERIFY2(text.contains(u"\"it's \\\"here\\\"\\n\\\\\""_s), qPrintable(text));
    }
}

void TestSameAs::countsInALoop()
{
    const PublishAction a{order(), true, 100, 10};
    const QString cli = sameAs(a, Language::Cli, m_url);
    QVERIFY2(cli.contains(u"--count=100"_s) && cli.contains(u"{{Count}}"_s)
            && cli.contains(u"--sleep=100ms"_s),
        qPrintable(cli));
    QVERIFY(sameAs(a, Language::Go, m_url).contains(u"\"id-\" + strconv.Itoa(n)"_s));
    QVERIFY(sameAs(a, Language::JavaScript, m_url).contains(u"\"id-\" + n"_s));
    QVERIFY(sameAs(a, Language::Python, m_url).contains(u"\"id-\" + str(n)"_s));
    QVERIFY(
        sameAs(a, Language::C, m_url).contains(u"snprintf(value, sizeof(value), \"id-%d\", n);"_s));
}

void TestSameAs::fallsBackToTheApi()
{
    // The clients' own structures have no such member, so the text is the request itself and
    // nothing is lost.
    QJsonObject config = kStream;
    config.insert(u"allow_msg_schedules"_s, true);
    const StreamAction a{config, false};
    for (const Language l : {Language::Go, Language::Python, Language::C}) {
        const QString text = sameAs(a, l, m_url);
        QVERIFY2(text.contains(u"$JS.API.STREAM.CREATE.ORDERS"_s)
                && text.contains(u"allow_msg_schedules"_s),
            qPrintable(text));
    }
}

void TestSameAs::leavesDefaultsOut()
{
    const QString text = sameAs(StreamAction{kStream, false}, Language::Wire, m_url);
    QCOMPARE(text,
        u"$JS.API.STREAM.CREATE.ORDERS\n"
        u"{\"max_age\":86400000000000,\"name\":\"ORDERS\",\"retention\":\"workqueue\",\"subjects\":[\"orders.>\"]}"_s);
}

void TestSameAs::wholeGoProgram()
{
    const QString text = sameAs(StreamDeleteAction{u"ORDERS"_s}, Language::Go, m_url);
    QCOMPARE(text,
        u"package main\n\nimport (\n\t\"context\"\n\t\"log\"\n\n\t\"github.com/nats-io/nats.go\"\n"
        u"\t\"github.com/nats-io/nats.go/jetstream\"\n)\n\nfunc main() {\n\tctx := "
        u"context.Background()\n"
        u"\tnc, err := nats.Connect(\"nats://127.0.0.1:4222\")\n\tif err != nil "
        u"{\n\t\tlog.Fatal(err)\n\t}\n"
        u"\tdefer nc.Drain()\n\tjs, err := jetstream.New(nc)\n\tif err != nil "
        u"{\n\t\tlog.Fatal(err)\n\t}\n\n"
        u"\tif err := js.DeleteStream(ctx, \"ORDERS\"); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n"_s);
}

QTEST_GUILESS_MAIN(TestSameAs)
#include "tst_same_as.moc"
