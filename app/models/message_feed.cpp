// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/message_feed.h"

#include "text/message_notes.h"

#include <algorithm>
#include <utility>

namespace jetglass::models {

using items::MessageItem;

namespace {

constexpr quint32 kPage = 200;
constexpr quint32 kPreviewBytes = 160;
constexpr std::size_t kMaxRows = 20'000;
constexpr std::size_t kMaxMatches = 1'000'000;

/// One line that can be read: control characters become blanks, bytes that are no text become dots.
QString preview(const std::string& payload)
{
    QString text = QString::fromUtf8(payload.data(), static_cast<qsizetype>(payload.size()));
    for (QChar& c : text) {
        if (c == QChar::ReplacementCharacter)
            c = QChar(0xB7);
        else if (!c.isPrint() && !c.isSurrogate())
            c = QLatin1Char(' ');
    }
    return text.simplified();
}

} // namespace

MessageFeed::MessageFeed(LiveView& live, SubjectHues& hues, QObject* parent)
    : items::PageSource(parent)
    , m_live(live)
    , m_hues(hues)
{
    m_askTimer.setSingleShot(true);
    m_askTimer.setInterval(16);
    connect(
        &m_askTimer, &QTimer::timeout, this, [this] { m_filter.isEmpty() ? askPage() : scanOn(); });
    connect(&live, &LiveView::countsChanged, this, [this](StreamId id) {
        if (id == m_stream)
            updateBounds();
    });
    connect(&live, &LiveView::structureChanged, this, &MessageFeed::updateBounds);
    connect(&live.source(), &sources::FlowSource::eventsReady, this, &MessageFeed::takeEvents);
    connect(&live.source(), &sources::FlowSource::eventsSkipped, this, &MessageFeed::clear);
}

void MessageFeed::setStream(StreamId stream)
{
    if (stream == m_stream)
        return;
    m_stream = stream;
    m_first = 1;
    m_last = 0;
    clear();
    updateBounds();
}

void MessageFeed::setFilter(const QString& pattern)
{
    if (pattern == m_filter)
        return;
    m_filter = pattern;
    clear();
    updateBounds();
}

void MessageFeed::clear()
{
    ++m_generation;
    m_rows.clear();
    m_matches.clear();
    m_scanNext = m_first;
    m_scanDone = false;
    m_asked = false;
    m_leftMeanwhile.clear();
    emit reset();
    m_askTimer.start();
}

quint64 MessageFeed::firstPosition() const
{
    return m_filter.isEmpty() ? m_first : 1;
}

quint64 MessageFeed::lastPosition() const
{
    return m_filter.isEmpty() ? m_last : m_matches.size();
}

const MessageItem* MessageFeed::row(quint64 position) const
{
    const auto seq = seqAt(position);
    const auto found = seq ? m_rows.find(*seq) : m_rows.end();
    return found == m_rows.end() ? nullptr : &found->second;
}

std::optional<quint64> MessageFeed::seqAt(quint64 position) const
{
    if (m_filter.isEmpty())
        return position >= m_first && position <= m_last ? std::optional(position) : std::nullopt;
    if (position == 0 || position > m_matches.size())
        return std::nullopt;
    return m_matches[position - 1];
}

std::optional<quint64> MessageFeed::positionOf(quint64 seq) const
{
    if (m_filter.isEmpty())
        return seq >= m_first && seq <= m_last ? std::optional(seq) : std::nullopt;
    const auto it = std::lower_bound(m_matches.begin(), m_matches.end(), seq);
    if (it == m_matches.end() || *it != seq)
        return std::nullopt;
    return static_cast<quint64>(it - m_matches.begin()) + 1;
}

void MessageFeed::request(quint64 first, quint64 last)
{
    m_wantedFirst = first;
    m_wantedLast = last;
    if (!m_askTimer.isActive() && !m_asked)
        m_askTimer.start();
}

void MessageFeed::askPage()
{
    if (m_asked || m_stream == StreamId{})
        return;
    quint64 first = std::max<quint64>(m_wantedFirst, m_first);
    const quint64 last = std::min<quint64>(m_wantedLast, m_last);
    while (first <= last && m_rows.contains(first))
        ++first;
    if (first > last)
        return;
    m_asked = true;
    MessageQuestion question;
    question.stream = m_stream;
    question.first = StreamSeq(first);
    question.count = static_cast<quint32>(std::min<quint64>(kPage, last - first + 1));
    question.payloadLimit = kPreviewBytes;
    const quint64 to = std::min<quint64>(last, first + kPage - 1);
    m_live.source().ask(
        question, this, [this, first, to, generation = m_generation](const MessageAnswer& answer) {
            if (generation != m_generation)
                return;
            m_asked = false;
            if (answer.found)
                takePage(answer, first, to);
            removeLeftSince(answer.lastEvent);
        });
}

/// Sequences between two rows of an answer are gaps; why they are is a range question.
void MessageFeed::takePage(const MessageAnswer& answer, quint64 first, quint64 last)
{
    quint64 covered = last;
    if (!answer.rows.empty() && !answer.next.isZero())
        covered = std::max<quint64>(
            answer.rows.back().seq.value(), std::min<quint64>(last, answer.next.value() - 1));
    quint64 gapFirst = 0;
    quint64 gapLast = 0;
    quint64 expected = first;
    const auto noteGap = [&](quint64 from, quint64 to) {
        for (quint64 seq = from; seq <= to; ++seq) {
            MessageItem gap;
            gap.seq = seq;
            gap.stored = false;
            gap.removal = items::RemovalCause::Unknown;
            m_rows[seq] = gap;
        }
        gapFirst = gapFirst == 0 ? from : gapFirst;
        gapLast = to;
    };
    for (const MessageRow& row : answer.rows) {
        const quint64 seq = row.seq.value();
        if (seq > covered)
            break;
        if (seq > expected)
            noteGap(expected, seq - 1);
        m_rows[seq] = item(row);
        expected = seq + 1;
    }
    if (expected <= covered)
        noteGap(expected, covered);
    trim();
    emit changed(first, covered);
    if (gapFirst != 0)
        askGaps(gapFirst, gapLast);
    m_askTimer.start();
}

void MessageFeed::askGaps(quint64 first, quint64 last)
{
    RangeQuestion question;
    question.stream = m_stream;
    question.first = StreamSeq(first);
    question.last = StreamSeq(last);
    m_live.source().ask(
        question, this, [this, last, generation = m_generation](const RangeAnswer& answer) {
            if (generation != m_generation || !answer.found || answer.rows.empty())
                return;
            for (const RangeRow& row : answer.rows) {
                const auto known = m_rows.find(row.seq.value());
                if (known != m_rows.end() && !known->second.stored && !row.stored)
                    known->second.removal = static_cast<items::RemovalCause>(row.removal);
            }
            emit changed(answer.rows.front().seq.value(), answer.rows.back().seq.value());
            if (answer.rows.back().seq.value() < last)
                askGaps(answer.rows.back().seq.value() + 1, last);
        });
}

void MessageFeed::scanOn()
{
    if (m_asked || m_scanDone || m_stream == StreamId{} || m_matches.size() >= kMaxMatches)
        return;
    if (m_wantedLast + kPage < m_matches.size())
        return;
    m_asked = true;
    MessageQuestion question;
    question.stream = m_stream;
    question.first = StreamSeq(std::max<quint64>(1, m_scanNext));
    question.count = kPage;
    question.filter = m_filter.toStdString();
    question.payloadLimit = kPreviewBytes;
    m_live.source().ask(
        question, this, [this, generation = m_generation](const MessageAnswer& answer) {
            if (generation != m_generation)
                return;
            m_asked = false;
            if (answer.found)
                takeMatches(answer);
            removeLeftSince(answer.lastEvent);
        });
}

void MessageFeed::takeMatches(const MessageAnswer& answer)
{
    const quint64 before = m_matches.size();
    for (const MessageRow& row : answer.rows) {
        m_matches.push_back(row.seq.value());
        m_rows[row.seq.value()] = item(row);
    }
    m_scanDone = answer.next.isZero();
    m_scanNext = m_scanDone
        ? std::max<quint64>(m_last, m_matches.empty() ? 0 : m_matches.back()) + 1
        : answer.next.value();
    emit boundsChanged();
    if (m_matches.size() > before)
        emit changed(before + 1, m_matches.size());
    if (!m_scanDone)
        m_askTimer.start();
}

void MessageFeed::takeEvents(const std::vector<FlowEvent>& events)
{
    for (const FlowEvent& event : events) {
        if (event.stream != m_stream)
            continue;
        if (event.kind == FlowKind::RemovedByFilter) {
            clear();
        } else if (event.kind == FlowKind::Removed) {
            if (m_asked)
                m_leftMeanwhile.push_back(event);
            removed(event);
        }
    }
}

/// An answer that was on its way brings what has left since.
void MessageFeed::removeLeftSince(quint64 lastEvent)
{
    for (const FlowEvent& event : std::exchange(m_leftMeanwhile, {})) {
        if (event.number > lastEvent)
            removed(event);
    }
}

/// A match that has gone is none: those behind it move up.
void MessageFeed::removeMatches(quint64 first, quint64 last)
{
    const auto from = std::lower_bound(m_matches.begin(), m_matches.end(), first);
    const auto to = std::upper_bound(from, m_matches.end(), last);
    if (from == to)
        return;
    const quint64 position = static_cast<quint64>(from - m_matches.begin()) + 1;
    const quint64 before = m_matches.size();
    m_matches.erase(from, to);
    emit boundsChanged();
    emit changed(position, before);
}

void MessageFeed::removed(const FlowEvent& event)
{
    const quint64 first = event.seq.value();
    const quint64 last = std::max<quint64>(event.second, first);
    for (auto it = m_rows.lower_bound(first); it != m_rows.end() && it->first <= last;)
        it = m_rows.erase(it);
    if (m_filter.isEmpty())
        emit changed(first, last);
    else
        removeMatches(first, last);
}

MessageItem MessageFeed::item(const MessageRow& row)
{
    MessageItem item;
    item.seq = row.seq.value();
    item.time = row.time;
    item.subject = QString::fromStdString(row.subject);
    item.size = row.payloadSize + row.headers.size();
    item.hasHeaders = !row.headers.empty();
    item.hue = m_hues.hue(row.subject);
    item.note = note(row);
    item.preview = preview(row.payload);
    return item;
}

QString MessageFeed::note(const MessageRow& row) const
{
    const StreamOverview* stream = m_live.source().stream(m_stream);
    if (stream == nullptr || row.headers.empty())
        return {};
    QStringList briefs;
    for (const text::MessageNote& one :
        text::messageNotes(row, stream->config, m_live.source().now()))
        briefs << one.brief;
    briefs.removeAll(QString());
    return briefs.join(QStringLiteral(" · "));
}

void MessageFeed::trim()
{
    while (m_rows.size() > kMaxRows) {
        const bool headIsFar = m_rows.begin()->first < m_wantedFirst;
        m_rows.erase(headIsFar ? m_rows.begin() : std::prev(m_rows.end()));
    }
}

void MessageFeed::updateBounds()
{
    const fold::StreamView* view = m_live.stream(m_stream);
    const quint64 first = view ? std::max<quint64>(1, view->counts.first.value()) : 1;
    const quint64 last = view ? view->counts.last.value() : 0;
    if (first == m_first && last == m_last)
        return;
    const bool grew = last > m_last;
    m_first = first;
    m_last = last;
    if (m_filter.isEmpty()) {
        emit boundsChanged();
    } else if (grew) {
        m_scanDone = false;
        m_scanNext = std::max<quint64>(m_scanNext, m_first);
    }
    if (grew && !m_askTimer.isActive())
        m_askTimer.start();
}

} // namespace jetglass::models
