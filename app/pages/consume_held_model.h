// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controllers/consume_controller.h"

#include <QAbstractTableModel>

namespace jetglass::pages {

/// The messages that this window holds, in order of arrival. The rows are the controller's own
/// list; text is made when asked for, so countdowns and languages need no copy.
class ConsumeHeldModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    /// The first ones are what a narrow panel has room for.
    enum Column
    {
        Sequence,
        Subject,
        Delivered,
        State,
        Behind,
        Payload,
        ColumnCount
    };

    explicit ConsumeHeldModel(
        controllers::ConsumeController* controller, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const controllers::HeldMessage& held(int row) const;
    /// Repaints the countdowns; call it while the page is visible.
    void tick();
    /// The state of one message in a sentence, with what becomes of it.
    [[nodiscard]] QString sentence(const controllers::HeldMessage& m) const;
    /// How the state column reads where it is widest, for its width.
    [[nodiscard]] static QStringList widestStates();

private:
    [[nodiscard]] QString stateText(const controllers::HeldMessage& m) const;
    [[nodiscard]] QString sentenceOfState(const controllers::HeldMessage& m) const;
    [[nodiscard]] static QVariant alignmentOf(int column);

    controllers::ConsumeController* m_controller;
    int m_rows = 0; ///< what views know of, while the controller's list is already ahead
};

} // namespace jetglass::pages
