// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/program.h"

#include <QApplication>
#include <QIcon>

int main(int argc, char* argv[])
{
    QApplication::setApplicationName(QStringLiteral("jetglass"));
    QApplication::setOrganizationName(QStringLiteral("jetglass"));
    QApplication::setApplicationVersion(QStringLiteral(JETGLASS_VERSION));
    QApplication app(argc, argv);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/jetglass.svg")));
    const auto options = jetglass::window::Options::parse(QApplication::arguments());
    if (!options)
        return 2;
    jetglass::window::Program program(*options);
    program.start();
    return QApplication::exec();
}
