// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/delivery_states.h"

#include "style/theme.h"
#include "text/quantity.h"
#include "text/state_text.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace jetglass::pages {

namespace {

constexpr int kNameWidth = 130;

} // namespace

items::Tone toneOf(DeliveryState state)
{
    switch (state) {
    case DeliveryState::Delivered:
    case DeliveryState::InProgress:
    case DeliveryState::Naked:
    case DeliveryState::RedeliveryDue:
        return items::Tone::Waiting;
    case DeliveryState::Acked:
        return items::Tone::Done;
    case DeliveryState::Terminated:
    case DeliveryState::Exhausted:
        return items::Tone::Blocked;
    case DeliveryState::Waiting:
        return items::Tone::Normal;
    default:
        return items::Tone::Muted;
    }
}

bool isPending(DeliveryState state)
{
    return toneOf(state) == items::Tone::Waiting;
}

DeliveryStates::DeliveryStates(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(1);
    m_grid->setColumnStretch(1, 1);
}

void DeliveryStates::addLine()
{
    Line line;
    line.name = new QLabel(this);
    line.name->setTextFormat(Qt::RichText);
    line.name->setMaximumWidth(kNameWidth);
    line.name->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    line.text = new QLabel(this);
    line.text->setWordWrap(true);
    line.change = new QToolButton(this);
    line.change->setText(QStringLiteral("…"));
    line.change->setAutoRaise(true);
    line.change->setFocusPolicy(Qt::TabFocus);
    const int at = static_cast<int>(m_lines.size());
    m_grid->addWidget(line.name, at, 0, Qt::AlignLeft | Qt::AlignTop);
    m_grid->addWidget(line.text, at, 1);
    m_grid->addWidget(line.change, at, 2, Qt::AlignRight | Qt::AlignTop);
    m_grid->setRowStretch(at, 0);
    m_grid->setRowStretch(at + 1, 1);
    const auto index = m_lines.size();
    connect(line.name, &QLabel::linkActivated, this, [this, index] {
        emit consumerChosen(m_lines[index].consumer);
    });
    connect(line.change, &QToolButton::clicked, this, [this, index] {
        emit overrideWanted(m_lines[index].consumer);
    });
    m_lines.push_back(line);
}

void DeliveryStates::setStates(const RangeAnswer& answer, bool canAct)
{
    if (answer.rows.empty())
        return;
    const RangeRow& row = answer.rows.front();
    m_canAct = canAct;
    const std::size_t count = std::min(row.cells.size(), answer.consumers.size());
    const bool grown = m_lines.size() < count;
    while (m_lines.size() < count)
        addLine();
    if (grown)
        retranslate();
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        Line& line = m_lines[i];
        line.name->setVisible(i < count);
        line.text->setVisible(i < count);
        if (i < count)
            showLine(line, answer.consumers[i], row, row.cells[i]);
        else
            line.change->hide();
    }
}

void DeliveryStates::showLine(
    Line& line, ConsumerId consumer, const RangeRow& row, const DeliveryCell& cell)
{
    line.consumer = consumer;
    const style::Theme& theme = style::Theme::of(palette());
    const ConsumerOverview* known =
        m_session.source.consumer(m_session.selection.stream(), consumer);
    const QString full = known ? QString::fromStdString(known->name) : QString();
    const QString shown =
        line.name->fontMetrics().elidedText(full, Qt::ElideMiddle, kNameWidth - 6);
    line.name->setText(
        QStringLiteral("<a href=\"#\" style=\"text-decoration:none;color:%1\">%2</a>")
            .arg(theme.text.name(), shown.toHtmlEscaped()));
    line.name->setToolTip(full);
    // What left before this consumer was done with it has no other state here than that.
    const bool gone = !row.stored
        && (cell.state == DeliveryState::NotMatched || cell.state == DeliveryState::BeforeStart
            || cell.state == DeliveryState::Waiting || row.removal == Removal::Skipped
            || text::leftUnsettled(cell.state, cell.client, row.removal));
    const items::Tone tone = !gone     ? toneOf(cell.state)
        : row.removal == Removal::Lost ? items::Tone::Blocked
                                       : items::Tone::Muted;
    line.text->setText(gone ? text::removalName(row.removal) : words(cell));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme.tone(tone));
    line.text->setPalette(colours);
    line.change->setVisible(m_canAct && row.stored && isPending(cell.state));
}

QString DeliveryStates::words(const DeliveryCell& cell) const
{
    QStringList parts{text::stateName(cell.state)};
    if (cell.deliveries > 1)
        parts.front() += QStringLiteral(" ×%1").arg(cell.deliveries);
    if (cell.deadline > 0)
        parts << tr("back in %1").arg(text::duration(cell.deadline - m_session.source.now()));
    else if (cell.since > 0)
        parts << text::clockTime(cell.since).left(8);
    if (const QString who = m_session.clients.nameOf(cell.client); !who.isEmpty())
        parts << who;
    return parts.join(QStringLiteral(" · "));
}

void DeliveryStates::retranslate()
{
    for (const Line& line : m_lines) {
        const QString what = tr("Override: answer in place of the client that has it…");
        line.change->setToolTip(what);
        line.change->setAccessibleName(what);
    }
}

} // namespace jetglass::pages
