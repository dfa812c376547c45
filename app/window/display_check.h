// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace jetglass::window {

/// While it lives, around the making of the QApplication, a display that is missing ends the
/// program with one clear line and status 1, where Qt would abort with the names of its plugins.
class DisplayCheck final
{
public:
    DisplayCheck();
    ~DisplayCheck();
    Q_DISABLE_COPY_MOVE(DisplayCheck)

private:
    QtMessageHandler m_before;
};

} // namespace jetglass::window
