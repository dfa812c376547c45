// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/flow_chart.h"

#include "charts/series_reduce.h"
#include "style/metrics.h"
#include "style/theme.h"

#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QDateTime>
#include <QDateTimeAxis>
#include <QEvent>
#include <QFontMetrics>
#include <QGraphicsLayout>
#include <QLabel>
#include <QLegend>
#include <QLineSeries>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace jetglass::charts {

using style::Theme;

struct FlowChart::Parts
{
    QLabel* title = nullptr;
    QLabel* note = nullptr;
    QChartView* view = nullptr;
    QDateTimeAxis* time = nullptr;
    QCategoryAxis* value = nullptr;
    std::vector<QLineSeries*> series;
};

namespace {

/// The next round number above what is shown whose half is a whole number, too.
double niceTop(double value)
{
    constexpr double kLeast = 2;
    if (value <= kLeast) {
        return kLeast;
    }
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 4.0, 6.0, 8.0, 10.0}) {
        if (value <= factor * decade) {
            return factor * decade;
        }
    }
    return value;
}

/// "0", "500", "2,000", "20 k", "1.5 M": round numbers, so nothing is lost by a unit.
QString axisLabel(double value)
{
    constexpr double kLongest = 10'000;
    constexpr std::array<const char*, 5> kUnits{"", "k", "M", "G", "T"};
    std::size_t unit = 0;
    while (value >= kLongest && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    const QString number = QLocale().toString(value, 'f', value == std::floor(value) ? 0 : 1);
    return unit == 0 ? number : number + QChar(0xA0) + QLatin1String(kUnits[unit]);
}

} // namespace

FlowChart::FlowChart(QWidget* parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>())
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    m_parts->title = new QLabel(this);
    m_parts->note = new QLabel(this);
    m_parts->note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->setContentsMargins(8, 4, 8, 0);
    head->addWidget(m_parts->title, 1);
    head->addWidget(m_parts->note);
    column->addLayout(head);

    auto* chart = new QChart;
    // The topmost number stands half above the plot.
    const int above = style::Metrics::of(font()).smallLine / 2;
    chart->setMargins(QMargins(0, above, 4, 0));
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setBackgroundRoundness(0);
    chart->legend()->setAlignment(Qt::AlignBottom);
    chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    m_parts->time = new QDateTimeAxis(chart);
    m_parts->time->setFormat(QStringLiteral("HH:mm:ss"));
    m_parts->time->setTickCount(5);
    m_parts->value = new QCategoryAxis(chart);
    m_parts->value->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    // A low panel has few numbers, but never dots in their place.
    m_parts->value->setTruncateLabels(false);
    m_parts->time->setTruncateLabels(false);
    chart->addAxis(m_parts->time, Qt::AlignBottom);
    chart->addAxis(m_parts->value, Qt::AlignLeft);
    m_parts->view = new QChartView(chart, this);
    m_parts->view->setFrameShape(QFrame::NoFrame);
    m_parts->view->setRenderHint(QPainter::Antialiasing, true);
    column->addWidget(m_parts->view, 1);

    m_update.setSingleShot(true);
    m_update.setInterval(kUpdateMs);
    connect(&m_update, &QTimer::timeout, this, &FlowChart::refresh);
}

FlowChart::~FlowChart() = default;

QSize FlowChart::sizeHint() const
{
    return {360, 200};
}

void FlowChart::rebuild()
{
    QChart* chart = m_parts->view->chart();
    const std::vector<SeriesLook> all = looks();
    while (m_parts->series.size() > all.size()) {
        chart->removeSeries(m_parts->series.back());
        delete m_parts->series.back();
        m_parts->series.pop_back();
    }
    while (m_parts->series.size() < all.size()) {
        auto* line = new QLineSeries(chart);
        chart->addSeries(line);
        line->attachAxis(m_parts->time);
        line->attachAxis(m_parts->value);
        m_parts->series.push_back(line);
    }
    m_points.resize(all.size());
    m_built = true;
    applyLook();
    refreshNow();
}

void FlowChart::applyLook()
{
    if (!m_built) {
        return;
    }
    const Theme& theme = Theme::of(palette());
    const style::Metrics m = style::Metrics::of(font());
    QChart* chart = m_parts->view->chart();
    chart->setBackgroundBrush(theme.base);
    chart->setPlotAreaBackgroundVisible(false);
    chart->legend()->setLabelColor(theme.text);
    chart->legend()->setFont(m.small);
    for (QAbstractAxis* axis :
        {static_cast<QAbstractAxis*>(m_parts->time), static_cast<QAbstractAxis*>(m_parts->value)}) {
        axis->setLabelsColor(theme.muted);
        axis->setLabelsFont(m.small);
        axis->setGridLinePen(QPen(theme.line, 1));
        axis->setLinePen(QPen(theme.line, 1));
    }
    const std::vector<SeriesLook> all = looks();
    QStringList names; // whole, where the legend has no room for them
    for (std::size_t i = 0; i < m_parts->series.size(); ++i) {
        m_parts->series[i]->setName(all[i].name);
        m_parts->series[i]->setPen(QPen(all[i].color, 2, all[i].dash));
        names << QString(QStringLiteral("<span style=\"color:%1\">\u2501</span> %2"))
                     .arg(all[i].color.name(), all[i].name.toHtmlEscaped());
    }
    m_parts->view->setToolTip(names.join(QStringLiteral("<br>")));
    m_parts->title->setFont(m.strong);
    m_parts->note->setFont(m.small);
    QPalette muted;
    muted.setColor(QPalette::WindowText, theme.muted);
    m_parts->note->setPalette(muted);
    m_parts->title->setText(title());
    setAccessibleName(title());
}

void FlowChart::setSpan(int seconds)
{
    m_spanMs = std::max(1, seconds) * 1000;
    refreshNow();
}

void FlowChart::clear()
{
    for (auto& points : m_points) {
        points.clear();
    }
    m_latestMs = 0;
    refreshNow();
}

void FlowChart::addPoint(int series, qint64 timeMs, double value)
{
    auto& points = m_points[static_cast<std::size_t>(series)];
    if (points.size() >= kHistory) {
        // In one go and seldom: dropping one at a time would move the whole vector for each sample.
        points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(kHistory / 4));
    }
    points.emplace_back(static_cast<double>(timeMs), value);
}

void FlowChart::samplesAdded(qint64 timeMs)
{
    m_latestMs = std::max(m_latestMs, timeMs);
    if (isVisible() && !m_update.isActive()) {
        m_update.start();
    }
}

void FlowChart::refreshNow()
{
    m_update.stop();
    refresh();
}

void FlowChart::refresh()
{
    if (!m_built) {
        return;
    }
    const qint64 first = m_latestMs - m_spanMs;
    double top = 0;
    m_reduced = false;
    for (std::size_t i = 0; i < m_parts->series.size(); ++i) {
        const auto& points = m_points[i];
        auto from = std::lower_bound(points.begin(),
            points.end(),
            static_cast<double>(first),
            [](const QPointF& point, double x) { return point.x() < x; });
        if (from != points.begin()) {
            --from; // so that the line reaches the left edge
        }
        const std::span<const QPointF> inView(from, points.end());
        m_reduced = reduceMinMax(inView, m_scratch) || m_reduced;
        for (const QPointF& point : m_scratch) {
            top = std::max(top, point.y());
        }
        m_parts->series[i]->replace(QList<QPointF>(m_scratch.begin(), m_scratch.end()));
    }
    m_parts->time->setRange(QDateTime::fromMSecsSinceEpoch(first),
        QDateTime::fromMSecsSinceEpoch(std::max(m_latestMs, first + 1)));
    setTop(niceTop(top * 1.05));
    fitTicks();
    m_parts->note->setText(m_reduced ? tr("lowest and highest of each step") : QString());
    m_parts->note->setToolTip(m_reduced
            ? tr(
                "There are more points than fit: of each step the lowest and the highest is drawn, "
                "so no peak is hidden.")
            : QString());
}

/// As many times as have room beside each other; a narrow panel has few, but all can be read.
void FlowChart::fitTicks()
{
    const QFontMetrics small(style::Metrics::of(font()).small);
    const int label =
        small.horizontalAdvance(QStringLiteral("00:00:00")) + small.averageCharWidth() * 2;
    const int ticks = std::clamp(m_parts->view->width() / std::max(1, label), 2, 6) - 1;
    if (m_parts->time->tickCount() != std::max(2, ticks)) {
        m_parts->time->setTickCount(std::max(2, ticks));
    }
}

/// Nothing, the half and the whole, written as the explorer writes counts.
void FlowChart::setTop(double top)
{
    if (m_parts->value->max() == top && !m_parts->value->categoriesLabels().isEmpty()) {
        return;
    }
    for (const QString& label : m_parts->value->categoriesLabels()) {
        m_parts->value->remove(label);
    }
    m_parts->value->setRange(0, top);
    for (const double at : {0.0, top / 2, top}) {
        m_parts->value->append(axisLabel(at), at);
    }
}

std::vector<QPointF> FlowChart::shownPoints(int series) const
{
    const QList<QPointF> points = m_parts->series[static_cast<std::size_t>(series)]->points();
    return {points.begin(), points.end()};
}

void FlowChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    switch (event->type()) {
    case QEvent::LanguageChange:
    case QEvent::FontChange:
        applyLook();
        break;
    case QEvent::PaletteChange:
        applyLook();
        update();
        break;
    default:
        break;
    }
}

void FlowChart::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::of(palette()).base);
}

void FlowChart::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refreshNow();
}

} // namespace jetglass::charts
