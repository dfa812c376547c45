// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/subject_transform.h"

#include <QTest>

using jetglass::subjects::Transform;

class tst_SubjectTransform : public QObject
{
    Q_OBJECT

private slots:
    void maps_data();
    void maps();
    void refuses_data();
    void refuses();
    void leavesWhatDoesNotMatch();
    void drawsNumbers();
};

void tst_SubjectTransform::maps_data()
{
    QTest::addColumn<QString>("src");
    QTest::addColumn<QString>("dest");
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("result");
    QTest::newRow("wildcards") << "a.*.*"
                               << "t.{{wildcard(2)}}.$1"
                               << "a.x.y"
                               << "t.y.x";
    QTest::newRow("tail") << "a.>"
                          << "b.>"
                          << "a.x.y"
                          << "b.x.y";
    QTest::newRow("all to a prefix") << ""
                                     << "b.>"
                                     << "a.x"
                                     << "b.a.x";
    QTest::newRow("partition by wildcards") << "s1.*.*"
                                            << "t.{{partition(10,1,2)}}.$1"
                                            << "s1.foo.bar"
                                            << "t.0.foo";
    QTest::newRow("partition of the subject") << "s2.*"
                                              << "t.{{partition(5)}}.$1"
                                              << "s2.foo"
                                              << "t.3.foo";
    QTest::newRow("partition without wildcards") << "s2.foo"
                                                 << "t.{{partition(5,3)}}"
                                                 << "s2.foo"
                                                 << "t.3";
    QTest::newRow("partition of none") << "a.*"
                                       << "{{partition(0,1)}}"
                                       << "a.x"
                                       << "0";
    QTest::newRow("left") << "s.*"
                          << "t.{{left(1,2)}}.{{left(1,0)}}.{{left(1,9)}}"
                          << "s.12345"
                          << "t.12.12345.12345";
    QTest::newRow("right, capital") << "s.*"
                                    << "t.{{Right(1,2)}}"
                                    << "s.12345"
                                    << "t.45";
    QTest::newRow("split") << "s.*"
                           << "t.{{split(1,-)}}"
                           << "s.x-y--z"
                           << "t.x.y.z";
    QTest::newRow("split from left") << "s.*"
                                     << "t.{{splitfromleft(1,2)}}"
                                     << "s.12345"
                                     << "t.12.345";
    QTest::newRow("split from right") << "s.*"
                                      << "t.{{SplitFromRight(1,2)}}"
                                      << "s.12345"
                                      << "t.123.45";
    QTest::newRow("slice from left") << "s.*"
                                     << "t.{{slicefromleft(1,2)}}"
                                     << "s.12345"
                                     << "t.12.34.5";
    QTest::newRow("slice from right") << "s.*"
                                      << "t.{{slicefromright(1,2)}}"
                                      << "s.12345"
                                      << "t.1.23.45";
    QTest::newRow("blanks inside") << "s.*"
                                   << "t.{{ wildcard( 1 ) }}"
                                   << "s.x"
                                   << "t.x";
    QTest::newRow("half a function is text") << "s.*"
                                             << "t.{{wildcard(1)"
                                             << "s.x"
                                             << "t.{{wildcard(1)";
    QTest::newRow("a dot inside is text") << "s.*"
                                          << "t.{{split(1,.)}}"
                                          << "s.x"
                                          << "t.{{split(1,.)}}";
    QTest::newRow("dollar text") << "s.*"
                                 << "t.$x"
                                 << "s.y"
                                 << "t.$x";
    QTest::newRow("no such wildcard is the first token") << "a.*.*"
                                                         << "{{wildcard(0)}}.{{wildcard(-7)}}.$0"
                                                         << "a.x.y"
                                                         << "a.a.a";
    QTest::newRow("the same of partitions") << "a.*"
                                            << "{{partition(7,0)}}"
                                            << "a.x"
                                            << "5";
    QTest::newRow("the longest arguments") << "a.*"
                                           << "{{split(1,))}}"
                                           << "a.x)y"
                                           << "x.y";
    QTest::newRow("split at nothing") << "a.*"
                                      << "{{split(1,)}}"
                                      << "a.xyz"
                                      << "x.y.z";
    QTest::newRow("two delimiters first") << "a.*"
                                          << "t{{wildcard(1)}}.{{split(1,-)}}"
                                          << "a.--y"
                                          << "t{{wildcard(1)}}..y";
    QTest::newRow("sizes below zero") << "a.*"
                                      << "{{left(1,-1)}}.{{slicefromleft(1,-3)}}"
                                      << "a.xyz"
                                      << "xyz.xyz";
    QTest::newRow("partitions below zero") << "a.*"
                                           << "{{partition(-4294967295,1)}}"
                                           << "a.x"
                                           << "0";
    QTest::newRow("blanks in front of a tail") << "a.>"
                                               << "{{ Partition\t( 1) }}.>"
                                               << "a.x"
                                               << "0.x";
    QTest::newRow("empty destination") << "s.*"
                                       << ""
                                       << "s.y"
                                       << "s.y";
    QTest::newRow("identity") << ">"
                              << ">"
                              << "s.y"
                              << "s.y";
}

void tst_SubjectTransform::maps()
{
    QFETCH(QString, src);
    QFETCH(QString, dest);
    QFETCH(QString, subject);
    auto transform = Transform::compileChecked(src.toStdString(), dest.toStdString());
    QVERIFY2(transform.ok(), transform.ok() ? "" : transform.error().text.c_str());
    const auto result = transform->apply(subject.toStdString());
    QVERIFY(result.has_value());
    QTEST(QString::fromStdString(*result), "result");
}

void tst_SubjectTransform::refuses_data()
{
    QTest::addColumn<QString>("src");
    QTest::addColumn<QString>("dest");
    QTest::addColumn<QString>("error");
    const QString prefix = QStringLiteral("invalid mapping destination: ");
    QTest::newRow("index") << "a.*"
                           << "t.$2" << prefix + "wildcard index out of range in $2: [2]";
    QTest::newRow("index without wildcards")
        << "a"
        << "t.$1" << prefix + "wildcard index out of range in $1";
    QTest::newRow("few") << "a.*"
                         << "t.{{wildcard()}}"
                         << prefix
            + "not enough arguments passed to the function in {{wildcard()}}";
    QTest::newRow("many") << "a.*"
                          << "t.{{wildcard(1,2)}}"
                          << prefix
            + "too many arguments passed to the function in {{wildcard(1,2)}}";
    QTest::newRow("wrong") << "a.*"
                           << "t.{{wildcard(x)}}"
                           << prefix
            + "function argument is invalid or in the wrong format in {{wildcard(x)}}";
    QTest::newRow("unknown") << "a.*"
                             << "t.{{nope(1)}}" << prefix + "unknown function in {{nope(1)}}";
    QTest::newRow("capitals in the middle")
        << "a.*"
        << "{{WildCard(1)}}" << prefix + "unknown function in {{WildCard(1)}}";
    QTest::newRow("blanks are no number")
        << "a.*"
        << "{{wildcard( )}}"
        << prefix + "function argument is invalid or in the wrong format in {{wildcard( )}}";
    QTest::newRow("a call in the arguments") << "a.*"
                                             << "{{left(1,2)wildcard(1)}}"
                                             << prefix
            + "function argument is invalid or in the wrong format in {{left(1,2)wildcard(1)}}";
    QTest::newRow("a line's end in the arguments")
        << "a.*"
        << "{{left(1\n,2)}}" << prefix + "unknown function in {{left(1\n,2)}}";
    QTest::newRow("random of two")
        << "a.*"
        << "{{random(1,2)}}"
        << prefix + "not enough arguments passed to the function in {{random(1,2)}}";
    QTest::newRow("too many parts") << "a"
                                    << "{{partition(2147483648)}}"
                                    << prefix
            + "function argument is invalid or in the wrong format in {{partition(2147483648)}}";
    QTest::newRow("a function of no wildcard")
        << "a"
        << "{{left(1,2)}}" << prefix + "wildcard index out of range in {{left(1,2)}}";
    QTest::newRow("blank in a token") << "a.*"
                                      << "t.a b" << prefix + "invalid transform";
    QTest::newRow("something behind the tail") << "a.>"
                                               << ">.b" << prefix + "invalid transform in b";
    QTest::newRow("tail lost") << "a.>"
                               << "t"
                               << "invalid subject";
    QTest::newRow("tail lost comes before a bad index") << "a.>"
                                                        << "t.{{wildcard(3)}}"
                                                        << "invalid subject";
    QTest::newRow("tail lost comes before bad arguments") << "a.>"
                                                          << "{{wildcard(1,2)}}"
                                                          << "invalid subject";
    QTest::newRow("an unknown function comes before the tail")
        << "a.>"
        << "{{nope(1)}}" << prefix + "unknown function in {{nope(1)}}";
    QTest::newRow("an empty token comes before the tail") << "a.>"
                                                          << "t..b" << prefix + "invalid transform";
    QTest::newRow("empty token") << "a.*"
                                 << "t..b" << prefix + "invalid transform";
    QTest::newRow("star in destination") << "a.*"
                                         << "t.*"
                                         << "invalid subject";
    QTest::newRow("bad source") << "a..b"
                                << "t"
                                << "invalid subject";
}

void tst_SubjectTransform::refuses()
{
    QFETCH(QString, src);
    QFETCH(QString, dest);
    auto transform = Transform::compileChecked(src.toStdString(), dest.toStdString());
    QVERIFY(!transform.ok());
    QTEST(QString::fromStdString(transform.error().text), "error");
}

void tst_SubjectTransform::leavesWhatDoesNotMatch()
{
    auto transform = Transform::compile("a.*", "b.$1");
    QVERIFY(transform.ok());
    QVERIFY(!transform->apply("a.x.y"));
    QVERIFY(!transform->matches("b.x"));
}

void tst_SubjectTransform::drawsNumbers()
{
    const auto transform = Transform::compileChecked("a", "{{random(3)}}.{{Random(0)}}");
    QVERIFY(transform.ok());
    for (int i = 0; i < 50; ++i) {
        const QString drawn = QString::fromStdString(transform->apply("a").value());
        QVERIFY2((QStringList{QStringLiteral("0.0"), QStringLiteral("1.0"), QStringLiteral("2.0")}
                         .contains(drawn)),
            qPrintable(drawn));
    }
}

QTEST_GUILESS_MAIN(tst_SubjectTransform)
#include "tst_subject_transform.moc"
