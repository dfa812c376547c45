// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace jetglass::style {

/// Fusion, which takes any palette on every platform. It derives the outlines of boxes and fields
/// from the window's colour by darkening it, which leaves them invisible on a dark one: here they
/// have the theme's own colour.
class ControlStyle final : public QProxyStyle
{
    Q_OBJECT
public:
    ControlStyle();

    void drawPrimitive(PrimitiveElement element,
        const QStyleOption* option,
        QPainter* painter,
        const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control,
        const QStyleOptionComplex* option,
        QPainter* painter,
        const QWidget* widget) const override;
};

} // namespace jetglass::style
