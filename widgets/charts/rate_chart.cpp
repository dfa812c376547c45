// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/rate_chart.h"

#include "style/theme.h"

namespace jetglass::charts {

RateChart::RateChart(QWidget* parent)
    : FlowChart(parent)
{
    rebuild();
}

void RateChart::append(const items::RateSample& sample)
{
    addPoint(0, sample.time, sample.stored);
    addPoint(1, sample.time, sample.delivered);
    addPoint(2, sample.time, sample.acked);
    samplesAdded(sample.time);
}

std::vector<SeriesLook> RateChart::looks() const
{
    const style::Theme& theme = style::Theme::of(palette());
    return {{tr("stored"), theme.text, Qt::SolidLine},
        {tr("delivered"), theme.codeString, Qt::DashLine},
        {tr("acked"), theme.green, Qt::SolidLine}};
}

QString RateChart::title() const
{
    return tr("Messages per second");
}

} // namespace jetglass::charts
