// SPDX-License-Identifier: GPL-3.0-or-later
#include "accounts/permission_set.h"

#include <QTest>

using namespace jetglass;
using accounts::PermissionSet;

namespace {

using List = std::vector<std::string>;

Permissions make(std::optional<List> publishAllow,
    List publishDeny,
    std::optional<List> subscribeAllow,
    List subscribeDeny)
{
    Permissions permissions;
    permissions.publishAllow = std::move(publishAllow);
    permissions.publishDeny = std::move(publishDeny);
    permissions.subscribeAllow = std::move(subscribeAllow);
    permissions.subscribeDeny = std::move(subscribeDeny);
    return permissions;
}

} // namespace

class TestPermissionSet : public QObject
{
    Q_OBJECT
private slots:
    void nothingRestricted();
    void publishing_data();
    void publishing();
    void manySubjectsStayBounded();
    void subscribing_data();
    void subscribing();
    void deliveryFilter();
    void responsesAloneAllowNothingElse();
};

void TestPermissionSet::nothingRestricted()
{
    const PermissionSet set(std::nullopt);
    QVERIFY(set.unrestricted());
    QVERIFY(set.mayPublish("a.b"));
    QVERIFY(set.maySubscribe(">", "q"));
    QVERIFY(!set.needsDeliveryFilter(">"));
    QVERIFY(PermissionSet(Permissions{}).unrestricted());
}

void TestPermissionSet::publishing_data()
{
    QTest::addColumn<QByteArray>("subject");
    QTest::addColumn<bool>("allowed");
    QTest::newRow("covered by a wildcard") << QByteArray("foo.a") << true;
    QTest::newRow("literal of the list") << QByteArray("bar") << true;
    QTest::newRow("in neither list") << QByteArray("baz") << false;
    QTest::newRow("deny beats allow") << QByteArray("foo.secret") << false;
    QTest::newRow("one token too many") << QByteArray("foo.a.b") << false;
}

void TestPermissionSet::publishing()
{
    QFETCH(QByteArray, subject);
    const PermissionSet set(make(List{"foo.*", "bar"}, {"foo.secret"}, std::nullopt, {}));
    QTEST(set.mayPublish(subject.toStdString()), "allowed");
    // The second answer comes from the memory of the first.
    QTEST(set.mayPublish(subject.toStdString()), "allowed");
}

void TestPermissionSet::manySubjectsStayBounded()
{
    const PermissionSet set(make(List{"even.*"}, {}, std::nullopt, {}));
    for (int i = 0; i < 2000; ++i) {
        QVERIFY(set.mayPublish("even." + std::to_string(i)));
        QVERIFY(!set.mayPublish("odd." + std::to_string(i)));
    }
}

void TestPermissionSet::subscribing_data()
{
    QTest::addColumn<QByteArray>("subject");
    QTest::addColumn<QByteArray>("queue");
    QTest::addColumn<bool>("allowed");
    const auto row = [](const char* name, const char* subject, const char* queue, bool allowed) {
        QTest::newRow(name) << QByteArray(subject) << QByteArray(queue) << allowed;
    };
    row("literal under a wildcard", "foo.a", "", true);
    row("the allowed pattern itself", "foo.*", "", true);
    row("wider than allowed", "foo.>", "", false);
    row("everything", ">", "", false);
    row("denied literal", "foo.secret", "", false);
    row("queue entry without a queue", "work", "", false);
    row("queue entry with its queue", "work", "workers.1", true);
    row("queue entry with another queue", "work", "other", false);
    row("plain entry opens every queue", "foo.a", "any", true);
    row("queue denied", "foo.a", "bad", false);
}

void TestPermissionSet::subscribing()
{
    QFETCH(QByteArray, subject);
    QFETCH(QByteArray, queue);
    const PermissionSet set(
        make(std::nullopt, {}, List{"foo.*", "work workers.*"}, {"foo.secret", "foo.* bad"}));
    QTEST(set.maySubscribe(subject.toStdString(), queue.toStdString()), "allowed");
}

void TestPermissionSet::deliveryFilter()
{
    const PermissionSet set(make(std::nullopt, {}, std::nullopt, {"foo.secret"}));
    QVERIFY(set.maySubscribe("foo.*", ""));
    QVERIFY(set.needsDeliveryFilter("foo.*"));
    QVERIFY(!set.needsDeliveryFilter("bar.*"));
    QVERIFY(!set.mayReceive("foo.secret"));
    QVERIFY(set.mayReceive("foo.other"));
}

void TestPermissionSet::responsesAloneAllowNothingElse()
{
    Permissions permissions;
    permissions.allowResponses.emplace();
    const PermissionSet set(permissions);
    QVERIFY(!set.mayPublish("anything"));
    QVERIFY(set.maySubscribe(">", ""));
    QVERIFY(set.responses().has_value());
    QCOMPARE(set.responses()->max, 1);
}

QTEST_GUILESS_MAIN(TestPermissionSet)
#include "tst_permission_set.moc"
