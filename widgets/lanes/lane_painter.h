// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/lane_source.h"
#include "lanes/lane_layout.h"
#include "style/glyph_atlas.h"
#include "style/metrics.h"
#include "style/text_cache.h"
#include "style/theme.h"

#include <QHash>
#include <QImage>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace jetglass::lanes {

struct LaneSelection
{
    quint64 seq = 0; ///< 0 = nothing selected
    int lane = kStreamLane;
    friend bool operator==(const LaneSelection&, const LaneSelection&) = default;
};

/// Everything that one frame depends on.
struct LaneFrame
{
    const items::LaneSource* source = nullptr;
    const LaneLayout* layout = nullptr;
    std::shared_ptr<const items::DensityStrip> density;
    LaneSelection selection;
    QRect dirty;
    quint64 first = 1; ///< oldest sequence that is drawn at all
    quint64 last = 0; ///< newest
    bool focused = false;
};

/// Draws a layout in passes: background, cells, marks, selection. Only what touches the dirty
/// rectangle is looked at; cells are copied from the atlas, texts from caches.
class LanePainter
{
public:
    void setLook(const style::Theme& theme, const style::Metrics& metrics, qreal ratio);
    [[nodiscard]] const style::Theme& theme() const { return *m_theme; }
    [[nodiscard]] const style::Metrics& metrics() const { return m_metrics; }

    void paint(QPainter& painter, const LaneFrame& frame);
    /// Where countdowns were drawn in the last full look at each lane; empty = nothing moves by
    /// itself.
    [[nodiscard]] const std::vector<QRect>& timedRects() const { return m_timed; }
    void forgetTimed() { m_timed.clear(); }
    void setRatio(qreal ratio) { m_ratio = ratio; } ///< the window may move to another screen
    /// Drop cached texts (language) or density pictures (new counts).
    void forgetTexts();
    void forgetDensity() { m_densityKey = {}; }

private:
    void paintBackground(QPainter& painter, const LaneFrame& frame);
    void paintAxis(QPainter& painter, const LaneFrame& frame);
    void paintStream(QPainter& painter, const LaneFrame& frame);
    void paintStreamCell(QPainter& painter, const LaneFrame& frame, quint64 seq);
    void paintLane(QPainter& painter, const LaneFrame& frame, int lane);
    void paintLaneCells(QPainter& painter, const LaneFrame& frame, int lane);
    void paintRuns(QPainter& painter, const LaneFrame& frame, int lane);
    void paintDensity(QPainter& painter, const LaneFrame& frame, int lane);
    void paintDetail(
        QPainter& painter, const QRect& cell, const items::LaneCell& state, qint64 now);
    void paintStreamMarks(QPainter& painter, const LaneFrame& frame);
    void paintLaneMarks(QPainter& painter, const LaneFrame& frame, int lane);
    struct Mark
    {
        int x = 0; ///< of its line
        QString text;
    };
    std::pair<int, int> paintMarkLabels(QPainter& painter,
        const QRect& area,
        int y,
        Mark floor,
        Mark cursor,
        std::optional<int> gate);
    [[nodiscard]] static std::optional<int> gateOf(
        const LaneFrame& frame, const items::LaneItem& item);
    void paintGate(QPainter& painter, const LaneFrame& frame, int lane, int x);
    void paintPull(
        QPainter& painter, const QRect& area, int y, int left, int right, const QString& text);
    void paintNotes(QPainter& painter, const LaneFrame& frame, int lane);
    void paintHeader(QPainter& painter, const LaneFrame& frame, int lane);
    void paintSelection(QPainter& painter, const LaneFrame& frame);
    void drawSmall(
        QPainter& painter, QPoint topLeft, const QString& text, const QColor& color, bool strong);
    [[nodiscard]] int smallWidth(const QString& text, bool strong);
    [[nodiscard]] QString fittedTag(const QString& tag, int width);
    [[nodiscard]] const QString& elided(
        const QString& text, int width, const QFont& font, Qt::TextElideMode mode = Qt::ElideRight);
    [[nodiscard]] std::pair<quint64, quint64> visible(const LaneFrame& frame) const;
    void lookAtStream(const LaneFrame& frame);

    struct DensityKey
    {
        const void* strip = nullptr;
        axis::SequenceZoom zoom;
        qint64 left = 0;
        int width = 0;
        int lanes = 0;
        const style::Theme* theme = nullptr;
        friend bool operator==(const DensityKey&, const DensityKey&) = default;
    };

    const style::Theme* m_theme = &style::Theme::light();
    style::Metrics m_metrics;
    qreal m_ratio = 1;
    style::GlyphAtlas m_atlas;
    style::GlyphAtlas m_chosenAtlas; ///< on the band of the selected sequence
    style::GlyphAtlas m_streamAtlas;
    style::TextCache m_small;
    style::TextCache m_smallStrong;
    style::TextCache m_strong;
    QHash<QString, QString> m_tags;
    int m_tagWidth = 0;
    QHash<QString, QString> m_elided;
    int m_elideWidth = 0;
    /// What the stream says of each sequence in the dirty rectangle: asked once, not once a lane.
    enum class Held : quint8
    {
        Loading,
        Stored,
        Removed,
        Skipped,
        Lost
    };
    [[nodiscard]] static Held heldOf(const items::StreamCell* cell);
    std::vector<Held> m_held;
    std::vector<CellRun> m_runs;
    std::vector<QRect> m_timed;
    DensityKey m_densityKey;
    bool m_densityEstimated = false;
    std::shared_ptr<const items::DensityStrip> m_densityStrip; ///< keeps the key's address taken
    std::vector<QImage> m_densityImages; ///< stream first, then lanes; null = not drawn yet
};

/// Rest of a deadline, 0..1.
[[nodiscard]] double timeLeft(const items::LaneCell& cell, qint64 now);

} // namespace jetglass::lanes
