// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/display_check.h"
#include "window/program.h"

#include <QApplication>
#include <QIcon>

#include <algorithm>
#include <optional>
#include <string_view>

namespace {

/// --help and --version print and end: they need no display.
bool wantsWordsOnly(int argc, char* argv[])
{
    return std::any_of(argv + 1, argv + argc, [](const std::string_view argument) {
        return argument == "-h" || argument == "--help" || argument == "--help-all"
            || argument == "-v" || argument == "--version";
    });
}

} // namespace

int main(int argc, char* argv[])
{
    QApplication::setApplicationName(QStringLiteral("jetglass"));
    QApplication::setOrganizationName(QStringLiteral("jetglass"));
    QApplication::setApplicationVersion(QStringLiteral(JETGLASS_VERSION));
    if (wantsWordsOnly(argc, argv)) {
        const QCoreApplication words(argc, argv);
        return jetglass::window::Options::parse(QCoreApplication::arguments()) ? 0 : 2;
    }
    std::optional<jetglass::window::DisplayCheck> check(std::in_place);
    const QApplication app(argc, argv);
    check.reset();
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/jetglass.svg")));
    const auto options = jetglass::window::Options::parse(QApplication::arguments());
    if (!options)
        return 2;
    jetglass::window::Program program(*options);
    program.start();
    return QApplication::exec();
}
