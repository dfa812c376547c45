// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaObject>
#include <QObject>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace jetglass::models {

/// Items that live until control returns to the event loop; their memory is used again, so that a
/// repaint allocates nothing.
template<class Item>
class ItemArena
{
public:
    explicit ItemArena(QObject* owner)
        : m_owner(owner)
    {
    }

    Item* next()
    {
        if (!m_resetPosted) {
            m_resetPosted = true;
            QMetaObject::invokeMethod(
                m_owner,
                [this] {
                    m_used = 0;
                    m_resetPosted = false;
                },
                Qt::QueuedConnection);
        }
        const std::size_t chunk = m_used / kChunk;
        if (chunk == m_chunks.size())
            m_chunks.push_back(std::make_unique<std::array<Item, kChunk>>());
        Item& item = (*m_chunks[chunk])[m_used % kChunk];
        ++m_used;
        return &item;
    }

private:
    static constexpr std::size_t kChunk = 256;
    QObject* m_owner;
    std::vector<std::unique_ptr<std::array<Item, kChunk>>> m_chunks;
    std::size_t m_used = 0;
    bool m_resetPosted = false;
};

} // namespace jetglass::models
