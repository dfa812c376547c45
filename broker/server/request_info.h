// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace jetglass::server {

class Account;
class Client;

/// Who asks, for a service in another account. \a from null = the broker itself; \a share = the
/// importing account lets others know more than its name.
[[nodiscard]] std::string requestInfo(
    const Account& importer, const Client* from, bool share, const std::string& serverName);

/// The header block with the request's sender in it; what a client may have written there itself is
/// taken out.
[[nodiscard]] std::string withRequestInfo(std::string_view headers, const std::string& info);

/// The header block with this header as its last line, instead of all of that name.
[[nodiscard]] std::string withLastHeader(
    std::string_view headers, std::string_view name, std::string_view value);

/// A connection as others are told of it.
[[nodiscard]] nlohmann::ordered_json partyInfo(
    const Client& client, bool detailed, const std::string& serverName);

} // namespace jetglass::server
