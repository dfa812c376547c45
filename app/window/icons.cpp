// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/icons.h"

#include <QFile>
#include <QImage>
#include <QPixmap>

namespace jetglass::window {

namespace {

QPixmap render(QByteArray svg, const QColor& colour, int size)
{
    svg.replace("#5b6472", colour.name().toLatin1());
    // The size in the file decides how finely it is drawn.
    svg.replace("width=\"24\" height=\"24\"",
        QStringLiteral("width=\"%1\" height=\"%1\"").arg(size).toLatin1());
    return QPixmap::fromImage(QImage::fromData(svg, "SVG"));
}

} // namespace

QIcon icon(const QString& name, const QPalette& palette)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    QIcon icon;
    for (const int size : {16, 20, 24, 32, 48}) {
        icon.addPixmap(render(svg, palette.color(QPalette::Active, QPalette::ButtonText), size),
            QIcon::Normal);
        icon.addPixmap(render(svg, palette.color(QPalette::Disabled, QPalette::ButtonText), size),
            QIcon::Disabled);
    }
    return icon;
}

} // namespace jetglass::window
