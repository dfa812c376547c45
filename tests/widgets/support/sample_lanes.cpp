// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_lanes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jetglass::tests {

using items::CellState;
using items::LaneCell;
using items::LaneItem;
using items::RemovalCause;
using items::StreamCell;
using items::StreamItem;
using items::Tone;

namespace {

constexpr std::size_t kRing = 8192;
constexpr qint64 kSecond = 1'000'000'000;
constexpr qint64 kStart = 1'700'000'000'000'000'000;

LaneCell cell(CellState state, quint32 deliveries = 1)
{
    LaneCell result;
    result.state = state;
    result.deliveries = deliveries;
    result.since = kStart - 20 * kSecond;
    return result;
}

LaneCell timed(CellState state, quint32 deliveries, double left)
{
    LaneCell result = cell(state, deliveries);
    result.since = kStart - static_cast<qint64>((1 - left) * 30 * kSecond);
    result.deadline = result.since + 30 * kSecond;
    result.holder = 2;
    return result;
}

StreamCell ordersStream(quint64 seq)
{
    static const std::array<QString, 3> kSubjects{QStringLiteral("orders.created"),
        QStringLiteral("orders.paid"),
        QStringLiteral("orders.shipped")};
    static const std::array<QString, 3> kTags{
        QStringLiteral("crea"), QStringLiteral("paid"), QStringLiteral("ship")};
    static const std::array<quint8, 11> kPattern{0, 0, 1, 2, 0, 1, 1, 0, 2, 0, 3};
    StreamCell result;
    result.stored = seq >= 27 && seq != 30 && seq != 31;
    result.removal = result.stored ? RemovalCause::None
        : seq == 31                ? RemovalCause::Skipped
        : seq < 27                 ? RemovalCause::MaxAge
                                   : RemovalCause::Purge;
    const quint8 kind = kPattern[seq % kPattern.size()];
    result.hue = kind;
    result.subject = kSubjects[kind % 3];
    result.tag = kTags[kind % 3];
    result.size = 150 + seq * 3;
    result.time = kStart - static_cast<qint64>(56 - std::min<quint64>(seq, 56)) * 4 * kSecond;
    return result;
}

LaneCell payments(quint64 seq)
{
    switch (seq) {
    case 42:
        return timed(CellState::Delivered, 2, 0.25);
    case 43:
        return cell(CellState::AckedAbove);
    case 44:
        return cell(CellState::AckedAbove, 3);
    case 45:
        return timed(CellState::InProgress, 1, 0.6);
    case 46:
        return timed(CellState::Naked, 1, 0.8);
    case 47:
        return timed(CellState::Delivered, 1, 0.9);
    case 48:
        return cell(CellState::RedeliveryDue, 2);
    default:
        return seq < 42 ? cell(CellState::Acked, seq % 9 == 0 ? 2 : 1)
                        : cell(CellState::Waiting, 0);
    }
}

LaneCell mailer(quint64 seq)
{
    if (seq < 29) {
        return cell(CellState::BeforeStart, 0);
    }
    if (seq == 36) {
        return cell(CellState::Exhausted, 3);
    }
    if (seq == 38) {
        LaneCell result = cell(CellState::Terminated);
        result.overridden = true;
        return result;
    }
    if (seq % 3 == 1) {
        return cell(CellState::NotMatched, 0);
    }
    if (seq < 34) {
        return cell(CellState::Settled);
    }
    return seq < 43 ? cell(CellState::Acked) : cell(CellState::Waiting, 0);
}

} // namespace

SampleLanes::SampleLanes(QObject* parent)
    : LaneSource(parent)
    , m_streamCells(kRing)
    , m_known(kRing, 0)
{
}

void SampleLanes::setBounds(quint64 first, quint64 last)
{
    m_first = first;
    m_last = last;
    emit boundsChanged();
}

void SampleLanes::setStream(StreamItem item, StreamRule rule)
{
    m_stream = std::move(item);
    m_streamRule = std::move(rule);
    std::fill(m_known.begin(), m_known.end(), 0);
    emit streamUpdated();
}

void SampleLanes::addLane(LaneItem item, LaneRule rule)
{
    m_lanes.push_back(std::move(item));
    m_rules.push_back(std::move(rule));
    m_laneCells.emplace_back(kRing);
    std::fill(m_known.begin(), m_known.end(), 0);
    emit lanesChanged();
}

void SampleLanes::updateLane(int lane, const LaneItem& item)
{
    m_lanes[static_cast<std::size_t>(lane)] = item;
    emit laneUpdated(lane);
}

void SampleLanes::setLoaded(quint64 first, quint64 last)
{
    m_loadedFirst = first;
    m_loadedLast = last;
    emit changed(first, last);
}

const StreamCell* SampleLanes::streamCell(quint64 seq) const
{
    if (seq < m_loadedFirst || seq > m_loadedLast) {
        return nullptr;
    }
    const std::size_t slot = seq % kRing;
    if (m_known[slot] != seq + 1) {
        m_known[slot] = seq + 1;
        m_streamCells[slot] = m_streamRule(seq);
        for (std::size_t lane = 0; lane < m_rules.size(); ++lane) {
            m_laneCells[lane][slot] = m_rules[lane](seq);
        }
    }
    return &m_streamCells[slot];
}

const LaneCell* SampleLanes::laneCell(int lane, quint64 seq) const
{
    return streamCell(seq) == nullptr ? nullptr
                                      : &m_laneCells[static_cast<std::size_t>(lane)][seq % kRing];
}

QString SampleLanes::clientName(quint32 client) const
{
    return client == 0 ? QString() : QStringLiteral("worker-%1").arg(client);
}

void SampleLanes::request(quint64 first, quint64 last)
{
    ++requests;
    requestedFirst = first;
    requestedLast = last;
}

std::shared_ptr<const items::DensityStrip> SampleLanes::density(
    quint64 first, quint64 last, int columns)
{
    if (m_strip && m_strip->first == first && m_strip->last == last
        && m_strip->laneCount == static_cast<int>(m_lanes.size())) {
        return m_strip;
    }
    auto strip = std::make_shared<items::DensityStrip>();
    const quint64 count = last - first + 1;
    const auto wanted = static_cast<std::size_t>(
        std::min<quint64>(static_cast<quint64>(std::max(columns, 1)), count));
    strip->first = first;
    strip->last = last;
    strip->resize(wanted, static_cast<int>(m_lanes.size()));
    for (std::size_t i = 0; i < wanted; ++i) {
        auto& column = strip->columns[i];
        column.first = first + count / wanted * i + count % wanted * i / wanted;
        column.last = i + 1 == wanted
            ? last
            : first + count / wanted * (i + 1) + count % wanted * (i + 1) / wanted - 1;
        // A handful of samples stands for the column: enough for a picture.
        constexpr quint64 kSamples = 16;
        const quint64 inside = column.last - column.first + 1;
        const quint64 samples = std::min(kSamples, inside);
        for (quint64 k = 0; k < samples; ++k) {
            const quint64 seq = column.first + inside / samples * k;
            const quint64 weight =
                k + 1 == samples ? inside - inside / samples * k : inside / samples;
            (m_streamRule(seq).stored ? column.stored : column.removed) += weight;
            for (int lane = 0; lane < strip->laneCount; ++lane) {
                const LaneCell value = m_rules[static_cast<std::size_t>(lane)](seq);
                strip->counts[strip->index(i, lane, value.state)] += weight;
            }
        }
        column.estimated = samples < inside;
    }
    m_strip = strip;
    return strip;
}

void fillOrders(SampleLanes& lanes)
{
    StreamItem stream;
    stream.name = QStringLiteral("ORDERS");
    stream.kind = QStringLiteral("orders.> · limits · file");
    stream.status = QStringLiteral("27–55 · 2 removed");
    stream.nextOut = 27;
    stream.nextOutTone = Tone::Waiting;
    stream.nextOutText = QStringLiteral("next out by max_age: 27 in 6 min 12 s");
    stream.tailText = QStringLiteral("0.4 s ago");
    lanes.setStream(stream, ordersStream);

    LaneItem first;
    first.name = QStringLiteral("payments");
    first.kind = QStringLiteral("pull · explicit · ack_wait 30 s");
    first.status = QStringLiteral("4 of 5 slots held");
    first.statusTone = Tone::Waiting;
    first.delivered = 48;
    first.ackFloor = 41;
    first.floorNote = QStringLiteral("floor waits for 42 (delivery 2 at worker-2, back in 7.6 s)");
    first.pull = QStringLiteral("pull: 3 left · 4.1 s");
    lanes.addLane(first, payments);

    LaneItem audit;
    audit.name = QStringLiteral("audit");
    audit.kind = QStringLiteral("push · ack all → audit.in");
    audit.status = QStringLiteral("interest: 1 subscriber");
    audit.delivered = 55;
    audit.ackFloor = 55;
    lanes.addLane(audit, [](quint64) { return cell(CellState::Acked); });

    LaneItem third;
    third.name = QStringLiteral("mailer");
    third.kind = QStringLiteral("pull · filter orders.created");
    third.status = QStringLiteral("STALLED: nobody asks");
    third.statusTone = Tone::Blocked;
    third.start = 29;
    third.delivered = 42;
    third.ackFloor = 35;
    third.stall = QStringLiteral("waiting 7 · no pull request since 48 s");
    lanes.addLane(third, mailer);
    lanes.setBounds(27, 55);
}

void fillLarge(SampleLanes& lanes, quint64 count, int laneCount)
{
    StreamItem stream;
    stream.name = QStringLiteral("EVENTS");
    stream.kind = QStringLiteral("events.> · limits · file");
    lanes.setStream(stream, [count](quint64 seq) {
        StreamCell result = ordersStream(seq + 100);
        result.stored = seq % 97 != 5 && (seq < count / 3 || seq > count / 3 + count / 40);
        result.removal = result.stored ? RemovalCause::None : RemovalCause::Purge;
        return result;
    });
    for (int lane = 0; lane < laneCount; ++lane) {
        LaneItem item;
        item.name = QStringLiteral("worker-group-%1").arg(lane);
        item.kind = QStringLiteral("pull · explicit · ack_wait 30 s");
        item.status = QStringLiteral("lag %1").arg(lane * 1000);
        const quint64 floor = count - count / 10 - count / 20 * static_cast<quint64>(lane);
        const quint64 cursor = floor + std::max<quint64>(count / 25, 20);
        item.ackFloor = floor;
        item.delivered = cursor;
        lanes.addLane(item, [floor, cursor, lane](quint64 seq) {
            if (lane == 2 && seq % 2 == 1) {
                return cell(CellState::NotMatched, 0);
            }
            if (seq <= floor) {
                return cell(seq % 311 == 0 ? CellState::Exhausted : CellState::Acked);
            }
            if (seq <= cursor) {
                switch (seq % 7) {
                case 0:
                    return timed(CellState::Delivered, 1, 0.5);
                case 1:
                    return timed(CellState::Naked, 2, 0.3);
                case 2:
                    return cell(CellState::RedeliveryDue, 2);
                default:
                    return cell(CellState::AckedAbove);
                }
            }
            return cell(CellState::Waiting, 0);
        });
    }
    lanes.setBounds(1, count);
}

} // namespace jetglass::tests
