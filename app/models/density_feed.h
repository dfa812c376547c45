// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/density_strip.h"
#include "sources/flow_source.h"

#include <QElapsedTimer>
#include <QTimer>

#include <deque>
#include <memory>

namespace jetglass::models {

/// Density answers at hand, and the questions for those that are not. What is stale, or shifted by
/// a few messages, is asked for ten times a second; another part of the stream at once.
class DensityFeed final : public QObject
{
    Q_OBJECT
public:
    explicit DensityFeed(sources::FlowSource& source, QObject* parent = nullptr);

    void setStream(StreamId stream, std::vector<ConsumerId> consumers);
    /// Exact if at hand, else the nearest; null if nothing is. Asks for what is missing or stale.
    std::shared_ptr<const items::DensityStrip> strip(quint64 first, quint64 last, int columns);
    void markStale();

signals:
    void changed();

private:
    struct Key
    {
        quint64 first = 0;
        quint64 last = 0;
        int columns = 0;
        bool operator==(const Key&) const = default;
    };
    struct Entry
    {
        Key key;
        std::shared_ptr<const items::DensityStrip> strip;
        bool stale = false;
    };
    void want(const Key& key);
    void askNext();
    /// Nothing at hand looks much like it.
    [[nodiscard]] bool isNew(const Key& key) const;
    /// Now if something new is wanted, else after a pause.
    void schedule();
    void askPart(const Key& key, const DensityQuestion& question);
    [[nodiscard]] std::uint32_t mostColumns() const;
    void take(const Key& key, const DensityAnswer& answer);

    sources::FlowSource& m_source;
    StreamId m_stream{};
    std::vector<ConsumerId> m_consumers;
    std::deque<Entry> m_entries; ///< newest first, at most kEntries
    std::deque<Key> m_wanted;
    bool m_asked = false;
    std::size_t m_due = 0; ///< of what is wanted, since the last pause
    DensityAnswer m_parts; ///< of the answer that is under way
    QTimer m_timer;
};

} // namespace jetglass::models
