// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/start_page.h"

#include <QDir>
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
    , m_port(new QPushButton(this))
    , m_fresh(new QPushButton(this))
    , m_folder(new QPushButton(this))
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
    m_port->setDefault(true);
    m_fresh->setDefault(true);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_port, m_fresh, m_folder, m_again})
        buttons->addWidget(button);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(48, 48, 48, 48);
    layout->setSpacing(12);
    layout->addStretch(1);
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addLayout(buttons);
    layout->addStretch(2);
    connect(m_port, &QPushButton::clicked, this, [this] { emit portChosen(m_trouble.freePort); });
    connect(
        m_fresh, &QPushButton::clicked, this, [this] { emit storeChosen(m_trouble.freshStore); });
    connect(m_folder, &QPushButton::clicked, this, &StartPage::folderWanted);
    connect(m_again, &QPushButton::clicked, this, &StartPage::retry);
    retranslate();
}

void StartPage::showStarting()
{
    m_starting = true;
    retranslate();
}

void StartPage::showTrouble(const Trouble& trouble)
{
    m_starting = false;
    m_trouble = trouble;
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
    m_port->setVisible(!m_starting && m_trouble.freePort > 0);
    m_fresh->setVisible(!m_starting && !m_trouble.freshStore.isEmpty());
    m_folder->setVisible(m_fresh->isVisibleTo(this));
    m_again->setVisible(!m_starting);
    m_port->setText(tr("Use port %1").arg(m_trouble.freePort));
    m_fresh->setText(tr("Use a new folder"));
    m_fresh->setToolTip(QDir::toNativeSeparators(m_trouble.freshStore));
    m_folder->setText(tr("Choose a folder…"));
    m_again->setText(tr("Try again"));
    if (!m_starting)
        return tellTrouble();
    m_title->setText(tr("The broker starts…"));
    m_text->setText(tr("A store with many messages is checked first. Clients can connect as "
                       "soon as that is done."));
}

void StartPage::tellTrouble()
{
    using Kind = text::StartProblem::Kind;
    const Kind kind = m_trouble.problem.kind;
    const QString gap = QStringLiteral("\n\n");
    QString words = text::startReason(m_trouble.problem);
    if (kind == Kind::PortTaken) {
        m_title->setText(tr("Port %1 is taken").arg(m_trouble.port));
        if (m_trouble.freePort > 0)
            words += gap
                + tr("Close it and try again, or use another port here; clients then connect to "
                     "nats://127.0.0.1:%1.")
                      .arg(m_trouble.freePort);
    } else if (kind == Kind::StoreTaken) {
        m_title->setText(tr("The store is in use"));
        if (m_trouble.holder.pid > 0)
            words += QLatin1Char(' ')
                + tr("It is the program %1, process %2.")
                      .arg(m_trouble.holder.name)
                      .arg(m_trouble.holder.pid);
    } else {
        m_title->setText(tr("The broker could not start"));
    }
    if (kind == Kind::StoreTaken)
        words += gap
            + tr("Two brokers cannot share a store. Close the other one and try again, or "
                 "keep the streams of this window elsewhere.");
    if (!m_trouble.freshStore.isEmpty())
        words += gap + tr("A new folder would be %1; it begins empty.").arg(m_trouble.freshStore);
    m_text->setText(words);
}

} // namespace jetglass::window
