// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/stream_fields.h"

#include <QtGlobal>

// The words are translated where they are shown, in the context of ConfigForm.
#define FIELD_TR(text) QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", text)

namespace jetglass::forms {
namespace {

using K = FieldKind;
using L = FieldLock;

constexpr FieldChoice kDeliver[] = {{"all", FIELD_TR("all: from the first stored message")},
    {"new", FIELD_TR("new: only what comes from now on")}, {"last", FIELD_TR("last: from the last matching message")},
    {"last_per_subject", FIELD_TR("last per subject: the last message of each subject, then what comes")},
    {"by_start_sequence", FIELD_TR("from a sequence")}, {"by_start_time", FIELD_TR("from a time")}};
constexpr FieldChoice kAck[] = {{"explicit", FIELD_TR("explicit: each message is acked by itself")},
    {"all", FIELD_TR("all: an ack settles all before it too")}, {"none", FIELD_TR("none: delivered is done")},
    {"flow_control", FIELD_TR("flow control: for mirrors and sources")}};
constexpr FieldChoice kReplay[]
    = {{"instant", FIELD_TR("instant: as fast as possible")}, {"original", FIELD_TR("original: at the pace they came in")}};
constexpr FieldChoice kPriority[] = {{"none", FIELD_TR("none: whoever asks first")},
    {"overflow", FIELD_TR("overflow: only while much is waiting")},
    {"pinned_client", FIELD_TR("pinned client: one client gets all until it goes")},
    {"prioritized", FIELD_TR("prioritized: lower numbers first")}};

constexpr const char* kReadOnce
    = FIELD_TR("It was used once, when the consumer was created. Create another consumer to start elsewhere.");

constexpr ConfigField kBasics[] = {
    {"durable_name", FIELD_TR("Durable name"),
        FIELD_TR("Keeps its place although nobody uses it. Leave it empty for an ephemeral consumer, which goes by itself."), K::Text, {},
        L::Fixed, FIELD_TR("A consumer's name cannot be changed.")},
    {"name", FIELD_TR("Name"), FIELD_TR("Name of an ephemeral consumer. Empty: the durable name, or one that the server makes up."), K::Text, {},
        L::Fixed, FIELD_TR("A consumer's name cannot be changed.")},
    {"filter_subjects", FIELD_TR("Filter"),
        FIELD_TR("Which of the stream's subjects it gets, one a line, wildcards allowed. Empty means all."), K::Lines},
    {"deliver_policy", FIELD_TR("Start with"), FIELD_TR("Where in the stream it begins. Read once, at creation."), K::Choice, kDeliver, L::Fixed,
        kReadOnce},
    {"opt_start_seq", FIELD_TR("Start sequence"), FIELD_TR("The first sequence that it looks at."), K::Number, {}, L::Fixed, kReadOnce},
    {"opt_start_time", FIELD_TR("Start time"), FIELD_TR("It begins with the first message stored at or after this time."), K::Time, {}, L::Fixed,
        kReadOnce},
    {"ack_policy", FIELD_TR("Acknowledge"), FIELD_TR("What an application has to answer for each message."), K::Choice, kAck, L::Fixed,
        FIELD_TR("The ack policy cannot be changed: messages in flight were given out under it.")},
    {"ack_wait", FIELD_TR("Ack wait"),
        FIELD_TR("A message without an answer is given out again after this time, counted from its delivery. Empty means 30 s."), K::Duration},
    {"max_deliver", FIELD_TR("Most deliveries"),
        FIELD_TR("After so many deliveries a message is given up. It stays in the stream; an advisory tells. Empty means no limit."), K::Count},
    {"max_ack_pending", FIELD_TR("Most unanswered"),
        FIELD_TR("Nothing new is given out while so many messages wait for an answer, over all clients together. Empty means 1000."), K::Number},
};

constexpr ConfigField kDelivery[] = {
    {"backoff", FIELD_TR("Backoff"),
        FIELD_TR("Waits after the 1st, 2nd, 3rd … delivery, the last one for all later ones. It replaces the ack wait; a plain nak ignores it."),
        K::Durations},
    {"replay_policy", FIELD_TR("Pace"), FIELD_TR("How fast stored messages are given out."), K::Choice, kReplay, L::Fixed,
        FIELD_TR("The replay policy cannot be changed.")},
    {"headers_only", FIELD_TR("Headers only"), FIELD_TR("Leaves the payload out and tells its size in Nats-Msg-Size."), K::Switch},
    {"inactive_threshold", FIELD_TR("Goes after"),
        FIELD_TR("A consumer that nobody uses for so long is deleted. Ephemeral ones have 5 s if nothing is said."), K::Duration},
    {"mem_storage", FIELD_TR("State in memory"), FIELD_TR("Forgets its place at a restart."), K::Switch, {}, L::Fixed,
        FIELD_TR("The storage of a consumer cannot be changed.")},
    {"sample_freq", FIELD_TR("Sample acks"), FIELD_TR("For how many percent of the acks a metric is published, such as 100%."), K::Text},
    {"num_replicas", FIELD_TR("Replicas"), FIELD_TR("Copies of its state in a cluster. Empty means as many as the stream has."), K::Number},
};

constexpr ConfigField kPull[] = {
    {"max_waiting", FIELD_TR("Most waiting requests"), FIELD_TR("How many pull requests may wait at once. Empty means 512."), K::Number, {}, L::Fixed,
        FIELD_TR("The number of waiting requests cannot be changed.")},
    {"max_batch", FIELD_TR("Largest batch"), FIELD_TR("A pull request may not ask for more messages than this."), K::Number},
    {"max_expires", FIELD_TR("Longest wait"), FIELD_TR("A pull request may not wait longer than this."), K::Duration},
    {"max_bytes", FIELD_TR("Largest answer"), FIELD_TR("A pull request may not ask for more bytes than this."), K::SizeOrZero},
    {"priority_policy", FIELD_TR("Priority"), FIELD_TR("Which of several clients is served."), K::Choice, kPriority},
    {"priority_groups", FIELD_TR("Priority groups"), FIELD_TR("Names that clients ask with; one group for now."), K::Lines},
    {"priority_timeout", FIELD_TR("Pin time"), FIELD_TR("How long a pinned client may be silent."), K::Duration},
};

constexpr ConfigField kPush[] = {
    {"deliver_subject", FIELD_TR("Deliver to"),
        FIELD_TR("Makes it a push consumer: messages are published to this subject. Empty means that clients pull."), K::Text},
    {"deliver_group", FIELD_TR("Queue group"), FIELD_TR("Subscribers of this queue group share the messages."), K::Text},
    {"idle_heartbeat", FIELD_TR("Heartbeat"), FIELD_TR("A sign of life while nothing is delivered."), K::Duration, {}, L::Fixed,
        FIELD_TR("Heartbeats cannot be changed.")},
    {"flow_control", FIELD_TR("Flow control"), FIELD_TR("The server waits for a slow subscriber. Needs a heartbeat."), K::Switch, {}, L::Fixed,
        FIELD_TR("Flow control cannot be changed.")},
    {"rate_limit_bps", FIELD_TR("Rate limit"), FIELD_TR("Bits per second at most."), K::Number},
};

constexpr ConfigField kRest[] = {
    {"description", FIELD_TR("Description"), FIELD_TR("Free text, up to 4096 bytes."), K::Text},
    {"metadata", FIELD_TR("Metadata"), FIELD_TR("Names and values of your own, 'name: value' a line."), K::Pairs},
    {"pause_until", FIELD_TR("Paused until"), FIELD_TR("It gives out nothing before this time. Counts at creation only."), K::Time, {}, L::Fixed,
        FIELD_TR("An existing consumer is paused and resumed by its own command.")},
    {"direct", FIELD_TR("Direct"), FIELD_TR("For the server's own mirrors and sources; hidden from lists."), K::Switch, {}, L::Fixed},
    {"sourcing", FIELD_TR("Sourcing"), FIELD_TR("For the server's own sources."), K::Switch, {}, L::Fixed},
};

constexpr FieldGroup kGroups[] = {{"", kBasics, true}, {FIELD_TR("Delivery"), kDelivery, false},
    {FIELD_TR("Pull consumers"), kPull, false}, {FIELD_TR("Push consumers"), kPush, false},
    {FIELD_TR("Description and internals"), kRest, false}};

} // namespace

std::span<const FieldGroup> consumerFields()
{
    return kGroups;
}

} // namespace jetglass::forms
