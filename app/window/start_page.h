// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/result.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace jetglass::window {

/// What stands in the window while there is no broker: it starts, or it could not and why, with the
/// way out.
class StartPage final : public QWidget
{
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    void showStarting(int port);
    void showError(const Error& error, int port, int freePort);

signals:
    void portChosen(int port); ///< start on this one
    void retry();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    enum class State
    {
        Starting,
        PortTaken,
        Failed
    };
    State m_state = State::Starting;
    Error m_error;
    int m_port = 0;
    int m_freePort = 0;
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_other;
    QPushButton* m_again;
};

} // namespace jetglass::window
