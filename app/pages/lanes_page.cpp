// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/lanes_page.h"

#include "lanes/lane_view.h"
#include "minimap/overview_strip.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace jetglass::pages {

LanesPage::LanesPage(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_feed(session.live, session.clients, session.hues)
    , m_minimap(new minimap::OverviewStrip(this))
    , m_view(new lanes::LaneView(this))
    , m_notice(new QLabel(this))
{
    m_notice->setContentsMargins(12, 3, 12, 3);
    m_notice->hide();
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setSource(&m_feed);
    m_minimap->setSource(&m_feed);
    m_minimap->setHeaderWidth(m_view->headerWidth());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_minimap);
    layout->addWidget(m_notice);
    layout->addWidget(m_view, 1);

    connect(m_view,
        &lanes::LaneView::headerWidthChanged,
        m_minimap,
        &minimap::OverviewStrip::setHeaderWidth);
    connect(m_view, &lanes::LaneView::windowChanged, m_minimap, &minimap::OverviewStrip::setWindow);
    connect(m_minimap, &minimap::OverviewStrip::windowMoved, m_view, &lanes::LaneView::showFrom);
    connect(m_view, &lanes::LaneView::selected, this, [this](quint64 seq, int lane) {
        if (const ConsumerId consumer = m_feed.consumerAt(lane); consumer != ConsumerId{})
            m_session.selection.setConsumer(m_feed.streamId(), consumer);
        m_session.selection.setSequence(seq);
    });
    connect(m_view, &lanes::LaneView::activated, this, &LanesPage::messageActivated);
    connect(m_view, &lanes::LaneView::headerClicked, this, [this](int lane) {
        m_session.selection.setConsumer(m_feed.streamId(), m_feed.consumerAt(lane));
    });
    connect(m_view,
        &lanes::LaneView::contextMenuRequested,
        this,
        [this](quint64 seq, int lane, const QPoint& pos) {
            emit contextMenuRequested(seq, m_feed.consumerAt(lane), pos);
        });
    connect(&session.selection, &models::Selection::streamChanged, this, [this] {
        m_feed.setStream(m_session.selection.stream());
        m_view->setFollowing(true);
    });
    connect(
        &session.selection, &models::Selection::sequenceChanged, this, &LanesPage::showSelection);
    connect(
        &session.selection, &models::Selection::consumerChanged, this, &LanesPage::showSelection);
    connect(
        &session.source, &sources::FlowSource::summarizingChanged, this, &LanesPage::updateNotice);
    m_feed.setStream(session.selection.stream());
}

void LanesPage::showSelection()
{
    const models::Selection& selection = m_session.selection;
    m_view->select(selection.sequence(), m_feed.laneOf(selection.consumer()));
}

void LanesPage::updateNotice()
{
    const bool summarizing = m_session.source.isSummarizing();
    m_notice->setText(tr("More than 4,000 events a frame: drawn from counts, ten times a second. "
                         "Nothing is lost in the broker."));
    m_notice->setVisible(summarizing);
}

void LanesPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_feed.retranslate();
        updateNotice();
    }
    QWidget::changeEvent(event);
}

} // namespace jetglass::pages
