// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/overview_query.h"
#include "client/message.h"

#include <QString>
#include <QStringList>

namespace jetglass::controllers {

/// What to replay, and where to. A plan is made before anything is read, so that all of it can be
/// shown first.
struct ReplayPlan
{
    QString stream;
    quint64 first = 1;
    quint64 last = 0; ///< 0 = the stream's last sequence when it starts
    QString filter; ///< subject pattern, empty = all
    QString prefix =
        QStringLiteral("replay"); ///< the new subject is this, a dot and the old subject
    QString fixedSubject; ///< or this one for all, when not empty
    double speed = 1; ///< factor on the original pace, 0 = as fast as possible
    bool keepIds = false; ///< re-sends Nats-Msg-Id and Nats-Expected-* too
};

/// Where one message goes.
[[nodiscard]] QString replaySubject(const ReplayPlan& plan, const QString& subject);

/// The headers that go along. Headers the server adds to what it hands out are dropped always.
/// Message ids and expectations are dropped unless the plan keeps them: an id would be a duplicate,
/// an expectation would not hold.
[[nodiscard]] QList<client::Header> replayHeaders(
    const ReplayPlan& plan, const QList<client::Header>& headers);

/// Nanoseconds to wait between two messages that were stored at these times.
[[nodiscard]] qint64 replayDelay(const ReplayPlan& plan, qint64 before, qint64 after);

/// What the replayed messages would meet.
struct ReplayTarget
{
    QStringList patterns; ///< subjects that messages may go to
    QStringList capturedBy; ///< every stream that stores them
    bool loop = false; ///< one of them feeds the stream that is replayed
    QString loopThrough; ///< by name
};

/// Looks a plan's targets up among \a streams. A stream that sources (through others too) from one
/// that captures the target would grow by its own replay: that is a loop as well.
[[nodiscard]] ReplayTarget replayTarget(
    const ReplayPlan& plan, const std::vector<StreamOverview>& streams);

} // namespace jetglass::controllers
