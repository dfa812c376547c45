// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a picture of each view in both themes: widgets_gallery FOLDER. For looking at; the tests
// count colours.
#include "lanes/lane_view.h"
#include "style/theme.h"
#include "support/sample_lanes.h"

#include <QApplication>
#include <QDir>
#include <QStyleFactory>

#include <cstdio>

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
    lanes::LaneView view;
    view.resize(1280, 720);
    view.setSource(&orders);
    view.select(42, 0);
    shoot(view, folder, QStringLiteral("lanes-orders"));

    view.select(0, -1);
    view.setZoom({72, 1});
    shoot(view, folder, QStringLiteral("lanes-detail"));
    view.setZoom({11, 1});
    shoot(view, folder, QStringLiteral("lanes-small"));

    tests::SampleLanes large;
    tests::fillLarge(large, 3000, 4);
    lanes::LaneView wide;
    wide.resize(1280, 720);
    wide.setSource(&large);
    wide.setZoom({3, 1});
    shoot(wide, folder, QStringLiteral("lanes-ticks"));

    tests::SampleLanes huge;
    tests::fillLarge(huge, 1'000'000, 4);
    lanes::LaneView far;
    far.resize(1280, 720);
    far.setSource(&huge);
    far.show();
    far.zoomToFit();
    shoot(far, folder, QStringLiteral("lanes-density"));
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    QDir().mkpath(folder);
    lanePictures(folder);
    return 0;
}
