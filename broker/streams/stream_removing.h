// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/stream_state.h"

#include <cstdint>
#include <string>

namespace jetglass::streams {

/// Above this many messages consumers are told of a bulk removal instead of each message.
inline constexpr std::uint64_t kToldSingly = 10'000;

/// A removal that may take several turns. Each part is committed by itself, so that a crash leaves
/// a stream from which some of it has gone; what limits and ages take is taken up again when the
/// stream is opened, a purge was never answered. Event, ledger and consumers hear of the whole at
/// the end.
struct Stream::Private::Removing
{
    std::string filter = {}; ///< empty = all
    StreamSeq below = {}; ///< 0 = all that is there when it begins
    std::uint64_t keep = 0;
    std::uint64_t perSubject = 0;
    bool forward = false; ///< an empty stream moves on to below
    bool byLimits = false; ///< below and cause follow from the configuration when it begins
    bool byAge = false; ///< likewise
    bool tells = false; ///< consumers hear of each message, if they are few
    Removal cause = Removal::None;
    ClientId by = {};
    Done done = {};

    // --- progress
    bool begun = false;
    store::StoreState before = {};
    store::RemovalTask task = {};
    store::RemovalTask written = {}; ///< as it was when everything staged was committed
    std::uint64_t failures = 0;
    int parts = 0;
};

} // namespace jetglass::streams
