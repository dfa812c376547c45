// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/welcome_page.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace jetglass::pages {

namespace {

QLabel* code(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(label->font().pointSizeF() * 1.05);
    label->setFont(font);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAutoFillBackground(true);
    label->setBackgroundRole(QPalette::AlternateBase);
    label->setContentsMargins(10, 6, 10, 6);
    return label;
}

} // namespace

WelcomePage::WelcomePage(const QString& url, QWidget* parent)
    : QWidget(parent)
    , m_url(url)
    , m_title(new QLabel(this))
    , m_connectText(new QLabel(this))
    , m_address(code(url, this))
    , m_copy(new QPushButton(this))
    , m_cliText(new QLabel(this))
    , m_cli(code(QStringLiteral("nats -s %1 stream add ORDERS --subjects \"orders.>\" --defaults")
                     .arg(url),
          this))
    , m_orText(new QLabel(this))
    , m_example(new QPushButton(this))
    , m_stream(new QPushButton(this))
    , m_exampleText(new QLabel(this))
    , m_problem(new QLabel(this))
{
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.6);
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    for (QLabel* label : {m_connectText, m_cliText, m_orText, m_exampleText, m_problem}) {
        label->setWordWrap(true);
        label->setMaximumWidth(620);
    }
    m_exampleText->setForegroundRole(QPalette::PlaceholderText);
    m_problem->hide();
    // One line where there is room for it; this page must not hold the whole window wide.
    m_cli->setMaximumWidth(m_cli->sizeHint().width());
    m_cli->setWordWrap(true);
    auto* address = new QHBoxLayout;
    address->addWidget(m_address);
    address->addWidget(m_copy);
    address->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_example);
    buttons->addWidget(m_stream);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(48, 32, 48, 32);
    layout->setSpacing(10);
    layout->addStretch(1);
    layout->addWidget(m_title);
    layout->addWidget(m_connectText);
    layout->addLayout(address);
    layout->addSpacing(8);
    layout->addWidget(m_cliText);
    layout->addWidget(m_cli);
    layout->addSpacing(8);
    layout->addWidget(m_orText);
    layout->addLayout(buttons);
    layout->addWidget(m_exampleText);
    layout->addWidget(m_problem);
    layout->addStretch(2);
    connect(m_example, &QPushButton::clicked, this, &WelcomePage::exampleWanted);
    connect(m_stream, &QPushButton::clicked, this, &WelcomePage::streamWanted);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_url);
        m_copy->setText(tr("Copied"));
        QTimer::singleShot(1500, this, &WelcomePage::retranslate);
    });
    retranslate();
}

void WelcomePage::setBusy(bool busy)
{
    m_example->setEnabled(!busy);
}

void WelcomePage::showProblem(const QString& text)
{
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
}

void WelcomePage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void WelcomePage::retranslate()
{
    m_title->setText(tr("No streams yet"));
    m_connectText->setText(tr("The broker is running. Point your application at this address; "
                              "nothing else changes in it:"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the address"));
    m_cliText->setText(tr("Or make a stream with the nats command line:"));
    m_orText->setText(tr("Or begin here:"));
    m_example->setText(tr("Create the ORDERS example"));
    m_stream->setText(tr("New stream…"));
    m_exampleText->setText(tr("ORDERS stores orders.> in files for 24 hours. The example adds two "
                              "pull consumers and five messages, to be "
                              "fetched and acknowledged by hand."));
}

} // namespace jetglass::pages
