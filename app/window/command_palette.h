// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QIcon>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace jetglass::window {

/// One thing to do or to go to.
struct Command
{
    QString text;
    QString keys; ///< its shortcut, or what kind of thing it is
    std::function<void()> run;
};

/// Type a few letters, press Enter. Words may come in any order.
class CommandPalette final : public QDialog
{
    Q_OBJECT
public:
    CommandPalette(std::vector<Command> commands, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& words);
    void runCurrent();

    std::vector<Command> m_commands;
    QLineEdit* m_words;
    QListWidget* m_list;
};

} // namespace jetglass::window
