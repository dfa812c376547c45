// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/same_as.h"

#include <optional>

/// What the languages of same_as share. Private to app/client.
namespace jetglass::client::same_as {

[[nodiscard]] QString cli(const Action& action, const QString& url, qsizetype columns);
[[nodiscard]] QString go(const Action& action, const QString& url);
[[nodiscard]] QString javaScript(const Action& action, const QString& url);
[[nodiscard]] QString python(const Action& action, const QString& url);
[[nodiscard]] QString c(const Action& action, const QString& url);
[[nodiscard]] QString wire(const Action& action);

/// A request to the JetStream API that does the action; absent for what is not one request
/// (publish, fetch, replay).
struct ApiRequest
{
    QString subject;
    QJsonObject body;

    [[nodiscard]] QString json() const; ///< compact, empty for an empty body
};
[[nodiscard]] std::optional<ApiRequest> apiRequest(const Action& action);

/// The configuration without what the server would fill in by itself, so that the text shows what
/// was chosen.
[[nodiscard]] QJsonObject chosen(const QJsonObject& streamConfig);
/// The same for a consumer. ack_policy always stays: clients have different defaults for it.
[[nodiscard]] QJsonObject chosenConsumer(const QJsonObject& consumerConfig);

[[nodiscard]] QString shellQuoted(const QString& text);
/// A string literal in double quotes that Go, JavaScript, Python and C all read alike (ASCII
/// escapes only).
[[nodiscard]] QString quoted(const QString& text);
/// "1m30s", "250ms": what the nats CLI and Go's ParseDuration read.
[[nodiscard]] QString goDurationText(qint64 ns);
/// "90*time.Second".
[[nodiscard]] QString goDuration(qint64 ns);
/// "90", "0.25": seconds, as nats.py wants them.
[[nodiscard]] QString seconds(qint64 ns);
/// \a message with its placeholders filled for the first message of a run; the time is a fixed one,
/// so that the text does not change while it is read.
[[nodiscard]] Message firstMessage(const Message& message);
/// \a expression as code: text with {{counter}} becomes a concatenation with the loop variable. \a
/// concat is the operator with blanks, \a counter the variable made into a string.
[[nodiscard]] QString counted(const QString& text, const QString& concat, const QString& counter);
[[nodiscard]] bool hasCounter(const Message& message);
/// Every line of \a text with \a prefix in front, empty lines left empty.
[[nodiscard]] QString indented(const QString& text, const QString& prefix);
/// Milliseconds between two messages for a rate, 0 = no pause.
[[nodiscard]] qint64 pauseMs(double perSecond);
/// Consumers are made by POSTing {stream_name, config, action}: the config alone.
[[nodiscard]] QString consumerName(const QJsonObject& config);

} // namespace jetglass::client::same_as
