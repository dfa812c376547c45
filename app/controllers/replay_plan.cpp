// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/replay_plan.h"

#include "client/subject_text.h"

#include <algorithm>
#include <cmath>

namespace jetglass::controllers {
namespace {

using namespace Qt::StringLiterals;

const StreamOverview* findStream(const std::vector<StreamOverview>& streams, const QString& name)
{
    const std::string n = name.toStdString();
    const auto it = std::find_if(
        streams.begin(), streams.end(), [&](const StreamOverview& s) { return s.name == n; });
    return it == streams.end() ? nullptr : &*it;
}

/// The stream and everything it copies from, in the same account.
QStringList feeders(const std::vector<StreamOverview>& streams, const QString& name)
{
    QStringList found{name};
    for (qsizetype i = 0; i < found.size(); ++i) {
        const StreamOverview* s = findStream(streams, found[i]);
        if (!s)
            continue;
        QStringList from;
        if (s->config.mirror && !s->config.mirror->external)
            from.append(QString::fromStdString(s->config.mirror->name));
        for (const StreamSource& source : s->config.sources) {
            if (!source.external)
                from.append(QString::fromStdString(source.name));
        }
        for (const QString& f : from) {
            if (!found.contains(f))
                found.append(f);
        }
    }
    return found;
}

QStringList sourcePatterns(const ReplayPlan& plan, const std::vector<StreamOverview>& streams)
{
    if (!plan.filter.isEmpty())
        return {plan.filter};
    const StreamOverview* s = findStream(streams, plan.stream);
    QStringList list;
    if (s) {
        for (const std::string& subject : s->config.subjects)
            list.append(QString::fromStdString(subject));
    }
    // A mirror or a collecting stream may hold any subject.
    if (list.isEmpty() || (s && !s->config.sources.empty()))
        list = {u">"_s};
    return list;
}

bool isDelivered(const QString& name)
{
    // Added by DIRECT.GET, and by sources: they describe where a copy came from and were never the
    // publisher's.
    return name == u"Nats-Stream"_s || name == u"Nats-Subject"_s || name == u"Nats-Sequence"_s
        || name == u"Nats-Time-Stamp"_s || name == u"Nats-Num-Pending"_s
        || name == u"Nats-Last-Sequence"_s || name == u"Nats-UpTo-Sequence"_s
        || name == u"Nats-Stream-Source"_s;
}

} // namespace

QString replaySubject(const ReplayPlan& plan, const QString& subject)
{
    return plan.fixedSubject.isEmpty() ? QString(plan.prefix + u'.' + subject) : plan.fixedSubject;
}

QList<client::Header> replayHeaders(const ReplayPlan& plan, const QList<client::Header>& headers)
{
    QList<client::Header> kept;
    for (const client::Header& h : headers) {
        if (isDelivered(h.name))
            continue;
        const bool id = h.name == u"Nats-Msg-Id"_s || h.name.startsWith(u"Nats-Expected-"_s);
        if (!id || plan.keepIds)
            kept.append(h);
    }
    return kept;
}

qint64 replayDelay(const ReplayPlan& plan, qint64 before, qint64 after)
{
    if (plan.speed <= 0 || before == 0 || after <= before)
        return 0;
    return std::llround(static_cast<double>(after - before) / plan.speed);
}

ReplayTarget replayTarget(const ReplayPlan& plan, const std::vector<StreamOverview>& streams)
{
    ReplayTarget target;
    if (plan.fixedSubject.isEmpty()) {
        for (const QString& p : sourcePatterns(plan, streams))
            target.patterns.append(plan.prefix + u'.' + p);
    } else {
        target.patterns = {plan.fixedSubject};
    }
    const QStringList feeding = feeders(streams, plan.stream);
    for (const StreamOverview& s : streams) {
        const bool captures = std::any_of(
            s.config.subjects.begin(), s.config.subjects.end(), [&](const std::string& own) {
                return std::any_of(
                    target.patterns.begin(), target.patterns.end(), [&](const QString& p) {
                        return client::subjectsCollide(QString::fromStdString(own), p);
                    });
            });
        if (!captures)
            continue;
        const QString name = QString::fromStdString(s.name);
        target.capturedBy.append(name);
        if (!target.loop && feeding.contains(name)) {
            target.loop = true;
            target.loopThrough = name;
        }
    }
    return target;
}

} // namespace jetglass::controllers
