// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <vector>

namespace jetglass::charts {

/// How a line is told from its neighbours: by colour and by dashes.
struct SeriesLook
{
    QString name;
    QColor color;
    Qt::PenStyle dash = Qt::SolidLine;
};

/// Lines over time that grow at the right end. Common part of the rate and the pending chart; Qt
/// Charts stays inside the .cpp. Keeps a bounded history, redraws at most four times a second and
/// only while visible.
class FlowChart : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kUpdateMs = 250;
    static constexpr std::size_t kHistory = 14'400; ///< an hour at four samples a second

    explicit FlowChart(QWidget* parent = nullptr);
    ~FlowChart() override;

    void setSpan(int seconds); ///< how much of the past is in view
    [[nodiscard]] int span() const { return m_spanMs / 1000; }
    void clear();
    /// Points that the chart really holds, for tests.
    [[nodiscard]] std::vector<QPointF> shownPoints(int series) const;
    [[nodiscard]] bool isReduced() const { return m_reduced; }
    [[nodiscard]] QSize sizeHint() const override;
    void refreshNow(); ///< without waiting for the next update

protected:
    /// Looks of all series, asked for again when theme or language change.
    [[nodiscard]] virtual std::vector<SeriesLook> looks() const = 0;
    [[nodiscard]] virtual QString title() const = 0;
    void rebuild(); ///< derived classes call it once they can answer looks()
    void addPoint(int series, qint64 timeMs, double value);
    void samplesAdded(qint64 timeMs);

    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Parts;
    void applyLook();
    void refresh();
    void fitTicks();
    void setTop(double top);

    std::unique_ptr<Parts> m_parts;
    std::vector<std::vector<QPointF>> m_points; ///< by series: x = wall ms, y = value
    std::vector<QPointF> m_scratch;
    QTimer m_update;
    int m_spanMs = 60'000;
    qint64 m_latestMs = 0;
    bool m_reduced = false;
    bool m_built = false;
};

} // namespace jetglass::charts
