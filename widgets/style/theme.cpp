// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/theme.h"

#include <algorithm>
#include <cmath>

namespace jetglass::style {

using items::CellState;
using items::Tone;

namespace {

/// Strong enough to be seen at a pixel, calm enough to fill a row.
QColor between(const QColor& pale, const QColor& strong)
{
    constexpr float kStrong = 0.6F;
    const auto mix = [](float a, float b) { return a * (1 - kStrong) + b * kStrong; };
    return QColor::fromRgbF(mix(pale.redF(), strong.redF()),
        mix(pale.greenF(), strong.greenF()),
        mix(pale.blueF(), strong.blueF()));
}

void fillStates(Theme& theme)
{
    const QColor none;
    const QColor done = between(theme.greenFill, theme.greenBorder);
    const QColor timer = theme.amberBorder;
    const QColor blocked = theme.redBorder;
    const QColor waiting = between(theme.neutralFill, theme.neutralBorder);
    const auto set = [&theme](CellState state, StateLook look) {
        theme.states[static_cast<std::size_t>(state)] = look;
    };
    set(CellState::NotMatched, {none, none, theme.faint, theme.faint, Shape::Dot, false});
    set(CellState::BeforeStart, {none, none, theme.faint, theme.faint, Shape::Dash, false});
    set(CellState::Waiting,
        {theme.base, theme.neutralBorder, theme.muted, waiting, Shape::Empty, false});
    set(CellState::Delivered,
        {theme.amberFill, theme.amberBorder, theme.amber, timer, Shape::Ring, false});
    set(CellState::InProgress,
        {theme.amberFill, theme.amberBorder, theme.amber, timer, Shape::RingDots, false});
    set(CellState::Naked,
        {theme.amberFill, theme.amberBorder, theme.amber, timer, Shape::Clock, true});
    set(CellState::RedeliveryDue,
        {theme.base, theme.redBorder, theme.red, blocked, Shape::Loop, true});
    set(CellState::Acked,
        {theme.greenFill, theme.greenFill, theme.green, done, Shape::Check, false});
    set(CellState::AckedAbove,
        {theme.base, theme.greenBorder, theme.green, done, Shape::Check, false});
    set(CellState::Terminated,
        {theme.redFill, theme.redFill, theme.red, blocked, Shape::Cross, false});
    set(CellState::Exhausted,
        {theme.redFill, theme.redBorder, theme.red, blocked, Shape::Flag, false});
    set(CellState::Settled,
        {theme.greenFill, theme.greenFill, theme.green, done, Shape::Speck, false});
}

Theme makeLight()
{
    Theme t;
    t.dark = false;
    t.window = QColor(0xf5f6f8);
    t.base = QColor(0xffffff);
    t.raised = QColor(0xeef0f3);
    t.text = QColor(0x1b1f24);
    t.muted = QColor(0x59636e);
    t.line = QColor(0xdbe0e6);
    t.faint = QColor(0xc3cad2);
    t.accent = QColor(0x2159d0);
    t.accentText = QColor(0xffffff);
    t.selection = QColor(0xdfe9fc);
    t.amber = QColor(0x8a5300);
    t.amberFill = QColor(0xfdebc8);
    t.amberBorder = QColor(0xc07d0a);
    t.red = QColor(0xb0202f);
    t.redFill = QColor(0xfbdcdf);
    t.redBorder = QColor(0xcb3a48);
    t.green = QColor(0x176b39);
    t.greenFill = QColor(0xd1eedb);
    t.greenBorder = QColor(0x2f8f57);
    t.neutralFill = QColor(0xe6e9ed);
    t.neutralBorder = QColor(0xaab3bd);
    t.hues = {QColor(0xb1a6de), QColor(0x8fbfd3), QColor(0xd7a7cc), QColor(0xbfb5a6)};
    t.hueText = QColor(0x1b1f24);
    t.codeKey = QColor(0x1f4fb2);
    t.codeString = QColor(0x5b3f8c);
    t.codeNumber = QColor(0x0b6070);
    t.codeWord = QColor(0x7d3b6c);
    fillStates(t);
    return t;
}

Theme makeDark()
{
    Theme t;
    t.dark = true;
    t.window = QColor(0x14181d);
    t.base = QColor(0x1c2127);
    t.raised = QColor(0x242a31);
    t.text = QColor(0xe6e9ed);
    t.muted = QColor(0x9da8b4);
    t.line = QColor(0x323a43);
    t.faint = QColor(0x4b5560);
    t.accent = QColor(0x74a6ff);
    t.accentText = QColor(0x10141a);
    t.selection = QColor(0x22344f);
    t.amber = QColor(0xf2bd63);
    t.amberFill = QColor(0x43351a);
    t.amberBorder = QColor(0xcf9432);
    t.red = QColor(0xff979e);
    t.redFill = QColor(0x4a2328);
    t.redBorder = QColor(0xdf5f6a);
    t.green = QColor(0x79d7a1);
    t.greenFill = QColor(0x1d3b2a);
    t.greenBorder = QColor(0x42a56e);
    t.neutralFill = QColor(0x2c333b);
    t.neutralBorder = QColor(0x697480);
    t.hues = {QColor(0x61569a), QColor(0x34677c), QColor(0x85517a), QColor(0x675f54)};
    t.hueText = QColor(0xf4f6f8);
    t.codeKey = QColor(0x8db7ff);
    t.codeString = QColor(0xc3aef0);
    t.codeNumber = QColor(0x74cbd8);
    t.codeWord = QColor(0xe2a5d2);
    fillStates(t);
    return t;
}

double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

} // namespace

const QColor& Theme::tone(Tone tone) const
{
    switch (tone) {
    case Tone::Muted:
        return muted;
    case Tone::Waiting:
        return amber;
    case Tone::Blocked:
        return red;
    case Tone::Done:
        return green;
    case Tone::Normal:
        break;
    }
    return text;
}

QPalette Theme::palette() const
{
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::AlternateBase, raised);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, muted);
    p.setColor(QPalette::Button, dark ? raised : QColor(0xe9ecf0));
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, red);
    p.setColor(QPalette::ToolTipBase, dark ? raised : base);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, accentText);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::Light, dark ? raised : base);
    p.setColor(QPalette::Midlight, raised);
    p.setColor(QPalette::Mid, line);
    p.setColor(QPalette::Dark, neutralBorder);
    p.setColor(QPalette::Shadow, dark ? QColor(Qt::black) : neutralBorder);
    // A disabled control may recede, but its words must stay legible: it carries its reason.
    QColor disabled = muted;
    disabled.setAlphaF(0.75F);
    p.setColor(QPalette::Disabled, QPalette::WindowText, disabled);
    p.setColor(QPalette::Disabled, QPalette::Text, disabled);
    p.setColor(QPalette::Disabled, QPalette::ButtonText, disabled);
    p.setColor(QPalette::Disabled, QPalette::Highlight, neutralFill);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, muted);
    return p;
}

const Theme& Theme::light()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::of(const QPalette& palette)
{
    const bool isDark = palette.color(QPalette::Window).lightness()
        < palette.color(QPalette::WindowText).lightness();
    return isDark ? darkTheme() : light();
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace jetglass::style
