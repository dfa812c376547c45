// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controllers/replay_controller.h"
#include "sources/flow_source.h"

#include <QWidget>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QRadioButton;
class QVBoxLayout;

namespace jetglass::forms {
class SameAsView;
}

namespace jetglass::pages {

/// Replays a range of a stream to other subjects, at its own pace or another, with progress and
/// cancel. Says before the start where the messages would go and who would store them; a loop
/// cannot be started.
class ReplayPage : public QWidget
{
    Q_OBJECT
public:
    ReplayPage(
        client::Connection* connection, sources::FlowSource* source, QWidget* parent = nullptr);

    void setRange(const QString& stream, quint64 first, quint64 last);
    void start();
    [[nodiscard]] controllers::ReplayController* controller() { return &m_controller; }
    [[nodiscard]] controllers::ReplayPlan plan() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void buildTarget(QVBoxLayout* layout);
    void connectAll();
    void retranslate();
    void refreshStreams();
    void refresh();
    void refreshSameAs(const controllers::ReplayPlan& plan);
    void onProgress(const controllers::ReplayProgress& progress);
    [[nodiscard]] const StreamOverview* stream() const;
    [[nodiscard]] QString problem(const controllers::ReplayPlan& plan) const;

    QPointer<client::Connection> m_connection;
    QPointer<sources::FlowSource> m_source;
    controllers::ReplayController m_controller;

    QLabel* m_streamLabel;
    QComboBox* m_stream;
    QLabel* m_rangeLabel;
    QLineEdit* m_first;
    QLabel* m_toLabel;
    QLineEdit* m_last;
    QLabel* m_rangeFacts;
    QLabel* m_filterLabel;
    QLineEdit* m_filter;
    QRadioButton* m_usePrefix;
    QLineEdit* m_prefix;
    QRadioButton* m_useSubject;
    QLineEdit* m_subject;
    QLabel* m_speedLabel;
    QComboBox* m_speed;
    QDoubleSpinBox* m_factor;
    QCheckBox* m_keepIds;
    QLabel* m_target;
    QPushButton* m_start;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QLabel* m_result;
    forms::SameAsView* m_sameAs;
};

} // namespace jetglass::pages
