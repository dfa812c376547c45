// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/tone.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace jetglass::forms {
namespace {

/// Gives its label the colour of a tone, and again when the theme changes.
class ToneKeeper final : public QObject
{
public:
    explicit ToneKeeper(QLabel* label)
        : QObject(label)
        , m_label(label)
    {
        setObjectName(QStringLiteral("tone"));
        label->installEventFilter(this);
    }
    void setTone(Tone tone)
    {
        m_tone = tone;
        QPalette p = QApplication::palette(m_label);
        p.setColor(QPalette::WindowText, toneColor(tone, p));
        if (p != m_label->palette())
            m_label->setPalette(p);
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::ApplicationPaletteChange
            || event->type() == QEvent::PaletteChange)
            setTone(m_tone);
        return QObject::eventFilter(watched, event);
    }

private:
    QLabel* m_label;
    Tone m_tone = Tone::Plain;
};

} // namespace

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
    auto* keeper = static_cast<ToneKeeper*>(
        label->findChild<QObject*>(QStringLiteral("tone"), Qt::FindDirectChildrenOnly));
    if (!keeper)
        keeper = new ToneKeeper(label);
    keeper->setTone(tone);
    label->setText(text);
}

} // namespace jetglass::forms
