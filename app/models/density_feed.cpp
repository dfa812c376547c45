// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/density_feed.h"

#include <algorithm>
#include <array>

namespace jetglass::models {

using items::CellState;

namespace {

constexpr std::size_t kEntries = 6;
constexpr std::size_t kWanted = 2; // the lanes and the overview strip
constexpr int kPauseMs = 100;
constexpr quint64 kAlike = 16; // pictures that share all but this part of their range look the same

constexpr std::array<CellState, kDeliveryStateCount> kStates{CellState::NotMatched,
    CellState::BeforeStart,
    CellState::Waiting,
    CellState::Delivered,
    CellState::InProgress,
    CellState::Naked,
    CellState::RedeliveryDue,
    CellState::Acked,
    CellState::Terminated,
    CellState::Exhausted,
    CellState::Settled};

} // namespace

DensityFeed::DensityFeed(sources::FlowSource& source, QObject* parent)
    : QObject(parent)
    , m_source(source)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kPauseMs);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_due = m_wanted.size();
        askNext();
    });
}

void DensityFeed::setStream(StreamId stream, std::vector<ConsumerId> consumers)
{
    if (m_stream == stream && m_consumers == consumers)
        return;
    m_stream = stream;
    m_consumers = std::move(consumers);
    m_entries.clear();
    m_wanted.clear();
    emit changed();
}

std::shared_ptr<const items::DensityStrip> DensityFeed::strip(
    quint64 first, quint64 last, int columns)
{
    const Key key{first, last, std::clamp(columns, 1, 4096)};
    const Entry* nearest = nullptr;
    for (const Entry& entry : m_entries) {
        if (entry.key == key) {
            if (entry.stale)
                want(key);
            return entry.strip;
        }
        const bool overlaps = entry.key.first <= last && entry.key.last >= first;
        if (overlaps && (!nearest || entry.key.columns == key.columns))
            nearest = nearest && nearest->key.columns == key.columns ? nearest : &entry;
    }
    want(key);
    return nearest ? nearest->strip : nullptr;
}

void DensityFeed::markStale()
{
    bool any = false;
    for (Entry& entry : m_entries) {
        any = any || !entry.stale;
        entry.stale = true;
    }
    if (any)
        emit changed();
}

void DensityFeed::want(const Key& key)
{
    if (m_stream == StreamId{} || key.first > key.last)
        return;
    const auto there = std::find(m_wanted.begin(), m_wanted.end(), key);
    if (there == m_wanted.end()) {
        m_wanted.push_back(key);
        while (m_wanted.size() > kWanted)
            m_wanted.pop_front();
    }
    schedule();
}

bool DensityFeed::isNew(const Key& key) const
{
    const auto width = [](quint64 first, quint64 last) { return last - first + 1; };
    return std::none_of(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        const quint64 first = std::max(entry.key.first, key.first);
        const quint64 last = std::min(entry.key.last, key.last);
        const quint64 widest =
            std::max(width(entry.key.first, entry.key.last), width(key.first, key.last));
        return entry.key.columns == key.columns && first <= last
            && width(first, last) >= widest - widest / kAlike;
    });
}

void DensityFeed::schedule()
{
    if (m_asked || m_wanted.empty())
        return;
    const bool atOnce = m_due > 0
        || std::any_of(
            m_wanted.begin(), m_wanted.end(), [this](const Key& key) { return isNew(key); });
    if (atOnce)
        askNext();
    else if (!m_timer.isActive())
        m_timer.start();
}

/// A column has a count for each state of each consumer: with many consumers columns are wider, so
/// that a picture costs the broker a few answers of 256 KiB and not dozens.
std::uint32_t DensityFeed::mostColumns() const
{
    constexpr std::size_t kBytes = std::size_t{512} * 1024;
    const std::size_t perColumn =
        sizeof(DensityColumn) + m_consumers.size() * kDeliveryStateCount * sizeof(std::uint64_t);
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(kBytes / perColumn, 64, 4096));
}

void DensityFeed::askNext()
{
    if (m_wanted.empty() || m_asked)
        return;
    const auto urgent = std::find_if(
        m_wanted.begin(), m_wanted.end(), [this](const Key& key) { return isNew(key); });
    const auto next = urgent == m_wanted.end() ? m_wanted.begin() : urgent;
    const Key key = *next;
    m_wanted.erase(next);
    m_due -= std::min<std::size_t>(m_due, 1);
    m_asked = true;
    DensityQuestion question;
    question.stream = m_stream;
    question.first = StreamSeq(key.first);
    question.last = StreamSeq(key.last);
    question.columns = std::min(static_cast<std::uint32_t>(key.columns), mostColumns());
    question.consumers = m_consumers;
    m_parts = {};
    askPart(key, question);
}

/// A picture is shown when its last part is there.
void DensityFeed::askPart(const Key& key, const DensityQuestion& question)
{
    m_source.ask(question, this, [this, key, question](const DensityAnswer& answer) {
        const bool wanted = answer.found && question.stream == m_stream
            && question.consumers == m_consumers
            && (m_parts.columns.empty() || m_parts.consumers == answer.consumers);
        const auto got = static_cast<std::uint32_t>(answer.columns.size());
        if (wanted) {
            m_parts.consumers = answer.consumers;
            m_parts.columns.insert(
                m_parts.columns.end(), answer.columns.begin(), answer.columns.end());
            m_parts.counts.insert(m_parts.counts.end(), answer.counts.begin(), answer.counts.end());
        }
        if (wanted && !answer.next.isZero() && got > 0 && got < question.columns) {
            DensityQuestion rest = question;
            rest.first = answer.next;
            rest.columns = question.columns - got;
            return askPart(key, rest);
        }
        m_asked = false;
        if (wanted)
            take(key, m_parts);
        m_parts = {};
        schedule();
    });
}

void DensityFeed::take(const Key& key, const DensityAnswer& answer)
{
    auto strip = std::make_shared<items::DensityStrip>();
    strip->first = key.first;
    strip->last = key.last;
    strip->resize(answer.columns.size(), static_cast<int>(m_consumers.size()));
    for (std::size_t column = 0; column < answer.columns.size(); ++column) {
        const DensityColumn& from = answer.columns[column];
        strip->columns[column] = {
            from.first.value(), from.last.value(), from.stored, from.removed, from.estimated};
    }
    for (std::size_t at = 0; at < answer.consumers.size(); ++at) {
        const auto lane = std::find(m_consumers.begin(), m_consumers.end(), answer.consumers[at]);
        if (lane == m_consumers.end())
            continue;
        const int number = static_cast<int>(lane - m_consumers.begin());
        for (std::size_t column = 0; column < answer.columns.size(); ++column)
            for (std::size_t state = 0; state < kStates.size(); ++state)
                strip->counts[strip->index(column, number, kStates[state])] +=
                    answer.count(column, at, static_cast<DeliveryState>(state));
    }
    m_entries.erase(
        std::remove_if(
            m_entries.begin(), m_entries.end(), [&key](const Entry& e) { return e.key == key; }),
        m_entries.end());
    m_entries.push_front({key, std::move(strip), false});
    while (m_entries.size() > kEntries)
        m_entries.pop_back();
    emit changed();
}

} // namespace jetglass::models
