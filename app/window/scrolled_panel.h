// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace jetglass::window {

/// A panel that may be higher than its dock. Whatever gets the focus by key, mnemonic or action
/// comes into view; what is clicked is in view already and stays under the pointer.
class ScrolledPanel final : public QScrollArea
{
    Q_OBJECT
public:
    explicit ScrolledPanel(QWidget* page);

    /// Scrolls to the field that has the focus, once the panel is laid out.
    void showFocused();

private:
    void scrollToFocus();
};

} // namespace jetglass::window
