// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/consume_parts.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace jetglass::pages {

using client::AckKind;

namespace {

/// The words belong to the page, so they keep its context.
struct ConsumeWords
{
    Q_DECLARE_TR_FUNCTIONS(jetglass::pages::ConsumePage)
};

} // namespace

VerbWords verbWords(AckKind kind)
{
    switch (kind) {
    case AckKind::Ack:
        return {ConsumeWords::tr("Ack"),
            ConsumeWords::tr("Done: it never comes again to this consumer. With interest or "
                             "work-queue retention the stream may drop it (A).")};
    case AckKind::Nak:
        return {ConsumeWords::tr("Nak"),
            ConsumeWords::tr(
                "Not done: it comes again at once, without backoff. It counts as a delivery (N).")};
    case AckKind::NakDelay:
        return {ConsumeWords::tr("Nak in"),
            ConsumeWords::tr("Not done: it comes again after this delay and keeps its place "
                             "in max_ack_pending until then (D).")};
    case AckKind::InProgress:
        return {ConsumeWords::tr("In progress"),
            ConsumeWords::tr("Still working: the ack wait starts anew. It stays yours (P).")};
    case AckKind::Term:
        return {ConsumeWords::tr("Term"),
            ConsumeWords::tr("Give up: it never comes again to this consumer, done or not. "
                             "It stays in the stream unless retention drops it (T).")};
    }
    return {};
}

void refill(QComboBox* box, const QStringList& names)
{
    QStringList shown;
    for (int i = 0; i < box->count(); ++i)
        shown.append(box->itemText(i));
    if (shown == names)
        return;
    const QString current = box->currentText();
    const QSignalBlocker block(box);
    box->clear();
    box->addItems(names);
    box->setCurrentIndex(std::max<int>(0, static_cast<int>(names.indexOf(current))));
}

SteadyLabel::SteadyLabel(int lines, QWidget* parent)
    : QLabel(parent)
    , m_lines(lines)
{
    setWordWrap(true);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

int SteadyLabel::heightForWidth(int width) const
{
    int& tallest = m_tallest[width];
    tallest =
        std::max({tallest, QLabel::heightForWidth(width), m_lines * fontMetrics().lineSpacing()});
    return tallest;
}

void SteadyLabel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange)
        m_tallest.clear();
    QLabel::changeEvent(event);
}

QLabel* wrappingLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    return label;
}

QWidget* together(std::initializer_list<QWidget*> widgets, QWidget* parent)
{
    auto* group = new QWidget(parent);
    auto* line = new QHBoxLayout(group);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    for (QWidget* widget : widgets)
        line->addWidget(widget);
    return group;
}

void keepLow(QWidget* widget, int lines)
{
    widget->setFixedHeight(widget->fontMetrics().lineSpacing() * lines);
}

} // namespace jetglass::pages
