// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace jetglass::accounts {

/// $2a$NN$..., $2b$, $2x$ or $2y$.
bool isBcrypt(std::string_view stored);
/// Constant time in the content; a stored bcrypt text is compared as such, which takes tens of ms.
bool passwordMatches(std::string_view stored, std::string_view given);

} // namespace jetglass::accounts
