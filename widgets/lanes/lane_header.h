// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/lane_source.h"
#include "style/metrics.h"

#include <QString>

namespace jetglass::lanes {

/// How wide the column of names, kinds and states is. Names and what a consumer is doing should
/// stand whole, the settings below a name may be cut. Counts change all the time: the column grows
/// with them and does not shrink again before another stream or another size comes.
class LaneHeader
{
public:
    [[nodiscard]] int width(
        const items::LaneSource* source, const style::Metrics& metrics, int viewWidth);

private:
    QString m_stream;
    int m_viewWidth = 0;
    int m_line = 0;
    int m_widest = 0;
};

} // namespace jetglass::lanes
