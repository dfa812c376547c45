// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "server/account.h"
#include "subjects/subject_transform.h"

#include <optional>
#include <string>
#include <string_view>

namespace jetglass::server {

/// Asks the other account of what the subject becomes there. \a active guards against imports that
/// lead back to where they came from.
template<class Ask>
bool askBehind(
    const subjects::Transform& transform, std::string_view subject, bool& active, Ask ask)
{
    const auto mapped = active ? std::nullopt : transform.apply(subject);
    if (!mapped)
        return false;
    active = true;
    const bool answer = ask(*mapped);
    active = false;
    return answer;
}

/// The same message under another subject; receivers see it too, unless the broker itself gave them
/// another one to see.
inline Routed renamed(const Routed& message, std::string_view subject)
{
    Routed out = message;
    out.wireSubject = message.wireSubject == message.subject ? subject : message.wireSubject;
    out.subject = subject;
    out.head = nullptr;
    out.exported = nullptr;
    return out;
}

} // namespace jetglass::server
