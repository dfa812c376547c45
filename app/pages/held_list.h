// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/consume_held_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QTableView;

namespace jetglass::pages {

/// Of all that this window holds: what one consumer gave out.
class HeldFilter final : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit HeldFilter(ConsumeHeldModel& model);
    void setConsumer(const QString& stream, const QString& consumer);
    [[nodiscard]] const controllers::HeldMessage& held(const QModelIndex& at) const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    ConsumeHeldModel& m_model;
    QString m_stream;
    QString m_consumer;
};

/// The messages of the chosen consumer as a table that fits its width, below it what becomes of the
/// selected one or why none can be answered, and where else messages are held.
class HeldList final : public QWidget
{
    Q_OBJECT
public:
    explicit HeldList(controllers::ConsumeController& controller, QWidget* parent = nullptr);

    void setConsumer(const QString& stream, const QString& consumer);
    [[nodiscard]] QTableView* view() const { return m_view; }
    /// Those of the selected messages that can be answered.
    [[nodiscard]] QList<quint64> answerable() const;
    /// The first of the selected messages.
    [[nodiscard]] const controllers::HeldMessage* current() const;
    /// Selects the next message after \a id that this window still holds.
    void selectNext(quint64 id);
    /// Why no button answers, in a sentence; empty when they do.
    [[nodiscard]] QString obstacle() const;
    /// Countdowns go on.
    void tick();
    void retranslate();

signals:
    void selectionChanged();
    void consumerWanted(const QString& stream, const QString& consumer);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void select(qsizetype index);
    void fitColumns();
    void showStatus();
    void showElsewhere();

    controllers::ConsumeController& m_controller;
    ConsumeHeldModel m_model;
    HeldFilter m_filter;
    QString m_stream;
    QString m_consumer;
    QTableView* m_view;
    QLabel* m_status;
    QLabel* m_elsewhere;
};

} // namespace jetglass::pages
