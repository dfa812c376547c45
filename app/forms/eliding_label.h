// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace jetglass::forms {

/// One line that gives way in a narrow window: what does not fit becomes an ellipsis, and the tool
/// tip then begins with all of it.
class ElidingLabel final : public QLabel
{
    Q_OBJECT
public:
    explicit ElidingLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool isElided() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode;
};

} // namespace jetglass::forms
