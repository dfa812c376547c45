// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/stream_fields.h"

#include <QtGlobal>

// The words are translated where they are shown, in the context of ConfigForm.

namespace jetglass::forms {
namespace {

using K = FieldKind;
using L = FieldLock;

constexpr FieldChoice kDeliver[] = {
    {"all", QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "all: from the first stored message")},
    {"new", QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "new: only what comes from now on")},
    {"last",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "last: from the last matching message")},
    {"last_per_subject",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "last per subject: the last message of each subject, then what comes")},
    {"by_start_sequence", QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "from a sequence")},
    {"by_start_time", QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "from a time")}};
constexpr FieldChoice kAck[] = {{"explicit",
                                    QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
                                        "explicit: each message is acked by itself")},
    {"all",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "all: an ack settles all before it too")},
    {"none", QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "none: delivered is done")},
    {"flow_control",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "flow control: for mirrors and sources")}};
constexpr FieldChoice kReplay[] = {
    {"instant", QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "instant: as fast as possible")},
    {"original",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "original: at the pace they came in")}};
constexpr FieldChoice kPriority[] = {
    {"none", QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "none: whoever asks first")},
    {"overflow",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "overflow: only while much is waiting")},
    {"pinned_client",
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "pinned client: one client gets all until it goes")},
    {"prioritized",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "prioritized: lower numbers first")}};

constexpr const char* kReadOnce = QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
    "It was used once, when the consumer was created. Create another consumer to start elsewhere.");

constexpr ConfigField kBasics[] = {
    {"durable_name",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Durable name"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Keeps its place although nobody uses it. No blank, dot, *, >, / or \\. Leave it empty "
            "for an ephemeral consumer, which goes by itself."),
        K::Text,
        {},
        L::Fixed,
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "A consumer's name cannot be changed.")},
    {"name",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Name"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Name of an ephemeral consumer, no blank, dot, *, >, / or \\. Empty: the durable name, "
            "or "
            "one that the server makes up."),
        K::Text,
        {},
        L::Fixed,
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "A consumer's name cannot be changed.")},
    {"filter_subjects",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Filter"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Which of the stream's subjects it gets, one a line, wildcards allowed. Empty means "
            "all."),
        K::Lines},
    {"deliver_policy",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Start with"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Where in the stream it begins. Read once, at creation."),
        K::Choice,
        kDeliver,
        L::Fixed,
        kReadOnce},
    {"opt_start_seq",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Start sequence"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "The first sequence that it looks at."),
        K::Number,
        {},
        L::Fixed,
        kReadOnce},
    {"opt_start_time",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Start time"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "It begins with the first message stored at or after this time."),
        K::Time,
        {},
        L::Fixed,
        kReadOnce},
    {"ack_policy",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Acknowledge"),
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "What an application has to answer for each message."),
        K::Choice,
        kAck,
        L::Fixed,
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "The ack policy cannot be changed: messages in flight were given out under it.")},
    {"ack_wait",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Ack wait"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "A message without an answer is given out again after this time, counted from its "
            "delivery. Empty means 30 s."),
        K::Duration,
        {},
        L::Free,
        nullptr,
        "30s"},
    {"max_deliver",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Most deliveries"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "After so many deliveries a message is given up. It stays in the stream; an advisory "
            "tells. Empty means no limit."),
        K::Count},
    {"max_ack_pending",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Most unanswered"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Nothing new is given out while so many messages wait for an answer, over all clients "
            "together. Empty means 1000."),
        K::Number},
};

constexpr ConfigField kDelivery[] = {
    {"backoff",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Backoff"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Waits after the 1st, 2nd, 3rd … delivery, the last one for all later ones. It "
            "replaces the ack wait; a plain nak ignores it."),
        K::Durations},
    {"replay_policy",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Pace"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "How fast stored messages are given out."),
        K::Choice,
        kReplay,
        L::Fixed,
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "The replay policy cannot be changed.")},
    {"headers_only",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Headers only"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Leaves the payload out and tells its size in Nats-Msg-Size."),
        K::Switch},
    {"inactive_threshold",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Goes after"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "A consumer that nobody uses for so long is deleted. Ephemeral ones have 5 s if "
            "nothing is said."),
        K::Duration},
    {"mem_storage",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "State in memory"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Forgets its place at a restart."),
        K::Switch,
        {},
        L::Fixed,
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "The storage of a consumer cannot be changed.")},
    {"sample_freq",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Sample acks"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "For how many percent of the acks a metric is published, such as 100%."),
        K::Text},
    {"num_replicas",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Replicas"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Copies of its state in a cluster. Empty means as many as the stream has."),
        K::Number},
};

constexpr ConfigField kPull[] = {
    {"max_waiting",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Most waiting requests"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "How many pull requests may wait at once. Empty means 512."),
        K::Number,
        {},
        L::Fixed,
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "The number of waiting requests cannot be changed.")},
    {"max_batch",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Largest batch"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "A pull request may not ask for more messages than this."),
        K::Number},
    {"max_expires",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Longest wait"),
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "A pull request may not wait longer than this."),
        K::Duration},
    {"max_bytes",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Largest answer"),
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "A pull request may not ask for more bytes than this."),
        K::SizeOrZero},
    {"priority_policy",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Priority"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Which of several clients is served."),
        K::Choice,
        kPriority},
    {"priority_groups",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Priority groups"),
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "Names that clients ask with; one group for now."),
        K::Lines},
    {"priority_timeout",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Pin time"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "How long a pinned client may be silent."),
        K::Duration},
};

constexpr ConfigField kPush[] = {
    {"deliver_subject",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Deliver to"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "Makes it a push consumer: messages are published to this subject. Empty means that "
            "clients pull."),
        K::Text},
    {"deliver_group",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Queue group"),
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "Subscribers of this queue group share the messages."),
        K::Text},
    {"idle_heartbeat",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Heartbeat"),
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "A sign of life while nothing is delivered."),
        K::Duration,
        {},
        L::Fixed,
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Heartbeats cannot be changed.")},
    {"flow_control",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Flow control"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "The server waits for a slow subscriber. Needs a heartbeat."),
        K::Switch,
        {},
        L::Fixed,
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Flow control cannot be changed.")},
    {"rate_limit_bps",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Rate limit"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Bits per second at most."),
        K::Number},
};

constexpr ConfigField kRest[] = {
    {"description",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Description"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Free text, up to 4096 bytes."),
        K::Text},
    {"metadata",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Metadata"),
        QT_TRANSLATE_NOOP(
            "jetglass::forms::ConfigForm", "Names and values of your own, 'name: value' a line."),
        K::Pairs},
    {"pause_until",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Paused until"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "It gives out nothing before this time. Counts at creation only."),
        K::Time,
        {},
        L::Fixed,
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "An existing consumer is paused and resumed by its own command.")},
    {"direct",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Direct"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm",
            "For the server's own mirrors and sources; hidden from lists."),
        K::Switch,
        {},
        L::Fixed},
    {"sourcing",
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Sourcing"),
        QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "For the server's own sources."),
        K::Switch,
        {},
        L::Fixed},
};

constexpr FieldGroup kGroups[] = {{"", kBasics, true},
    {QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Delivery"), kDelivery, false},
    {QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Pull consumers"), kPull, false},
    {QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Push consumers"), kPush, false},
    {QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", "Description and internals"), kRest, false}};

} // namespace

std::span<const FieldGroup> consumerFields()
{
    return kGroups;
}

} // namespace jetglass::forms
