// SPDX-License-Identifier: GPL-3.0-or-later
#include "delegates/count_badge_delegate.h"
#include "items/message_state.h"
#include "items/roles.h"
#include "style/theme.h"
#include "support/picture.h"

#include <QStandardItemModel>
#include <QStyleFactory>
#include <QTest>
#include <QTreeView>

using namespace jetglass;

class TestCountBadgeDelegate : public QObject
{
    Q_OBJECT

private slots:
    void badgeHasItsTone_data();
    void badgeHasItsTone();
    void hintLeavesRoom();
};

void TestCountBadgeDelegate::badgeHasItsTone_data()
{
    QTest::addColumn<int>("tone");
    QTest::addColumn<QColor>("color");
    const auto& theme = style::Theme::light();
    QTest::newRow("waiting") << int(items::Tone::Waiting) << theme.amberFill;
    QTest::newRow("blocked") << int(items::Tone::Blocked) << theme.redFill;
    QTest::newRow("done") << int(items::Tone::Done) << theme.greenFill;
    QTest::newRow("normal") << int(items::Tone::Normal) << theme.neutralFill;
}

void TestCountBadgeDelegate::badgeHasItsTone()
{
    QFETCH(int, tone);
    QFETCH(QColor, color);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(style::Theme::light().palette());
    QStandardItemModel model;
    auto* item = new QStandardItem(QStringLiteral("a consumer with a name that is far too long"));
    item->setData(QStringLiteral("4 pending"), items::BadgeTextRole);
    item->setData(tone, items::BadgeToneRole);
    model.appendRow(item);
    QTreeView view;
    delegates::CountBadgeDelegate delegate;
    view.setModel(&model);
    view.setItemDelegate(&delegate);
    view.setHeaderHidden(true);
    view.resize(200, 100);
    view.show();
    const QRect row = view.visualRect(model.index(0, 0));
    const QImage image = tests::picture(static_cast<QAbstractScrollArea&>(view)).copy(row);
    QCOMPARE_GT(tests::countColor(image, color), 100);
    // The pill lies at the right end.
    const QImage right = image.copy(image.width() / 2, 0, image.width() / 2, image.height());
    QCOMPARE_EQ(tests::countColor(right, color), tests::countColor(image, color));
}

void TestCountBadgeDelegate::hintLeavesRoom()
{
    QStandardItemModel model;
    model.appendRow(new QStandardItem(QStringLiteral("x")));
    delegates::CountBadgeDelegate delegate;
    QStyleOptionViewItem option;
    const QSize plain = delegate.sizeHint(option, model.index(0, 0));
    model.item(0)->setData(QStringLiteral("4 pending"), items::BadgeTextRole);
    QCOMPARE_GT(delegate.sizeHint(option, model.index(0, 0)).width(), plain.width() + 20);
}

QTEST_MAIN(TestCountBadgeDelegate)
#include "tst_count_badge_delegate.moc"
