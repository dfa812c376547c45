// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/same_as.h"

#include <QWidget>

#include <optional>

class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabBar;

namespace jetglass::forms {

/// "The same as": one action as text to copy, a tab per language. Shows nothing until an action is
/// set.
class SameAsView : public QWidget
{
    Q_OBJECT
public:
    explicit SameAsView(QWidget* parent = nullptr);

    void setServer(const QString& url);
    void setAction(const client::Action& action);
    [[nodiscard]] QString text() const;
    void setLanguage(client::Language language);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    [[nodiscard]] qsizetype columns() const;
    void retranslate();
    void refresh();
    void copy();

    QString m_server;
    std::optional<client::Action> m_action;
    QGridLayout* m_grid;
    QLabel* m_title;
    QTabBar* m_tabs;
    QPushButton* m_copy;
    QPlainTextEdit* m_text;
    bool m_below = false; ///< the tabs are in a line of their own
};

} // namespace jetglass::forms
