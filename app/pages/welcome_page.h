// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace jetglass::pages {

/// No streams yet: how to connect, and what to do next.
class WelcomePage final : public QWidget
{
    Q_OBJECT
public:
    explicit WelcomePage(const QString& url, QWidget* parent = nullptr);

    void setBusy(bool busy); ///< while the example is being made
    void showProblem(const QString& text); ///< empty = none

signals:
    void exampleWanted(); ///< the ORDERS stream with its consumers
    void streamWanted(); ///< the form for a new stream

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QString m_url;
    QLabel* m_title;
    QLabel* m_connectText;
    QLabel* m_address;
    QPushButton* m_copy;
    QLabel* m_cliText;
    QLabel* m_cli;
    QLabel* m_orText;
    QPushButton* m_example;
    QPushButton* m_stream;
    QLabel* m_exampleText;
    QLabel* m_problem;
};

} // namespace jetglass::pages
