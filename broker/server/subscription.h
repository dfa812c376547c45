// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/bus.h"
#include "subjects/subject_tree.h"

#include <cstdint>
#include <string>

namespace jetglass::server {

class AccountLink;
class Client;

/// One subscription: of a client, of a handler inside the broker, or of another account.
struct Subscription : subjects::TreeEntry
{
    Client* client = nullptr;
    streams::MessageHandler* handler = nullptr;
    AccountLink* link = nullptr;
    std::string sid;
    std::uint64_t delivered = 0;
    std::uint64_t max = 0; ///< 0 = no limit
    /// Gets nothing more: it has ended, or its client has closed and ends it by and by.
    [[nodiscard]] bool isOver() const;

    bool filtered = false; ///< a deny pattern takes part of the wanted wildcard away
};

} // namespace jetglass::server
