// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/preview_view.h"

#include "forms/tone.h"
#include "text/quantity.h"

#include <QDateTime>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace jetglass::dialogs {

using forms::Tone;

namespace {

QTableWidget* table(QWidget* parent, int columns)
{
    auto* t = new QTableWidget(0, columns, parent);
    t->verticalHeader()->hide();
    t->verticalHeader()->setDefaultSectionSize(t->fontMetrics().height() + 6);
    t->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    t->horizontalHeader()->setSectionResizeMode(columns - 1, QHeaderView::Stretch);
    t->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    t->horizontalHeader()->setHighlightSections(false);
    t->setEditTriggers(QAbstractItemView::NoEditTriggers);
    t->setSelectionMode(QAbstractItemView::NoSelection);
    t->setShowGrid(false);
    t->setTabKeyNavigation(false);
    t->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the last column stretches
    return t;
}

/// As high as its rows; from some on it scrolls.
void fitHeight(QTableWidget& table)
{
    constexpr int kLeastRows = 4;
    constexpr int kMostRows = 8;
    const auto heightOf = [&table](int rows) {
        return table.horizontalHeader()->sizeHint().height()
            + rows * table.verticalHeader()->defaultSectionSize() + 2 * table.frameWidth();
    };
    table.setMinimumHeight(heightOf(std::min(table.rowCount(), kLeastRows)));
    table.setMaximumHeight(heightOf(std::min(table.rowCount(), kMostRows)));
}

QString whole(std::uint64_t n)
{
    return QLocale().toString(static_cast<qulonglong>(n));
}

} // namespace

PreviewView::PreviewView(QWidget* parent)
    : QWidget(parent)
    , m_headline(new QLabel(this))
    , m_range(new QLabel(this))
    , m_sampleLabel(new QLabel(this))
    , m_sample(table(this, 4))
    , m_consumersLabel(new QLabel(this))
    , m_consumers(table(this, 3))
{
    QFont big = font();
    big.setBold(true);
    big.setPointSizeF(big.pointSizeF() * 1.2);
    m_headline->setFont(big);
    m_headline->setWordWrap(true);
    m_range->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_headline);
    layout->addWidget(m_range);
    layout->addWidget(m_sampleLabel);
    layout->addWidget(m_sample, 2);
    layout->addWidget(m_consumersLabel);
    layout->addWidget(m_consumers, 1);
    layout->addStretch();
    refresh();
}

void PreviewView::setAsking()
{
    m_known = false;
    refresh();
}

void PreviewView::setPreview(const PreviewAnswer& preview)
{
    m_preview = preview;
    m_known = true;
    refresh();
}

void PreviewView::setDeletes()
{
    m_deletes = true;
    refresh();
}

void PreviewView::setJump(quint64 first)
{
    m_jumpsTo = first;
}

QString PreviewView::headline() const
{
    return m_headline->text();
}

void PreviewView::refresh()
{
    const bool something = m_known && m_preview.found && m_preview.count > 0;
    if (!m_known)
        forms::say(m_headline, Tone::Quiet, tr("Counting what would go …"));
    else if (!m_preview.found)
        forms::say(m_headline, Tone::Waiting, tr("This stream does not exist any more."));
    else if (!m_preview.error.empty())
        forms::say(m_headline,
            Tone::Bad,
            tr("The server would refuse this: %1.").arg(QString::fromStdString(m_preview.error)));
    else if (m_preview.count == 0)
        forms::say(m_headline,
            Tone::Plain,
            m_deletes ? tr("The stream is empty.") : tr("Nothing would be removed."));
    else
        forms::say(m_headline,
            Tone::Bad,
            tr("%Ln message(s) with %1 would be removed for good.",
                nullptr,
                text::plural(m_preview.count))
                .arg(QLocale().formattedDataSize(static_cast<qint64>(m_preview.bytes))));
    if (something)
        forms::say(m_range, Tone::Plain, range());
    m_range->setVisible(something);
    for (QWidget* w : {static_cast<QWidget*>(m_sampleLabel), static_cast<QWidget*>(m_sample)})
        w->setVisible(something && !m_preview.sample.empty());
    for (QWidget* w : {static_cast<QWidget*>(m_consumersLabel), static_cast<QWidget*>(m_consumers)})
        w->setVisible(something && !m_preview.consumers.empty());
    m_sampleLabel->setText(tr("The first of them"));
    m_sample->setHorizontalHeaderLabels({tr("Seq"), tr("Stored"), tr("Subject"), tr("Payload")});
    m_sample->setAccessibleName(m_sampleLabel->text());
    m_consumersLabel->setText(tr("What consumers lose"));
    m_consumers->setHorizontalHeaderLabels(
        {tr("Consumer"), tr("never given out"), tr("in flight, unanswered")});
    m_consumers->setAccessibleName(m_consumersLabel->text());
    if (something) {
        fillSample();
        fillConsumers();
    }
}

QString PreviewView::range() const
{
    QStringList parts{m_preview.first == m_preview.last
            ? tr("Sequence %1.").arg(whole(m_preview.first.value()))
            : tr("Sequences %1 to %2.")
                  .arg(whole(m_preview.first.value()), whole(m_preview.last.value()))};
    if (m_deletes)
        return parts.first(); // nothing stays, and the message ids go too
    parts << tr("%Ln message(s) stay.", nullptr, text::plural(m_preview.stays));
    if (m_jumpsTo > 0)
        parts << tr(
            "The stream jumps to sequence %1, which the next message gets: first becomes %1, "
            "last becomes %2.")
                     .arg(whole(m_jumpsTo), whole(m_jumpsTo - 1));
    parts << tr("Publishers' message ids are remembered all the same, so a repeated id is still a "
                "duplicate until its window ends.");
    return parts.join(QLatin1Char(' '));
}

void PreviewView::fillSample()
{
    m_sample->setRowCount(static_cast<int>(m_preview.sample.size()));
    const qint64 now = QDateTime::currentMSecsSinceEpoch() * 1'000'000;
    for (int r = 0; r < m_sample->rowCount(); ++r) {
        const MessageRow& m = m_preview.sample[static_cast<std::size_t>(r)];
        const QString cells[] = {QString::number(m.seq.value()),
            text::moment(m.time, now),
            QString::fromStdString(m.subject),
            QString::fromStdString(m.payload).simplified()};
        for (int c = 0; c < 4; ++c)
            m_sample->setItem(r, c, new QTableWidgetItem(cells[c]));
    }
    fitHeight(*m_sample);
}

void PreviewView::fillConsumers()
{
    m_consumers->setRowCount(static_cast<int>(m_preview.consumers.size()));
    for (int r = 0; r < m_consumers->rowCount(); ++r) {
        const PreviewConsumer& c = m_preview.consumers[static_cast<std::size_t>(r)];
        m_consumers->setItem(r, 0, new QTableWidgetItem(QString::fromStdString(c.name)));
        m_consumers->setItem(r, 1, new QTableWidgetItem(whole(c.losesPending)));
        m_consumers->setItem(r, 2, new QTableWidgetItem(whole(c.losesAckPending)));
    }
    fitHeight(*m_consumers);
}

void PreviewView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace jetglass::dialogs
