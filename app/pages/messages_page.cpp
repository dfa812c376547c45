// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/messages_page.h"

#include "messages/message_table.h"
#include "pages/no_match.h"
#include "text/quantity.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpressionValidator>
#include <QVBoxLayout>

#include <algorithm>

namespace jetglass::pages {

namespace {

constexpr int kCountMs = 100;

} // namespace

MessagesPage::MessagesPage(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_feed(session.live, session.hues)
    , m_subject(new QLineEdit(this))
    , m_goTo(new QLineEdit(this))
    , m_follow(new QCheckBox(this))
    , m_count(new QLabel(this))
    , m_none(new NoMatch(this))
    , m_table(new messages::MessageTable(this))
{
    m_subject->setClearButtonEnabled(true);
    m_subject->setMaximumWidth(360);
    m_goTo->setMaximumWidth(150);
    m_goTo->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{0,20}")), m_goTo));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_follow->setChecked(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSource(&m_feed);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 6);
    head->setSpacing(8);
    head->addWidget(m_subject, 2);
    head->addWidget(m_goTo, 1);
    head->addWidget(m_follow);
    head->addStretch(1);
    head->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_none, 1);

    connect(m_subject, &QLineEdit::editingFinished, this, &MessagesPage::applyFilter);
    connect(m_subject, &QLineEdit::textChanged, this, [this](const QString& words) {
        if (words.isEmpty())
            applyFilter();
    });
    connect(m_none, &NoMatch::clearWanted, this, [this] {
        m_subject->clear();
        m_subject->setFocus();
    });
    connect(m_goTo, &QLineEdit::returnPressed, this, &MessagesPage::goTo);
    connect(m_follow, &QCheckBox::toggled, m_table, &messages::MessageTable::setFollowing);
    connect(m_table, &messages::MessageTable::followingChanged, m_follow, &QCheckBox::setChecked);
    connect(m_table,
        &messages::MessageTable::selected,
        &session.selection,
        &models::Selection::setSequence);
    connect(m_table,
        &messages::MessageTable::contextMenuRequested,
        this,
        &MessagesPage::contextMenuRequested);
    connect(&session.selection, &models::Selection::sequenceChanged, this, [this] {
        m_table->select(m_session.selection.sequence());
    });
    connect(&session.selection, &models::Selection::streamChanged, this, [this] {
        m_subject->clear();
        m_feed.setStream(m_session.selection.stream());
        m_table->setFollowing(true);
        updateCount();
    });
    // A label that changes lays its row out anew: ten times a second is enough.
    m_counting.setSingleShot(true);
    m_counting.setInterval(kCountMs);
    connect(&m_counting, &QTimer::timeout, this, &MessagesPage::updateCount);
    connect(&m_feed, &items::PageSource::boundsChanged, this, [this] {
        if (!m_counting.isActive())
            m_counting.start();
    });
    connect(&m_feed, &items::PageSource::reset, this, &MessagesPage::updateCount);
    m_feed.setStream(session.selection.stream());
    retranslate();
}

void MessagesPage::focusFilter()
{
    m_subject->setFocus();
    m_subject->selectAll();
}

void MessagesPage::applyFilter()
{
    const QString pattern = m_subject->text().trimmed();
    m_feed.setFilter(pattern == QLatin1String(">") ? QString() : pattern);
    updateCount();
}

void MessagesPage::goTo()
{
    const quint64 seq = m_goTo->text().toULongLong();
    if (seq == 0)
        return;
    m_table->setFollowing(false);
    m_session.selection.setSequence(seq);
}

void MessagesPage::updateCount()
{
    const bool none =
        !m_feed.filter().isEmpty() && m_feed.isComplete() && m_feed.lastPosition() == 0;
    m_table->setVisible(!none);
    m_none->setWords(none ? m_feed.filter() : QString());
    if (!m_feed.filter().isEmpty()) {
        const QString found = text::count(m_feed.lastPosition());
        m_count->setText(m_feed.isComplete() ? tr("%1 match").arg(found)
                                             : tr("%1 match so far, reading on…").arg(found));
        return;
    }
    const fold::StreamView* view = m_session.live.stream(m_session.selection.stream());
    const quint64 n = view ? view->counts.messages : 0;
    m_count->setText(
        tr("%Ln message(s)", nullptr, static_cast<int>(std::min<quint64>(n, 2'000'000'000))));
}

void MessagesPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void MessagesPage::retranslate()
{
    m_subject->setPlaceholderText(tr("Subject, e.g. orders.* or orders.>"));
    m_subject->setAccessibleName(tr("Show messages of these subjects only"));
    m_subject->setToolTip(tr("Show messages of these subjects only. * stands for one token, > for "
                             "the rest. Press Enter."));
    m_goTo->setPlaceholderText(tr("Go to sequence"));
    m_goTo->setAccessibleName(tr("Go to sequence"));
    m_follow->setText(tr("Follow newest"));
    updateCount();
}

} // namespace jetglass::pages
