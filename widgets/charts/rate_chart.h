// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/flow_chart.h"
#include "items/chart_item.h"

namespace jetglass::charts {

/// Messages per second: stored, delivered, acked.
class RateChart : public FlowChart
{
    Q_OBJECT

public:
    explicit RateChart(QWidget* parent = nullptr);
    void append(const items::RateSample& sample);

protected:
    [[nodiscard]] std::vector<SeriesLook> looks() const override;
    [[nodiscard]] QString title() const override;
};

} // namespace jetglass::charts
