// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controllers/publish_controller.h"
#include "pages/publish_history_model.h"
#include "sources/flow_source.h"

#include <QWidget>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStringListModel;
class QTableView;
class QToolButton;
class QVBoxLayout;

namespace jetglass::forms {
class SameAsView;
}

namespace jetglass::pages {

class HeaderTable;

/// The publish panel: one message or many, and what the server said to each.
class PublishPage : public QWidget
{
    Q_OBJECT
public:
    PublishPage(
        client::Connection* connection, sources::FlowSource* source, QWidget* parent = nullptr);

    /// Fills the panel, for "publish again" and for lessons.
    void setMessage(const client::Message& message);
    [[nodiscard]] client::Message message() const;
    /// Proposes a subject of this stream if none was typed yet.
    void setStream(const QString& stream);
    void publish();
    [[nodiscard]] QString resultText() const;
    [[nodiscard]] controllers::PublishController* controller() { return &m_controller; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void buildMessage(QVBoxLayout* layout);
    void buildRun(QVBoxLayout* layout);
    void connectAll();
    void retranslate();
    void refreshSubjects();
    void refreshHints();
    void refreshSameAs();
    void refreshRun();
    void onAnswered(const client::Message& message, const client::PubAck& ack);
    void onProgress(const controllers::PublishProgress& progress);
    void formatJson();
    [[nodiscard]] QString captureText(const QString& subject) const;

    QPointer<client::Connection> m_connection;
    QPointer<sources::FlowSource> m_source;
    controllers::PublishController m_controller;
    PublishHistoryModel m_history;
    QTimer m_flush; ///< a burst of answers becomes one change of the history a frame
    QTimer m_soon; ///< "the same as" follows the typing, a little later
    std::optional<client::PubAck> m_lastAck;

    QLabel* m_subjectLabel;
    QLineEdit* m_subject;
    QLabel* m_capture;
    QLabel* m_headersLabel;
    QToolButton* m_addHeader;
    HeaderTable* m_headers;
    QLabel* m_headersState;
    QLabel* m_payloadLabel;
    QLabel* m_payloadState;
    QToolButton* m_format;
    QPlainTextEdit* m_payload;
    QLabel* m_countLabel;
    QSpinBox* m_count;
    QLabel* m_rateLabel;
    QDoubleSpinBox* m_rate;
    QCheckBox* m_acked;
    QPushButton* m_publish;
    QPushButton* m_stop;
    QLabel* m_result;
    QLabel* m_meaning;
    QLabel* m_historyLabel;
    QTableView* m_historyView;
    forms::SameAsView* m_sameAs;
    QStringListModel* m_subjects;
};

} // namespace jetglass::pages
