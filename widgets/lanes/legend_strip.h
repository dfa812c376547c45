// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

#include <vector>

namespace jetglass::lanes {

/// One line (or more, if it is narrow) that says what each shape means.
class LegendStrip : public QWidget
{
    Q_OBJECT

public:
    explicit LegendStrip(QWidget* parent = nullptr);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Entry
    {
        int state = 0; ///< items::CellState, or below 0: a gap
        QString text;
        QRect rect;
    };
    void rebuild();
    int arrange(int width);
    [[nodiscard]] static QString meaning(const Entry& entry);

    std::vector<Entry> m_entries;
};

} // namespace jetglass::lanes
