// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_pages.h"

#include <array>

namespace jetglass::tests {

namespace {

constexpr std::size_t kPageRing = 1024;
constexpr qint64 kPageStart = 1'700'000'000'000'000'000;

} // namespace

SamplePages::SamplePages(QObject* parent)
    : PageSource(parent)
    , m_rows(kPageRing)
{
}

void SamplePages::setBounds(quint64 first, quint64 last)
{
    m_first = first;
    m_last = last;
    emit boundsChanged();
}

void SamplePages::setLoaded(bool loaded)
{
    m_loaded = loaded;
    emit changed(m_first, m_last);
}

const items::MessageItem* SamplePages::row(quint64 position) const
{
    if (!m_loaded) {
        return nullptr;
    }
    items::MessageItem& item = m_rows[position % kPageRing];
    if (item.seq == position) {
        return &item;
    }
    static const std::array<QString, 3> kSubjects{QStringLiteral("orders.created"),
        QStringLiteral("orders.paid"),
        QStringLiteral("orders.shipped.express.north")};
    const std::size_t kind = position * 7 % 3;
    item.seq = position;
    item.time = kPageStart + static_cast<qint64>(position % 100'000) * 37'000'000;
    item.subject = kSubjects[kind];
    item.hue = static_cast<quint8>(kind);
    item.size = position * 131 % 9000;
    item.hasHeaders = position % 4 == 0;
    item.stored = position % 23 != 7;
    item.removal = item.stored ? items::RemovalCause::None
        : position % 2 == 0    ? items::RemovalCause::Delete
                               : items::RemovalCause::Lost;
    item.preview =
        QStringLiteral("{\"order_id\":\"ORD-%1\",\"event\":\"created\",\"amount\":299.99,"
                       "\"customer\":\"c-%2\",\"created_at\":\"2026-11-29T14:02:51Z\"}")
            .arg(position)
            .arg(position % 77);
    return &item;
}

void SamplePages::request(quint64 first, quint64 last)
{
    ++requests;
    requestedFirst = first;
    requestedLast = last;
}

} // namespace jetglass::tests
