// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/control_style.h"

#include "style/theme.h"

#include <QPlainTextEdit>
#include <QStyleFactory>
#include <QStyleOptionButton>
#include <QStyleOptionFrame>
#include <QStyleOptionSpinBox>

namespace jetglass::style {

namespace {

/// By how much Fusion darkens the window's colour for an outline, in percent.
constexpr int kDarkened = 140;
/// More for a circle, whose thin line is smoothed as well.
constexpr int kCircleDarkened = 175;

QPalette outlined(const QPalette& palette, int darkened = kDarkened)
{
    QPalette changed = palette;
    changed.setColor(QPalette::Window, Theme::of(palette).neutralBorder.lighter(darkened));
    return changed;
}

/// Takes several lines of text, so that it should look like a field.
bool isEditor(QStyle::PrimitiveElement element, const QWidget* widget)
{
    const auto* editor = qobject_cast<const QPlainTextEdit*>(widget);
    return element == QStyle::PE_Frame && editor != nullptr && !editor->isReadOnly();
}

bool isDark(const QStyleOption* option)
{
    return option != nullptr && Theme::of(option->palette).dark;
}

} // namespace

ControlStyle::ControlStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

void ControlStyle::drawPrimitive(PrimitiveElement element,
    const QStyleOption* option,
    QPainter* painter,
    const QWidget* widget) const
{
    const bool box = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton;
    if (box && isDark(option)) {
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            QStyleOptionButton lit = *button;
            const bool circle = element == PE_IndicatorRadioButton;
            lit.palette = outlined(button->palette, circle ? kCircleDarkened : kDarkened);
            return QProxyStyle::drawPrimitive(element, &lit, painter, widget);
        }
    }
    if ((element == PE_FrameLineEdit || isEditor(element, widget)) && isDark(option)) {
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) {
            QStyleOptionFrame lit = *frame;
            lit.palette = outlined(frame->palette);
            return QProxyStyle::drawPrimitive(element, &lit, painter, widget);
        }
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void ControlStyle::drawComplexControl(ComplexControl control,
    const QStyleOptionComplex* option,
    QPainter* painter,
    const QWidget* widget) const
{
    if (control == CC_SpinBox && isDark(option)) {
        if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
            QStyleOptionSpinBox lit = *spin;
            lit.palette = outlined(spin->palette);
            return QProxyStyle::drawComplexControl(control, &lit, painter, widget);
        }
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace jetglass::style
