// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/scrolled_panel.h"

#include <QApplication>

namespace jetglass::window {

ScrolledPanel::ScrolledPanel(QWidget* page)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setWidget(page);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        if (now && widget()->isAncestorOf(now) && QGuiApplication::mouseButtons() == Qt::NoButton)
            showFocused();
    });
}

void ScrolledPanel::showFocused()
{
    // A panel that was behind another one has no geometry before its layout has had its turn.
    QMetaObject::invokeMethod(this, &ScrolledPanel::scrollToFocus, Qt::QueuedConnection);
}

void ScrolledPanel::scrollToFocus()
{
    QWidget* field = window()->focusWidget();
    if (!field || !widget()->isAncestorOf(field))
        return;
    // Its label stands above it.
    ensureWidgetVisible(field, 0, fontMetrics().lineSpacing() * 2);
}

} // namespace jetglass::window
