// SPDX-License-Identifier: GPL-3.0-or-later
// The scanner that names a fault and the parser that reads must agree on what JSON is.
#include "streams/json_fault.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <random>

using namespace jetglass;
using streams::findJsonFault;

class TestJsonFault : public QObject
{
    Q_OBJECT

private slots:
    void namesTheByte_data();
    void namesTheByte();
    void agreesWithTheParser();
};

void TestJsonFault::namesTheByte_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("whole");
    QTest::addColumn<QByteArray>("fault");
    QTest::addColumn<int>("offset");
    const auto row = [](const char* text, bool whole, const char* fault, int offset) {
        QTest::addRow("%s%s", text, whole ? ", whole" : "")
            << QByteArray(text) << whole << QByteArray(fault) << offset;
    };
    row("{", false, "", 0);
    row("{\"a\":\"b", false, "", 0);
    row("{\"a\":1,}", false, "invalid character '}' looking for beginning of object key string", 8);
    row("{\"a\" 1}", false, "invalid character '1' after object key", 6);
    row("{\"a\":01}", false, "invalid character '1' after object key:value pair", 7);
    row("[1 2]", false, "invalid character '2' after array element", 4);
    row("[1,\xE9]", false, "invalid character '\xC3\xA9' looking for beginning of value", 4);
    row("\"\x01\"", false, "invalid character '\\x01' in string literal", 2);
    row("'a'", false, "invalid character '\\'' looking for beginning of value", 1);
    row("[1.]", false, "invalid character ']' after decimal point in numeric literal", 4);
    row("[nulx]", false, "invalid character 'x' in literal null (expecting 'l')", 5);
    row("nul", false, "", 0);
    row("nul", true, "invalid character ' ' in literal null (expecting 'l')", 4);
    row("{} x", true, "invalid character 'x' after top-level value", 4);
}

void TestJsonFault::namesTheByte()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, whole);
    const auto fault = findJsonFault(text.toStdString(), whole);
    QVERIFY(fault);
    QTEST(QByteArray::fromStdString(fault->text), "fault");
    QTEST(static_cast<int>(fault->offset), "offset");
}

void TestJsonFault::agreesWithTheParser()
{
    const std::string good =
        R"({"name":"N\u00e9\n","a":[1,-2.5e+3,true,false,null,{}],"b":{"c":[]}})";
    constexpr std::string_view kLetters = "{}[],:\"\\ 01-+.eEtruefalsn/u\n\x01";
    constexpr int kTexts = 50'000;
    std::mt19937 random(7);
    int broken = 0;
    for (int i = 0; i < kTexts; ++i) {
        std::string text = good;
        for (auto changes = random() % 4; changes > 0; --changes) {
            const std::size_t at = random() % text.size();
            const char letter = kLetters[random() % kLetters.size()];
            if (random() % 3 == 0)
                text.erase(at, 1);
            else if (random() % 2 == 0)
                text.insert(at, 1, letter);
            else
                text[at] = letter;
        }
        const bool is = nlohmann::json::accept(text);
        broken += is ? 0 : 1;
        if (findJsonFault(text, true).has_value() == is)
            QFAIL(("they disagree on " + text).c_str());
    }
    QVERIFY(broken > kTexts / 4 && broken < kTexts);
}

QTEST_APPLESS_MAIN(TestJsonFault)
#include "tst_json_fault.moc"
