// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/flow_chart.h"
#include "items/chart_item.h"

#include <QStringList>

namespace jetglass::charts {

/// What each consumer has still before it: num_pending and num_ack_pending together.
class PendingChart : public FlowChart
{
    Q_OBJECT

public:
    explicit PendingChart(QWidget* parent = nullptr);
    /// Names of the consumers; forgets all points if they differ from before.
    void setSeries(const QStringList& names);
    [[nodiscard]] const QStringList& series() const { return m_names; }
    void append(const items::PendingSample& sample);

protected:
    [[nodiscard]] std::vector<SeriesLook> looks() const override;
    [[nodiscard]] QString title() const override;

private:
    QStringList m_names;
};

} // namespace jetglass::charts
