// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/timer_queue.h"
#include "streams/upstream_link.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace jetglass::streams {

/// The links of one stream to what it mirrors or sources, and the memory of how far it has come
/// with each source, which outlives a purge and a restart. Owned by the stream.
class Upstreams
{
public:
    /// What is known of earlier copying: nothing of a new stream, what was written down, or that
    /// and what the stored messages tell.
    enum class Recall
    {
        Nothing,
        Written,
        Everything
    };
    Upstreams(Stream& copy, Recall recall);
    ~Upstreams();

    /// Makes the links that the configuration asks for and ends the others; those it still asks for
    /// go on undisturbed.
    void configure(const StreamConfig& config);
    [[nodiscard]] bool any() const { return !m_links.empty(); }
    [[nodiscard]] std::vector<UpstreamInfo> infos() const;
    /// The link of a mirror.
    [[nodiscard]] UpstreamLink* mirror() const;
    void settled(); ///< the turn's write succeeded
    void takenBack(); ///< it failed
    void leave(); ///< the stream is being deleted
    void goOn(); ///< the stream was busy with something else
    /// Writes the positions down if they have changed.
    void save();

private:
    StreamSeq readWritten(); ///< gives the first sequence that it does not cover
    void readStored(StreamSeq from);
    [[nodiscard]] bool isStored(const SourcePosition& position) const;

    Stream& m_copy;
    bool m_isMirror = false;
    std::vector<std::unique_ptr<UpstreamLink>> m_links;
    /// Positions of sources that are not configured (any more).
    std::map<std::string, SourcePosition> m_others;
    bool m_changed = false;
    base::Timer m_timer;
};

} // namespace jetglass::streams
