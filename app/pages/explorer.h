// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "models/stream_tree_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLineEdit;
class QTreeView;

namespace jetglass::pages {

class NoMatch;

/// Hides sections that hold nothing, and rows that do not match what was typed (their parents
/// stay).
class ExplorerFilter final : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString& words);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_words;
};

/// The left side: streams with their consumers, buckets, object stores, clients.
class Explorer final : public QWidget
{
    Q_OBJECT
public:
    explicit Explorer(models::Session& session, QWidget* parent = nullptr);

    [[nodiscard]] models::StreamTreeModel& model() { return m_model; }
    [[nodiscard]] QTreeView& view() { return *m_tree; }
    void focusFilter();

signals:
    void clientChosen(jetglass::ClientId client);
    void streamChosen(); ///< by the reader, the same stream again included
    void contextMenuRequested(
        jetglass::StreamId stream, jetglass::ConsumerId consumer, const QPoint& globalPos);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showSelection();
    void choose(const QModelIndex& index);
    void chooseMatch();
    void applyLook();
    void retranslate();
    void expandNew(const QModelIndex& parent, int first, int last);
    void openMenu(const QPoint& pos);
    void showWhetherNothingMatches();

    models::Session& m_session;
    models::StreamTreeModel m_model;
    ExplorerFilter m_filter;
    QLineEdit* m_words;
    NoMatch* m_none;
    QTreeView* m_tree;
    bool m_showing = false;
};

} // namespace jetglass::pages
