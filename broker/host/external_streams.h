// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "streams/context.h"

#include <functional>
#include <string_view>

namespace jetglass::server {
class Account;
}
namespace jetglass::streams {
class StreamRegistry;
}

namespace jetglass::host {

/// The streams of an account, null where it has no JetStream.
using RegistryOf = std::function<streams::StreamRegistry*(std::string_view account)>;

/// The origin of a mirror or source with `external` (streams.md 6.6) when its API prefix is a
/// service that \a account imports: the imports are followed to the account whose API it is. What
/// that account delivers must come back by an import of streams, or the origin stays silent.
[[nodiscard]] streams::ExternalOrigin findBehindImports(const server::Account& account,
    const StreamSource::External& external,
    std::string_view stream,
    const RegistryOf& registryOf);

} // namespace jetglass::host
