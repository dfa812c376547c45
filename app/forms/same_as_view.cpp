// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/same_as_view.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>

#include <algorithm>

namespace jetglass::forms {

SameAsView::SameAsView(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
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

    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    m_grid->setRowStretch(2, 1);
    m_grid->addWidget(m_title, 0, 0);
    m_grid->addWidget(m_tabs, 0, 1);
    m_grid->addWidget(m_copy, 0, 2);
    m_grid->addWidget(m_text, 2, 0, 1, 3);

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
        *m_action, client::kLanguages[std::max(0, m_tabs->currentIndex())], m_server, columns());
    // The text follows every keystroke in the panel above: keep it still while it does not change.
    if (text != m_text->toPlainText())
        m_text->setPlainText(text);
}

/// How many letters the text is wide: commands go on in the next line there.
qsizetype SameAsView::columns() const
{
    constexpr qsizetype kFewest = 36;
    const int letter = std::max(1, m_text->fontMetrics().horizontalAdvance(QLatin1Char('0')));
    const auto margin = static_cast<int>(m_text->document()->documentMargin() * 2);
    return std::clamp<qsizetype>(
        (m_text->viewport()->width() - margin) / letter, kFewest, client::kShellColumns);
}

/// All languages can be seen: in a narrow panel their tabs have a line of their own.
void SameAsView::arrange()
{
    const int needed = m_title->sizeHint().width() + m_tabs->sizeHint().width()
        + m_copy->sizeHint().width() + 2 * m_grid->horizontalSpacing();
    const bool below = needed > width();
    if (below == m_below)
        return;
    m_below = below;
    m_grid->addWidget(m_tabs, below ? 1 : 0, below ? 0 : 1, 1, below ? 3 : 1);
}

void SameAsView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
    refresh();
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
    arrange();
}

void SameAsView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace jetglass::forms
