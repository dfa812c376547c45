// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/explain.h"
#include "items/message_state.h"

#include <QString>
#include <QStringList>

#include <functional>

namespace jetglass::text {

/// What the sentences need to know beside the answer.
struct ExplainContext
{
    QString consumer;
    quint64 seq = 0; ///< 0 = the question was about the consumer as a whole
    qint64 now = 0; ///< wall ns
    std::function<QString(ClientId)> clientName;
};

/// An explain answer as a person would tell it.
struct Explanation
{
    QString title; ///< "Why is 42 not done for payments?"
    QStringList sentences; ///< plain text; the first names what holds it
    QStringList settings; ///< members of the configuration that govern it: "ack_wait"
    items::Tone tone = items::Tone::Normal;
    bool changesWithTime = false; ///< holds a countdown: worth asking for again
};

Explanation explain(const ExplainAnswer& answer, const ExplainContext& context);

} // namespace jetglass::text
