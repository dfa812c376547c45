// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <QString>

namespace jetglass::text {

/// Why a broker could not start, as far as a reader can act on it.
struct StartProblem
{
    enum class Kind
    {
        PortTaken,
        StoreTaken, ///< another process has it open
        ForeignStore, ///< of a nats-server
        OtherVersion, ///< a catalog of another program or of another version of this one
        Damaged,
        DiskFull,
        NoAccess, ///< a call of the system failed
        Other
    };
    Kind kind = Kind::Other;
    QString file; ///< the file or folder it is about, may be empty
    QString words; ///< the broker's own, in English
};

/// The kind follows from the error's code and from which file below \a store it names.
[[nodiscard]] StartProblem startProblem(const Error& error, const QString& store);

/// In the reader's language; the broker's own words follow where they tell more.
[[nodiscard]] QString startReason(const StartProblem& problem);

} // namespace jetglass::text
