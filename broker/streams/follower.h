// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace jetglass::streams {

/// Something that reads on in a stream as messages are committed: the link of a mirror or source.
/// Broker thread only. Neither call may change the stream; enlist for the turn instead.
class Follower
{
public:
    virtual ~Follower() = default;
    /// No consumer stands for it in the stream's lists.
    [[nodiscard]] virtual bool isHidden() const { return true; }
    /// The stream has committed something new.
    virtual void onCommitted() = 0;
    /// The stream is about to go and must not be used any more.
    virtual void onOriginGone() = 0;
};

} // namespace jetglass::streams
