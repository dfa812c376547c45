// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "broker/preview.h"

#include <QWidget>

class QLabel;
class QTableWidget;

namespace jetglass::dialogs {

/// What exactly would go: count, bytes, sequences, a sample, and what consumers lose.
class PreviewView : public QWidget
{
    Q_OBJECT
public:
    explicit PreviewView(QWidget* parent = nullptr);

    /// Until the next answer is there.
    void setAsking();
    void setPreview(const PreviewAnswer& preview);
    [[nodiscard]] QString headline() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fillSample();
    void fillConsumers();

    PreviewAnswer m_preview;
    bool m_known = false;
    QLabel* m_headline;
    QLabel* m_range;
    QLabel* m_sampleLabel;
    QTableWidget* m_sample;
    QLabel* m_consumersLabel;
    QTableWidget* m_consumers;
};

} // namespace jetglass::dialogs
