// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/plain_table_model.h"
#include "models/session.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace jetglass::pages {

/// Who is connected, and how much goes in and out.
class ClientsPage final : public QWidget
{
    Q_OBJECT
public:
    explicit ClientsPage(models::Session& session, QWidget* parent = nullptr);

    void select(ClientId client);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void retranslate();

    models::Session& m_session;
    models::PlainTableModel m_model;
    QLabel* m_title;
    QTableView* m_table;
};

} // namespace jetglass::pages
