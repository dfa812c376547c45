// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/message_table.h"

#include "style/theme.h"
#include "style/words.h"

#include <QAccessible>
#include <QFontMetrics>
#include <QHeaderView>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStandardItemModel>

#include <algorithm>
#include <utility>

namespace jetglass::messages {

using style::Theme;
using style::Words;

MessageTable::MessageTable(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_labels(std::make_unique<QStandardItemModel>(0, kColumnCount))
    , m_header(new QHeaderView(Qt::Horizontal, this))
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_header->setModel(m_labels.get());
    m_header->setStretchLastSection(true);
    m_header->setSectionsClickable(false);
    m_header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_header->setFocusPolicy(Qt::NoFocus);
    connect(m_header, &QHeaderView::sectionResized, this, [this] {
        m_texts.clear();
        syncBars();
        viewport()->update();
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_syncing) {
            scrollTo(m_scroll.positionOf(value), true);
        }
    });
    applyLook();
    retranslate();
}

MessageTable::~MessageTable() = default;

void MessageTable::setSource(items::PageSource* source)
{
    if (m_source == source) {
        return;
    }
    if (m_source != nullptr) {
        m_source->disconnect(this);
    }
    m_source = source;
    m_current.reset();
    m_asked = {1, 0};
    m_texts.clear();
    if (m_source != nullptr) {
        using items::PageSource;
        connect(m_source, &PageSource::boundsChanged, this, &MessageTable::updateBounds);
        connect(m_source, &PageSource::changed, this, [this](quint64 first, quint64 last) {
            forgetTexts(first, last);
            updateRows(first, last);
        });
        connect(m_source, &PageSource::reset, this, [this] {
            m_texts.clear();
            m_current.reset();
            m_asked = {1, 0};
            setFollowing(true);
            updateBounds();
            viewport()->update();
        });
        connect(m_source, &QObject::destroyed, this, [this] {
            m_source = nullptr;
            updateBounds();
            viewport()->update();
        });
    }
    setFollowing(true);
    updateBounds();
    viewport()->update();
}

void MessageTable::applyLook()
{
    m_metrics = style::Metrics::of(font());
    m_latin.setFont(m_metrics.body);
    m_texts.clear();
    m_layout.rowHeight = m_metrics.line + m_metrics.gap * 2;
    placeHeader();
    updateBounds();
    viewport()->update();
}

void MessageTable::retranslate()
{
    m_labels->setHorizontalHeaderLabels(
        {tr("Sequence"), tr("Stored"), tr("Subject"), tr("Size"), tr("Headers"), tr("Payload")});
    for (const int column : {Seq, Size}) {
        m_labels->setHeaderData(column,
            Qt::Horizontal,
            QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)),
            Qt::TextAlignmentRole);
    }
    m_labels->setHeaderData(
        Headers, Qt::Horizontal, tr("Whether the message has headers"), Qt::ToolTipRole);
    setAccessibleName(tr("Messages of the stream"));
    m_texts.clear();
    viewport()->update();
}

void MessageTable::placeHeader()
{
    const int height = m_header->sizeHint().height();
    setViewportMargins(0, height, 0, 0);
    const QRect area = contentsRect();
    m_header->setGeometry(area.left(), area.top(), viewport()->width(), height);
}

int MessageTable::seqWidth() const
{
    const auto digits = std::max<qsizetype>(8, Words::seq(m_layout.last).size());
    return QFontMetrics(m_metrics.body).horizontalAdvance(QLatin1Char('0'))
        * static_cast<int>(digits)
        + m_metrics.pad * 2;
}

void MessageTable::firstWidths()
{
    const QFontMetrics fm(m_metrics.body);
    const int pad = m_metrics.pad * 2;
    m_header->resizeSection(Seq, seqWidth());
    m_header->resizeSection(Time, fm.horizontalAdvance(QStringLiteral("00:00:00.000")) + pad);
    m_header->resizeSection(Subject, fm.averageCharWidth() * 28 + pad);
    m_header->resizeSection(Size, fm.horizontalAdvance(QStringLiteral("1000.0 KiB")) + pad);
    m_header->resizeSection(Headers, m_header->sectionSizeHint(Headers));
    m_widthsSet = true;
}

QSize MessageTable::sizeHint() const
{
    return {760, 300};
}

quint64 MessageTable::currentSeq() const
{
    return m_current && m_source != nullptr ? m_source->seqAt(*m_current).value_or(0) : 0;
}

void MessageTable::updateBounds()
{
    const qint64 before = m_layout.top;
    const quint64 lastBefore = m_layout.last;
    const quint64 firstBefore = m_layout.first;
    const bool sameSize = m_layout.height == viewport()->height();
    if (m_source == nullptr) {
        m_layout.first = 1;
        m_layout.last = 0;
    } else {
        m_layout.first = m_source->firstPosition();
        m_layout.last = m_source->lastPosition();
    }
    m_layout.height = viewport()->height();
    if (m_widthsSet && m_header->sectionSize(Seq) < seqWidth()) {
        m_header->resizeSection(Seq, seqWidth()); // longer numbers than so far
    }
    m_scroll.setRange(m_layout.lowestTop(), m_layout.highestTop(), m_layout.height);
    if (m_following) {
        m_scroll.setPosition(m_scroll.last());
    }
    m_layout.top = m_scroll.position();
    syncBars();
    askForVisible();
    // A row that stays what it was is moved, not painted again; new ones are painted.
    if (sameSize && m_layout.first == firstBefore && lastBefore >= firstBefore
        && m_layout.last >= lastBefore) {
        moveRows(before);
        updateRows(lastBefore + 1, m_layout.last);
    } else {
        viewport()->update();
    }
}

void MessageTable::scrollTo(qint64 top, bool byReader)
{
    const qint64 before = m_layout.top;
    m_scroll.setPosition(top);
    m_layout.top = m_scroll.position();
    moveRows(before);
    if (byReader) {
        setFollowing(m_scroll.atEnd());
    }
    syncBars();
    askForVisible();
}

/// After the view went from \a from to where it is now: what stays in sight is copied.
void MessageTable::moveRows(qint64 from)
{
    const qint64 by = from - m_layout.top;
    if (by == 0) {
        return;
    }
    if (std::abs(by) >= m_layout.height) {
        viewport()->update();
    } else {
        viewport()->scroll(0, static_cast<int>(by));
    }
}

void MessageTable::updateRows(quint64 first, quint64 last)
{
    if (m_layout.isEmpty() || last < first) {
        return;
    }
    const quint64 from = std::max(first, m_layout.firstVisible());
    const quint64 to = std::min(last, m_layout.lastVisible());
    if (from <= to) {
        viewport()->update(0,
            m_layout.yOf(from),
            viewport()->width(),
            static_cast<int>(to - from + 1) * m_layout.rowHeight);
    }
}

void MessageTable::syncBars()
{
    m_syncing = true;
    QScrollBar* bar = verticalScrollBar();
    bar->setRange(0, m_scroll.barMaximum());
    bar->setPageStep(m_scroll.barPage());
    bar->setSingleStep(m_layout.rowHeight);
    bar->setValue(m_scroll.barValue());
    const int over = m_header->length() - viewport()->width();
    horizontalScrollBar()->setRange(0, std::max(0, over));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(m_metrics.line);
    m_syncing = false;
}

void MessageTable::askForVisible()
{
    if (m_source == nullptr || m_layout.isEmpty()) {
        return;
    }
    const std::pair<quint64, quint64> wanted{m_layout.firstVisible(), m_layout.lastVisible()};
    if (wanted != m_asked) {
        m_asked = wanted;
        m_source->request(wanted.first, wanted.second);
    }
}

void MessageTable::setFollowing(bool following)
{
    if (following == m_following) {
        return;
    }
    m_following = following;
    if (following) {
        updateBounds();
    }
    emit followingChanged(following);
}

void MessageTable::setCurrent(quint64 position, bool byReader)
{
    const std::optional<quint64> before = std::exchange(m_current, position);
    const qint64 top = m_layout.topShowing(position);
    if (top != m_layout.top) {
        scrollTo(top, true);
    }
    updateRows(position, position);
    if (before) {
        updateRows(*before, *before);
    }
    const quint64 seq = currentSeq();
    if (m_source != nullptr) {
        const items::MessageItem* item = m_source->row(position);
        setAccessibleDescription(item == nullptr
                ? tr("message %1").arg(seq)
                : tr("message %1, %2, %3").arg(QString::number(seq), item->subject, item->preview));
        QAccessibleEvent change(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&change);
    }
    if (byReader) {
        emit selected(seq);
    }
}

void MessageTable::select(quint64 seq)
{
    if (m_source == nullptr || seq == currentSeq()) {
        return;
    }
    const std::optional<quint64> position = seq == 0 ? std::nullopt : m_source->positionOf(seq);
    if (!position || *position < m_layout.first || *position > m_layout.last) {
        m_current.reset();
        viewport()->update();
        return;
    }
    setCurrent(*position, false);
}

void MessageTable::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    placeHeader();
    if (!m_widthsSet) {
        firstWidths();
    }
    updateBounds();
}

void MessageTable::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    switch (event->type()) {
    case QEvent::LanguageChange:
        retranslate();
        break;
    case QEvent::FontChange:
    case QEvent::StyleChange:
        applyLook();
        break;
    case QEvent::PaletteChange:
        viewport()->update();
        break;
    default:
        break;
    }
}

/// Up and down is scrollTo()'s business.
void MessageTable::scrollContentsBy(int dx, int /*dy*/)
{
    if (m_syncing || dx == 0) {
        return;
    }
    m_header->setOffset(horizontalScrollBar()->value());
    viewport()->update();
}

} // namespace jetglass::messages
