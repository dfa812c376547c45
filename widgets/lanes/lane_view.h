// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axis/scaled_scroll.h"
#include "axis/zoom_range.h"
#include "items/lane_source.h"
#include "lanes/lane_header.h"
#include "lanes/lane_layout.h"
#include "lanes/lane_painter.h"
#include "style/frame_pacer.h"

#include <QAbstractScrollArea>
#include <QPointer>
#include <QTimer>

#include <optional>

class QScrollBar;
class QToolButton;

namespace jetglass::lanes {

class LegendStrip;

/// The life of every message for every consumer: a stream row and a lane per consumer over one
/// sequence axis. Setters in, signals out; what is drawn comes from a LaneSource. GUI thread only;
/// the source is not owned. Invariant: the position is exact in 64 bits, the scroll bar only
/// mirrors it.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit LaneView(QWidget* parent = nullptr);
    ~LaneView() override;

    void setSource(items::LaneSource* source);
    [[nodiscard]] items::LaneSource* source() const { return m_source; }

    [[nodiscard]] const axis::SequenceZoom& zoom() const { return m_layout.axis().zoom(); }
    void setZoom(axis::SequenceZoom zoom);
    [[nodiscard]] bool isFollowing() const { return m_following; }
    [[nodiscard]] const LaneSelection& selection() const { return m_selection; }
    /// What is on screen now.
    [[nodiscard]] axis::SeqRange window() const;
    [[nodiscard]] int headerWidth() const { return m_layout.headerWidth(); }
    [[nodiscard]] const LaneLayout& layoutOfLanes() const { return m_layout; }
    void setLegendVisible(bool visible);
    [[nodiscard]] QScrollBar* sequenceBar() const { return m_bar; }
    [[nodiscard]] QSize sizeHint() const override;

public slots:
    void zoomIn();
    void zoomOut();
    void zoomToFit(); ///< the whole stream
    void resetZoom();
    void setFollowing(bool following);
    /// Scrolls so that \a seq is the first one on screen; stops following.
    void showFrom(quint64 seq);
    void ensureVisible(quint64 seq);
    /// Selects without emitting selected(); 0 clears. \a lane is kStreamLane for the stream row.
    void select(quint64 seq, int lane);

signals:
    void selected(quint64 seq, int lane); ///< by the reader; seq 0 = nothing any more
    void activated(quint64 seq, int lane); ///< double click or Enter
    void contextMenuRequested(quint64 seq, int lane, const QPoint& globalPos);
    void headerClicked(int lane);
    void windowChanged(quint64 first, quint64 last);
    void followingChanged(bool following);
    void zoomChanged();
    void headerWidthChanged(int width);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;

private:
    void connectSource();
    void applyLook();
    void retranslate();
    void relayout(); ///< sizes, lanes, header width
    void placeLegend();
    void updateBounds(); ///< scroll range; follows the live edge
    void scrollTo(qint64 left, bool byReader);
    void syncBars();
    void positionChanged();
    void updateColumns(quint64 first, quint64 last);
    void updateLane(int lane);
    void stepZoom(bool in, std::optional<int> anchorX);
    void changeZoom(axis::SequenceZoom zoom, std::optional<int> anchorX);
    void pick(quint64 seq, int lane);
    bool moveSelection(int key, bool control);
    void tick();
    void updateLiveButton();
    void announce();
    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] quint64 firstShown() const;
    [[nodiscard]] quint64 lastShown() const;
    [[nodiscard]] int tailRoom() const;
    [[nodiscard]] QString tooltipAt(const QPoint& point) const;
    [[nodiscard]] QRect selectionRect(const LaneSelection& selection) const;

    QPointer<items::LaneSource> m_source;
    LaneLayout m_layout;
    LaneHeader m_header;
    LanePainter m_painter;
    axis::ScaledScroll m_scroll;
    LaneSelection m_selection;
    bool m_following = true;
    bool m_syncing = false; ///< the bar is being set by us
    std::optional<QPoint> m_press; ///< where the left button went down
    qint64 m_pressLeft = 0;
    bool m_panning = false;
    int m_wheelRest = 0;
    quint64 m_seenLast = 0; ///< newest when following stopped
    axis::SeqRange m_lastWindow;
    std::shared_ptr<const items::DensityStrip> m_density; ///< as last drawn, for tooltips
    QTimer m_tick;
    QTimer m_liveCount; ///< until the button says again how many are new
    style::FramePacer m_pacer;
    QScrollBar* m_bar = nullptr; ///< between lanes and legend; Qt's own would lie below both
    QToolButton* m_live = nullptr;
    LegendStrip* m_legend = nullptr;
};

} // namespace jetglass::lanes
