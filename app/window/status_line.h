// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/recovery_finding.h"
#include "models/session.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace jetglass::window {

/// The status bar's content: where clients connect, how many do, what flows, and what the window
/// did not see.
class StatusLine final : public QWidget
{
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setSession(models::Session* session);
    /// What the broker found damaged or repaired when it opened its store; empty when all was
    /// whole.
    void setRecovery(RecoveryReport report);

signals:
    void addressClicked();
    void clientsClicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void colour();
    void showRecovery();
    void showClock();
    void tellClock();

    models::Session* m_session = nullptr;
    QToolButton* m_address;
    QToolButton* m_clients;
    QLabel* m_rates;
    QLabel* m_summary;
    QLabel* m_clock;
    QLabel* m_lost;
    QLabel* m_recovery;
    RecoveryReport m_recovered;
    qint64 m_clockSeen = 0; ///< the broker's time in the last overview
    bool m_clockStands = false;
};

} // namespace jetglass::window
