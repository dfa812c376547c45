// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/message_state.h"

#include <QColor>
#include <QPalette>

#include <array>

class QWidget;

namespace jetglass::style {

/// What is drawn inside a cell, so that colour is never the only carrier of a state.
enum class Shape : quint8
{
    Dot,
    Dash,
    Empty,
    Ring,
    RingDots,
    Clock,
    Loop,
    Check,
    Cross,
    Flag,
    Speck,
};

struct StateLook
{
    QColor fill;
    QColor border; ///< invalid = no box around the shape
    QColor ink;
    QColor solid; ///< where there is no room for a shape, and in density columns
    Shape shape = Shape::Empty;
    bool dashed = false;
};

/// Colours by role. Amber waits on a timer, red is blocked or lost, green is done, one accent
/// selects; subjects take four muted hues away from these.
struct Theme
{
    bool dark = false;
    QColor window; ///< behind everything
    QColor base; ///< of cards, lists and empty cells
    QColor raised; ///< header columns, hovered rows
    QColor text;
    QColor muted; ///< second-rank text, still readable (AA)
    QColor line; ///< hairlines
    QColor faint; ///< shapes that should recede: dots, skeletons
    QColor accent;
    QColor accentText; ///< on accent
    QColor selection; ///< pale accent behind selected things
    QColor amber, amberFill, amberBorder;
    QColor red, redFill, redBorder;
    QColor green, greenFill, greenBorder;
    QColor neutralFill, neutralBorder;
    std::array<QColor, 4> hues;
    QColor hueText; ///< on any of the hues
    QColor codeKey, codeString, codeNumber, codeWord; ///< payload highlighting
    std::array<StateLook, items::kCellStateCount> states;

    [[nodiscard]] const StateLook& look(items::CellState state) const
    {
        return states[static_cast<std::size_t>(state)];
    }
    [[nodiscard]] const QColor& hue(quint8 index) const { return hues[index % hues.size()]; }
    [[nodiscard]] const QColor& tone(items::Tone tone) const;
    /// For QApplication::setPalette: Qt's own controls take the same colours.
    [[nodiscard]] QPalette palette() const;

    [[nodiscard]] static const Theme& light();
    [[nodiscard]] static const Theme& darkTheme();
    /// The one that fits a palette; a widget follows the application's palette without being told.
    [[nodiscard]] static const Theme& of(const QPalette& palette);
};

/// WCAG 2 contrast ratio, 1..21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

} // namespace jetglass::style
