// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/config_json.h"

#include <QJsonArray>

#include <type_traits>

namespace jetglass::client {
namespace {

using namespace Qt::StringLiterals;

QString str(const std::string& s)
{
    return QString::fromStdString(s);
}

/// Writes members and leaves out what is zero, empty or absent.
class Writer
{
public:
    template<class T>
    Writer& put(const QString& key, const T& v)
    {
        if constexpr (std::is_same_v<T, bool>) {
            if (v)
                m_object.insert(key, true);
        } else if constexpr (std::is_integral_v<T>) {
            if (v != 0)
                m_object.insert(key, static_cast<qint64>(v));
        } else if constexpr (std::is_same_v<T, std::string>) {
            if (!v.empty())
                m_object.insert(key, str(v));
        } else if constexpr (std::is_same_v<T, QJsonObject> || std::is_same_v<T, QJsonArray>) {
            if (!v.isEmpty())
                m_object.insert(key, v);
        } else {
            static_assert(std::is_same_v<T, std::optional<std::string>>);
            if (v)
                m_object.insert(key, str(*v));
        }
        return *this;
    }
    Writer& always(const QString& key, const QJsonValue& v)
    {
        m_object.insert(key, v);
        return *this;
    }
    [[nodiscard]] QJsonObject object() const { return m_object; }

private:
    QJsonObject m_object;
};

/// Reads members into fields and leaves a field alone when the member is missing.
class Reader
{
public:
    explicit Reader(QJsonObject object)
        : m_object(std::move(object))
    {
    }
    template<class T>
    Reader& get(const QString& key, T& to)
    {
        const QJsonValue v = m_object.value(key);
        if (v.isUndefined() || v.isNull())
            return *this;
        if constexpr (std::is_same_v<T, bool>)
            to = v.toBool();
        else if constexpr (std::is_integral_v<T>)
            to = static_cast<T>(v.toInteger());
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
            to = strings(v.toArray());
        else
            to = v.toString().toStdString();
        return *this;
    }
    template<class E, std::size_t N>
    Reader& getEnum(const QString& key, E& to, const char* const (&names)[N])
    {
        const QString v = m_object.value(key).toString();
        for (std::size_t i = 0; i < N; ++i) {
            if (v == QLatin1String(names[i]))
                to = static_cast<E>(i);
        }
        return *this;
    }
    [[nodiscard]] QJsonValue value(const QString& key) const { return m_object.value(key); }

    static std::vector<std::string> strings(const QJsonArray& a)
    {
        std::vector<std::string> r;
        for (const QJsonValueConstRef v : a)
            r.push_back(v.toString().toStdString());
        return r;
    }

private:
    QJsonObject m_object;
};

constexpr const char* kRetention[] = {"limits", "interest", "workqueue"};
constexpr const char* kDiscard[] = {"old", "new"};
constexpr const char* kStorage[] = {"file", "memory"};
constexpr const char* kCompression[] = {"none", "s2"};
constexpr const char* kPersist[] = {"default", "async"};
constexpr const char* kDeliver[] = {
    "all", "last", "new", "by_start_sequence", "by_start_time", "last_per_subject"};
constexpr const char* kAck[] = {"none", "all", "explicit", "flow_control"};
constexpr const char* kReplay[] = {"instant", "original"};
constexpr const char* kPriority[] = {"none", "overflow", "pinned_client", "prioritized"};

template<class E, std::size_t N>
QString name(E e, const char* const (&names)[N])
{
    return QLatin1String(names[static_cast<std::size_t>(e)]);
}

QJsonArray array(const std::vector<std::string>& v)
{
    QJsonArray a;
    for (const std::string& s : v)
        a.append(str(s));
    return a;
}

QJsonObject metadata(const std::map<std::string, std::string>& m)
{
    QJsonObject o;
    for (const auto& [k, v] : m)
        o.insert(str(k), str(v));
    return o;
}

std::map<std::string, std::string> metadata(const QJsonObject& o)
{
    std::map<std::string, std::string> m;
    for (auto it = o.begin(); it != o.end(); ++it)
        m[it.key().toStdString()] = it.value().toString().toStdString();
    return m;
}

QJsonObject json(const SubjectTransform& t)
{
    return Writer().put(u"src"_s, t.src).always(u"dest"_s, str(t.dest)).object();
}

SubjectTransform transform(const QJsonObject& o)
{
    SubjectTransform t;
    Reader(o).get(u"src"_s, t.src).get(u"dest"_s, t.dest);
    return t;
}

QJsonObject json(const StreamSource& s)
{
    Writer w;
    w.always(u"name"_s, str(s.name))
        .put(u"opt_start_seq"_s, s.optStartSeq)
        .put(u"opt_start_time"_s, s.optStartTime)
        .put(u"filter_subject"_s, s.filterSubject);
    QJsonArray transforms;
    for (const SubjectTransform& t : s.subjectTransforms)
        transforms.append(json(t));
    w.put(u"subject_transforms"_s, transforms);
    if (s.external) {
        w.always(u"external"_s,
            QJsonObject{
                {u"api"_s, str(s.external->api)}, {u"deliver"_s, str(s.external->deliver)}});
    }
    if (s.consumer) {
        w.always(u"consumer"_s,
            QJsonObject{{u"name"_s, str(s.consumer->name)},
                {u"deliver_subject"_s, str(s.consumer->deliverSubject)}});
    }
    return w.object();
}

StreamSource source(const QJsonObject& o)
{
    StreamSource s;
    Reader r(o);
    r.get(u"name"_s, s.name)
        .get(u"opt_start_seq"_s, s.optStartSeq)
        .get(u"opt_start_time"_s, s.optStartTime)
        .get(u"filter_subject"_s, s.filterSubject);
    for (const QJsonValueConstRef v : r.value(u"subject_transforms"_s).toArray())
        s.subjectTransforms.push_back(transform(v.toObject()));
    if (r.value(u"external"_s).isObject()) {
        s.external.emplace();
        Reader(r.value(u"external"_s).toObject())
            .get(u"api"_s, s.external->api)
            .get(u"deliver"_s, s.external->deliver);
    }
    if (r.value(u"consumer"_s).isObject()) {
        s.consumer.emplace();
        Reader(r.value(u"consumer"_s).toObject())
            .get(u"name"_s, s.consumer->name)
            .get(u"deliver_subject"_s, s.consumer->deliverSubject);
    }
    return s;
}

void writeParts(const StreamConfig& c, Writer& w)
{
    if (c.placement) {
        w.always(u"placement"_s,
            Writer()
                .put(u"cluster"_s, c.placement->cluster)
                .put(u"tags"_s, array(c.placement->tags))
                .put(u"preferred"_s, c.placement->preferred)
                .object());
    }
    if (c.mirror)
        w.always(u"mirror"_s, json(*c.mirror));
    QJsonArray sources;
    for (const StreamSource& s : c.sources)
        sources.append(json(s));
    w.put(u"sources"_s, sources);
    if (c.subjectTransform)
        w.always(u"subject_transform"_s, json(*c.subjectTransform));
    if (c.republish) {
        w.always(u"republish"_s,
            Writer()
                .put(u"src"_s, c.republish->src)
                .always(u"dest"_s, str(c.republish->dest))
                .put(u"headers_only"_s, c.republish->headersOnly)
                .object());
    }
    w.put(u"consumer_limits"_s,
        Writer()
            .put(u"inactive_threshold"_s, c.limitInactiveThreshold)
            .put(u"max_ack_pending"_s, c.limitMaxAckPending)
            .object());
    w.put(u"metadata"_s, metadata(c.metadata));
}

void readParts(const Reader& r, StreamConfig& c)
{
    if (r.value(u"placement"_s).isObject()) {
        c.placement.emplace();
        Reader(r.value(u"placement"_s).toObject())
            .get(u"cluster"_s, c.placement->cluster)
            .get(u"tags"_s, c.placement->tags)
            .get(u"preferred"_s, c.placement->preferred);
    }
    if (r.value(u"mirror"_s).isObject())
        c.mirror = source(r.value(u"mirror"_s).toObject());
    for (const QJsonValueConstRef v : r.value(u"sources"_s).toArray())
        c.sources.push_back(source(v.toObject()));
    if (r.value(u"subject_transform"_s).isObject())
        c.subjectTransform = transform(r.value(u"subject_transform"_s).toObject());
    if (r.value(u"republish"_s).isObject()) {
        c.republish.emplace();
        Reader(r.value(u"republish"_s).toObject())
            .get(u"src"_s, c.republish->src)
            .get(u"dest"_s, c.republish->dest)
            .get(u"headers_only"_s, c.republish->headersOnly);
    }
    Reader(r.value(u"consumer_limits"_s).toObject())
        .get(u"inactive_threshold"_s, c.limitInactiveThreshold)
        .get(u"max_ack_pending"_s, c.limitMaxAckPending);
    c.metadata = metadata(r.value(u"metadata"_s).toObject());
}

} // namespace

QJsonObject toJson(const StreamConfig& c)
{
    Writer w;
    w.always(u"name"_s, str(c.name))
        .put(u"description"_s, c.description)
        .put(u"subjects"_s, array(c.subjects))
        .always(u"retention"_s, name(c.retention, kRetention))
        .always(u"max_consumers"_s, static_cast<qint64>(c.maxConsumers))
        .always(u"max_msgs"_s, static_cast<qint64>(c.maxMsgs))
        .always(u"max_bytes"_s, static_cast<qint64>(c.maxBytes))
        .always(u"max_age"_s, static_cast<qint64>(c.maxAge))
        .always(u"max_msgs_per_subject"_s, static_cast<qint64>(c.maxMsgsPerSubject))
        .always(u"max_msg_size"_s, c.maxMsgSize)
        .always(u"discard"_s, name(c.discard, kDiscard))
        .always(u"storage"_s, name(c.storage, kStorage))
        .always(u"num_replicas"_s, c.replicas)
        .put(u"no_ack"_s, c.noAck)
        .put(u"duplicate_window"_s, c.duplicateWindow)
        .always(u"compression"_s, name(c.compression, kCompression))
        .put(u"first_seq"_s, c.firstSeq)
        .always(u"allow_direct"_s, c.allowDirect)
        .put(u"mirror_direct"_s, c.mirrorDirect)
        .put(u"discard_new_per_subject"_s, c.discardNewPerSubject)
        .put(u"sealed"_s, c.sealed)
        .put(u"deny_delete"_s, c.denyDelete)
        .put(u"deny_purge"_s, c.denyPurge)
        .put(u"allow_rollup_hdrs"_s, c.allowRollup)
        .put(u"allow_msg_ttl"_s, c.allowMsgTtl)
        .put(u"subject_delete_marker_ttl"_s, c.subjectDeleteMarkerTtl)
        .put(u"allow_msg_counter"_s, c.allowMsgCounter)
        .put(u"allow_atomic"_s, c.allowAtomic)
        .put(u"allow_msg_schedules"_s, c.allowMsgSchedules)
        .put(u"allow_batched"_s, c.allowBatched);
    if (c.persistMode != PersistMode::Default)
        w.always(u"persist_mode"_s, name(c.persistMode, kPersist));
    writeParts(c, w);
    return w.object();
}

StreamConfig streamConfigFromJson(const QJsonObject& json)
{
    StreamConfig c;
    Reader r(json);
    r.get(u"name"_s, c.name)
        .get(u"description"_s, c.description)
        .get(u"subjects"_s, c.subjects)
        .getEnum(u"retention"_s, c.retention, kRetention)
        .get(u"max_consumers"_s, c.maxConsumers)
        .get(u"max_msgs"_s, c.maxMsgs)
        .get(u"max_bytes"_s, c.maxBytes)
        .get(u"max_age"_s, c.maxAge)
        .get(u"max_msgs_per_subject"_s, c.maxMsgsPerSubject)
        .get(u"max_msg_size"_s, c.maxMsgSize)
        .getEnum(u"discard"_s, c.discard, kDiscard)
        .getEnum(u"storage"_s, c.storage, kStorage)
        .get(u"num_replicas"_s, c.replicas)
        .get(u"no_ack"_s, c.noAck)
        .get(u"duplicate_window"_s, c.duplicateWindow)
        .getEnum(u"compression"_s, c.compression, kCompression)
        .get(u"first_seq"_s, c.firstSeq)
        .get(u"allow_direct"_s, c.allowDirect)
        .get(u"mirror_direct"_s, c.mirrorDirect)
        .get(u"discard_new_per_subject"_s, c.discardNewPerSubject)
        .get(u"sealed"_s, c.sealed)
        .get(u"deny_delete"_s, c.denyDelete)
        .get(u"deny_purge"_s, c.denyPurge)
        .get(u"allow_rollup_hdrs"_s, c.allowRollup)
        .get(u"allow_msg_ttl"_s, c.allowMsgTtl)
        .get(u"subject_delete_marker_ttl"_s, c.subjectDeleteMarkerTtl)
        .get(u"allow_msg_counter"_s, c.allowMsgCounter)
        .get(u"allow_atomic"_s, c.allowAtomic)
        .get(u"allow_msg_schedules"_s, c.allowMsgSchedules)
        .get(u"allow_batched"_s, c.allowBatched)
        .getEnum(u"persist_mode"_s, c.persistMode, kPersist);
    readParts(r, c);
    return c;
}

QJsonObject toJson(const ConsumerConfig& c)
{
    QJsonArray backoff;
    for (const std::int64_t ns : c.backoff)
        backoff.append(static_cast<qint64>(ns));
    Writer w;
    w.put(u"durable_name"_s, c.durableName)
        .put(u"name"_s, c.name)
        .put(u"description"_s, c.description)
        .always(u"deliver_policy"_s, name(c.deliverPolicy, kDeliver))
        .put(u"opt_start_seq"_s, c.optStartSeq)
        .put(u"opt_start_time"_s, c.optStartTime)
        .always(u"ack_policy"_s, name(c.ackPolicy, kAck))
        .put(u"ack_wait"_s, c.ackWait)
        .put(u"max_deliver"_s, c.maxDeliver)
        .put(u"backoff"_s, backoff)
        .put(u"filter_subject"_s, c.filterSubject)
        .always(u"replay_policy"_s, name(c.replayPolicy, kReplay))
        .put(u"rate_limit_bps"_s, c.rateLimitBps)
        .put(u"sample_freq"_s, c.sampleFreq)
        .put(u"max_waiting"_s, c.maxWaiting)
        .put(u"max_ack_pending"_s, c.maxAckPending)
        .put(u"flow_control"_s, c.flowControl)
        .put(u"headers_only"_s, c.headersOnly)
        .put(u"max_batch"_s, c.maxBatch)
        .put(u"max_expires"_s, c.maxExpires)
        .put(u"max_bytes"_s, c.maxBytes)
        .put(u"deliver_subject"_s, c.deliverSubject)
        .put(u"deliver_group"_s, c.deliverGroup)
        .put(u"idle_heartbeat"_s, c.idleHeartbeat)
        .put(u"inactive_threshold"_s, c.inactiveThreshold)
        .always(u"num_replicas"_s, c.replicas)
        .put(u"mem_storage"_s, c.memStorage)
        .put(u"direct"_s, c.direct)
        .put(u"sourcing"_s, c.sourcing)
        .put(u"metadata"_s, metadata(c.metadata))
        .put(u"pause_until"_s, c.pauseUntil)
        .put(u"priority_groups"_s, array(c.priorityGroups))
        .put(u"priority_timeout"_s, c.priorityTimeout);
    if (c.filterSubjects)
        w.always(u"filter_subjects"_s, array(*c.filterSubjects));
    if (c.priorityPolicy != PriorityPolicy::None)
        w.always(u"priority_policy"_s, name(c.priorityPolicy, kPriority));
    return w.object();
}

ConsumerConfig consumerConfigFromJson(const QJsonObject& json)
{
    ConsumerConfig c;
    Reader r(json);
    r.get(u"durable_name"_s, c.durableName)
        .get(u"name"_s, c.name)
        .get(u"description"_s, c.description)
        .getEnum(u"deliver_policy"_s, c.deliverPolicy, kDeliver)
        .get(u"opt_start_seq"_s, c.optStartSeq)
        .get(u"opt_start_time"_s, c.optStartTime)
        .getEnum(u"ack_policy"_s, c.ackPolicy, kAck)
        .get(u"ack_wait"_s, c.ackWait)
        .get(u"max_deliver"_s, c.maxDeliver)
        .get(u"filter_subject"_s, c.filterSubject)
        .getEnum(u"replay_policy"_s, c.replayPolicy, kReplay)
        .get(u"rate_limit_bps"_s, c.rateLimitBps)
        .get(u"sample_freq"_s, c.sampleFreq)
        .get(u"max_waiting"_s, c.maxWaiting)
        .get(u"max_ack_pending"_s, c.maxAckPending)
        .get(u"flow_control"_s, c.flowControl)
        .get(u"headers_only"_s, c.headersOnly)
        .get(u"max_batch"_s, c.maxBatch)
        .get(u"max_expires"_s, c.maxExpires)
        .get(u"max_bytes"_s, c.maxBytes)
        .get(u"deliver_subject"_s, c.deliverSubject)
        .get(u"deliver_group"_s, c.deliverGroup)
        .get(u"idle_heartbeat"_s, c.idleHeartbeat)
        .get(u"inactive_threshold"_s, c.inactiveThreshold)
        .get(u"num_replicas"_s, c.replicas)
        .get(u"mem_storage"_s, c.memStorage)
        .get(u"direct"_s, c.direct)
        .get(u"sourcing"_s, c.sourcing)
        .get(u"pause_until"_s, c.pauseUntil)
        .get(u"priority_groups"_s, c.priorityGroups)
        .getEnum(u"priority_policy"_s, c.priorityPolicy, kPriority)
        .get(u"priority_timeout"_s, c.priorityTimeout);
    for (const QJsonValueConstRef v : r.value(u"backoff"_s).toArray())
        c.backoff.push_back(v.toInteger());
    if (r.value(u"filter_subjects"_s).isArray())
        c.filterSubjects = Reader::strings(r.value(u"filter_subjects"_s).toArray());
    c.metadata = metadata(r.value(u"metadata"_s).toObject());
    return c;
}

} // namespace jetglass::client
