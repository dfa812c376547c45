// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/message.h"

#include <QTableWidget>

class QMenu;

namespace jetglass::pages {

/// Editable headers of a message. There is always one empty row at the end to type into.
class HeaderTable : public QTableWidget
{
    Q_OBJECT
public:
    explicit HeaderTable(QWidget* parent = nullptr);

    [[nodiscard]] QList<client::Header> headers() const;
    /// What is wrong with the first row that cannot be sent, empty if all can.
    [[nodiscard]] QString problem() const;
    void setHeaders(const QList<client::Header>& headers);
    /// Fills the empty row and puts the cursor into the value.
    void addHeader(const QString& name, const QString& value);
    /// The headers JetStream gives a meaning to, each with what it does.
    void fillMenu(QMenu* menu);

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void edited();

protected:
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void keepEmptyRow();
    void retranslate();
};

} // namespace jetglass::pages
