// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/fetch.h"
#include "client/message.h"
#include "client/stream_admin.h"

#include <QJsonObject>
#include <QString>

#include <chrono>
#include <variant>

namespace jetglass::client {

/// What the window just did or is about to do, in terms of the API.
struct PublishAction
{
    Message message;
    bool acked = true; ///< waits for the pub ack
    quint64 count = 1;
    double perSecond = 0; ///< 0 = as fast as possible
};
struct StreamAction
{
    QJsonObject config;
    bool update = false;
};
struct StreamDeleteAction
{
    QString stream;
};
struct PurgeAction
{
    QString stream;
    PurgeRequest purge;
};
struct ConsumerAddAction
{
    QString stream;
    QJsonObject config;
    bool update = false;
};
struct ConsumerDeleteAction
{
    QString stream;
    QString consumer;
};
struct FetchAction
{
    FetchRequest request;
};
struct AckAction
{
    QString stream;
    QString consumer;
    AckKind kind = AckKind::Ack;
    std::chrono::nanoseconds delay{0};
};
struct ReplayAction
{
    QString stream;
    quint64 first = 1;
    quint64 last = 0;
    QString prefix; ///< new subject is this, a dot and the old subject
    QString fixedSubject; ///< or this subject for all, when not empty
    double speed = 0; ///< factor on the original pace, 0 = as fast as possible
    bool keepIds = false; ///< also re-sends Nats-Msg-Id and Nats-Expected-*
    bool stored = true; ///< some stream captures the target, so a pub ack comes
};
using Action = std::variant<PublishAction,
    StreamAction,
    StreamDeleteAction,
    PurgeAction,
    ConsumerAddAction,
    ConsumerDeleteAction,
    FetchAction,
    AckAction,
    ReplayAction>;

enum class Language
{
    Cli,
    Go,
    JavaScript,
    Python,
    C,
    Wire
};
inline constexpr Language kLanguages[] = {Language::Cli,
    Language::Go,
    Language::JavaScript,
    Language::Python,
    Language::C,
    Language::Wire};

/// The name a tab shows; the same in every language of the window.
[[nodiscard]] QString languageName(Language language);

/// What a terminal shows side by side.
inline constexpr qsizetype kShellColumns = 80;

/// The same action as text to copy: a command for the nats CLI, or a whole small program against \a
/// server that runs as it stands. Pure: the same input gives the same text. Placeholders of a
/// message template are written out for the first message, except where the language's own loop
/// counts. Commands go on in the next line before they are longer than \a columns, as far as their
/// words allow it.
[[nodiscard]] QString sameAs(const Action& action,
    Language language,
    const QString& server,
    qsizetype columns = kShellColumns);

} // namespace jetglass::client
