// SPDX-License-Identifier: GPL-3.0-or-later
#include "subjects/subject.h"
#include "subjects/subject_tree.h"

#include <QElapsedTimer>
#include <QTest>

#include <memory>
#include <random>
#include <set>

using namespace jetglass::subjects;

namespace {

std::multiset<std::string> found(const SubjectTree::Match& match)
{
    std::multiset<std::string> out;
    for (std::size_t i = 0; i < match.size(); ++i) {
        for (const auto* entry : match[i]->plain)
            out.insert(entry->subject);
        for (const auto& group : match[i]->groups) {
            for (const auto* entry : group->members)
                out.insert(entry->subject + " " + entry->queue);
        }
    }
    return out;
}

std::string randomSubject(std::mt19937& random, bool pattern)
{
    // Few tokens and short paths, so that random patterns do meet random subjects.
    static const char* const kTokens[] = {"a", "b", "c", "$JS", "ACK", "_INBOX"};
    std::string subject = random() % 8 == 0 ? "$JS.ACK" : random() % 8 == 0 ? "_INBOX.a" : "";
    const auto length = 1 + random() % 4;
    for (unsigned i = 0; i < length; ++i) {
        if (!subject.empty())
            subject += '.';
        if (pattern && random() % 4 == 0)
            subject += '*';
        else if (pattern && i + 1 == length && random() % 5 == 0)
            subject += '>';
        else if (!pattern && random() % 40 == 0)
            subject += "";
        else
            subject += kTokens[random() % std::size(kTokens)];
    }
    return subject;
}

} // namespace

class TestSubjectTree : public QObject
{
    Q_OBJECT
private slots:
    void agreesWithNaiveMatcher_data();
    void agreesWithNaiveMatcher();
    void publishedWildcards();
    void emptyTokensMatchNothing();
    void prefixesAndSubjectsStayApart();
    void ackSubjectsShareOneResult();
    void negativeResultsAreBounded();
    void insertWhileHeld();
    void manySubscriptions();
};

void TestSubjectTree::agreesWithNaiveMatcher_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 8; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestSubjectTree::agreesWithNaiveMatcher()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    SubjectTree tree;
    std::vector<std::unique_ptr<TreeEntry>> entries;
    for (int step = 0; step < 4000; ++step) {
        const auto what = random() % 10;
        if (what < 2 || entries.empty()) {
            auto entry = std::make_unique<TreeEntry>();
            entry->subject = randomSubject(random, true);
            if (random() % 3 == 0)
                entry->queue = random() % 2 == 0 ? "q" : "r";
            tree.insert(*entry);
            entries.push_back(std::move(entry));
        } else if (what < 3 || entries.size() > 200) {
            const auto i = random() % entries.size();
            tree.remove(*entries[i]);
            entries[i] = std::move(entries.back());
            entries.pop_back();
        } else {
            const std::string subject = randomSubject(random, false);
            std::multiset<std::string> expected;
            for (const auto& entry : entries) {
                if (matches(entry->subject, subject))
                    expected.insert(
                        entry->subject + (entry->queue.empty() ? "" : " " + entry->queue));
            }
            SubjectTree::Match match;
            tree.match(subject, match);
            QVERIFY2(found(match) == expected, subject.c_str());
            tree.matchUncached(subject, match);
            QVERIFY2(found(match) == expected, subject.c_str());
        }
    }
    for (const auto& entry : entries)
        tree.remove(*entry);
    QCOMPARE_EQ(tree.nodeCount(), 0U);
}

void TestSubjectTree::publishedWildcards()
{
    SubjectTree tree;
    TreeEntry star{.subject = "foo.*", .queue = {}};
    TreeEntry literal{.subject = "foo.bar", .queue = {}};
    TreeEntry rest{.subject = "foo.>", .queue = {}};
    for (auto* entry : {&star, &literal, &rest})
        tree.insert(*entry);
    SubjectTree::Match match;
    tree.match("foo.*", match);
    QVERIFY((found(match) == std::multiset<std::string>{"foo.*", "foo.>"}));
    tree.match("foo.>", match);
    QVERIFY((found(match) == std::multiset<std::string>{"foo.*", "foo.>"}));
    tree.match("foo.bar", match);
    QVERIFY((found(match) == std::multiset<std::string>{"foo.*", "foo.>", "foo.bar"}));
}

void TestSubjectTree::emptyTokensMatchNothing()
{
    SubjectTree tree;
    TreeEntry all{.subject = ">", .queue = {}};
    tree.insert(all);
    SubjectTree::Match match;
    for (const char* subject : {"",
             ".",
             ".a",
             "a.",
             "a..b",
             "_INBOX.a.",
             "_INBOX..a",
             "$JS.ACK.a..b",
             "$JS.ACK.a.b..c",
             "$JS.ACK..b.c",
             "$JS.ACK.a.b.c."}) {
        tree.match(subject, match);
        QVERIFY2(match.isEmpty(), subject);
    }
}

void TestSubjectTree::prefixesAndSubjectsStayApart()
{
    SubjectTree tree;
    TreeEntry inbox{.subject = "_INBOX.x.*", .queue = {}};
    tree.insert(inbox);
    SubjectTree::Match match;
    tree.match("_INBOX.x.", match); // would be the key of the next one
    QVERIFY(match.isEmpty());
    tree.match("_INBOX.x.1", match);
    QCOMPARE_EQ(match.size(), 1U);
    tree.match("_INBOX.x", match);
    QVERIFY(match.isEmpty());
    TreeEntry one{.subject = "_INBOX.x.1", .queue = {}};
    tree.insert(one);
    tree.match("_INBOX.x.1", match);
    QCOMPARE_EQ(match.size(), 2U);
    tree.match("_INBOX.x.2", match);
    QCOMPARE_EQ(match.size(), 1U);
}

void TestSubjectTree::ackSubjectsShareOneResult()
{
    SubjectTree tree;
    TreeEntry acks{.subject = "$JS.ACK.S.C.>", .queue = {}};
    tree.insert(acks);
    SubjectTree::Match match;
    for (int i = 0; i < 10'000; ++i) {
        tree.match("$JS.ACK.S.C.1." + std::to_string(i) + ".7.1.0", match);
        QCOMPARE_EQ(match.size(), 1U);
    }
    QCOMPARE_EQ(tree.statistics().cacheHits, 9'999U);
    QCOMPARE_EQ(tree.cached(), 1U);
}

void TestSubjectTree::negativeResultsAreBounded()
{
    SubjectTree tree;
    SubjectTree::Match match;
    for (int i = 0; i < 100'000; ++i)
        tree.match("no.body." + std::to_string(i), match);
    QVERIFY(match.isEmpty());
    QCOMPARE_LE(tree.cached(), 4096U);
}

void TestSubjectTree::insertWhileHeld()
{
    SubjectTree tree;
    TreeEntry first{.subject = "a", .queue = {}};
    tree.insert(first);
    SubjectTree::Match match;
    tree.match("a", match);
    tree.hold();
    TreeEntry second{.subject = "a", .queue = {}};
    tree.insert(second);
    QCOMPARE_EQ(match[0]->plain.size(), 2U); // the node is named, not its members
    tree.release();
    tree.remove(first);
    QCOMPARE_EQ(match[0]->plain.size(), 1U);
    tree.remove(second);
    tree.match("a", match);
    QVERIFY(match.isEmpty());
}

void TestSubjectTree::manySubscriptions()
{
    constexpr int kCount = 200'000;
    std::vector<TreeEntry> entries(kCount);
    SubjectTree tree;
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < kCount; ++i) {
        auto& entry = entries[static_cast<std::size_t>(i)];
        entry.subject = "dev." + std::to_string(i % 1000) + "." + std::to_string(i)
            + (i % 10 == 0 ? ".*" : ".t");
        tree.insert(entry);
    }
    const qint64 filled = clock.restart();
    SubjectTree::Match match;
    constexpr int kMatches = 100'000;
    for (int i = 0; i < kMatches; ++i) {
        const int k = static_cast<int>(static_cast<long long>(i) * 7919 % kCount);
        tree.matchUncached(
            "dev." + std::to_string(k % 1000) + "." + std::to_string(k) + ".t", match);
        QCOMPARE_EQ(match.size(), 1U);
    }
    const qint64 matched = clock.restart();
    for (auto& entry : entries)
        tree.remove(entry);
    QCOMPARE_EQ(tree.nodeCount(), 0U);
    qInfo("filled in %lld ms, %d matches in %lld ms, emptied in %lld ms",
        filled,
        kMatches,
        matched,
        clock.elapsed());
    QCOMPARE_LT(matched, 100 * kMatches / 1000); // far below 100 us each, on any machine
}

QTEST_GUILESS_MAIN(TestSubjectTree)
#include "tst_subject_tree.moc"
