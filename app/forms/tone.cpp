// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/tone.h"

#include <QApplication>
#include <QLabel>

namespace jetglass::forms {

QColor toneColor(Tone tone, const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Window);
    const bool dark = base.lightness() < 128;
    switch (tone) {
    case Tone::Good:
        return dark ? QColor(0x56, 0xd3, 0x64) : QColor(0x1a, 0x7f, 0x37);
    case Tone::Waiting:
        return dark ? QColor(0xe3, 0xb3, 0x41) : QColor(0x8a, 0x5a, 0x00);
    case Tone::Bad:
        return dark ? QColor(0xff, 0x8a, 0x80) : QColor(0xb4, 0x23, 0x18);
    case Tone::Quiet:
        return dark ? QColor(0xa8, 0xb0, 0xba) : QColor(0x5a, 0x63, 0x6e);
    case Tone::Plain:
        break;
    }
    return palette.color(QPalette::WindowText);
}

void say(QLabel* label, Tone tone, const QString& text)
{
    QPalette p = QApplication::palette(label);
    p.setColor(QPalette::WindowText, toneColor(tone, p));
    label->setPalette(p);
    label->setText(text);
}

} // namespace jetglass::forms
