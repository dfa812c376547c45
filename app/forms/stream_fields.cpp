// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/stream_fields.h"

#include <QtGlobal>

// The words are translated where they are shown, in the context of ConfigForm.
#define FIELD_TR(text) QT_TRANSLATE_NOOP("jetglass::forms::ConfigForm", text)

namespace jetglass::forms {
namespace {

using K = FieldKind;
using L = FieldLock;

constexpr FieldChoice kRetention[] = {{"limits", FIELD_TR("limits: messages stay until a limit removes them")},
    {"interest", FIELD_TR("interest: until every interested consumer has acked")},
    {"workqueue", FIELD_TR("work queue: until one consumer has acked")}};
constexpr FieldChoice kStorage[]
    = {{"file", FIELD_TR("file: survives a restart")}, {"memory", FIELD_TR("memory: empty after a restart")}};
constexpr FieldChoice kDiscard[] = {{"old", FIELD_TR("old: the oldest message makes room")},
    {"new", FIELD_TR("new: the new message is refused")}};
constexpr FieldChoice kCompression[]
    = {{"none", FIELD_TR("none")}, {"s2", FIELD_TR("s2: compresses sealed blocks on disk")}};
constexpr FieldChoice kPersist[] = {{"default", FIELD_TR("default: acked after it is written")},
    {"async", FIELD_TR("async: acked before it is written")}};

constexpr ConfigField kBasics[] = {
    {"name", FIELD_TR("Name"), FIELD_TR("How clients name the stream. Up to 255 characters; no blank, dot, *, >, / or \\."),
        K::Text, {}, L::Fixed, FIELD_TR("A stream's name cannot be changed.")},
    {"subjects", FIELD_TR("Subjects"),
        FIELD_TR("What the stream captures, one subject a line, wildcards allowed. Nothing means the stream's own name."), K::Lines},
    {"retention", FIELD_TR("Retention"), FIELD_TR("When a message leaves the stream although no limit removes it."), K::Choice,
        kRetention, L::Free},
    {"storage", FIELD_TR("Storage"), FIELD_TR("Where messages are kept."), K::Choice, kStorage, L::Fixed,
        FIELD_TR("The storage of a stream cannot be changed: its messages lie there.")},
    {"max_msgs", FIELD_TR("Most messages"), FIELD_TR("Limit on the number of messages. Empty means no limit."), K::Count},
    {"max_bytes", FIELD_TR("Most bytes"), FIELD_TR("Limit on the bytes of all messages, headers and subjects included. Empty means no limit."),
        K::Size},
    {"max_age", FIELD_TR("Oldest age"), FIELD_TR("A message older than this goes, whether it was consumed or not. Empty means no limit."),
        K::Duration},
    {"discard", FIELD_TR("When a limit is reached"), FIELD_TR("What makes room for a new message."), K::Choice, kDiscard},
    {"duplicate_window", FIELD_TR("Duplicate window"),
        FIELD_TR("How long a Nats-Msg-Id is remembered from first sight. Empty means 2 minutes."), K::Duration},
};

constexpr ConfigField kLimits[] = {
    {"max_msgs_per_subject", FIELD_TR("Most per subject"), FIELD_TR("Limit on the messages of each subject. Empty means no limit."), K::Count},
    {"discard_new_per_subject", FIELD_TR("Refuse per subject"),
        FIELD_TR("With discard new, refuses a message when its subject is full instead of removing that subject's oldest."), K::Switch},
    {"max_msg_size", FIELD_TR("Largest message"), FIELD_TR("Headers and payload of one message. Empty means no limit."), K::Size},
    {"max_consumers", FIELD_TR("Most consumers"), FIELD_TR("Limit on the number of consumers. Empty means no limit."), K::Count},
    {"consumer_limits.max_ack_pending", FIELD_TR("Consumers: most unanswered"),
        FIELD_TR("No consumer may allow more unanswered messages than this."), K::Number},
    {"consumer_limits.inactive_threshold", FIELD_TR("Consumers: longest inactive"),
        FIELD_TR("No consumer may stay longer than this without being used."), K::Duration},
    {"no_ack", FIELD_TR("No pub acks"), FIELD_TR("Publishers get no answer at all, not even an error."), K::Switch},
    {"num_replicas", FIELD_TR("Replicas"), FIELD_TR("Copies on different servers of a cluster. One server can hold one copy."), K::Number},
};

constexpr ConfigField kGuards[] = {
    {"deny_delete", FIELD_TR("No deletes"), FIELD_TR("Single messages cannot be deleted through the API."), K::Switch, {}, L::OnlyOn},
    {"deny_purge", FIELD_TR("No purges"), FIELD_TR("The stream cannot be purged."), K::Switch, {}, L::OnlyOn},
    {"sealed", FIELD_TR("Sealed"), FIELD_TR("Nothing is added or removed any more, for ever. Only an existing stream can be sealed."),
        K::Switch, {}, L::OnlyOn},
    {"allow_rollup_hdrs", FIELD_TR("Roll-ups"), FIELD_TR("A message with Nats-Rollup removes all earlier ones of its subject or of the stream."),
        K::Switch},
    {"allow_direct", FIELD_TR("Direct get"), FIELD_TR("Clients may read single messages fast, without a consumer (DIRECT.GET)."), K::Switch},
    {"allow_msg_ttl", FIELD_TR("Lifetime per message"), FIELD_TR("A message may carry Nats-TTL and goes after that time."), K::Switch, {},
        L::OnlyOn},
    {"subject_delete_marker_ttl", FIELD_TR("Delete markers"),
        FIELD_TR("When age removes the last message of a subject, a marker stays this long. Needs lifetimes and roll-ups."), K::Duration},
    {"allow_msg_counter", FIELD_TR("Counters"), FIELD_TR("Every message adds to a number per subject (Nats-Incr)."), K::Switch, {}, L::Fixed,
        FIELD_TR("A stream cannot become or stop being a counter.")},
    {"allow_atomic", FIELD_TR("Atomic batches"), FIELD_TR("Several messages are stored all together or not at all."), K::Switch},
    {"allow_batched", FIELD_TR("Fast batches"), FIELD_TR("A publisher sends many messages with few acks."), K::Switch},
    {"allow_msg_schedules", FIELD_TR("Schedules"), FIELD_TR("A stored message may say when it is published."), K::Switch, {}, L::OnlyOn},
};

constexpr ConfigField kCopies[] = {
    {"subject_transform.src", FIELD_TR("Transform: from"), FIELD_TR("Subjects that match are renamed before they are stored."), K::Text},
    {"subject_transform.dest", FIELD_TR("Transform: to"), FIELD_TR("The new subject, with {{wildcard(1)}} and the like."), K::Text},
    {"republish.src", FIELD_TR("Republish: from"), FIELD_TR("Stored messages that match are published again. Empty means all."), K::Text},
    {"republish.dest", FIELD_TR("Republish: to"), FIELD_TR("The subject they are published to."), K::Text},
    {"republish.headers_only", FIELD_TR("Republish headers only"), FIELD_TR("Leaves the payload out."), K::Switch},
    {"mirror.name", FIELD_TR("Mirror of"), FIELD_TR("This stream is a copy of that one, same sequences. It has no subjects of its own."), K::Text,
        {}, L::Fixed, FIELD_TR("A mirror can be taken away by the API, never added or changed.")},
    {"mirror.filter_subject", FIELD_TR("Mirror: filter"), FIELD_TR("Copies only what matches."), K::Text, {}, L::Fixed},
    {"mirror.opt_start_seq", FIELD_TR("Mirror: start sequence"), FIELD_TR("Copies from this sequence of the origin on."), K::Number, {}, L::Fixed},
    {"mirror.opt_start_time", FIELD_TR("Mirror: start time"), FIELD_TR("Copies what was stored from this time on."), K::Time, {}, L::Fixed},
    {"mirror.subject_transforms", FIELD_TR("Mirror: transforms"), FIELD_TR("A list as JSON: [{\"src\": \"a.>\", \"dest\": \"b.>\"}]."), K::Json, {},
        L::Fixed},
    {"mirror.external", FIELD_TR("Mirror: other domain"), FIELD_TR("As JSON: {\"api\": \"$JS.hub.API\", \"deliver\": \"deliver.hub\"}."), K::Json, {},
        L::Fixed},
    {"mirror_direct", FIELD_TR("Mirror answers direct gets"), FIELD_TR("The mirror answers for the origin too."), K::Switch},
    {"sources", FIELD_TR("Sources"), FIELD_TR("Streams to collect from, as JSON: [{\"name\": \"A\", \"filter_subject\": \"a.>\"}]."), K::Json},
};

constexpr ConfigField kRest[] = {
    {"description", FIELD_TR("Description"), FIELD_TR("Free text, up to 4096 bytes."), K::Text},
    {"metadata", FIELD_TR("Metadata"), FIELD_TR("Names and values of your own, 'name: value' a line."), K::Pairs},
    {"compression", FIELD_TR("Compression"), FIELD_TR("How blocks on disk are compressed."), K::Choice, kCompression},
    {"persist_mode", FIELD_TR("Persistence"), FIELD_TR("Whether the pub ack waits for the write."), K::Choice, kPersist, L::Fixed,
        FIELD_TR("The persistence of a stream cannot be changed.")},
    {"first_seq", FIELD_TR("First sequence"), FIELD_TR("The first message gets this number. Has no effect later."), K::Number, {}, L::Fixed,
        FIELD_TR("It counts only for the first message of a new stream.")},
    {"placement.cluster", FIELD_TR("Placement: cluster"), FIELD_TR("Which cluster holds the stream. Has no effect on one server."), K::Text},
    {"placement.tags", FIELD_TR("Placement: tags"), FIELD_TR("Servers with these tags hold it, one a line. Has no effect on one server."), K::Lines},
};

constexpr FieldGroup kGroups[] = {{"", kBasics, true}, {FIELD_TR("More limits and acks"), kLimits, false},
    {FIELD_TR("What is allowed"), kGuards, false}, {FIELD_TR("Copies and renaming"), kCopies, false},
    {FIELD_TR("Description and storage"), kRest, false}};

} // namespace

std::span<const FieldGroup> streamFields()
{
    return kGroups;
}

} // namespace jetglass::forms
