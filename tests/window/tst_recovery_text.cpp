// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/languages.h"
#include "text/recovery_text.h"

#include <QTest>

#include <limits>

using namespace jetglass;
using Kind = RecoveryFinding::Kind;
using settings::Language;

namespace {

/// Without a letter in what is no sentence.
RecoveryFinding sample(Kind kind)
{
    return {.kind = kind,
        .file = "/1/2/3/4",
        .first = 21,
        .last = 22,
        .bytes = 23,
        .streams = {"5"},
        .consumer = "6",
        .consumers = 24,
        .aside = "/7",
        .detail = "8"};
}

QString said(const RecoveryFinding& finding, Language language)
{
    settings::installLanguage(language);
    return text::recoveryText(finding);
}

} // namespace

class TestRecoveryText : public QObject
{
    Q_OBJECT
private slots:
    void everyKindIsSaidInTwoLanguages();
    void oneByteIsNotMany();
    void copiesAreNamed();
    void aTornWriteIsNotCalledDamage();
    void placesTellFilesApart();
};

void TestRecoveryText::everyKindIsSaidInTwoLanguages()
{
    int kinds = 0;
    for (int value = 0; value <= std::numeric_limits<std::uint8_t>::max(); ++value) {
        const RecoveryFinding finding = sample(static_cast<Kind>(value));
        const std::string line = recoveryLine(finding);
        if (line.empty())
            break;
        ++kinds;
        const QString english = said(finding, Language::English);
        QVERIFY2(!english.isEmpty(), line.c_str());
        QString chinese = said(finding, Language::Chinese);
        QVERIFY2(!chinese.isEmpty() && chinese != english, line.c_str());
        chinese.remove(QStringLiteral("catalog.sqlite")).remove(QStringLiteral("config.json"));
        for (const QChar letter : chinese)
            QVERIFY2(letter.unicode() > 127 || !letter.isLetter(), qPrintable(chinese));
        for (const QString& text : {english, chinese})
            QVERIFY2(!text.contains(QLatin1Char('%')), qPrintable(text));
    }
    QVERIFY(kinds > static_cast<int>(Kind::CatalogNotRestored));
}

void TestRecoveryText::oneByteIsNotMany()
{
    RecoveryFinding finding = sample(Kind::BytesDamaged);
    finding.aside.clear();
    QCOMPARE(said(finding, Language::English), QStringLiteral("/1/2/3/4: 23 bytes are damaged."));
    finding.bytes = 1;
    QCOMPARE(said(finding, Language::English), QStringLiteral("/1/2/3/4: 1 byte is damaged."));
}

/// Whoever wants to save more of a damaged file has to find it as it was.
void TestRecoveryText::copiesAreNamed()
{
    for (const Kind kind : {Kind::BytesDamaged,
             Kind::EndDamaged,
             Kind::HeadRewritten,
             Kind::BlockSetAside,
             Kind::ConsumerLogSetAside,
             Kind::ConsumerLost,
             Kind::CatalogDamaged}) {
        for (const Language language : {Language::English, Language::Chinese}) {
            const QString text = said(sample(kind), language);
            QVERIFY2(text.contains(QStringLiteral("/7")), qPrintable(text));
        }
    }
    for (const Kind kind : {Kind::BytesDamaged, Kind::EndDamaged, Kind::HeadRewritten}) {
        RecoveryFinding finding = sample(kind);
        finding.aside.clear();
        QVERIFY(!said(finding, Language::English).contains(QStringLiteral("kept")));
    }
    // Its copy could not be renamed: then it lies where it was.
    RecoveryFinding stays = sample(Kind::ConsumerLost);
    stays.aside.clear();
    QVERIFY(said(stays, Language::English).contains(QString::fromStdString(stays.file)));
}

void TestRecoveryText::aTornWriteIsNotCalledDamage()
{
    for (const Kind kind : {Kind::TornEndCut, Kind::ConsumerLogCut}) {
        QCOMPARE(said(sample(kind), Language::English),
            QStringLiteral(
                "/1/2/3/4: the last write was not finished; its 23 bytes were cut off."));
    }
}

void TestRecoveryText::placesTellFilesApart()
{
    RecoveryFinding finding = sample(Kind::SequencesLost);
    QCOMPARE(text::recoveryPlace(finding), QStringLiteral("2/3/4"));
    finding.file.clear();
    QCOMPARE(text::recoveryPlace(finding), QStringLiteral("5"));
}

QTEST_GUILESS_MAIN(TestRecoveryText)
#include "tst_recovery_text.moc"
