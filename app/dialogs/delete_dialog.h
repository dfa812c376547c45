// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controllers/purge_controller.h"
#include "dialogs/growing_dialog.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace jetglass::forms {
class SameAsView;
}

namespace jetglass::dialogs {

class PreviewView;

/// Deletes a stream after showing what goes with it: its messages and every consumer.
class DeleteStreamDialog : public GrowingDialog
{
    Q_OBJECT
public:
    DeleteStreamDialog(client::Connection* connection,
        sources::FlowSource* source,
        const QString& stream,
        QWidget* parent = nullptr);

    [[nodiscard]] QPushButton* deleteButton() const { return m_delete; }

signals:
    void deleted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    [[nodiscard]] static QString whatGoes(const PreviewAnswer& preview);

    QPointer<client::Connection> m_connection;
    controllers::PurgeController m_controller;
    PreviewView* m_preview;
    forms::SameAsView* m_sameAs;
    QLabel* m_result;
    QPushButton* m_delete;
    QPushButton* m_cancel;
};

/// Deletes a consumer after saying what that frees or forgets.
class DeleteConsumerDialog : public GrowingDialog
{
    Q_OBJECT
public:
    DeleteConsumerDialog(client::Connection* connection,
        sources::FlowSource* source,
        const QString& stream,
        const QString& consumer,
        QWidget* parent = nullptr);

    [[nodiscard]] QPushButton* deleteButton() const { return m_delete; }

signals:
    void deleted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void carryOut();
    [[nodiscard]] QString consequences(
        const StreamOverview& stream, const ConsumerOverview& consumer) const;

    QPointer<client::Connection> m_connection;
    QPointer<sources::FlowSource> m_source;
    const QString m_stream;
    const QString m_consumer;
    QLabel* m_text;
    forms::SameAsView* m_sameAs;
    QLabel* m_result;
    QPushButton* m_delete;
    QPushButton* m_cancel;
};

} // namespace jetglass::dialogs
