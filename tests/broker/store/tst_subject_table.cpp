// SPDX-License-Identifier: GPL-3.0-or-later
// The subjects of a stream beside a plain map, through growth, release and names given back.
#include "store/subject_table.h"

#include <QtTest>

#include <map>
#include <random>
#include <string>

using namespace jetglass::store;

class TestSubjectTable : public QObject
{
    Q_OBJECT

private slots:
    void behavesLikeAMap_data();
    void behavesLikeAMap();
    void numbersAreGivenAgain();
    void releasedNamesAreGivenBack();
};

void TestSubjectTable::behavesLikeAMap_data()
{
    QTest::addColumn<int>("names");
    QTest::addColumn<int>("steps");
    QTest::newRow("few") << 20 << 5000;
    QTest::newRow("more than one segment") << 20'000 << 200'000;
    QTest::newRow("many") << 200'000 << 600'000;
}

void TestSubjectTable::behavesLikeAMap()
{
    QFETCH(int, names);
    QFETCH(int, steps);
    SubjectTable table;
    std::map<std::string, std::uint64_t> model;
    std::mt19937 random(7);
    for (int step = 0; step < steps; ++step) {
        // It fills up, is emptied to a part, and fills up again.
        const bool filling = step % (steps / 2) < steps / 3;
        const std::string name =
            "orders." + std::to_string(static_cast<int>(random() % static_cast<unsigned>(names)));
        const SubjectTable::Id known = table.find(name);
        QCOMPARE(known != SubjectTable::kNone, model.contains(name));
        if (filling) {
            bool isNew = false;
            const SubjectTable::Id id = table.findOrAdd(name, isNew);
            QCOMPARE(isNew, known == SubjectTable::kNone);
            table.added(id, static_cast<std::uint64_t>(step) + 1U);
            ++model[name];
        } else if (known != SubjectTable::kNone) {
            table.removedBelow(known, table.entry(known).count, ~std::uint64_t{0});
            table.release(known);
            model.erase(name);
        }
    }
    QCOMPARE(table.live(), model.size());
    std::size_t used = 0;
    for (SubjectTable::Id id = 0; id < table.bound(); ++id) {
        if (!table.entry(id).used)
            continue;
        ++used;
        const auto found = model.find(std::string(table.name(id)));
        QVERIFY(found != model.end());
        QCOMPARE(table.entry(id).count, found->second);
        QCOMPARE(table.find(found->first), id);
    }
    QCOMPARE(used, model.size());
    std::vector<std::string> all;
    for (int i = 0; i < names; ++i)
        all.push_back("orders." + std::to_string(i));
    const std::vector<std::string_view> asked(all.begin(), all.end());
    std::vector<SubjectTable::Id> found(asked.size());
    table.findMany(asked, found);
    for (std::size_t i = 0; i < asked.size(); ++i)
        QCOMPARE(found[i], table.find(asked[i]));
}

void TestSubjectTable::numbersAreGivenAgain()
{
    SubjectTable table;
    bool isNew = false;
    const SubjectTable::Id a = table.findOrAdd("a", isNew);
    const SubjectTable::Id b = table.findOrAdd("b", isNew);
    table.added(b, 1);
    table.release(b); // has a message
    QCOMPARE(table.find("b"), b);
    table.release(a);
    QCOMPARE(table.find("a"), SubjectTable::kNone);
    QCOMPARE(table.findOrAdd("c", isNew), a);
    QVERIFY(isNew);
    QCOMPARE(table.name(a), std::string_view("c"));
    QCOMPARE(table.bound(), 2U);
}

/// A million subjects come and go a hundred thousand at a time: the names of one round are all that
/// is kept.
void TestSubjectTable::releasedNamesAreGivenBack()
{
    SubjectTable table;
    std::uint64_t mostBytes = 0;
    for (int round = 0; round < 10; ++round) {
        std::vector<SubjectTable::Id> ids;
        for (int i = 0; i < 100'000; ++i) {
            bool isNew = false;
            ids.push_back(table.findOrAdd(
                "round." + std::to_string(round) + ".subject." + std::to_string(i), isNew));
            QVERIFY(isNew);
        }
        for (int i = 0; i < 100'000; i += 1000)
            QCOMPARE(table.name(ids[static_cast<std::size_t>(i)]),
                std::string_view(
                    "round." + std::to_string(round) + ".subject." + std::to_string(i)));
        mostBytes = std::max(mostBytes, table.nameBytes());
        for (const SubjectTable::Id id : ids)
            table.release(id);
    }
    QVERIFY2(mostBytes < 3U * 100'000U * 28U, qPrintable(QString::number(mostBytes)));
    QVERIFY2(table.nameBytes() <= 4U << 20U, qPrintable(QString::number(table.nameBytes())));
    QCOMPARE(table.bound(), 100'000U);
}

QTEST_GUILESS_MAIN(TestSubjectTable)
#include "tst_subject_table.moc"
