// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connection.h"

#include <QJsonObject>
#include <QString>

namespace jetglass::client {

/// Why a request has no result: the server's refusal with its numbers, or the way there.
struct ApiError
{
    enum class Kind
    {
        Api,
        NoResponders,
        TimedOut,
        NotConnected,
        Failed,
        Malformed
    };
    Kind kind = Kind::Api;
    int code = 0; ///< HTTP-like
    int errCode = 0; ///< err_code, see the server's errors.json
    QString description; ///< exactly as the server wrote it, or the library's words

    /// One sentence for the reader: what was said, with the numbers if there are any.
    [[nodiscard]] QString text() const;
    /// What that means and what to do, in one or two sentences; empty if there is nothing to add.
    [[nodiscard]] QString meaning() const;
};

/// The error of an API answer's "error" member.
[[nodiscard]] ApiError apiErrorFromJson(const QJsonObject& error);
/// The error of a request that was not answered. \pre !reply.answered()
[[nodiscard]] ApiError apiErrorFromReply(const Reply& reply);

} // namespace jetglass::client
