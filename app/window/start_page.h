// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/start_text.h"
#include "window/store_place.h"

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

    /// What went wrong, and what there is instead.
    struct Trouble
    {
        text::StartProblem problem;
        int port = 0;
        int freePort = 0; ///< 0 = none to offer
        QString freshStore; ///< empty = another store would not help
        LockHolder holder; ///< of the store, when it is in use
    };

    void showStarting();
    void showTrouble(const Trouble& trouble);

signals:
    void portChosen(int port); ///< start on this one
    void storeChosen(const QString& folder); ///< start with this one
    void folderWanted(); ///< the reader chooses a store
    void retry();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void tellTrouble();

    bool m_starting = true;
    Trouble m_trouble;
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_port;
    QPushButton* m_fresh;
    QPushButton* m_folder;
    QPushButton* m_again;
};

} // namespace jetglass::window
