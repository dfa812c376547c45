// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/display_check.h"

#include <QString>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace jetglass::window {

namespace {

/// What Qt said meanwhile: of use only if it goes on.
std::vector<QString>& heldBack()
{
    static std::vector<QString> texts;
    return texts;
}

QString obstacle()
{
    const QString platform = qEnvironmentVariable("QT_QPA_PLATFORM");
    if (!platform.isEmpty())
        return QStringLiteral("no display by QT_QPA_PLATFORM=%1").arg(platform);
    const QString display = qEnvironmentVariable("DISPLAY");
    const QString wayland = qEnvironmentVariable("WAYLAND_DISPLAY");
    if (display.isEmpty() && wayland.isEmpty())
        return QStringLiteral("no display: DISPLAY and WAYLAND_DISPLAY are not set");
    return QStringLiteral("the display cannot be opened (DISPLAY=%1, WAYLAND_DISPLAY=%2)")
        .arg(display, wayland);
}

void take(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (type != QtFatalMsg)
        return heldBack().push_back(qFormatLogMessage(type, context, text));
    const QString line = QStringLiteral("jetglass: %1. To run without one, set "
                                        "QT_QPA_PLATFORM=offscreen, or use jetglass-server, the "
                                        "broker without a window.\n")
                             .arg(obstacle());
    std::fputs(qPrintable(line), stderr);
    std::fflush(stderr);
    std::_Exit(1); // Qt would abort on return, and nothing is open yet
}

} // namespace

DisplayCheck::DisplayCheck()
    : m_before(qInstallMessageHandler(take))
{
}

DisplayCheck::~DisplayCheck()
{
    qInstallMessageHandler(m_before);
    for (const QString& text : std::exchange(heldBack(), {}))
        std::fprintf(stderr, "%s\n", qPrintable(text));
}

} // namespace jetglass::window
