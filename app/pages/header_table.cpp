// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/header_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QSignalBlocker>

#include <algorithm>

namespace jetglass::pages {
namespace {

struct KnownHeader
{
    const char* name;
    const char* value;
    const char* what;
};

constexpr KnownHeader kKnown[] = {
    {"Nats-Msg-Id",
        "order-{{counter}}",
        QT_TRANSLATE_NOOP("jetglass::pages::HeaderTable",
            "A second message with this id inside the duplicate window is not stored.")},
    {"Nats-Expected-Stream",
        "ORDERS",
        QT_TRANSLATE_NOOP(
            "jetglass::pages::HeaderTable", "Refused unless this stream captures the subject.")},
    {"Nats-Expected-Last-Sequence",
        "0",
        QT_TRANSLATE_NOOP(
            "jetglass::pages::HeaderTable", "Refused unless this is the stream's last sequence.")},
    {"Nats-Expected-Last-Subject-Sequence",
        "0",
        QT_TRANSLATE_NOOP("jetglass::pages::HeaderTable",
            "Refused unless this is the last sequence of the subject.")},
    {"Nats-Expected-Last-Msg-Id",
        "order-1",
        QT_TRANSLATE_NOOP(
            "jetglass::pages::HeaderTable", "Refused unless the last stored message has this id.")},
    {"Nats-TTL",
        "30s",
        QT_TRANSLATE_NOOP("jetglass::pages::HeaderTable",
            "This message goes after that time (needs allow_msg_ttl).")},
    {"Nats-Rollup",
        "sub",
        QT_TRANSLATE_NOOP("jetglass::pages::HeaderTable",
            "Removes all earlier messages of the subject, or of the stream with 'all' (needs "
            "allow_rollup_hdrs).")},
};

} // namespace

HeaderTable::HeaderTable(QWidget* parent)
    : QTableWidget(0, 2, parent)
{
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setHighlightSections(false);
    setTabKeyNavigation(false);
    setEditTriggers(QAbstractItemView::AllEditTriggers);
    setSelectionMode(QAbstractItemView::SingleSelection);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    connect(this, &QTableWidget::itemChanged, this, [this] {
        keepEmptyRow();
        emit edited();
    });
    retranslate();
    keepEmptyRow();
}

QList<client::Header> HeaderTable::headers() const
{
    QList<client::Header> list;
    for (int r = 0; r < rowCount(); ++r) {
        const QString name = item(r, 0) ? item(r, 0)->text().trimmed() : QString();
        if (!name.isEmpty())
            list.append({name, item(r, 1) ? item(r, 1)->text() : QString()});
    }
    return list;
}

QString HeaderTable::problem() const
{
    for (int r = 0; r < rowCount(); ++r) {
        const QString name = item(r, 0) ? item(r, 0)->text().trimmed() : QString();
        const QString value = item(r, 1) ? item(r, 1)->text() : QString();
        if (name.isEmpty() && !value.trimmed().isEmpty())
            return tr("The value %1 has no header name.").arg(value);
        const bool plain = std::all_of(name.begin(), name.end(), [](QChar c) {
            return c > QLatin1Char(' ') && c <= QLatin1Char('~') && c != QLatin1Char(':');
        });
        if (!plain)
            return tr("%1 is not a header name: ASCII without blanks and colons.").arg(name);
        if (value.contains(QLatin1Char('\r')) || value.contains(QLatin1Char('\n')))
            return tr("The value of %1 has a line break; a header is one line.").arg(name);
    }
    return {};
}

void HeaderTable::setHeaders(const QList<client::Header>& headers)
{
    {
        const QSignalBlocker block(this);
        setRowCount(0);
        for (const client::Header& h : headers) {
            const int r = rowCount();
            insertRow(r);
            setItem(r, 0, new QTableWidgetItem(h.name));
            setItem(r, 1, new QTableWidgetItem(h.value));
        }
    }
    keepEmptyRow();
    emit edited();
}

void HeaderTable::addHeader(const QString& name, const QString& value)
{
    QList<client::Header> list = headers();
    list.append({name, value});
    setHeaders(list);
    setCurrentCell(static_cast<int>(list.size()) - 1, 1);
    editItem(item(static_cast<int>(list.size()) - 1, 1));
}

void HeaderTable::fillMenu(QMenu* menu)
{
    menu->setToolTipsVisible(true);
    for (const KnownHeader& k : kKnown) {
        const QString name = QString::fromLatin1(k.name);
        const QString value = QString::fromLatin1(k.value);
        QAction* a = menu->addAction(name);
        a->setToolTip(tr(k.what));
        a->setStatusTip(tr(k.what));
        connect(a, &QAction::triggered, this, [this, name, value] { addHeader(name, value); });
    }
}

QSize HeaderTable::sizeHint() const
{
    const int rows = std::clamp(rowCount(), 2, 6);
    return {QTableWidget::sizeHint().width(),
        horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize()
            + 4};
}

void HeaderTable::keepEmptyRow()
{
    const QSignalBlocker block(this);
    const int last = rowCount() - 1;
    const auto filled = [this](
                            int r, int c) { return item(r, c) && !item(r, c)->text().isEmpty(); };
    if (last < 0 || filled(last, 0) || filled(last, 1))
        insertRow(rowCount());
    updateGeometry();
}

/// The editor of a cell takes Tab for the next one and goes round at the end. Before the first cell
/// and in the row that waits for another header it leads out, as in every field.
void HeaderTable::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    const QTableWidgetItem* name = item(currentRow(), 0);
    const bool waits = currentRow() == rowCount() - 1 && (!name || name->text().isEmpty());
    const bool out = hint == QAbstractItemDelegate::EditNextItem && waits;
    const bool back = hint == QAbstractItemDelegate::EditPreviousItem && currentRow() == 0
        && currentColumn() == 0;
    QTableWidget::closeEditor(editor, out || back ? QAbstractItemDelegate::NoHint : hint);
    if (out || back)
        focusNextPrevChild(out);
}

void HeaderTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete && currentRow() >= 0 && currentRow() < rowCount() - 1) {
        removeRow(currentRow());
        emit edited();
        return;
    }
    QTableWidget::keyPressEvent(event);
}

void HeaderTable::retranslate()
{
    setHorizontalHeaderLabels({tr("Header"), tr("Value")});
    setAccessibleName(tr("Headers of the message"));
}

void HeaderTable::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QTableWidget::changeEvent(event);
}

} // namespace jetglass::pages
