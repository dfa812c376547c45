// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/config_parser.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetglass;
using daemon::ConfigValue;

namespace {

/// A value in one line, for comparing.
std::string show(const ConfigValue& value)
{
    std::string text;
    switch (value.kind) {
    case ConfigValue::Kind::Map:
        for (const auto& entry : value.entries)
            text += (text.empty() ? "" : ", ") + entry.key + '=' + show(entry.value);
        return '{' + text + '}';
    case ConfigValue::Kind::Array:
        for (const auto& item : value.items)
            text += (text.empty() ? "" : ", ") + show(item);
        return '[' + text + ']';
    case ConfigValue::Kind::String:
        return '"' + value.text + '"';
    case ConfigValue::Kind::Integer:
        return std::to_string(value.integer);
    case ConfigValue::Kind::Float:
        return 'f' + value.text;
    case ConfigValue::Kind::Bool:
        return value.flag ? "true" : "false";
    case ConfigValue::Kind::Date:
        return 'd' + value.text;
    }
    return text;
}

} // namespace

class TestConfigParser : public QObject
{
    Q_OBJECT
private slots:
    void values_data();
    void values();
    void errors_data();
    void errors();
    void environment();
    void includes();
    void includeLoop();
    void anyCutIsAnErrorOrAMap();
};

void TestConfigParser::values_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char* name, const char* text, const char* shown) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(shown);
    };
    row("equals", "a = 1", "{a=1}");
    row("colon", "a: 1", "{a=1}");
    row("blank", "a 1", "{a=1}");
    row("blanks before the colon", "a  : 1", "{a=1}");
    row("map without separator", "a { b: 1 }", "{a={b=1}}");
    row("map with colon", "a: { b: 1 }", "{a={b=1}}");
    row("map close to its key", "a{b:1}", "{a={b=1}}");
    row("separators", "a: 1, b: 2; c: 3\nd: 4", "{a=1, b=2, c=3, d=4}");
    row("trailing separators", "a: [1, 2,],\n", "{a=[1, 2]}");
    row("comments", "# first\na: 1 // second\nb: 2 # third\n", "{a=1, b=2}");
    row("whole file in braces",
        "{\n\"a\": 1,\n\"b\": {\"c\": [true, null]}\n}\n",
        R"({a=1, b={c=[true, "null"]}})");
    row("quoted keys", "\"a b\": 1\n'c.d': 2", "{a b=1, c.d=2}");
    row("later duplicate wins", "a: 1\nA: 2", "{A=2}");
    row("array by lines", "a: [\n 1\n 2\n 3\n]", "{a=[1, 2, 3]}");
    row("maps on lines without commas", "a: [\n {b: 1}\n {b: 2}\n]", "{a=[{b=1}, {b=2}]}");
    row("empty map and list", "a {}\nb []", "{a={}, b=[]}");
    row("escapes", R"(a: "x\n\t\"\\\x41")", "{a=\"x\n\t\"\\A\"}");
    row("raw quotes", R"(a: 'x\n"y')", R"({a="x\n"y"})");
    row("bare word", "a: foo.bar.*\nb: nats://h:1/x", R"({a="foo.bar.*", b="nats://h:1/x"})");
    row("bare path", "a=/tmp/x y: 1", R"({})");
    row("bare word with an escape", R"(a: x\x20y)", R"({a="x y"})");
    row("block", "a: (\nline 1\n  ) line 2\n)\nb: 1", "{a=\"\nline 1\n  ) line 2\n\", b=1}");
    row("integers", "a: 0, b: -7, c: 42", "{a=0, b=-7, c=42}");
    row("steps of 1000", "a: 1k, b: 2M, c: 3g", "{a=1000, b=2000000, c=3000000000}");
    row("steps of 1024",
        "a: 1kb, b: 1Ki, c: 1KiB, d: 1MB, e: 1Gb",
        "{a=1024, b=1024, c=1024, d=1048576, e=1073741824}");
    row("large steps",
        "a: 1T, b: 1pb, c: 1e",
        "{a=1000000000000, b=1125899906842624, c=1000000000000000000}");
    row("floats", "a: 1.5, b: -0.25", "{a=f1.5, b=f-0.25}");
    row("booleans",
        "a: true, b: Yes, c: on, d: FALSE, e: no, f: off",
        "{a=true, b=true, c=true, d=false, e=false, f=false}");
    row("date", "a: 2026-01-02T03:04:05Z", "{a=d2026-01-02T03:04:05Z}");
    row("digits first but no number",
        "a: 3xyz, b: 127.0.0.1, c: 127.0.0.1:-1",
        R"({a="3xyz", b="127.0.0.1", c="127.0.0.1:-1"})");
    row("variable", "X = 5\na: $X", "{X=5, a=5}");
    row("variable is a map", "ENC = {k: 1}\na: $ENC", "{ENC={k=1}, a={k=1}}");
    row("variable from an outer map",
        "X: out\na { X: in, b: $X }\nc: $X",
        R"({X="out", a={X="in", b="in"}, c="out"})");
    row("bcrypt is no variable", "a: $2a$11$abc", R"({a="$2a$11$abc"})");
    row("dollar in quotes", "a: \"$X\"", R"({a="$X"})");
    row("utf-8", "a: p\xC3\xA4ss", "{a=\"p\xC3\xA4ss\"}");
    row("carriage returns", "a: 1\r\nb: {\r\n c: x\r\n}\r\n", R"({a=1, b={c="x"}})");
    row("value on the line of a later brace", "a\n{ b: 1 }", "{a={b=1}}");
    row("nothing", "", "{}");
    row("only a comment", "# nothing here", "{}");
    row("stray brace at the end", "a: 1\n}", "{a=1}");
}

void TestConfigParser::values()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    const auto parsed = daemon::parseConfigText(text.toStdString(), "test.conf");
    if (QByteArray(QTest::currentDataTag()) == "bare path") {
        // Two entries on a line need a separator.
        QVERIFY(!parsed);
        return;
    }
    QVERIFY2(parsed.ok(), parsed.ok() ? "" : parsed.error().text.c_str());
    QCOMPARE(QByteArray::fromStdString(show(*parsed)), shown);
}

void TestConfigParser::errors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* name, const char* text, const char* error) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(error);
    };
    row("two separators, the file in braces",
        "{\n  \"port\": : \"x\"\n}",
        "t.conf:2:13: Parse error on line 2: 'Expected a block-level value to end with a new line, "
        "comment or EOF, but got '\"' instead.'");
    row("two separators in a block",
        "m {\n  \"port\": : \"x\"\n}",
        "t.conf:2:13: Parse error on line 2: 'Expected a map value terminator \",\" or a map "
        "terminator \"}\", but got '\"' instead.'");
    row("open string", "a: \"x", "t.conf:1:5: Parse error on line 1: 'Unexpected EOF.'");
    row("open block",
        "\na: (x\n",
        "t.conf:2:5: Parse error on line 2: 'Unexpected EOF processing block.'");
    row("open map", "a {\n b: 1", "t.conf:1:4: Parse error on line 1");
    row("open list", "a: [1", "t.conf:1:4: Parse error on line 1");
    row("list without commas",
        "a = [1 2]",
        "t.conf:1:8: Parse error on line 1: 'Expected an array value terminator \",\"");
    row("two entries on a line",
        "a: 1 b: 2",
        "t.conf:1:6: Parse error on line 1: 'Expected a top-level value to end");
    row("two maps on a line",
        "x { A {} B {} }",
        "t.conf:1:10: Parse error on line 1: 'Expected a map value terminator");
    row("no value",
        "a:\n1",
        "t.conf:1:3: Parse error on line 1: 'Expected value but found new line'");
    row("key alone", "a", "t.conf:1:1: Parse error");
    row("no key", "= 3", "t.conf:1:1: Parse error on line 1: 'Unexpected key separator '=''");
    row("bad escape", R"(a: "\q")", "Invalid escape character 'q'");
    row("bad hex", R"(a: "\xZZ")", "two hexadecimal digits");
    row("float without a digit", "a: .5", "Floats must start with a digit");
    row("minus alone", "a: -", "Expected a digit but got ' '.");
    row("out of range", "a: 99999999999999999999", "is out of the range");
    row("size out of range", "a: 99e", "is out of the range");
    row("unknown variable",
        "\na: $NOT_THERE",
        "t.conf:2:4: variable reference for 'NOT_THERE' on line 2 can not be found");
    row("missing include",
        "include \"nothing.conf\"",
        "t.conf:1:1: error parsing include file 'nothing.conf', open nothing.conf");
}

void TestConfigParser::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    const auto parsed = daemon::parseConfigText(text.toStdString(), "t.conf");
    QVERIFY(!parsed);
    const QByteArray got = QByteArray::fromStdString(parsed.error().text);
    QVERIFY2(got.contains(error), got.constData());
}

void TestConfigParser::environment()
{
    qputenv("JETGLASS_TEST_VARIABLE", "12kb");
    auto parsed = daemon::parseConfigText("a: $JETGLASS_TEST_VARIABLE", "t.conf");
    QVERIFY(parsed.ok());
    QCOMPARE(show(*parsed), std::string("{a=12288}"));
    // A variable that names itself must end.
    qputenv("JETGLASS_TEST_VARIABLE", "$JETGLASS_TEST_VARIABLE");
    QVERIFY(!daemon::parseConfigText("a: $JETGLASS_TEST_VARIABLE", "t.conf"));
    qunsetenv("JETGLASS_TEST_VARIABLE");
}

void TestConfigParser::includes()
{
    QTemporaryDir directory;
    QVERIFY(QDir(directory.path()).mkdir(QStringLiteral("sub")));
    const auto write = [&](const char* name, const QByteArray& text) {
        QFile file(directory.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("main.conf", "X: 7\ninclude ./sub/users.conf\nauth {\n include 'sub/inner.conf'\n}\n");
    write("sub/users.conf", "users: [a, b]\ninclude \"more.conf\"\n");
    write("sub/more.conf", "more: $X\n");
    write("sub/inner.conf", "token: t\n");
    const auto parsed =
        daemon::parseConfigFile(directory.filePath(QStringLiteral("main.conf")).toStdString());
    QVERIFY2(parsed.ok(), parsed.ok() ? "" : parsed.error().text.c_str());
    QCOMPARE(show(*parsed), std::string(R"({X=7, users=["a", "b"], more=7, auth={token="t"}})"));
    QVERIFY(QByteArray::fromStdString(parsed->find("users")->position.file).endsWith("users.conf"));
}

void TestConfigParser::includeLoop()
{
    QTemporaryDir directory;
    QFile file(directory.filePath(QStringLiteral("loop.conf")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("include ./loop.conf\n");
    file.close();
    QVERIFY(!daemon::parseConfigFile(file.fileName().toStdString()));
}

void TestConfigParser::anyCutIsAnErrorOrAMap()
{
    const std::string text = "a: \"x\\n\", b = [1, {c: $V}, 'y'] # z\nV: (\nq\n)\nd { e: 1.5kb; f: "
                             "-2 }\ng: \"\\x41\" // end\n";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        const auto parsed =
            daemon::parseConfigText(std::string_view(text).substr(0, size), "cut.conf");
        if (!parsed)
            QVERIFY(!parsed.error().text.empty());
    }
    QVERIFY(!daemon::parseConfigText(std::string(10'000, '['), "deep.conf"));
    std::string deep = "a";
    for (int i = 0; i < 1000; ++i)
        deep += "{a";
    QVERIFY(!daemon::parseConfigText(deep, "deep.conf"));
    std::string lists = "a: ";
    lists.append(100'000, '[');
    QVERIFY(!daemon::parseConfigText(lists, "deep.conf"));
}

QTEST_GUILESS_MAIN(TestConfigParser)
#include "tst_config_parser.moc"
