// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QRegion>
#include <QTimer>

class QWidget;

namespace jetglass::style {

/// Events, counts and answers of a busy stream come several times a frame: one picture shows them
/// all. What is new is painted at once if the last picture is a frame old, else when it is.
class FramePacer final : public QObject
{
public:
    explicit FramePacer(QWidget& widget);

    void update(const QRegion& region);
    void painted(const QRegion& region); ///< to be told of every paint event

private:
    QWidget& m_widget;
    QRegion m_waiting;
    QElapsedTimer m_sincePaint;
    QTimer m_timer;
};

} // namespace jetglass::style
