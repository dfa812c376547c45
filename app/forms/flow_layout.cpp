// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/flow_layout.h"

#include <QWidget>

#include <algorithm>

namespace jetglass::forms {

namespace {
constexpr int kGap = 6;
} // namespace

FlowLayout::FlowLayout(QWidget* parent)
    : QLayout(parent)
{
    setSpacing(kGap);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.emplace_back(item);
}

int FlowLayout::count() const
{
    return static_cast<int>(m_items.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

int FlowLayout::heightForWidth(int width) const
{
    return arrange(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const
{
    QSize size;
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        size.rwidth() += item->sizeHint().width() + (size.width() > 0 ? kGap : 0);
        size.setHeight(std::max(size.height(), item->sizeHint().height()));
    }
    return size;
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto& item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

/// \returns the height that it takes; moves the items only if \a place.
int FlowLayout::arrange(const QRect& rect, bool place) const
{
    int y = rect.top();
    std::size_t at = 0;
    while (at < m_items.size()) {
        std::vector<QLayoutItem*> row;
        int width = 0;
        int height = 0;
        for (; at < m_items.size(); ++at) {
            QLayoutItem* item = m_items[at].get();
            if (item->isEmpty())
                continue;
            const int wanted = item->sizeHint().width() + (row.empty() ? 0 : kGap);
            if (!row.empty() && width + wanted > rect.width())
                break;
            row.push_back(item);
            width += wanted;
            height = std::max(height, item->sizeHint().height());
        }
        int x = rect.left();
        for (QLayoutItem* item : row) {
            const QSize size(
                std::min(item->sizeHint().width(), rect.width()), item->sizeHint().height());
            if (place)
                item->setGeometry(QRect(QPoint(x, y + (height - size.height()) / 2), size));
            x += size.width() + kGap;
        }
        y += height + (row.empty() ? 0 : kGap);
    }
    return std::max(0, y - rect.top() - kGap);
}

} // namespace jetglass::forms
