// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/stream_page.h"

#include "forms/eliding_label.h"
#include "pages/activity_panel.h"
#include "pages/charts_panel.h"
#include "pages/config_page.h"
#include "pages/lanes_page.h"
#include "pages/messages_page.h"
#include "text/lane_text.h"
#include "text/quantity.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace jetglass::pages {

StreamPage::StreamPage(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_name(new forms::ElidingLabel(this, Qt::ElideMiddle))
    , m_facts(new forms::ElidingLabel(this))
    , m_tabs(new QTabWidget(this))
    , m_lanes(new LanesPage(session, m_tabs))
    , m_messages(new MessagesPage(session, m_tabs))
    , m_config(new ConfigPage(session, m_tabs))
    , m_activity(new ActivityPanel(session, this))
    , m_charts(new ChartsPanel(session, this))
{
    QFont font = m_name->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setWeight(QFont::DemiBold);
    m_name->setFont(font);
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // the name goes first
    m_facts->setMinimumWidth(m_facts->fontMetrics().averageCharWidth() * 10);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_lanes, QString());
    m_tabs->addTab(m_messages, QString());
    m_tabs->addTab(m_config, QString());

    auto* lower = new QSplitter(Qt::Horizontal, this);
    lower->addWidget(m_activity);
    lower->addWidget(m_charts);
    lower->setStretchFactor(0, 3);
    lower->setStretchFactor(1, 2);
    lower->setChildrenCollapsible(false);
    lower->setSizes({560, 330});
    m_lower = lower;
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_tabs);
    split->addWidget(lower);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 7, 12, 5);
    head->setSpacing(12);
    head->addWidget(m_name);
    head->addWidget(m_facts, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(split, 1);

    connect(&session.selection, &models::Selection::streamChanged, this, &StreamPage::refreshFacts);
    connect(
        &session.source, &sources::FlowSource::overviewChanged, this, &StreamPage::refreshFacts);
    retranslate();
}

void StreamPage::refreshFacts()
{
    const StreamOverview* stream = m_session.source.stream(m_session.selection.stream());
    if (!stream) {
        m_name->clear();
        m_facts->clear();
        return;
    }
    m_name->setText(QString::fromStdString(stream->name));
    m_facts->setText(text::streamSummary(stream->config));
}

void StreamPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void StreamPage::retranslate()
{
    m_tabs->setTabText(LanesTab, tr("Lanes"));
    m_tabs->setTabText(MessagesTab, tr("Messages"));
    m_tabs->setTabText(ConfigTab, tr("Settings"));
    m_tabs->setTabToolTip(LanesTab, tr("Every message for every consumer"));
    refreshFacts();
}

} // namespace jetglass::pages
