// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/status_line.h"

#include "forms/eliding_label.h"
#include "style/theme.h"
#include "text/quantity.h"
#include "text/recovery_text.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <cstdlib>
#include <utility>

namespace jetglass::window {

namespace {

constexpr int kRecoveryWidth = 420;
constexpr qint64 kClockSlackNs = 1'000'000'000;

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent)
    , m_address(new QToolButton(this))
    , m_clients(new QToolButton(this))
    , m_rates(new forms::ElidingLabel(this))
    , m_summary(new forms::ElidingLabel(this))
    , m_clock(new forms::ElidingLabel(this))
    , m_lost(new forms::ElidingLabel(this))
    , m_recovery(new forms::ElidingLabel(this, Qt::ElideMiddle))
{
    for (QToolButton* button : {m_address, m_clients})
        button->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 0, 4, 0);
    layout->setSpacing(14);
    layout->addWidget(m_address);
    layout->addWidget(m_clients);
    layout->addWidget(m_rates);
    layout->addWidget(m_summary);
    layout->addWidget(m_clock);
    layout->addStretch(1);
    layout->addWidget(m_recovery);
    layout->addWidget(m_lost);
    m_clock->setObjectName(QStringLiteral("clock"));
    m_recovery->setObjectName(QStringLiteral("recovery"));
    connect(m_address, &QToolButton::clicked, this, &StatusLine::addressClicked);
    connect(m_clients, &QToolButton::clicked, this, &StatusLine::clientsClicked);
    colour();
    refresh();
    showRecovery();
}

void StatusLine::setSession(models::Session* session)
{
    m_session = session;
    if (session) {
        connect(
            &session->source, &sources::FlowSource::overviewChanged, this, &StatusLine::refresh);
        connect(
            &session->source, &sources::FlowSource::overviewChanged, this, &StatusLine::showClock);
        connect(
            &session->source, &sources::FlowSource::lostEventsChanged, this, &StatusLine::refresh);
        connect(
            &session->source, &sources::FlowSource::summarizingChanged, this, &StatusLine::refresh);
        connect(&session->charts, &models::ChartFeed::sampled, this, &StatusLine::refresh);
    }
    m_clockSeen = 0;
    m_clockStands = false;
    refresh();
    showClock();
}

void StatusLine::setRecovery(RecoveryReport report)
{
    m_recovered = std::move(report);
    showRecovery();
}

void StatusLine::showRecovery()
{
    m_recovery->setVisible(!m_recovered.empty());
    if (m_recovered.empty())
        return;
    m_recovery->setText(
        tr("Store: %n finding(s) at the start, first in %1",
            nullptr,
            static_cast<int>(m_recovered.size()))
            .arg(m_recovery->fontMetrics().elidedText(
                text::recoveryPlace(m_recovered.front()), Qt::ElideMiddle, kRecoveryWidth)));
    QString all = tr("What the broker found when it opened its store:");
    for (const RecoveryFinding& finding : m_recovered)
        all += QLatin1Char('\n') + text::recoveryText(finding);
    m_recovery->setToolTip(all);
}

/// A lab clock that was moved or stands still would else be seen by nothing but odd times. Two
/// overviews of the very same nanosecond mean that it stands.
void StatusLine::showClock()
{
    const qint64 time = m_session ? m_session->source.overview()->time : 0;
    m_clockStands = time != 0 && time == m_clockSeen;
    m_clockSeen = time;
    tellClock();
}

void StatusLine::tellClock()
{
    const qint64 ahead =
        m_session ? m_session->source.now() - QDateTime::currentMSecsSinceEpoch() * 1'000'000 : 0;
    const bool moved = std::abs(ahead) >= kClockSlackNs;
    m_clock->setVisible(m_session && (moved || m_clockStands));
    if (m_clock->isHidden())
        return;
    const QString apart = (ahead < 0 ? QChar(0x2212) : QLatin1Char('+'))
        + text::duration(std::abs(ahead) / kClockSlackNs * kClockSlackNs);
    m_clock->setText(m_clockStands ? tr("clock paused") : tr("clock: %1").arg(apart));
    const QString how = m_clockStands ? tr("The broker's lab clock stands still.")
                                      : tr("The broker's lab clock was moved.");
    const QString where = moved
        ? tr("It differs from this computer's by %1.").arg(apart) + QLatin1Char(' ')
        : QString();
    m_clock->setToolTip(how + QLatin1Char(' ') + where
        + tr("Ages, deadlines and the times of messages follow it; the charts follow this "
             "computer's clock."));
}

void StatusLine::refresh()
{
    for (QWidget* widget :
        std::initializer_list<QWidget*>{m_address, m_clients, m_rates, m_summary, m_lost})
        widget->setVisible(m_session != nullptr);
    if (!m_session)
        return;
    const ServerCounts& counts = m_session->source.overview()->server;
    m_address->setText(m_session->source.serverUrl());
    m_address->setToolTip(tr("Clients connect here. Click to copy the address."));
    m_clients->setText(tr("%n connection(s)", nullptr, static_cast<int>(counts.connections)));
    m_clients->setToolTip(tr("Show who is connected (connections)"));
    m_rates->setText(tr("%1 msgs/s in · %2 msgs/s out")
                         .arg(text::rate(m_session->charts.inPerSecond()),
                             text::rate(m_session->charts.outPerSecond())));
    m_rates->setToolTip(tr("Messages of the last second, all clients together (in_msgs, "
                           "out_msgs).\nSince the start: %1 in, %2 out.")
                            .arg(text::count(counts.inMsgs), text::count(counts.outMsgs)));
    m_summary->setVisible(m_session->source.isSummarizing());
    m_summary->setText(tr("drawn from counts"));
    const quint64 lost = m_session->source.lostEvents();
    m_lost->setVisible(lost > 0);
    m_lost->setText(tr("%1 events not shown").arg(text::count(lost)));
    m_lost->setToolTip(tr(
        "The window could not keep up. The broker lost nothing; views have been asked for again."));
}

void StatusLine::colour()
{
    QPalette amber = palette();
    amber.setColor(QPalette::WindowText, style::Theme::of(palette()).amber);
    for (QLabel* label : {m_lost, m_summary, m_clock, m_recovery})
        label->setPalette(amber);
}

void StatusLine::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        refresh();
        showRecovery();
        tellClock();
    } else if (event->type() == QEvent::PaletteChange) {
        colour();
    }
    QWidget::changeEvent(event);
}

} // namespace jetglass::window
