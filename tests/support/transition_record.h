// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/flow_observer.h"
#include "subjects/subject.h"

#include <QString>
#include <QStringList>
#include <QTest>

#include <array>
#include <cstdint>

namespace jetglass::tests {

/// The test program that walks the broker through a transition.
enum class FlowWalk : std::uint8_t
{
    Messages, ///< tst_flow_messages
    Deliveries, ///< tst_flow_deliveries
    Clients, ///< tst_flow_clients
    Lab, ///< tst_lab
    Nowhere ///< the broker makes no faults of its own, so it has none to tell of
};

struct FlowKindRow
{
    const char* name;
    FlowWalk walk;
};

/// Every kind has its walk: a new one does not compile here until it has got a row.
constexpr FlowKindRow rowOf(FlowKind kind)
{
#define JETGLASS_FLOW(kind, walk)                                                                  \
    case FlowKind::kind:                                                                           \
        return                                                                                     \
        {                                                                                          \
#kind, FlowWalk::walk                                                                  \
        }
    switch (kind) {
        JETGLASS_FLOW(Published, Messages);
        JETGLASS_FLOW(Refused, Messages);
        JETGLASS_FLOW(Duplicate, Messages);
        JETGLASS_FLOW(Stored, Messages);
        JETGLASS_FLOW(Removed, Messages);
        JETGLASS_FLOW(RemovedByFilter, Messages);
        JETGLASS_FLOW(PubAckSent, Messages);
        JETGLASS_FLOW(Delivered, Deliveries);
        JETGLASS_FLOW(Acked, Deliveries);
        JETGLASS_FLOW(AckedUpTo, Deliveries);
        JETGLASS_FLOW(Naked, Deliveries);
        JETGLASS_FLOW(InProgress, Deliveries);
        JETGLASS_FLOW(Terminated, Deliveries);
        JETGLASS_FLOW(TimedOut, Deliveries);
        JETGLASS_FLOW(Exhausted, Deliveries);
        JETGLASS_FLOW(FloorMoved, Deliveries);
        JETGLASS_FLOW(CursorMoved, Deliveries);
        JETGLASS_FLOW(PullOpened, Deliveries);
        JETGLASS_FLOW(PullServed, Deliveries);
        JETGLASS_FLOW(PullEnded, Deliveries);
        JETGLASS_FLOW(StatusSent, Deliveries);
        JETGLASS_FLOW(HeartbeatSent, Deliveries);
        JETGLASS_FLOW(FlowControlSent, Deliveries);
        JETGLASS_FLOW(Stalled, Deliveries);
        JETGLASS_FLOW(Resumed, Deliveries);
        JETGLASS_FLOW(ClientConnected, Clients);
        JETGLASS_FLOW(ClientSubscribed, Clients);
        JETGLASS_FLOW(ClientGone, Clients);
        JETGLASS_FLOW(ClientSlow, Clients);
        JETGLASS_FLOW(StreamCreated, Messages);
        JETGLASS_FLOW(StreamChanged, Messages);
        JETGLASS_FLOW(StreamDeleted, Messages);
        JETGLASS_FLOW(ConsumerCreated, Deliveries);
        JETGLASS_FLOW(ConsumerChanged, Deliveries);
        JETGLASS_FLOW(ConsumerDeleted, Deliveries);
        JETGLASS_FLOW(ConsumerPaused, Deliveries);
        JETGLASS_FLOW(ConsumerResumed, Deliveries);
        JETGLASS_FLOW(ConsumerPinned, Deliveries);
        JETGLASS_FLOW(ConsumerUnpinned, Deliveries);
        JETGLASS_FLOW(MirrorProgress, Messages);
        JETGLASS_FLOW(ClockChanged, Lab);
        JETGLASS_FLOW(GateActed, Lab);
        JETGLASS_FLOW(FaultTaken, Nowhere);
        JETGLASS_FLOW(BatchOpened, Messages);
        JETGLASS_FLOW(BatchHeld, Messages);
        JETGLASS_FLOW(BatchCommitted, Messages);
        JETGLASS_FLOW(BatchAbandoned, Messages);
        JETGLASS_FLOW(BatchGap, Messages);
        JETGLASS_FLOW(BatchFlowSent, Messages);
        JETGLASS_FLOW(ScheduleSet, Messages);
        JETGLASS_FLOW(ScheduleFired, Messages);
        JETGLASS_FLOW(ScheduleEnded, Messages);
    }
#undef JETGLASS_FLOW
    return {"?", FlowWalk::Nowhere};
}

inline QString nameOf(Removal cause)
{
    static constexpr std::array kNames = {"None",
        "MaxAge",
        "MaxMsgs",
        "MaxBytes",
        "MaxPerSubject",
        "WorkQueueAck",
        "InterestGone",
        "Purge",
        "Delete",
        "Ttl",
        "Rollup",
        "NoInterest",
        "Skipped",
        "Lost",
        "Unknown"};
    return QString::fromLatin1(kNames[static_cast<std::size_t>(cause)]);
}

/// Writes each event down as one line with every field that is not zero:
///     Delivered s1 c1 #4 second=7 x2 due=31000 by7 again 's.a'
/// seq is #, deliveries x, client by; time ("at") and deadline ("due") are milliseconds since the
/// start of the test's clock. Behind them the text: subject in quotes, detail in brackets. Numbers
/// must be gapless and a subject's hash that of the subject, or the line says so.
class TransitionRecord final : public FlowObserver
{
public:
    explicit TransitionRecord(std::int64_t start)
        : m_start(start)
    {
    }
    void onFlow(const FlowEvent& event, const FlowText& text) noexcept override
    {
        QString line = QString::fromLatin1(rowOf(event.kind).name);
        if (m_last != 0 && event.number != m_last + 1)
            line += QStringLiteral(" GAP");
        m_last = event.number;
        m_kinds.append(event.kind);
        number(line, " s", static_cast<std::uint64_t>(event.stream));
        number(line, " c", static_cast<std::uint64_t>(event.consumer));
        number(line, " #", event.seq.value());
        number(line, " second=", event.second);
        number(line, " x", event.deliveries);
        const bool bytes =
            event.kind == FlowKind::Removed || event.kind == FlowKind::RemovedByFilter;
        if (bytes)
            number(line, " bytes=", static_cast<std::uint64_t>(event.deadline));
        else if (event.deadline != 0)
            line += QStringLiteral(" due=") + sinceStart(event.deadline);
        number(line, " by", static_cast<std::uint64_t>(event.client));
        if (event.redelivery)
            line += QStringLiteral(" again");
        if (event.cause != Removal::None)
            line += QLatin1Char(' ') + nameOf(event.cause);
        if (event.time != m_start)
            line += QStringLiteral(" at=") + sinceStart(event.time);
        if (event.subjectHash != 0 && event.subjectHash != subjects::hash(text.subject))
            line += QStringLiteral(" WRONG-HASH");
        if (!text.subject.empty())
            line += QStringLiteral(" '%1'").arg(words(text.subject));
        if (!text.detail.empty())
            line += QStringLiteral(" (%1)").arg(words(text.detail));
        m_lines << line;
    }
    /// The lines since the last call, which the caller compares.
    QStringList take()
    {
        m_seen += m_kinds;
        forget();
        return std::exchange(m_taken, {});
    }
    /// Drops the lines since the last call: they are no part of the proof.
    void forget()
    {
        m_taken = std::exchange(m_lines, {});
        m_kinds.clear();
    }
    [[nodiscard]] const QList<FlowKind>& seen() const { return m_seen; }

private:
    static void number(QString& line, const char* before, std::uint64_t value)
    {
        if (value != 0)
            line += QLatin1String(before) + QString::number(value);
    }
    static QString words(std::string_view text)
    {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    }
    [[nodiscard]] QString sinceStart(std::int64_t time) const
    {
        return QString::number(static_cast<double>(time - m_start) / 1e6);
    }

    std::int64_t m_start;
    std::uint64_t m_last = 0;
    QStringList m_lines;
    QStringList m_taken;
    QList<FlowKind> m_kinds;
    QList<FlowKind> m_seen;
};

/// At the end of a walk: the kinds that it owes and that were not among the compared ones.
inline QStringList unseen(FlowWalk walk, const QList<FlowKind>& seen)
{
    QStringList missing;
    for (int i = 0; i <= static_cast<int>(kLastFlowKind); ++i) {
        const auto kind = static_cast<FlowKind>(i);
        if (rowOf(kind).walk == walk && !seen.contains(kind))
            missing << QString::fromLatin1(rowOf(kind).name);
    }
    return missing;
}

/// Compares line by line, so that a difference is seen where it is.
inline bool compareFlow(const QStringList& actual, const QStringList& expected)
{
    if (actual == expected)
        return true;
    qWarning().noquote() << "\nactual:\n  " + actual.join("\n  ") + "\nexpected:\n  "
            + expected.join("\n  ");
    return false;
}

} // namespace jetglass::tests

#define CHECK_FLOW(record, ...)                                                                    \
    QVERIFY(jetglass::tests::compareFlow((record).take(), QStringList(__VA_ARGS__)))
