// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/event_log_model.h"
#include "models/plain_table_model.h"
#include "models/session.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QCheckBox;
class QLabel;
class QTableView;
class QTabWidget;
class QToolButton;

namespace jetglass::pages {

/// Below the lanes: what happened (event log), what left the stream (removals), which message ids
/// are remembered (dedup), and who asks (pull requests).
class ActivityPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit ActivityPanel(models::Session& session, QWidget* parent = nullptr);

    [[nodiscard]] models::EventLogModel& log() { return m_log; }
    /// Narrows the log to one message of the stream; 0 shows all again.
    void showSequence(quint64 seq);
    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildLog();
    void scopeChanged();
    void showGap();
    void chooseFromLog(const QModelIndex& index);
    void refreshVisible();
    void refreshRemovals();
    [[nodiscard]] QString byWhom(const RemovalsAnswer& answer, ClientId client) const;
    void refreshDedup();
    void refreshPulls();
    void takePulls(ConsumerId consumer, const PullsAnswer& answer);
    void fitOnce(QTableView& table);
    void retranslate();

    models::Session& m_session;
    models::EventLogModel m_log;
    models::PlainTableModel m_removals;
    models::PlainTableModel m_dedup;
    models::PlainTableModel m_pulls;
    std::unordered_map<ConsumerId, PullsAnswer> m_pullAnswers;
    QTabWidget* m_tabs;
    QTableView* m_logView;
    QTableView* m_removalsView;
    QTableView* m_dedupView;
    QTableView* m_pullsView;
    QToolButton* m_show;
    QLabel* m_gap;
    qint64 m_gapAt = 0; ///< when events were last left out, 0 = never
    std::vector<QAction*> m_groups;
    QToolButton* m_only; ///< says which message the log is narrowed to, click ends it
    QToolButton* m_pause;
    quint64 m_sequence = 0;
    QCheckBox* m_all;
    QTimer m_tick;
};

} // namespace jetglass::pages
