// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axis/scaled_scroll.h"
#include "items/page_source.h"
#include "messages/message_layout.h"
#include "style/latin_text.h"
#include "style/metrics.h"

#include <QAbstractScrollArea>
#include <QHash>
#include <QPointer>
#include <QStaticText>

#include <memory>
#include <optional>

class QHeaderView;
class QStandardItemModel;

namespace jetglass::messages {

/// A table of messages over 64-bit positions: only the rows in view exist. Follows the newest row
/// until the reader scrolls up. GUI thread only; the source is not owned.
class MessageTable : public QAbstractScrollArea
{
    Q_OBJECT

public:
    enum Column
    {
        Seq,
        Time,
        Subject,
        Size,
        Headers,
        Preview
    };
    static constexpr int kColumnCount = 6;

    explicit MessageTable(QWidget* parent = nullptr);
    ~MessageTable() override;

    void setSource(items::PageSource* source);
    [[nodiscard]] items::PageSource* source() const { return m_source; }
    [[nodiscard]] std::optional<quint64> currentPosition() const { return m_current; }
    [[nodiscard]] quint64 currentSeq() const; ///< 0 = none
    [[nodiscard]] bool isFollowing() const { return m_following; }
    [[nodiscard]] QHeaderView* header() const { return m_header; }
    [[nodiscard]] const MessageLayout& layoutOfRows() const { return m_layout; }
    [[nodiscard]] QSize sizeHint() const override;

public slots:
    void setFollowing(bool following);
    /// Selects and shows without emitting selected(); 0 clears.
    void select(quint64 seq);

signals:
    void selected(quint64 seq); ///< by the reader
    void activated(quint64 seq);
    void contextMenuRequested(quint64 seq, const QPoint& globalPos);
    void followingChanged(bool following);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;

private:
    void applyLook();
    void retranslate();
    void placeHeader();
    void firstWidths();
    [[nodiscard]] int seqWidth() const;
    void updateBounds();
    void scrollTo(qint64 top, bool byReader);
    void syncBars();
    void askForVisible();
    void setCurrent(quint64 position, bool byReader);
    void paintRow(QPainter& painter, quint64 position);
    void paintGap(QPainter& painter, const QRect& row, const items::MessageItem& item);
    void updateRows(quint64 first, quint64 last);
    void moveRows(qint64 from);
    void forgetTexts(quint64 first, quint64 last);
    void drawCellText(QPainter& painter,
        const QRect& cell,
        quint64 position,
        int column,
        const items::MessageItem& item);
    [[nodiscard]] int drawNote(
        QPainter& painter, const QRect& cell, quint64 position, const items::MessageItem& item);
    [[nodiscard]] QString cellText(const items::MessageItem& item, int column) const;
    [[nodiscard]] QRect cellRect(int column, int y) const;

    QPointer<items::PageSource> m_source;
    MessageLayout m_layout;
    axis::ScaledScroll m_scroll;
    style::Metrics m_metrics;
    std::unique_ptr<QStandardItemModel> m_labels; ///< only names the columns
    QHeaderView* m_header = nullptr;
    std::optional<quint64> m_current;
    bool m_following = true;
    bool m_syncing = false;
    bool m_widthsSet = false;
    int m_wheelRest = 0;
    style::LatinText m_latin;
    /// Other texts, laid out and elided, by position and column.
    QHash<quint64, QStaticText> m_texts;
    std::pair<quint64, quint64> m_asked{1, 0};
};

} // namespace jetglass::messages
