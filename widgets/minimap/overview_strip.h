// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axis/zoom_range.h"
#include "items/lane_source.h"

#include <QImage>
#include <QPointer>
#include <QWidget>

#include <memory>
#include <optional>

namespace jetglass::minimap {

/// The whole stream in one line: what is stored, where the consumers are, and the window of the
/// lane view in it. Dragging or clicking moves the window; the keys do the same.
class OverviewStrip : public QWidget
{
    Q_OBJECT

public:
    explicit OverviewStrip(QWidget* parent = nullptr);

    void setSource(items::LaneSource* source);
    [[nodiscard]] const axis::ZoomRange& range() const { return m_range; }
    [[nodiscard]] QRect trackRect() const;
    [[nodiscard]] QRect windowRect() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

public slots:
    void setWindow(quint64 first, quint64 last); ///< LaneView::windowChanged
    void setHeaderWidth(
        int width); ///< LaneView::headerWidthChanged: the same left edge as the cells

signals:
    void windowMoved(quint64 first); ///< by the reader: LaneView::showFrom

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void retranslate();
    void updateWhole();
    void refreshPicture();
    /// Less than a pixel apart.
    [[nodiscard]] bool looksLike(const axis::SeqRange& one, const axis::SeqRange& other) const;
    void moveTo(int x);
    void paintTrack(QPainter& painter, const QRect& track);
    void paintCursors(QPainter& painter, const QRect& track);
    [[nodiscard]] int xOf(quint64 seq) const;

    QPointer<items::LaneSource> m_source;
    axis::ZoomRange m_range;
    /// As the lanes told it: they may know of newer messages than m_range, which clamps it.
    axis::SeqRange m_shown;
    int m_headerWidth = 0;
    std::optional<int> m_grab; ///< where inside the window the pointer holds it
    QImage m_picture;
    axis::SeqRange m_pictured; ///< what it shows
    bool m_pictureStale = true;
};

} // namespace jetglass::minimap
