// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/message_feed.h"
#include "models/session.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace jetglass::messages {
class MessageTable;
}

namespace jetglass::pages {

class NoMatch;

/// The stream as a table: every sequence, gaps with their cause, or the messages of one subject
/// pattern.
class MessagesPage final : public QWidget
{
    Q_OBJECT
public:
    explicit MessagesPage(models::Session& session, QWidget* parent = nullptr);

    [[nodiscard]] models::MessageFeed& feed() { return m_feed; }
    [[nodiscard]] messages::MessageTable& table() { return *m_table; }
    void focusFilter();

signals:
    void contextMenuRequested(quint64 seq, const QPoint& globalPos);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyFilter();
    void goTo();
    void updateCount();
    void retranslate();

    models::Session& m_session;
    models::MessageFeed m_feed;
    QLineEdit* m_subject;
    QLineEdit* m_goTo;
    QCheckBox* m_follow;
    QLabel* m_count;
    QTimer m_counting;
    NoMatch* m_none;
    messages::MessageTable* m_table;
};

} // namespace jetglass::pages
