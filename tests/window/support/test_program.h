// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/config_dialog.h"
#include "window/program.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

namespace jetglass::tests {

/// The program with settings and a store of its own below \a folder, on any free port, light and in
/// English.
inline window::Options optionsIn(const QString& folder)
{
    QCoreApplication::setOrganizationName(QStringLiteral("jetglass-test"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder);
    window::Options options;
    options.port = -1;
    options.store = folder + QStringLiteral("/store");
    options.theme = settings::ThemeChoice::Light;
    options.language = settings::Language::English;
    return options;
}

/// Starts it; true when its broker runs and the window is its client.
inline bool starts(window::Program& program)
{
    constexpr int kPatienceMs = 10'000;
    QSignalSpy ready(&program, &window::Program::ready);
    program.start();
    return QTest::qWaitFor([&ready] { return ready.count() == 1; }, kPatienceMs)
        && QTest::qWaitFor([&program] { return program.window().connection()->isConnected(); });
}

/// Saving waits until the rules have been asked; the dialog goes when the server took it.
inline bool saves(dialogs::ConfigDialog* dialog)
{
    QSignalSpy saved(dialog, &dialogs::ConfigDialog::saved);
    const QPointer<dialogs::ConfigDialog> there = dialog;
    return QTest::qWaitFor([&] {
        if (saved.isEmpty() && there)
            there->save();
        return !saved.isEmpty();
    });
}

} // namespace jetglass::tests
