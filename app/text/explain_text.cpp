// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/explain_text.h"

#include "text/quantity.h"
#include "text/state_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace jetglass::text {

using items::Tone;

namespace {

struct ExplainText
{
    Q_DECLARE_TR_FUNCTIONS(ExplainText)
};

QString number(qint64 n)
{
    return count(static_cast<quint64>(std::max<qint64>(0, n)));
}

QString who(ClientId id, const ExplainContext& context)
{
    const QString name =
        context.clientName && id != ClientId{} ? context.clientName(id) : QString();
    return name.isEmpty() ? ExplainText::tr("a client") : name;
}

QString when(qint64 at, const ExplainContext& context)
{
    return ExplainText::tr("at %1 (in %2)")
        .arg(moment(at, context.now), duration(at - context.now));
}

bool blocks(const ExplainAnswer& answer, Condition condition)
{
    return std::any_of(answer.conditions.begin(),
        answer.conditions.end(),
        [condition](const ConditionReport& report) {
            return report.condition == condition && report.verdict == Verdict::Blocks;
        });
}

/// Gone before it was delivered: nothing else about it matters to this consumer any more.
bool isGone(const ExplainAnswer& answer)
{
    return blocks(answer, Condition::Stored)
        && (answer.removal == Removal::Skipped || answer.state == DeliveryState::NotMatched
            || answer.state == DeliveryState::BeforeStart || answer.state == DeliveryState::Waiting
            || (answer.state == DeliveryState::Settled
                && leftUnsettled(answer.state, {}, answer.removal)));
}

QString titleFor(const ExplainAnswer& answer, const ExplainContext& context)
{
    if (context.seq == 0)
        return ExplainText::tr("Why does %1 not move?").arg(context.consumer);
    if (isGone(answer) && answer.removal == Removal::Skipped)
        return ExplainText::tr("%1 never existed").arg(count(context.seq));
    if (isGone(answer))
        return answer.removal == Removal::Lost
            ? ExplainText::tr("%1 was lost").arg(count(context.seq))
            : ExplainText::tr("%1 is gone").arg(count(context.seq));
    switch (answer.state) {
    case DeliveryState::Acked:
    case DeliveryState::Settled:
        return ExplainText::tr("%1 is done for %2").arg(count(context.seq), context.consumer);
    case DeliveryState::Terminated:
    case DeliveryState::Exhausted:
        return ExplainText::tr("%1 was given up for %2").arg(count(context.seq), context.consumer);
    case DeliveryState::NotMatched:
    case DeliveryState::BeforeStart:
        return ExplainText::tr("%1 is not for %2").arg(count(context.seq), context.consumer);
    default:
        return ExplainText::tr("Why is %1 not done for %2?")
            .arg(count(context.seq), context.consumer);
    }
}

QString notSettled(const ExplainAnswer& answer, const ExplainContext& context)
{
    switch (answer.state) {
    case DeliveryState::Acked:
        return ExplainText::tr("%1 has acknowledged it.").arg(context.consumer);
    case DeliveryState::Terminated:
        return ExplainText::tr("It was terminated (+TERM): it will not be delivered again, and "
                               "nobody acknowledged it.");
    case DeliveryState::Exhausted:
        return ExplainText::tr("It was delivered %n time(s) and never acknowledged. That is "
                               "max_deliver, so it is not delivered "
                               "again. It stays in the stream; nothing moves it elsewhere.",
            nullptr,
            static_cast<int>(answer.deliveries));
    default:
        return ExplainText::tr("It is settled; how is no longer remembered.");
    }
}

QString notStored(const ExplainAnswer& answer)
{
    if (answer.removal == Removal::Lost)
        return ExplainText::tr("It was lost to damage in the store: its bytes on disk could "
                               "not be read when the broker started. No consumer gets it.");
    if (answer.removal == Removal::Skipped)
        return ExplainText::tr(
            "No message ever had this sequence. It was skipped: the stream began behind it "
            "(first_seq), a purge went beyond the last message, or a mirror's origin lacked "
            "it.");
    return answer.removal == Removal::None
        ? ExplainText::tr("It is not in the stream.")
        : ExplainText::tr("It is not in the stream any more: %1.").arg(removalName(answer.removal));
}

/// The delivery loop's condition in words when it blocks.
QString blocked(
    const ConditionReport& c, const ExplainAnswer& answer, const ExplainContext& context)
{
    switch (c.condition) {
    case Condition::Stored:
        return notStored(answer);
    case Condition::MatchesFilter:
        return ExplainText::tr(
            "No filter of %1 matches its subject, so it is never delivered here.")
            .arg(context.consumer);
    case Condition::AfterStart:
        return c.limit > 0 ? ExplainText::tr("%1 began at sequence %2, behind this message.")
                                 .arg(context.consumer, number(c.limit))
                           : ExplainText::tr("%1 began behind this message. The deliver policy is "
                                             "read once, when the consumer is made.")
                                 .arg(context.consumer);
    case Condition::NotSettled:
        return notSettled(answer, context);
    case Condition::NotPaused:
        return ExplainText::tr("%1 is paused and goes on %2.")
            .arg(context.consumer, when(c.freesAt, context));
    case Condition::HasInterest:
        return ExplainText::tr("Nobody subscribes to the deliver subject of %1.")
            .arg(context.consumer);
    case Condition::HasRequest:
        return ExplainText::tr("Nobody is asking: no pull request of %1 waits for a message.")
            .arg(context.consumer);
    case Condition::FlowWindowOpen:
        return ExplainText::tr("Flow control: the client has still to answer for %1.")
            .arg(bytes(static_cast<quint64>(c.value)));
    case Condition::AckNotDue:
        return ExplainText::tr("Delivery %1 went to %2 and is not acknowledged yet. Without an ack "
                               "it is due again %3.")
            .arg(count(std::max(1U, answer.deliveries)),
                who(c.client, context),
                when(c.freesAt, context));
    case Condition::NakDelayOver:
        return ExplainText::tr(
            "It was refused with a delay (-NAK) and comes again %1. Until then it keeps its slot.")
            .arg(when(c.freesAt, context));
    case Condition::UnderMaxDeliver:
        return ExplainText::tr("It was delivered %1 of %2 times, so it is not delivered again.")
            .arg(number(c.value), number(c.limit));
    case Condition::SlotFree:
        return ExplainText::tr("All %1 slots are held: %2 deliveries wait for their ack. One ack "
                               "makes room for one message.")
            .arg(number(c.limit), number(c.value));
    case Condition::IsNext:
        return c.blocker.isZero()
            ? ExplainText::tr("%Ln message(s) stand before it.", nullptr, static_cast<int>(c.value))
            : ExplainText::tr("%Ln message(s) stand before it; %1 is the next one.",
                nullptr,
                static_cast<int>(c.value))
                  .arg(count(c.blocker.value()));
    case Condition::RateAllows:
        return c.freesAt > 0
            ? ExplainText::tr("The rate limit or the original speed of replay lets it go %1.")
                  .arg(when(c.freesAt, context))
            : ExplainText::tr("The rate limit or the original speed of replay holds it back.");
    case Condition::PriorityAllows:
        return ExplainText::tr("The priority group gives messages to another client now.");
    case Condition::GateOpen:
        return ExplainText::tr("A gate of the lab holds it.");
    }
    return {};
}

/// A delivery that is under way is told first: its deadline comes before anything else that would
/// hold it then. Full slots come before a missing request, for no request would help. Of what is
/// gone nothing but that is told.
std::vector<ConditionReport> inOrderOfTelling(const ExplainAnswer& answer)
{
    const auto rank = [](const ConditionReport& report) {
        if (report.condition == Condition::AckNotDue || report.condition == Condition::NakDelayOver)
            return 0;
        if (report.condition == Condition::SlotFree)
            return 2;
        return report.condition < Condition::HasRequest ? 1 : 3;
    };
    std::vector<ConditionReport> ordered;
    std::copy_if(answer.conditions.begin(),
        answer.conditions.end(),
        std::back_inserter(ordered),
        [&answer](const ConditionReport& report) {
            return report.verdict == Verdict::Blocks
                && (!isGone(answer) || report.condition == Condition::Stored);
        });
    std::stable_sort(ordered.begin(),
        ordered.end(),
        [&rank](const ConditionReport& a, const ConditionReport& b) { return rank(a) < rank(b); });
    return ordered;
}

QString requestHint(const ExplainAnswer& answer)
{
    switch (answer.state) {
    case DeliveryState::Delivered:
    case DeliveryState::InProgress:
    case DeliveryState::Naked:
        return ExplainText::tr("To be delivered again it will take a request, too.");
    case DeliveryState::RedeliveryDue:
        return ExplainText::tr(
            "It is ready to be delivered again, but on a pull consumer that takes a request, too.");
    default:
        if (blocks(answer, Condition::SlotFree))
            return ExplainText::tr("When a slot is free it will take a request, too.");
        return ExplainText::tr(
            "It is delivered as soon as a client fetches (a pull request with room in its batch).");
    }
}

bool governsSlots(const ExplainAnswer& answer)
{
    return answer.state == DeliveryState::Delivered || answer.state == DeliveryState::InProgress
        || answer.state == DeliveryState::Naked;
}

void addFloor(const ExplainAnswer& answer, const ExplainContext& context, Explanation& into)
{
    if (answer.floorWaitsFor.isZero())
        return;
    if (answer.floorWaitsFor.value() == context.seq)
        into.sentences << ExplainText::tr("Until it is settled the ack floor stays at %1.")
                              .arg(count(answer.ackFloor.value()));
    else if (context.seq == 0 || answer.state == DeliveryState::Acked)
        into.sentences << ExplainText::tr("The ack floor stays at %1 because %2 is not settled.")
                              .arg(count(answer.ackFloor.value()),
                                  count(answer.floorWaitsFor.value()));
}

} // namespace

Explanation explain(const ExplainAnswer& answer, const ExplainContext& context)
{
    Explanation out;
    out.title = titleFor(answer, context);
    if (!answer.found) {
        out.sentences << ExplainText::tr("The stream or the consumer is gone.");
        out.tone = Tone::Muted;
        return out;
    }
    bool first = true;
    for (const ConditionReport& report : inOrderOfTelling(answer)) {
        QString sentence = blocked(report, answer, context);
        if (sentence.isEmpty())
            continue;
        out.sentences << sentence;
        if (first) {
            const bool timed = report.freesAt > 0;
            out.tone = timed ? Tone::Waiting : Tone::Blocked;
            if (report.condition == Condition::NotSettled)
                out.tone =
                    answer.state == DeliveryState::Acked || answer.state == DeliveryState::Settled
                    ? Tone::Done
                    : Tone::Blocked;
            if (report.condition == Condition::MatchesFilter
                || report.condition == Condition::AfterStart
                || report.condition == Condition::Stored)
                out.tone = answer.removal == Removal::Lost ? Tone::Blocked : Tone::Muted;
        }
        if (report.condition == Condition::HasRequest)
            out.sentences << requestHint(answer);
        out.changesWithTime = out.changesWithTime || report.freesAt > 0;
        first = false;
        if (!report.setting.empty())
            out.settings << QString::fromStdString(report.setting);
    }
    if (governsSlots(answer)) {
        const auto slot = std::find_if(
            answer.conditions.begin(), answer.conditions.end(), [](const ConditionReport& c) {
                return c.condition == Condition::SlotFree && c.limit > 0;
            });
        if (slot != answer.conditions.end() && slot->verdict != Verdict::Blocks)
            out.sentences << ExplainText::tr(
                "Meanwhile it holds one of the %1 slots (%2 are held now).")
                                 .arg(number(slot->limit), number(slot->value));
    }
    if (first) {
        out.sentences << (context.seq == 0
                ? ExplainText::tr("Nothing holds it back. It has nothing to deliver now.")
                : ExplainText::tr("Nothing holds it back: it goes out with the next turn."));
        out.tone = Tone::Done;
    }
    addFloor(answer, context, out);
    out.settings.removeDuplicates();
    return out;
}

} // namespace jetglass::text
