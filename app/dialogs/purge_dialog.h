// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controllers/purge_controller.h"
#include "dialogs/growing_dialog.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace jetglass::forms {
class SameAsView;
}

namespace jetglass::dialogs {

class PreviewView;

/// Purge in its four forms. The button that removes is enabled only while the preview on screen
/// belongs to exactly what it would do.
class PurgeDialog : public GrowingDialog
{
    Q_OBJECT
public:
    PurgeDialog(client::Connection* connection,
        sources::FlowSource* source,
        const QString& stream,
        QWidget* parent = nullptr);

    /// Pre-fills, for "purge up to here" and "purge this subject".
    void setRequest(const client::PurgeRequest& request);
    [[nodiscard]] client::PurgeRequest request() const;
    [[nodiscard]] QPushButton* purgeButton() const { return m_purge; }
    [[nodiscard]] PreviewView* preview() const { return m_preview; }

signals:
    void purged(quint64 count);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void retranslate();
    void onEdited();
    void refresh();

    QPointer<client::Connection> m_connection;
    controllers::PurgeController m_controller;
    QRadioButton* m_all;
    QRadioButton* m_bySeq;
    QLineEdit* m_seq;
    QRadioButton* m_byKeep;
    QLineEdit* m_keep;
    QLabel* m_filterLabel;
    QLineEdit* m_filter;
    PreviewView* m_preview;
    forms::SameAsView* m_sameAs;
    QLabel* m_result;
    QPushButton* m_purge;
    QPushButton* m_cancel;
    QTimer m_again;
};

} // namespace jetglass::dialogs
