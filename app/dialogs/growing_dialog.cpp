// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/growing_dialog.h"

#include <QEvent>
#include <QLayout>

namespace jetglass::dialogs {

bool GrowingDialog::event(QEvent* event)
{
    const bool taken = QDialog::event(event);
    if (event->type() == QEvent::LayoutRequest && layout()) {
        const int least = layout()->totalMinimumHeightForWidth(width());
        if (height() < least)
            resize(width(), least);
    }
    return taken;
}

} // namespace jetglass::dialogs
