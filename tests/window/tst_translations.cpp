// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace {

struct Message
{
    QString context;
    QString source;
    QStringList translations; ///< one, or one per plural form
    QString type; ///< "unfinished", "vanished" ...
};

QList<Message> readFile(const QString& path)
{
    QFile in(path);
    if (!in.open(QIODevice::ReadOnly))
        return {};
    QXmlStreamReader xml(&in);
    QList<Message> all;
    QString context;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("source")) {
            all.append({context, xml.readElementText(), {}, {}});
        } else if (xml.name() == QLatin1String("translation")) {
            all.last().type = xml.attributes().value(QLatin1String("type")).toString();
            QString text;
            while (!(xml.isEndElement() && xml.name() == QLatin1String("translation"))) {
                xml.readNext();
                if (xml.isStartElement() && xml.name() == QLatin1String("numerusform"))
                    all.last().translations << xml.readElementText();
                else if (xml.isCharacters())
                    text += xml.text();
            }
            if (all.last().translations.isEmpty())
                all.last().translations << text;
        }
    }
    return all;
}

QString stored(const QString& file)
{
    return QStringLiteral(TRANSLATIONS_DIR "/") + file;
}

QList<Message> read(const QString& file)
{
    return readFile(stored(file));
}

QStringList named(const QList<Message>& messages)
{
    QStringList all;
    for (const Message& message : messages)
        all << message.context + QStringLiteral(": ") + message.source;
    all.sort();
    return all;
}

/// %1, %2, %L1, %n … in order of name.
QStringList places(const QString& text)
{
    static const QRegularExpression place(QStringLiteral("%(L?[0-9]|L?n)"));
    QStringList all;
    auto it = place.globalMatch(text);
    while (it.hasNext())
        all << it.next().captured(0);
    all.removeDuplicates();
    all.sort();
    return all;
}

} // namespace

class TestTranslations : public QObject
{
    Q_OBJECT
private slots:
    void sourcesHoldTheSameTexts_data();
    void sourcesHoldTheSameTexts();
    void chineseIsComplete();
    void placesAreTheSame();
    void englishHasItsPlurals();
};

void TestTranslations::sourcesHoldTheSameTexts_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("options");
    QTest::addRow("every text in Chinese") << QStringLiteral("jetglass_zh_CN.ts") << QStringList();
    QTest::addRow("every plural in English")
        << QStringLiteral("jetglass_en.ts") << QStringList{QStringLiteral("-pluralonly")};
}

/// A copy is brought up to date from the sources: what is new or gone then was forgotten.
void TestTranslations::sourcesHoldTheSameTexts()
{
    QFETCH(QString, file);
    QFETCH(QStringList, options);
    const QTemporaryDir folder;
    const QString copy = folder.filePath(file);
    QVERIFY(QFile::copy(stored(file), copy));
    QVERIFY(QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner));
    QProcess update;
    update.setProcessChannelMode(QProcess::MergedChannels);
    update.start(QStringLiteral(LUPDATE),
        QStringList{QStringLiteral("-locations"),
            QStringLiteral("none"),
            QStringLiteral("-no-obsolete"),
            QStringLiteral("-I"),
            QStringLiteral(TRANSLATIONS_DIR "/../app"),
            QStringLiteral("-I"),
            QStringLiteral(TRANSLATIONS_DIR "/../widgets"),
            QStringLiteral("@" TRANSLATED_SOURCES)}
            + options + QStringList{QStringLiteral("-ts"), copy});
    QVERIFY2(update.waitForFinished(), LUPDATE);
    QVERIFY2(update.exitStatus() == QProcess::NormalExit && update.exitCode() == 0,
        update.readAll().constData());
    const QStringList before = named(read(file));
    const QStringList after = named(readFile(copy));
    for (const QString& text : after)
        QVERIFY2(before.contains(text), qPrintable(QStringLiteral("not translated: ") + text));
    for (const QString& text : before)
        QVERIFY2(after.contains(text), qPrintable(QStringLiteral("in no source: ") + text));
    QCOMPARE(before.size(), after.size());
    for (const Message& message : readFile(copy))
        QVERIFY2(message.type.isEmpty(), qPrintable(message.source));
}

void TestTranslations::chineseIsComplete()
{
    const QList<Message> all = read(QStringLiteral("jetglass_zh_CN.ts"));
    QVERIFY(all.size() > 400);
    for (const Message& message : all) {
        QVERIFY2(message.type.isEmpty(),
            qPrintable(message.context + QStringLiteral(": ") + message.source));
        for (const QString& text : message.translations)
            QVERIFY2(!text.isEmpty(),
                qPrintable(message.context + QStringLiteral(": ") + message.source));
    }
}

void TestTranslations::placesAreTheSame()
{
    for (const QString& file :
        {QStringLiteral("jetglass_zh_CN.ts"), QStringLiteral("jetglass_en.ts")}) {
        for (const Message& message : read(file)) {
            for (const QString& text : message.translations)
                QVERIFY2(places(text) == places(message.source),
                    qPrintable(message.source + QStringLiteral(" / ") + text));
        }
    }
}

void TestTranslations::englishHasItsPlurals()
{
    const QList<Message> all = read(QStringLiteral("jetglass_en.ts"));
    QVERIFY(!all.isEmpty());
    for (const Message& message : all) {
        QCOMPARE(message.translations.size(), 2);
        QVERIFY2(
            !message.translations[0].contains(QStringLiteral("(s)")), qPrintable(message.source));
        QVERIFY2(
            !message.translations[1].contains(QStringLiteral("(s)")), qPrintable(message.source));
    }
}

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
