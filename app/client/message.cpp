// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/message.h"

namespace jetglass::client {

QString Message::header(const QString& name) const
{
    for (const Header& h : headers) {
        if (h.name == name)
            return h.value;
    }
    return {};
}

} // namespace jetglass::client
