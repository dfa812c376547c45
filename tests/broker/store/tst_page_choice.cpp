// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/page_choice.h"

#include <QTest>

using jetglass::store::PageChoice;
using Kind = PageChoice::Kind;

namespace {

/// A machine with these costs for 2 MiB, in nanoseconds; what `pieces` pieces were made of.
int smallOnes(PageChoice& choice, int pieces, std::uint64_t large, std::uint64_t small)
{
    int count = 0;
    for (int i = 0; i < pieces; ++i) {
        const Kind kind = choice.next();
        count += kind == Kind::Small ? 1 : 0;
        choice.paid(kind, kind == Kind::Small ? small : large);
    }
    return count;
}

} // namespace

class TestPageChoice : public QObject
{
    Q_OBJECT

private slots:
    void cheapLargePagesAreNeverLeft();
    void slowOnesLoseToSmallOnes();
    void slowOnesStayWhereSmallOnesAreSlower();
    void whatChangesIsFoundAgain();
};

void TestPageChoice::cheapLargePagesAreNeverLeft()
{
    PageChoice choice;
    QCOMPARE(smallOnes(choice, 1000, 200'000, 900'000), 0);
}

/// Large ones from the host: all but the first and a try now and then are small.
void TestPageChoice::slowOnesLoseToSmallOnes()
{
    PageChoice choice;
    QCOMPARE(smallOnes(choice, 1, 4'400'000, 700'000), 0);
    const int small = smallOnes(choice, 640, 4'400'000, 700'000);
    QVERIFY2(small >= 625 && small < 640, qPrintable(QString::number(small)));
}

void TestPageChoice::slowOnesStayWhereSmallOnesAreSlower()
{
    PageChoice choice;
    const int small = smallOnes(choice, 641, 2'000'000, 4'400'000);
    QVERIFY2(small >= 1 && small <= 15, qPrintable(QString::number(small)));
}

/// Memory that was just freed is cheap again: a try finds it, and nothing is tried after.
void TestPageChoice::whatChangesIsFoundAgain()
{
    PageChoice choice;
    smallOnes(choice, 100, 4'400'000, 700'000);
    smallOnes(choice, 100, 200'000, 700'000);
    QCOMPARE(smallOnes(choice, 100, 200'000, 700'000), 0);
}

QTEST_APPLESS_MAIN(TestPageChoice)
#include "tst_page_choice.moc"
