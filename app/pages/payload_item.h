// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/message_query.h"
#include "items/message_item.h"

namespace jetglass::pages {

/// A message answer's row as the payload view takes it: the header block cut into names and values.
items::PayloadItem payloadItem(const MessageRow& row);

} // namespace jetglass::pages
