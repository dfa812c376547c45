// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/start_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace jetglass::window {

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_text(new QLabel(this))
    , m_other(new QPushButton(this))
    , m_again(new QPushButton(this))
{
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.6);
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    m_title->setTextFormat(Qt::PlainText);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setMaximumWidth(620);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_other->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_other);
    buttons->addWidget(m_again);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(48, 48, 48, 48);
    layout->setSpacing(12);
    layout->addStretch(1);
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addLayout(buttons);
    layout->addStretch(2);
    connect(m_other, &QPushButton::clicked, this, [this] { emit portChosen(m_freePort); });
    connect(m_again, &QPushButton::clicked, this, &StartPage::retry);
    retranslate();
}

void StartPage::showStarting(int port)
{
    m_state = State::Starting;
    m_port = port;
    retranslate();
}

void StartPage::showError(const Error& error, int port, int freePort)
{
    const bool address = error.code == Errc::InUse && freePort != port;
    m_state = address ? State::PortTaken : State::Failed;
    m_error = error;
    m_port = port;
    m_freePort = freePort;
    retranslate();
}

void StartPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void StartPage::retranslate()
{
    m_other->setVisible(m_state == State::PortTaken && m_freePort > 0);
    m_again->setVisible(m_state != State::Starting);
    m_again->setText(tr("Try again"));
    const QString reason = QString::fromStdString(m_error.text);
    switch (m_state) {
    case State::Starting:
        m_title->setText(tr("The broker starts…"));
        m_text->setText(tr("A store with many messages is checked first. Clients can connect as "
                           "soon as that is done."));
        return;
    case State::PortTaken:
        m_title->setText(tr("Port %1 is taken").arg(m_port));
        m_text->setText(tr("Another program listens there: a nats-server, or another Jetglass. "
                           "Close it and try again, or "
                           "use another port here; clients then connect to nats://127.0.0.1:%1.")
                            .arg(m_freePort)
            + QStringLiteral("\n\n") + reason);
        m_other->setText(tr("Use port %1").arg(m_freePort));
        return;
    case State::Failed:
        m_title->setText(tr("The broker could not start"));
        m_text->setText(reason);
        return;
    }
}

} // namespace jetglass::window
