// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace jetglass::dialogs {

/// A dialog that becomes higher when what it shows needs it. Qt keeps a window above the least size
/// of its content only as if no label wrapped, so tables that fill later would cover the lines
/// below them.
class GrowingDialog : public QDialog
{
    Q_OBJECT
public:
    using QDialog::QDialog;

protected:
    bool event(QEvent* event) override;
};

} // namespace jetglass::dialogs
