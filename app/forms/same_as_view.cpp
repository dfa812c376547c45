// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/same_as_view.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QVBoxLayout>

namespace jetglass::forms {

SameAsView::SameAsView(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_tabs(new QTabBar(this))
    , m_copy(new QPushButton(this))
    , m_text(new QPlainTextEdit(this))
{
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setDocumentMode(true);
    for (const client::Language l : client::kLanguages)
        m_tabs->addTab(client::languageName(l));
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    m_text->setMinimumHeight(m_text->fontMetrics().lineSpacing() * 6);
    m_title->setBuddy(m_tabs);

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_tabs, 1);
    head->addWidget(m_copy);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(head);
    all->addWidget(m_text, 1);

    connect(m_tabs, &QTabBar::currentChanged, this, &SameAsView::refresh);
    connect(m_copy, &QPushButton::clicked, this, &SameAsView::copy);
    retranslate();
    refresh();
}

void SameAsView::setServer(const QString& url)
{
    m_server = url;
    refresh();
}

void SameAsView::setAction(const client::Action& action)
{
    m_action = action;
    refresh();
}

QString SameAsView::text() const
{
    return m_text->toPlainText();
}

void SameAsView::setLanguage(client::Language language)
{
    m_tabs->setCurrentIndex(static_cast<int>(language));
}

void SameAsView::refresh()
{
    m_copy->setEnabled(m_action.has_value());
    if (!m_action) {
        m_text->clear();
        return;
    }
    const QString text = client::sameAs(
        *m_action, client::kLanguages[std::max(0, m_tabs->currentIndex())], m_server);
    // The text follows every keystroke in the panel above: keep it still while it does not change.
    if (text != m_text->toPlainText())
        m_text->setPlainText(text);
}

void SameAsView::copy()
{
    QApplication::clipboard()->setText(m_text->toPlainText());
}

void SameAsView::retranslate()
{
    m_title->setText(tr("The same as"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copies this text to the clipboard."));
    m_text->setAccessibleName(tr("The same action as a command or program"));
    m_tabs->setAccessibleName(tr("Language of the text"));
}

void SameAsView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace jetglass::forms
