// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/subject.h"
#include "subjects/subject_filter.h"

#include <QTest>

using namespace jetglass;

class TestSubject : public QObject
{
    Q_OBJECT
private slots:
    void validity_data();
    void validity();
    void matching_data();
    void matching();
    void twoPatterns_data();
    void twoPatterns();
    void tokens();
    void filters();
};

void TestSubject::validity_data()
{
    QTest::addColumn<QByteArray>("subject");
    QTest::addColumn<bool>("subscription");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<bool>("literal");
    QTest::newRow("plain") << QByteArray("foo.bar") << true << true << true;
    QTest::newRow("empty") << QByteArray("") << false << false << false;
    QTest::newRow("leading dot") << QByteArray(".foo") << false << false << false;
    QTest::newRow("trailing dot") << QByteArray("foo.") << false << false << false;
    QTest::newRow("double dot") << QByteArray("foo..bar") << false << false << false;
    QTest::newRow("star") << QByteArray("foo.*.bar") << true << true << false;
    QTest::newRow("rest") << QByteArray("foo.>") << true << true << false;
    QTest::newRow("rest in the middle") << QByteArray("foo.>.bar") << false << false << false;
    QTest::newRow("star inside a token") << QByteArray("foo.b*r") << true << true << true;
    QTest::newRow("rest inside a token") << QByteArray("a>") << true << true << true;
    QTest::newRow("blank") << QByteArray("foo bar") << true << false << true;
    QTest::newRow("form feed") << QByteArray("foo\fbar") << true << false << true;
    QTest::newRow("utf-8") << QByteArray("f\xC3\xBC.b") << true << true << true;
}

void TestSubject::validity()
{
    QFETCH(QByteArray, subject);
    const std::string_view text(subject.constData(), static_cast<std::size_t>(subject.size()));
    QTEST(subjects::isValidSubscription(text), "subscription");
    QTEST(subjects::isValidStreamSubject(text), "stream");
    QTEST(subjects::isValidLiteral(text), "literal");
}

void TestSubject::matching_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("subject");
    QTest::addColumn<bool>("match");
    const auto row = [](const char* pattern, const char* subject, bool match) {
        QTest::addRow("%s on %s", pattern, subject)
            << QByteArray(pattern) << QByteArray(subject) << match;
    };
    row("foo", "foo", true);
    row("foo", "foo.bar", false);
    row("foo.bar", "foo", false);
    row("*", "foo", true);
    row("*", "foo.bar", false);
    row(">", "foo", true);
    row(">", "foo.bar.baz", true);
    row(">", "foo..bar", false);
    row(">", ".foo", false);
    row("foo.>", "foo", false);
    row("foo.>", "foo.", false);
    row("foo.>", "foo.bar.baz", true);
    row("foo.*", "foo.bar", true);
    row("foo.*", "foo.bar.baz", false);
    row("*.bar", "foo.bar", true);
    row("*.*", "foo.bar", true);
    row("foo.*.>", "foo.bar", false);
    row("foo.*.>", "foo.bar.baz.x", true);
    row("foo.*", "foo.*", true);
    row("foo.bar", "foo.*", false);
    row("foo.b*r", "foo.bar", false);
    row("foo.b*r", "foo.b*r", true);
    row("FOO", "foo", false);
}

void TestSubject::matching()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, subject);
    QTEST(subjects::matches(pattern.toStdString(), subject.toStdString()), "match");
}

void TestSubject::twoPatterns_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<bool>("collide");
    QTest::addColumn<bool>("subset");
    const auto row = [](const char* a, const char* b, bool collide, bool subset) {
        QTest::addRow("%s and %s", a, b) << QByteArray(a) << QByteArray(b) << collide << subset;
    };
    row("foo", "foo", true, true);
    row("foo", "bar", false, false);
    row("foo", "*", true, true);
    row("*", "foo", true, false);
    row("foo.*", "*.bar", true, false);
    row("foo.*", "foo.>", true, true);
    row("foo.>", "foo.*", true, false);
    row("foo.>", "foo", false, false);
    row("foo.bar.>", "foo.>", true, true);
    row("foo.>", "foo.bar.>", true, false);
    row(">", "foo", true, false);
    row("a.*.c", "a.b.>", true, false);
    row("a.*.c", "a.b.d", false, false);
    row("a.b", "a.b.c", false, false);
}

void TestSubject::twoPatterns()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QTEST(subjects::collide(a.toStdString(), b.toStdString()), "collide");
    QTEST(subjects::collide(b.toStdString(), a.toStdString()), "collide");
    QTEST(subjects::isSubset(a.toStdString(), b.toStdString()), "subset");
}

void TestSubject::tokens()
{
    QCOMPARE_EQ(subjects::tokenCount("a.b.c"), 3U);
    QCOMPARE_EQ(subjects::tokenCount(""), 0U);
    QVERIFY(subjects::token("a.b.c", 1) == "b");
    QVERIFY(subjects::token("a.b.c", 2) == "c");
    QVERIFY(subjects::token("a.b.c", 3).empty());
    QVERIFY(subjects::hasWildcard("a.*"));
    QVERIFY(!subjects::hasWildcard("a.b*"));
    QCOMPARE_NE(subjects::hash("a.b"), subjects::hash("a.c"));
}

void TestSubject::filters()
{
    QVERIFY(subjects::SubjectFilter().matchesAll());
    QVERIFY(subjects::SubjectFilter({"a", ">"}).matchesAll());
    const subjects::SubjectFilter two({"a.*", "b"});
    QVERIFY(two.matches("a.x") && two.matches("b") && !two.matches("c") && !two.isLiteral());
    const subjects::SubjectFilter one({"a.b"});
    QVERIFY(one.isLiteral() && one.matches("a.b") && !one.matches("a.c"));
}

QTEST_GUILESS_MAIN(TestSubject)
#include "tst_subject.moc"
