// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/frame_pacer.h"

#include <QWidget>

namespace jetglass::style {

namespace {

constexpr int kFrameMs = 16;

} // namespace

FramePacer::FramePacer(QWidget& widget)
    : m_widget(widget)
{
    m_sincePaint.start();
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_widget.update(m_waiting); });
}

void FramePacer::update(const QRegion& region)
{
    m_waiting += region;
    const qint64 left = kFrameMs - m_sincePaint.elapsed();
    if (left <= 0) {
        m_widget.update(m_waiting);
    } else if (!m_timer.isActive()) {
        m_timer.start(static_cast<int>(left));
    }
}

void FramePacer::painted(const QRegion& region)
{
    m_waiting -= region;
    if (m_waiting.isEmpty()) {
        m_timer.stop();
    }
    m_sincePaint.start();
}

} // namespace jetglass::style
