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

namespace {

bool isRightAligned(int column)
{
    return column == MessageTable::Seq || column == MessageTable::Size;
}

/// A few screens of rows: enough to scroll back and forth without laying out again.
constexpr qsizetype kMostTexts = 3000;

} // namespace

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

QRect MessageTable::cellRect(int column, int y) const
{
    return QRect(m_header->sectionViewportPosition(column),
        y,
        m_header->sectionSize(column),
        m_layout.rowHeight);
}

QString MessageTable::cellText(const items::MessageItem& item, int column) const
{
    switch (column) {
    case Seq:
        return Words::seq(item.seq);
    case Time:
        return Words::timeOfDay(item.time);
    case Subject:
        return item.subject;
    case Size:
        return Words::size(item.size);
    case Headers:
        return item.hasHeaders ? QStringLiteral("\u2630") : QString();
    case Preview:
        return item.preview;
    default:
        return {};
    }
}

void MessageTable::paintGap(QPainter& painter, const QRect& row, const items::MessageItem& item)
{
    const Theme& theme = Theme::of(palette());
    const bool lost = item.removal == items::RemovalCause::Lost;
    painter.fillRect(row, QBrush(lost ? theme.redBorder : theme.line, Qt::BDiagPattern));
    const QRect seqCell = cellRect(Seq, row.top()).adjusted(0, 0, -m_metrics.pad, 0);
    painter.fillRect(cellRect(Seq, row.top()).adjusted(0, 0, 0, -1), theme.base);
    painter.setPen(theme.muted);
    painter.drawText(seqCell, Qt::AlignRight | Qt::AlignVCenter, Words::seq(item.seq));
    const QString words = Words::removal(item.removal);
    const int width = QFontMetrics(m_metrics.body).horizontalAdvance(words);
    const QRect label(cellRect(Time, row.top()).left() + m_metrics.gap,
        row.top(),
        width + m_metrics.pad,
        row.height());
    painter.fillRect(label, theme.base);
    painter.setPen(lost ? theme.red : theme.muted);
    painter.drawText(
        label.adjusted(m_metrics.pad / 2, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
}

void MessageTable::forgetTexts(quint64 first, quint64 last)
{
    if (last < first || last - first >= static_cast<quint64>(kMostTexts)) {
        m_texts.clear();
        return;
    }
    for (quint64 key = first * kColumnCount; key < (last + 1) * kColumnCount; ++key) {
        m_texts.remove(key);
    }
}

void MessageTable::drawCellText(QPainter& painter,
    const QRect& cell,
    quint64 position,
    int column,
    const items::MessageItem& item)
{
    const Qt::TextElideMode mode = column == Subject ? Qt::ElideMiddle : Qt::ElideRight;
    const QString words = cellText(item, column);
    if (m_latin.covers(words)) {
        const Qt::Alignment side = isRightAligned(column) ? Qt::AlignRight : Qt::AlignLeft;
        m_latin.draw(painter, cell, side, mode, words);
        return;
    }
    const quint64 key = position * kColumnCount + static_cast<quint64>(column);
    auto found = m_texts.find(key);
    if (found == m_texts.end()) {
        if (m_texts.size() >= kMostTexts) {
            m_texts.clear();
        }
        QStaticText text(QFontMetrics(m_metrics.body).elidedText(words, mode, cell.width()));
        text.setTextFormat(Qt::PlainText);
        text.prepare(QTransform(), m_metrics.body);
        found = m_texts.insert(key, text);
    }
    const QSizeF size = found->size();
    const qreal left = isRightAligned(column) ? cell.right() + 1 - size.width() : cell.left();
    painter.drawStaticText(QPointF(left, cell.top() + (cell.height() - size.height()) / 2), *found);
}

void MessageTable::paintRow(QPainter& painter, quint64 position)
{
    const Theme& theme = Theme::of(palette());
    const QRect row(0, m_layout.yOf(position), viewport()->width(), m_layout.rowHeight);
    const bool current = m_current == position;
    painter.fillRect(row, current ? theme.selection : theme.base);
    painter.fillRect(QRect(row.left(), row.bottom(), row.width(), 1), theme.raised);
    const items::MessageItem* item = m_source->row(position);
    if (item == nullptr) {
        const std::optional<quint64> seq = m_source->seqAt(position);
        painter.setPen(theme.muted);
        if (seq) {
            painter.drawText(cellRect(Seq, row.top()).adjusted(0, 0, -m_metrics.pad, 0),
                Qt::AlignRight | Qt::AlignVCenter,
                Words::seq(*seq));
        }
        const QRect bar = cellRect(Subject, row.top());
        painter.fillRect(
            bar.adjusted(m_metrics.pad, bar.height() / 3, -bar.width() / 3, -bar.height() / 3),
            theme.neutralFill);
    } else if (!item->stored) {
        paintGap(painter, row, *item);
    } else {
        for (int column = 0; column < kColumnCount; ++column) {
            QRect cell = cellRect(column, row.top()).adjusted(m_metrics.pad, 0, -m_metrics.pad, 0);
            if (cell.right() < 0 || cell.left() > viewport()->width() || cell.width() <= 0) {
                continue;
            }
            if (column == Subject) {
                const int side = m_metrics.line / 2;
                painter.fillRect(QRect(cell.left(), cell.center().y() - side / 2, side, side),
                    theme.hue(item->hue));
                cell.setLeft(cell.left() + side + m_metrics.gap);
            }
            const bool strong = column == Subject || column == Preview;
            painter.setPen(strong ? theme.text : theme.muted);
            drawCellText(painter, cell, position, column, *item);
        }
    }
    if (current) {
        painter.fillRect(QRect(0, row.top(), 3, row.height()), theme.accent);
        if (hasFocus()) {
            painter.setPen(theme.accent);
            painter.drawRect(row.adjusted(0, 0, -1, -1));
        }
    }
}

void MessageTable::paintEvent(QPaintEvent* event)
{
    const Theme& theme = Theme::of(palette());
    QPainter painter(viewport());
    painter.setFont(m_metrics.body);
    if (m_source == nullptr || m_layout.isEmpty()) {
        painter.fillRect(event->rect(), theme.base);
        painter.setPen(theme.muted);
        painter.drawText(viewport()->rect().adjusted(20, 20, -20, -20),
            Qt::AlignCenter | Qt::TextWordWrap,
            m_source == nullptr ? tr("Select a stream to see its messages.") : tr("No messages."));
        return;
    }
    const quint64 last = m_layout.lastVisible();
    // Rows fill their own ground; only what lies around them is left.
    const int top = m_layout.yOf(m_layout.firstVisible());
    const int bottom = m_layout.yOf(last) + m_layout.rowHeight;
    QRect above = viewport()->rect();
    QRect below = above;
    above.setBottom(top - 1);
    below.setTop(bottom);
    painter.fillRect(above & event->rect(), theme.base);
    painter.fillRect(below & event->rect(), theme.base);
    for (quint64 position = m_layout.firstVisible(); position <= last; ++position) {
        if (QRect(0, m_layout.yOf(position), viewport()->width(), m_layout.rowHeight)
                .intersects(event->rect())) {
            paintRow(painter, position);
        }
    }
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
