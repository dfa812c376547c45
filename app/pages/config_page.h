// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/plain_table_model.h"
#include "models/session.h"
#include "text/config_text.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace jetglass::pages {

/// Every setting of the selected stream or consumer: in words, with its value, NATS's own term and
/// what it does.
class ConfigPage final : public QWidget
{
    Q_OBJECT
public:
    explicit ConfigPage(models::Session& session, QWidget* parent = nullptr);

    /// Scrolls to a member of the configuration, as the "why" card names it.
    void showSetting(const QString& term);

signals:
    void editRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void retranslate();

    models::Session& m_session;
    models::PlainTableModel m_model;
    std::vector<text::SettingRow> m_rows;
    QLabel* m_title;
    QPushButton* m_edit;
    QTableView* m_table;
};

} // namespace jetglass::pages
