// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a picture of each view in both themes: widgets_gallery FOLDER [SCALE]. For looking at; the
// tests count colours.
#include "charts/pending_chart.h"
#include "charts/rate_chart.h"
#include "delegates/count_badge_delegate.h"
#include "items/message_state.h"
#include "items/roles.h"
#include "lanes/lane_view.h"
#include "messages/message_table.h"
#include "minimap/overview_strip.h"
#include "payload/payload_view.h"
#include "style/theme.h"
#include "support/sample_lanes.h"
#include "support/sample_pages.h"

#include <QApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyleFactory>
#include <QTreeView>
#include <QVBoxLayout>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace jetglass;

namespace {

void shoot(QWidget& widget, const QString& folder, const QString& name)
{
    const QSize size = widget.size();
    for (const bool dark : {false, true}) {
        QApplication::setPalette(
            (dark ? style::Theme::darkTheme() : style::Theme::light()).palette());
        widget.resize(size);
        widget.show();
        QApplication::processEvents();
        const QString file = folder + QLatin1Char('/') + name
            + (dark ? QStringLiteral("-dark.png") : QStringLiteral("-light.png"));
        const bool saved = widget.grab().save(file);
        std::printf("%s %s\n", saved ? "wrote" : "could not write", qPrintable(file));
    }
    widget.hide();
}

void lanePictures(const QString& folder)
{
    tests::SampleLanes orders;
    tests::fillOrders(orders);
    QWidget page;
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* strip = new minimap::OverviewStrip(&page);
    auto* view = new lanes::LaneView(&page);
    column->addWidget(strip);
    column->addWidget(view, 1);
    QObject::connect(
        view, &lanes::LaneView::windowChanged, strip, &minimap::OverviewStrip::setWindow);
    QObject::connect(
        view, &lanes::LaneView::headerWidthChanged, strip, &minimap::OverviewStrip::setHeaderWidth);
    page.resize(1280, 720);
    strip->setSource(&orders);
    view->setSource(&orders);
    view->select(42, 0);
    shoot(page, folder, QStringLiteral("lanes-orders"));

    view->select(0, -1);
    view->setZoom({72, 1});
    shoot(page, folder, QStringLiteral("lanes-detail"));
    view->setZoom({11, 1});
    shoot(page, folder, QStringLiteral("lanes-small"));
    view->setZoom({});
    orders.setLoaded(0, 40);
    view->showFrom(20);
    view->setFollowing(false);
    shoot(page, folder, QStringLiteral("lanes-loading"));

    tests::SampleLanes large;
    tests::fillLarge(large, 3000, 4);
    strip->setSource(&large);
    view->setSource(&large);
    view->setZoom({3, 1});
    shoot(page, folder, QStringLiteral("lanes-ticks"));

    tests::SampleLanes huge;
    tests::fillLarge(huge, 1'000'000, 12);
    strip->setSource(&huge);
    view->setSource(&huge);
    page.show();
    view->zoomToFit();
    shoot(page, folder, QStringLiteral("lanes-density"));
    view->setZoom({});
    view->showFrom(850'000);
    shoot(page, folder, QStringLiteral("lanes-many"));
    strip->setSource(nullptr);
    view->setSource(nullptr);
    shoot(page, folder, QStringLiteral("lanes-nothing"));
}

void messagePictures(const QString& folder)
{
    tests::SamplePages pages;
    pages.setBounds(1, 1'000'000'000'000'000);
    messages::MessageTable table;
    table.resize(1280, 720);
    table.setSource(&pages);
    table.select(999'999'999'999'990);
    shoot(table, folder, QStringLiteral("messages"));
    pages.setLoaded(false);
    shoot(table, folder, QStringLiteral("messages-loading"));
}

void payloadPictures(const QString& folder)
{
    items::PayloadItem item;
    item.seq = 42;
    item.subject = QStringLiteral("orders.created");
    item.headers = {{QStringLiteral("Nats-Msg-Id"), QStringLiteral("order-117")},
        {QStringLiteral("Content-Type"), QStringLiteral("application/json")}};
    item.payload = R"({"order_id":"ORD-117","event":"created","amount":299.99,"paid":false,)"
                   R"("lines":[{"sku":"A-1","n":2},{"sku":"B-7","n":1}],"note":null})";
    item.payloadSize = static_cast<quint64>(item.payload.size());
    payload::PayloadView view;
    view.resize(480, 560);
    view.setMessage(item);
    shoot(view, folder, QStringLiteral("payload-json"));
    item.payload = QByteArray(5000, '\x01') + "some text";
    item.payloadSize = 3'000'000;
    item.headers.clear();
    view.setMessage(item);
    shoot(view, folder, QStringLiteral("payload-hex"));
}

void chartPictures(const QString& folder)
{
    QWidget page;
    auto* row = new QHBoxLayout(&page);
    auto* rate = new charts::RateChart(&page);
    auto* pending = new charts::PendingChart(&page);
    row->addWidget(rate);
    row->addWidget(pending);
    pending->setSeries(
        {QStringLiteral("payments"), QStringLiteral("audit"), QStringLiteral("mailer")});
    for (int i = 0; i < 500; ++i) {
        const qint64 time = 1'700'000'000'000 + i * 250;
        const double wave = std::sin(i / 20.0);
        rate->append({time,
            400 + 80 * wave + (i == 300 ? 900 : 0),
            380 + 90 * std::sin((i - 4) / 20.0),
            360 + 60 * std::sin((i - 12) / 20.0)});
        pending->append({time, {40 + 30 * wave, 5.0 + i % 7, i / 5.0}});
    }
    rate->setSpan(120);
    pending->setSpan(120);
    page.resize(1280, 420);
    shoot(page, folder, QStringLiteral("charts"));
}

void explorerPicture(const QString& folder)
{
    QStandardItemModel model;
    const auto add = [](QStandardItem* parent,
                         const char* name,
                         const char* detail,
                         const char* badge,
                         items::Tone tone) {
        auto* item = new QStandardItem(QString::fromUtf8(name));
        item->setData(QString::fromUtf8(detail), items::DetailRole);
        item->setData(QString::fromUtf8(badge), items::BadgeTextRole);
        item->setData(static_cast<int>(tone), items::BadgeToneRole);
        parent->appendRow(item);
        return item;
    };
    auto* orders =
        add(model.invisibleRootItem(), "ORDERS", "55 · 9.8 KiB", "", items::Tone::Normal);
    add(orders, "payments", "lag 9", "4 pending", items::Tone::Waiting);
    add(orders, "audit", "lag 0", "", items::Tone::Normal);
    add(orders,
        "a-consumer-with-a-very-long-name-indeed",
        "lag 6",
        "stalled",
        items::Tone::Blocked);
    add(model.invisibleRootItem(), "TASKS", "12", "", items::Tone::Normal);
    QTreeView tree;
    delegates::CountBadgeDelegate delegate;
    tree.setModel(&model);
    tree.setItemDelegate(&delegate);
    tree.setHeaderHidden(true);
    tree.expandAll();
    tree.setCurrentIndex(model.index(0, 0));
    tree.resize(320, 240);
    shoot(tree, folder, QStringLiteral("explorer"));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 2) {
        qputenv("QT_SCALE_FACTOR", argv[2]);
    }
    QApplication app(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    QDir().mkpath(folder);
    lanePictures(folder);
    messagePictures(folder);
    payloadPictures(folder);
    chartPictures(folder);
    explorerPicture(folder);
    return 0;
}
