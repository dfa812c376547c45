// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/lane_feed.h"
#include "models/session.h"

#include <QWidget>

class QLabel;

namespace jetglass::lanes {
class LaneView;
}
namespace jetglass::minimap {
class OverviewStrip;
}

namespace jetglass::pages {

/// The signature view: the whole stream as a strip, below it every message for every consumer.
class LanesPage final : public QWidget
{
    Q_OBJECT
public:
    explicit LanesPage(models::Session& session, QWidget* parent = nullptr);

    [[nodiscard]] models::LaneFeed& feed() { return m_feed; }
    [[nodiscard]] lanes::LaneView& view() { return *m_view; }

signals:
    void messageActivated();
    void contextMenuRequested(quint64 seq, jetglass::ConsumerId consumer, const QPoint& globalPos);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showSelection();
    void updateNotice();

    models::Session& m_session;
    models::LaneFeed m_feed;
    minimap::OverviewStrip* m_minimap;
    lanes::LaneView* m_view;
    QLabel* m_notice; ///< what is not drawn, and why
};

} // namespace jetglass::pages
