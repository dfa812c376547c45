// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

class QTabWidget;

namespace jetglass::charts {
class PendingChart;
class RateChart;
}

namespace jetglass::pages {

/// Rates and pending counts of the selected stream over the last minutes.
class ChartsPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit ChartsPanel(models::Session& session, QWidget* parent = nullptr);

    [[nodiscard]] charts::RateChart& rates() { return *m_rates; }
    [[nodiscard]] charts::PendingChart& pending() { return *m_pending; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void reload();
    void appendNewest();
    [[nodiscard]] QStringList names() const;

    models::Session& m_session;
    charts::RateChart* m_rates;
    charts::PendingChart* m_pending;
    QTabWidget* m_tabs;
};

} // namespace jetglass::pages
