// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/charts_panel.h"

#include "charts/pending_chart.h"
#include "charts/rate_chart.h"

#include <QEvent>
#include <QTabWidget>
#include <QVBoxLayout>

namespace jetglass::pages {

ChartsPanel::ChartsPanel(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_rates(new charts::RateChart(this))
    , m_pending(new charts::PendingChart(this))
    , m_tabs(new QTabWidget(this))
{
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_rates, QString());
    m_tabs->addTab(m_pending, QString());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);
    connect(&session.charts, &models::ChartFeed::sampled, this, &ChartsPanel::appendNewest);
    connect(&session.charts, &models::ChartFeed::seriesChanged, this, [this](StreamId id) {
        if (id == m_session.selection.stream())
            reload();
    });
    connect(&session.selection, &models::Selection::streamChanged, this, &ChartsPanel::reload);
    retranslate();
    reload();
}

void ChartsPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void ChartsPanel::retranslate()
{
    m_tabs->setTabText(0, tr("Rates"));
    m_tabs->setTabText(1, tr("Pending"));
}

QStringList ChartsPanel::names() const
{
    QStringList all;
    const StreamId stream = m_session.selection.stream();
    for (const ConsumerId id : m_session.charts.consumers(stream)) {
        const ConsumerOverview* consumer = m_session.source.consumer(stream, id);
        all << (consumer ? QString::fromStdString(consumer->name) : QString());
    }
    return all;
}

void ChartsPanel::reload()
{
    const StreamId stream = m_session.selection.stream();
    m_rates->clear();
    m_pending->clear();
    m_pending->setSeries(names());
    for (const items::RateSample& sample : m_session.charts.rates(stream))
        m_rates->append(sample);
    for (const items::PendingSample& sample : m_session.charts.pending(stream))
        m_pending->append(sample);
}

void ChartsPanel::appendNewest()
{
    const StreamId stream = m_session.selection.stream();
    const auto& rates = m_session.charts.rates(stream);
    const auto& pending = m_session.charts.pending(stream);
    if (!rates.empty())
        m_rates->append(rates.back());
    if (!pending.empty())
        m_pending->append(pending.back());
}

} // namespace jetglass::pages
