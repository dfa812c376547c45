// SPDX-License-Identifier: GPL-3.0-or-later
// What a stream writes down of where its messages came from.
#include "streams/source_name.h"

#include <QRegularExpression>
#include <QTest>

using namespace jetglass;

class TestSourceName : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }
    void namesSources_data();
    void namesSources();
    void readsSourceHeaders_data();
    void readsSourceHeaders();
};

void TestSourceName::namesSources_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<int>("transforms");
    QTest::addColumn<bool>("external");
    QTest::addColumn<QString>("index");
    QTest::newRow("plain") << "" << 0 << false << "O > >";
    QTest::newRow("filter") << "a.*" << 0 << false << "O a.* >";
    QTest::newRow("transforms") << "" << 2 << false << "O a.*\fb.> x.$1\f>";
    QTest::newRow("external") << "" << 0 << true << "O:YcsmEQpm > >";
}

void TestSourceName::namesSources()
{
    QFETCH(QString, filter);
    QFETCH(int, transforms);
    QFETCH(bool, external);
    StreamSource source;
    source.name = "O";
    source.filterSubject = filter.toStdString();
    if (transforms > 0)
        source.subjectTransforms = {{"a.*", "x.$1"}, {"b.>", ""}};
    if (external)
        source.external = StreamSource::External{"$JS.hub.API", ""};
    const QString index = QString::fromStdString(streams::sourceIndex(source));
    if (!external) {
        QTEST(index, "index");
        return;
    }
    // The hash stands between a colon and the filter.
    QVERIFY2(QRegularExpression(QStringLiteral("^O:[0-9A-Za-z]{8} > >$")).match(index).hasMatch(),
        qPrintable(index));
}

void TestSourceName::readsSourceHeaders_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("index");
    QTest::addColumn<qulonglong>("seq"); // 0 = not understood
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("identity");
    QTest::newRow("six words") << "O 7 a.* > a.b ABC"
                               << "O a.* >" << 7ULL << "a.b"
                               << "ABC";
    QTest::newRow("five words") << "O 7 > > a.b"
                                << "O > >" << 7ULL << "a.b"
                                << "";
    QTest::newRow("two words") << "O 7"
                               << "" << 7ULL << ""
                               << "";
    QTest::newRow("three words") << "O 7 x"
                                 << "" << 0ULL << ""
                                 << "";
    QTest::newRow("no number") << "O x > > a"
                               << "" << 0ULL << ""
                               << "";
    QTest::newRow("empty") << ""
                           << "" << 0ULL << ""
                           << "";
}

void TestSourceName::readsSourceHeaders()
{
    QFETCH(QString, value);
    QFETCH(qulonglong, seq);
    const auto mark = streams::parseSourceHeader(value.toStdString());
    QCOMPARE(mark.has_value(), seq > 0);
    if (!mark)
        return;
    QCOMPARE(mark->seq, seq);
    QTEST(QString::fromStdString(mark->index), "index");
    QTEST(QString::fromStdString(mark->subject), "subject");
    QTEST(QString::fromStdString(mark->identity), "identity");
}

QTEST_GUILESS_MAIN(TestSourceName)
#include "tst_source_name.moc"
