// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/ids.h"

#include <string_view>

namespace jetglass::streams {

/// Something that reads on in a stream as messages are committed: the link of a mirror or source.
/// Broker thread only. Neither call may change the stream; enlist for the turn instead.
class Follower
{
public:
    virtual ~Follower() = default;
    /// No consumer stands for it in the stream's lists.
    [[nodiscard]] virtual bool isHidden() const { return true; }
    /// A hidden one counts as interest in what it selects and has not read yet.
    [[nodiscard]] virtual bool matches(std::string_view subject) const = 0;
    [[nodiscard]] virtual bool hasRead(StreamSeq seq) const = 0;
    /// The stream has committed something new.
    virtual void onCommitted() = 0;
    /// The stream is about to go and must not be used any more.
    virtual void onOriginGone() = 0;
};

} // namespace jetglass::streams
