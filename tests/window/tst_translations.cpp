// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QRegularExpression>
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

QList<Message> read(const QString& file)
{
    QFile in(QStringLiteral(TRANSLATIONS_DIR "/") + file);
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
    void chineseIsComplete();
    void placesAreTheSame();
    void englishHasItsPlurals();
};

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
