// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/pending_chart.h"

#include "style/theme.h"

#include <algorithm>
#include <array>

namespace jetglass::charts {

PendingChart::PendingChart(QWidget* parent)
    : FlowChart(parent)
{
    rebuild();
}

void PendingChart::setSeries(const QStringList& names)
{
    if (names == m_names) {
        return;
    }
    m_names = names;
    clear();
    rebuild();
}

void PendingChart::append(const items::PendingSample& sample)
{
    const auto count = std::min(sample.values.size(), static_cast<std::size_t>(m_names.size()));
    for (std::size_t i = 0; i < count; ++i) {
        addPoint(static_cast<int>(i), sample.time, sample.values[i]);
    }
    samplesAdded(sample.time);
}

std::vector<SeriesLook> PendingChart::looks() const
{
    constexpr std::array kDashes{
        Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
    // Consumers have no colour of their own in the lanes, and none that means a state here: dashes
    // and order tell.
    const style::Theme& theme = style::Theme::of(palette());
    const std::array colors{theme.codeString, theme.codeNumber, theme.codeWord, theme.text};
    std::vector<SeriesLook> all;
    for (qsizetype i = 0; i < m_names.size(); ++i) {
        const auto n = static_cast<std::size_t>(i);
        all.push_back({m_names[i], colors[n % colors.size()], kDashes[n % kDashes.size()]});
    }
    return all;
}

QString PendingChart::title() const
{
    return tr("Pending per consumer");
}

} // namespace jetglass::charts
