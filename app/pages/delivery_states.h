// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/message_state.h"
#include "models/session.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace jetglass::pages {

/// What the state of one delivery means to the reader: done, waiting, blocked.
[[nodiscard]] items::Tone toneOf(DeliveryState state);
/// Somebody holds it or it waits to be given out again: an answer still counts.
[[nodiscard]] bool isPending(DeliveryState state);

/// One line per consumer: its state of one message, with a countdown, and who has it. Pending
/// deliveries can be overridden.
class DeliveryStates final : public QWidget
{
    Q_OBJECT
public:
    explicit DeliveryStates(models::Session& session, QWidget* parent = nullptr);

    /// Shows the first row of an answer; countdowns go on with each call. \a canAct: overrides are
    /// offered.
    void setStates(const RangeAnswer& answer, bool canAct);
    void retranslate();

signals:
    void consumerChosen(jetglass::ConsumerId consumer);
    void overrideWanted(jetglass::ConsumerId consumer);

private:
    struct Line
    {
        QLabel* name = nullptr;
        QLabel* text = nullptr;
        QToolButton* change = nullptr;
        ConsumerId consumer{};
    };
    void addLine();
    void showLine(Line& line, ConsumerId consumer, const RangeRow& row, const DeliveryCell& cell);
    [[nodiscard]] QString words(const DeliveryCell& cell) const;

    models::Session& m_session;
    QGridLayout* m_grid;
    std::vector<Line> m_lines;
    bool m_canAct = false;
};

} // namespace jetglass::pages
