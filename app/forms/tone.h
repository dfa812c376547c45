// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

class QLabel;

namespace jetglass::forms {

/// What a line of text reports: done, waits on a timer, blocked or lost, or nothing of these.
enum class Tone
{
    Plain,
    Quiet,
    Good,
    Waiting,
    Bad
};

/// A text colour with at least 4.5:1 contrast on the window's own background, light or dark.
[[nodiscard]] QColor toneColor(Tone tone, const QPalette& palette);
/// Sets text and colour together.
void say(QLabel* label, Tone tone, const QString& text);

} // namespace jetglass::forms
